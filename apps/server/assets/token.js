// Requests to the server, and the token that they are sent with.
let tokenChanged = () => {};
let token = null;
try { token = sessionStorage.getItem("leitong-token"); } catch { /* for this view only */ }
const authorised = () => (token === null ? {} : {Authorization: "Bearer " + token});
async function ask(method, path, body) {
  const headers = authorised();
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(path, {method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "omit", cache: "no-store"});
  if (response.status === 401) openTokens();
  if (!response.ok) throw await response.json();
  return response;
}

const tokenButton = () => setButton("token", t(token === null ? "token" : "token_set"), t("token_hint"));
function openTokens() {
  const dialog = document.getElementById("token-dialog");
  if (dialog.open) return;
  const value = h("input", {type: "password", class: "wide", id: "token-value", autocomplete: "off", value: token ?? "", "aria-label": t("token")});
  const save = () => {
    token = value.value.trim() === "" ? null : value.value.trim();
    try {
      if (token === null) sessionStorage.removeItem("leitong-token");
      else sessionStorage.setItem("leitong-token", token);
    } catch { /* for this view only */ }
    dialog.close();
    tokenButton();
    tokenChanged();
  };
  value.addEventListener("keydown", (event) => { if (event.key === "Enter") save(); });
  dialog.replaceChildren(h("h2", {id: "token-title"}, t("token")), h("p", {}, t("token_about")), value,
    h("div", {class: "actions"}, button(t("token_save"), "", save, {class: "main", id: "token-save"}), button(t("cancel"), "", () => dialog.close())));
  dialog.showModal();
}

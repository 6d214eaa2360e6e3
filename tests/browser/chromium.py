"""A headless Chromium, controlled through its debugging pipe with only the standard library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
]


def find():
    """The path of Chromium or Chrome, or None."""
    for name in (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome"):
        if name and (path := shutil.which(name)):
            return path
    return None


class Browser:
    """`with Browser(path) as browser:`; pages come from browser.open(url)."""

    def __init__(self, path, reach=""):
        """`reach` is the only host from which pages may fetch; all others cannot be found."""
        rules = "--host-resolver-rules=MAP * ~NOTFOUND" + (f", EXCLUDE {reach}" if reach else "")
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Chromium reads commands from descriptor 3 and answers on descriptor 4.
        command_read, self._write = os.pipe()
        self._read, answer_write = os.pipe()
        for high, low in ((command_read, 3), (answer_write, 4)):
            os.set_inheritable(high, True)
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec 3<&{command_read} 4>&{answer_write}; exec "$@"', "sh", path, *FLAGS, rules,
             f"--user-data-dir={self._profile.name}", "about:blank"],
            pass_fds=(command_read, answer_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self._buffer = b""
        self._next_id = 0
        self.listeners = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def call(self, method, session=None, **params):
        """One command of the DevTools protocol and its answer; events that come before it go to the listeners."""
        self._next_id += 1
        message = {"id": self._next_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._next_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _receive(self):
        while b"\0" not in self._buffer:
            data = os.read(self._read, 1 << 20)
            if not data:
                raise RuntimeError("Chromium ended before its time")
            self._buffer += data
        raw, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(raw)
        if "method" in message and message.get("sessionId") in self.listeners:
            self.listeners[message["sessionId"]](message["method"], message["params"])
        return message

    def open(self, url, width=1280, height=900, dark=False, media="screen", language="en"):
        return Page(self, url, width, height, dark, media, language)


class Page:
    """One page. `problems` gathers console errors, exceptions, policy violations; `requests` every requested address."""

    def __init__(self, browser, url, width, height, dark, media, language):
        self._browser = browser
        self.problems, self.requests = [], []
        self._loaded = False
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.listeners[self._session] = self._event
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])
        # navigator.language, before any script of the page runs.
        self.call("Emulation.setUserAgentOverride", userAgent=self.run("navigator.userAgent"), acceptLanguage=language)
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + 60
        while not self._loaded:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{url} did not load within a minute")
            browser._receive()

    def call(self, method, **params):
        return self._browser.call(method, self._session, **params)

    def _event(self, method, params):
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append("console: " + " ".join(str(argument.get("value")) for argument in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append("log: " + params["entry"]["text"])
        elif method == "Audits.issueAdded" and params["issue"]["code"] == "ContentSecurityPolicyIssue":
            self.problems.append("policy: " + json.dumps(params["issue"]["details"]))
        elif method == "Page.javascriptDialogOpening":
            self.problems.append("a dialog opened: " + params["message"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def run(self, expression):
        """The value of a JavaScript expression (a promise is awaited)."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", expression))
        return result["result"].get("value")

    def press(self, key, code=None, text=None):
        """One key, as typed."""
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": {"Enter": 13, "Tab": 9, " ": 32}.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def download(self, path, expression):
        """The text of the file that `expression` makes the browser save, which is moved to `path`."""
        with tempfile.TemporaryDirectory() as folder:
            self._browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
            self.run(expression)
            deadline = time.monotonic() + 120
            while not (names := [name for name in os.listdir(folder) if not name.endswith(".crdownload")]):
                if time.monotonic() > deadline:
                    raise RuntimeError("nothing was downloaded within two minutes")
                time.sleep(.05)
            shutil.move(os.path.join(folder, names[0]), path)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        data = self.call("Page.printToPDF", printBackground=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

// Requests about the server itself: its health, its work, and the page.
#include <fmt/ranges.h>

#include <iterator>
#include <optional>
#include <ranges>

#include "api.hpp"
#include "leitong/version.hpp"
#include "openapi.hpp"
#include "page_assets.inc"

namespace leitong::server {
namespace {

Response asset(std::string_view type, std::string_view body) {
  return {.type = std::string(type), .body = std::string(body)};
}

}  // namespace

void Api::health(Exchange&& exchange) {
  exchange.reply({.body = fmt::format("{{\"status\":\"ok\",\"version\":\"{}\",\"kernels\":\"{}\"}}",
                                      library_info().version, library_info().kernels)});
}

void Api::ready(Exchange&& exchange) {
  const auto broken = indexes_.broken(), away = indexes_.away();
  if (indexes_.ready()) return exchange.reply({.body = "{\"status\":\"ready\"}"});
  if (!indexes_.data_is_there())
    return exchange.reply(
        to_response(Problem{503, "the data folder is gone, or another one is in its place"}));
  if (!away.empty())
    return exchange.reply(
        to_response(Problem{503,
                            fmt::format("the servers of these indexes are not reached: {}; the log says why",
                                        fmt::join(std::views::keys(away), ", ")),
                            1}));
  if (broken.empty()) return exchange.reply(to_response(Problem{503, "the indexes are being opened", 1}));
  exchange.reply(to_response(Problem{503, fmt::format("these indexes can't be opened: {}; the log says why",
                                                      fmt::join(std::views::keys(broken), ", "))}));
}

void Api::metrics(Exchange&& exchange) {
  std::string text;
  const auto to = std::back_inserter(text);
  append_head(text, "leitong_requests_total", "counter", "Requests by operation and status.");
  const auto operation = [](std::size_t i) { return i == routes().size() ? "none" : routes()[i].operation; };
  for (std::size_t i = 0; i < figures_.size(); ++i) figures_[i].append_requests(text, operation(i));
  append_head(text, "leitong_request_seconds", "histogram",
              "Time from the end of a request's head to the end of its answer.");
  for (std::size_t i = 0; i < figures_.size(); ++i) figures_[i].append_seconds(text, operation(i));
  const NetworkFigures network = network_();
  append_sample(text, "leitong_connections", "gauge", "Open connections.",
                static_cast<double>(network.connections));
  append_sample(text, "leitong_connections_accepted_total", "counter", "Connections so far.",
                static_cast<double>(network.accepted));
  append_sample(text, "leitong_connections_evicted_total", "counter",
                "Connections that were closed to make room.", static_cast<double>(network.evicted));
  append_sample(text, "leitong_connections_timed_out_total", "counter", "Connections that took too long.",
                static_cast<double>(network.timed_out));
  append_sample(text, "leitong_request_bytes", "gauge", "Bytes of requests at work and of their answers.",
                static_cast<double>(memory_.used()));
  const auto indexes = indexes_.all();
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help, auto value) {
    append_head(text, name, type, help);
    for (std::size_t i = 0; i < indexes.size(); ++i)
      if (const std::optional<std::uint64_t> known = value(i))
        fmt::format_to(to, "{}{{index=\"{}\"}} {}\n", name, indexes[i]->name(), *known);
  };
  each("leitong_gathered_calls_total", "counter", "Calls of an index; each costs one sync at most.",
       [&](std::size_t i) { return indexes[i]->gather().calls(); });
  each("leitong_gathered_texts_total", "counter", "Texts of these calls.",
       [&](std::size_t i) { return indexes[i]->gather().texts(); });
  std::vector<online::Figures> figures;
  figures.reserve(indexes.size());
  // This request waits for no other server.
  for (const auto& index : indexes)
    figures.push_back(index->is_remote() ? index->noted()
                                         : index->index().figures().value_or(online::Figures{}));
  const auto figure = [&](std::string_view name, std::string_view type, std::string_view help, auto value) {
    each(name, type, help, [&](std::size_t i) { return figures[i].*value; });
  };
  using F = online::Figures;
  figure("leitong_index_texts", "gauge", "Texts of an index.", &F::texts);
  figure("leitong_index_new", "gauge", "Texts that were new on arrival.", &F::fresh);
  figure("leitong_index_near", "gauge", "Texts that were near to an earlier one on arrival.", &F::near);
  figure("leitong_index_exact", "gauge", "Texts that were copies on arrival.", &F::exact);
  figure("leitong_index_postings", "gauge", "Pairs of a key and a text.", &F::postings);
  figure("leitong_index_full_keys", "gauge", "Keys that take no more texts.", &F::full_keys);
  figure("leitong_index_segments", "gauge", "Files of postings.", &F::segments);
  figure("leitong_index_segment_bytes", "gauge", "Size of the files of postings.", &F::segment_bytes);
  figure("leitong_index_memory_bytes", "gauge", "Postings and records that are not in files yet.",
         &F::memory_bytes);
  figure("leitong_index_store_bytes", "gauge", "Size of the files of texts.", &F::store_bytes);
  figure("leitong_index_checks_total", "counter", "Texts that were looked for.", &F::checks);
  figure("leitong_index_bounded_candidates_total", "counter",
         "Searches with likely texts that were not compared.", &F::bounded_candidates);
  figure("leitong_index_bounded_ids_total", "counter", "Searches with holders of keys left out.",
         &F::bounded_ids);
  figure("leitong_index_bounded_keys_total", "counter", "Searches with keys left out.", &F::bounded_keys);
  figure("leitong_index_checked_twice_total", "counter",
         "Texts that were checked again behind an earlier one of their batch.", &F::checked_twice);
  append_process(text);
  exchange.reply({.type = "text/plain; version=0.0.4; charset=utf-8", .body = std::move(text)});
}

std::string Api::describe() { return openapi_json(kApi); }

void Api::openapi(Exchange&& exchange) { exchange.reply(asset("application/json", description_)); }

namespace {

/// A page that may load nothing but what this server has.
Response html_asset(std::string_view html) {
  Response response = asset("text/html; charset=utf-8", html);
  response.fields.emplace_back(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri "
      "'none'; "
      "form-action 'none'; "
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
  return response;
}

}  // namespace

void Api::page(Exchange&& exchange) { exchange.reply(html_asset(kPageHtml)); }
void Api::api_page(Exchange&& exchange) { exchange.reply(html_asset(kApiHtml)); }
void Api::api_script(Exchange&& exchange) {
  exchange.reply(asset("text/javascript; charset=utf-8", kApiScript));
}

void Api::page_script(Exchange&& exchange) {
  exchange.reply(asset("text/javascript; charset=utf-8", kPageScript));
}
void Api::page_icon(Exchange&& exchange) { exchange.reply(asset("image/svg+xml", kPageIcon)); }
void Api::page_style(Exchange&& exchange) { exchange.reply(asset("text/css; charset=utf-8", kPageStyle)); }

}  // namespace leitong::server

// Requests about many texts of an index at once: sources, expiry, snapshots, the overview.
#include <fmt/core.h>

#include <ctime>

#include "api.hpp"
#include "json_writer.hpp"
#include "leitong/json.hpp"
#include "log.hpp"

namespace leitong::server {
namespace {

/// {"source": ".."}
Outcome<std::string> source_of(const Exchange& exchange) {
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto source, question.text("source"));
  SERVER_TRY(question.nothing_else());
  if (!source || source->empty()) return problem(422, "\"source\" is missing");
  return std::string(*source);
}

std::string source_json(const std::string& source, std::string_view member, std::string_view value) {
  std::string json = "{\"source\":";
  append_json_string(source, json);
  return json + fmt::format(",\"{}\":{}}}", member, value);
}

online::Seconds now_in_seconds() { return static_cast<online::Seconds>(std::time(nullptr)); }

}  // namespace

Outcome<std::string> Api::begin_source(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(const std::string source, source_of(exchange));
  SERVER_ASSIGN(const bool begun, indexes_.begin_source(*index, source, settings()->config.limits.indexes));
  return source_json(source, "begun", begun ? "true" : "false");
}

Outcome<std::string> Api::commit_source(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(const std::string source, source_of(exchange));
  SERVER_ASSIGN(const online::Committed done, outcome(index->index().commit(source)));
  return source_json(
      source, "committed",
      fmt::format("{{\"texts\":{},\"new\":{},\"near\":{},\"exact\":{},\"known\":{},\"refused\":{}}}",
                  done.texts, done.fresh, done.near, done.exact, done.known, done.refused));
}

Outcome<std::string> Api::rollback_source(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(const std::string source, source_of(exchange));
  SERVER_TRY(outcome(index->index().rollback(source)));
  return source_json(source, "forgotten", "true");
}

Outcome<std::string> Api::remove_source(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(const std::string source, source_of(exchange));
  SERVER_ASSIGN(const std::uint64_t removed, outcome(index->index().remove_source(source)));
  return source_json(source, "removed", fmt::format("{}", removed));
}

Outcome<std::string> Api::list_sources(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  std::string json = "{\"open\":[";
  const char* separator = "";
  for (const std::string& source : index->index().open_sources()) {
    json += std::exchange(separator, ",");
    append_json_string(source, json);
  }
  return json + "]}";
}

Outcome<std::string> Api::expire(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto before, question.time("before"));
  SERVER_TRY(question.nothing_else());
  SERVER_ASSIGN(const std::uint64_t removed,
                outcome(index->index().expire(before.value_or(now_in_seconds()))));
  return fmt::format("{{\"removed\":{}}}", removed);
}

Outcome<std::string> Api::snapshot(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(const std::string name, indexes_.snapshot(*index));
  return fmt::format("{{\"snapshot\":\"{}\"}}", name);
}

Outcome<std::string> Api::compact(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_TRY(outcome(index->index().compact()));
  SERVER_ASSIGN(const online::Figures figures, outcome(index->index().figures()));
  std::string json;
  append_figures(json, figures);
  return json;
}

Outcome<std::string> Api::overview(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  return index->overview();
}

void Api::expire_all() {
  const online::Seconds now = now_in_seconds();
  for (const auto& index : indexes_.all()) {
    const auto removed = index->index().expire(now);
    if (!removed)
      LogLine(Level::error, "expiry failed")
          .text("index", index->name())
          .text("message", removed.error().message);
    else if (*removed > 0)
      LogLine(Level::info, "expired").text("index", index->name()).count("texts", *removed);
  }
}

}  // namespace leitong::server

// Requests about an index.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <iterator>
#include <span>
#include <utility>

#include "api.hpp"
#include "arrow_records.hpp"
#include "index_settings.hpp"
#include "json_writer.hpp"
#include "leitong/json.hpp"
#include "leitong/settings.hpp"
#include "word_api.hpp"

namespace leitong::server {
namespace {

/// Texts of a request to an index.
struct Batch {
  Records records;
  std::shared_ptr<HostedIndex> index;
  Reply reply;
  std::shared_ptr<MemoryShare> memory;
  std::vector<online::Text> texts;  ///< of the records that could be read
};

constexpr std::uint32_t kMostMatches = 32;

/// "name=true".
Outcome<bool> flag_of(std::string_view query, std::string_view name) {
  const auto value = query_value(query, name);
  if (value && *value != "true" && *value != "false")
    return problem(422, fmt::format("\"{}\" is true or false", name));
  return value == "true";
}

/// The number in "name=17", or nothing if it is missing.
template <class Number>
Outcome<std::optional<Number>> number_of(std::string_view query, std::string_view name, Number least,
                                         Number most) {
  const auto value = query_value(query, name);
  if (!value) return std::nullopt;
  Number number = 0;
  const auto [rest, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || rest != value->data() + value->size() || number < least || number > most)
    return problem(422, fmt::format("\"{}\" is a number from {} to {}", name, least, most));
  return number;
}

/// "passages=true&matches=5&exclude=quotations,bibliography".
Outcome<online::Wanted> wanted_of(std::string_view query) {
  online::Wanted wanted;
  if (const auto names = query_value(query, "exclude")) {
    std::vector<std::string> excluded;
    for (std::size_t begin = 0, end = 0; end < names->size(); begin = end + 1) {
      end = std::min(names->find(',', begin), names->size());
      excluded.emplace_back(names->substr(begin, end - begin));
    }
    Result<void> read;
    each_setting(wanted, [&](const Setting& setting, const SettingValue& value) {
      if (setting.name == "exclude") read = set_value(setting, value, excluded);
    });
    if (!read) return problem(422, "\"exclude\": " + read.error().message);
  }
  SERVER_ASSIGN(wanted.passages, flag_of(query, "passages"));
  SERVER_ASSIGN(const auto matches, number_of<std::uint32_t>(query, "matches", 1, kMostMatches));
  wanted.matches = matches.value_or(wanted.matches);
  return wanted;
}

/// "expected_version=17".
Outcome<online::ExpectedVersion> expected_of(std::string_view query) {
  return number_of<std::uint64_t>(query, "expected_version", 0, UINT64_MAX);
}

/// Writes the answers to a batch as they arrive.
class AnswerWriter {
 public:
  explicit AnswerWriter(const Batch& batch) : batch_(batch), next_(batch.records.records.begin()) {}

  /// The answers for the next texts.
  Outcome<void> add(std::span<const online::Answer> answers) {
    for (const online::Answer& answer : answers) {
      SERVER_TRY(add_unread());
      SERVER_TRY(add(*next_++, answer));
    }
    return {};
  }
  Outcome<std::string> finish() {
    SERVER_TRY(add_unread());
    end_answers(json_, batch_.records.form, first_);
    return std::move(json_);
  }

 private:
  Outcome<void> add_unread() {
    for (; next_ != batch_.records.records.end() && !next_->reason.empty(); ++next_)
      SERVER_TRY(add(*next_, {.verdict = online::Verdict::refused, .reason = next_->reason}));
    return {};
  }
  Outcome<void> add(const Record& record, const online::Answer& answer) {
    begin_answer(json_, batch_.records.form, std::exchange(first_, false));
    append_open_answer(json_, record.id, answer);
    json_ += '}';
    return batch_.memory->hold_answer(json_.capacity());
  }

  const Batch& batch_;
  std::vector<Record>::const_iterator next_;
  std::string json_;
  bool first_ = true;
};

Outcome<std::string> write_answers(const Batch& batch, std::span<const online::Answer> answers) {
  if (batch.records.form == Form::arrow) return write_arrow_answers(batch.records.records, answers);
  AnswerWriter writer(batch);
  SERVER_TRY(writer.add(answers));
  return writer.finish();
}

// Matches and passages may take many times the memory of the texts, so texts are checked in groups of at most
// so many bytes and texts.
constexpr std::size_t kGroupBytes = 256 << 10, kGroupTexts = 64;

/// Calls ask(texts) for one group after another; an answer that is too large ends it.
template <class Ask>
Outcome<std::string> answer_in_groups(const Batch& batch, Ask ask) {
  AnswerWriter writer(batch);
  for (std::span<const online::Text> left = batch.texts; !left.empty();) {
    std::size_t count = 0;
    for (std::size_t bytes = 0; count < std::min(left.size(), kGroupTexts) && bytes < kGroupBytes; ++count)
      bytes += left[count].text.size();
    SERVER_ASSIGN(const auto answers, outcome(ask(left.first(count))));
    SERVER_TRY(writer.add(answers));
    left = left.subspan(count);
  }
  return writer.finish();
}

Response to_response(Form form, Outcome<std::string> json) {
  Response response = to_response(std::move(json));
  if (response.status == 200) response.type = content_type_of(form);
  return response;
}

/// each(json, record) appends the members of one answer after its id.
template <class Each>
Outcome<std::string> answer_each(const Records& records, MemoryShare& memory, Each each) {
  std::string json;
  bool first = true;
  for (const Record& record : records.records) {
    begin_answer(json, records.form, std::exchange(first, false));
    json += "{\"id\":";
    append_json_string(record.id.value_or(""), json);
    json += ',';
    if (record.reason.empty()) {
      SERVER_TRY(each(json, record));
    } else {
      json += "\"reason\":";
      append_json_string(record.reason, json);
    }
    json += '}';
    SERVER_TRY(memory.hold_answer(json.capacity()));
  }
  end_answers(json, records.form, first);
  return json;
}

/// The same for the ids in a request, with its index: each(json, index, id).
template <class Each>
Response answer_ids(const Exchange& exchange, Indexes& indexes, const Limits& limits, Each each) {
  const auto index = indexes.find(exchange.index);
  if (!index) return server::to_response(index.error());
  const auto records = read_records(exchange.content_type, exchange.body, Wants::id, limits);
  if (!records) return server::to_response(records.error());
  const auto append = [&](std::string& json, const Record& record) {
    return each(json, (*index)->index(), *record.id);
  };
  return to_response(records->form, answer_each(*records, *exchange.memory, append));
}

Outcome<std::string> explanation_json(const online::Explanation& explanation) {
  std::string json = "{\"answer\":";
  append_open_answer(json, {}, explanation.answer);
  const auto to = std::back_inserter(json);
  fmt::format_to(to, "}},\"units\":{},\"keys\":[", explanation.units);
  const char* separator = "";
  for (const auto& key : explanation.keys) {
    fmt::format_to(to, "{}{{\"tier\":{},\"level\":{},\"holders\":{},\"full\":{}}}", separator, key.tier,
                   key.level, key.holders, key.full);
    separator = ",";
  }
  json += "],\"candidates\":[";
  separator = "";
  for (const auto& candidate : explanation.candidates) {
    fmt::format_to(to, "{}{{\"id\":", separator);
    append_json_string(candidate.id, json);
    fmt::format_to(to, ",\"fate\":\"{}\"", candidate.fate);
    if (candidate.distance)
      fmt::format_to(to, ",\"distance\":{}}}", *candidate.distance);
    else
      fmt::format_to(to,
                     ",\"units\":{},\"rank\":{:.4f},\"sketch\":{:.4f},\"jaccard\":{:.4f},"
                     "\"containment\":{:.4f}}}",
                     candidate.units, candidate.rank, candidate.sketch, candidate.jaccard,
                     candidate.containment);
    separator = ",";
  }
  return json + "]}";
}

Outcome<std::string> index_json(HostedIndex& index) {
  const auto figures = index.index().figures();
  if (!figures && !index.is_remote()) return tl::make_unexpected(to_problem(figures.error()));
  std::string json = fmt::format("{{\"name\":\"{}\",\"durability\":\"{}\",\"scheme\":", index.name(),
                                 index.is_remote() ? "server" : durability_name(index.settings()));
  append_json_string(index.settings().scheme, json);
  json += ",\"figures\":";
  append_figures(json, figures ? *figures : index.noted());
  return json + "}";
}

}  // namespace

void Api::gather(Exchange&& exchange, Task task) {
  auto batch = std::make_shared<Batch>();
  batch->reply = std::move(exchange.reply);
  batch->memory = exchange.memory;
  const auto wanted = wanted_of(exchange.query);
  if (!wanted) return batch->reply(server::to_response(wanted.error()));
  const auto expected = expected_of(exchange.query);
  if (!expected) return batch->reply(server::to_response(expected.error()));
  const auto part = part_of(query_value(exchange.query, "html"));
  if (!part) return batch->reply(server::to_response(part.error()));
  auto index = indexes_.find(exchange.index);
  if (!index) return batch->reply(to_response(index.error()));
  batch->index = *std::move(index);
  auto records =
      read_records(exchange.content_type, exchange.body, task == Task::check ? Wants::text : Wants::both,
                   settings()->config.limits, *part);
  if (!records) return batch->reply(to_response(records.error()));
  batch->records = *std::move(records);
  if (batch->records.form == Form::arrow &&
      (wanted->passages || wanted->matches > 1 || !wanted->exclude.empty()))
    return batch->reply(server::to_response(problem(
        422,
        "rows hold one match without passages; ask for \"matches\", \"passages\" and \"exclude\" in JSON")));
  batch->texts.reserve(batch->records.records.size());
  for (const Record& record : batch->records.records)
    if (record.reason.empty())
      batch->texts.push_back({.id = record.id ? std::string_view(*record.id) : "",
                              .text = record.text,
                              .source = record.source,
                              .time = record.time,
                              .expires = record.expires,
                              .fingerprint = record.fingerprint,
                              .base = task == Task::check ? std::string_view(record.base) : ""});
  const auto reply_with = [batch](const auto& write) {
    try {
      batch->reply(to_response(batch->records.form, write()));
    } catch (const std::exception&) {
      batch->reply(server::to_response(no_memory()));
    }
  };
  const auto done = [batch, reply_with](const Result<std::span<const online::Answer>>& answers) {
    if (!answers) return batch->reply(server::to_response(server::to_problem(answers.error())));
    reply_with([&] { return write_answers(*batch, *answers); });
  };
  if (batch->texts.empty()) return done(std::span<const online::Answer>());
  const bool excludes =
      !wanted->exclude.empty() ||
      std::ranges::any_of(batch->texts, [](const online::Text& t) { return !t.base.empty(); });
  if (!*expected && (wanted->passages || wanted->matches > 1 || excludes))
    return workers_.post([batch, reply_with, task, wanted = *wanted] {
      online::Index& asked = batch->index->index();
      const auto ask = [&](std::span<const online::Text> texts) {
        return task == Task::check ? std::as_const(asked).check(texts, wanted)
                                   : asked.check_and_add(texts, wanted);
      };
      reply_with([&] { return answer_in_groups(*batch, ask); });
    });
  batch->index->submit(task, batch->texts, *wanted, *expected, done);
}

void Api::check(Exchange&& exchange) { gather(std::move(exchange), Task::check); }
void Api::add(Exchange&& exchange) { gather(std::move(exchange), Task::add); }
void Api::check_and_add(Exchange&& exchange) { gather(std::move(exchange), Task::check_and_add); }

void Api::remove(Exchange&& exchange) {
  const auto expected = expected_of(exchange.query);
  if (!expected) return exchange.reply(server::to_response(expected.error()));
  Limits limits = settings()->config.limits;
  if (*expected) limits.records = 1;  // each removal makes another version
  const auto remove_one = [&](std::string& json, online::Index& index,
                              const std::string& id) -> Outcome<void> {
    SERVER_ASSIGN(const bool removed, outcome(index.remove(id, *expected)));
    json += removed ? "\"removed\":true" : "\"removed\":false";
    return {};
  };
  exchange.reply(answer_ids(exchange, indexes_, limits, remove_one));
}

void Api::get(Exchange&& exchange) {
  const auto get_one = [](std::string& json, const online::Index& index,
                          const std::string& id) -> Outcome<void> {
    SERVER_ASSIGN(const auto stored, outcome(index.get(id)));
    if (!stored) {
      json += "\"found\":false";
      return {};
    }
    json += "\"found\":true,";
    append_stored(json, *stored, true);
    return {};
  };
  exchange.reply(answer_ids(exchange, indexes_, settings()->config.limits, get_one));
}

Outcome<online::Changes> changes_since(const online::Index& index, std::string_view cursor,
                                       const online::ChangesWanted& wanted) {
  auto changes = outcome(index.changes(cursor, wanted));
  if (!changes && changes.error().status == 404) changes.error().status = 410;
  return changes;
}

Outcome<std::string> Api::changes(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  online::ChangesWanted wanted;
  SERVER_ASSIGN(wanted.texts, flag_of(exchange.query, "texts"));
  SERVER_ASSIGN(const auto limit, number_of<std::uint32_t>(exchange.query, "limit", 1, online::kMostChanges));
  wanted.limit = limit.value_or(wanted.limit);
  SERVER_ASSIGN(const online::Changes changes,
                changes_since(index->index(), query_value(exchange.query, "since").value_or(""), wanted));
  std::string json = "{\"changes\":[";
  const char* separator = "";
  for (const auto& change : changes.changes) {
    json += std::exchange(separator, ",");
    json += change.removed ? "{\"change\":\"removed\",\"id\":" : "{\"change\":\"added\",\"id\":";
    append_json_string(change.stored.id, json);
    if (!change.removed) {
      json += ',';
      append_stored(json, change.stored, wanted.texts);
    }
    json += '}';
  }
  return json + fmt::format("],\"cursor\":\"{}\",\"more\":{}}}", changes.cursor, changes.more);
}

Outcome<std::string> Api::compare_stored(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto id, question.text("id"));
  SERVER_ASSIGN(const auto other, question.text("other_id"));
  SERVER_ASSIGN(const auto text, question.text("text"));
  SERVER_TRY(question.nothing_else());
  if (!id || other.has_value() == text.has_value())
    return problem(422, "a comparison takes \"id\", and \"text\" or \"other_id\"");
  std::string stored[2];
  for (int i = 0; i < (other ? 2 : 1); ++i) {
    SERVER_ASSIGN(auto found, outcome(index->index().get(i == 0 ? *id : *other)));
    if (!found)
      return problem(404, i == 0 ? "the index has no text of this id"
                                 : "the index has no text of the id in \"other_id\"");
    stored[i] = std::move(found->text);
  }
  return compared_json(stored[0], other ? std::string_view(stored[1]) : *text);
}

Outcome<std::string> Api::explain(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto text, question.text("text"));
  SERVER_TRY(question.nothing_else());
  if (!text) return problem(422, "\"text\" is missing");
  SERVER_ASSIGN(const online::Explanation explanation, outcome(index->index().explain(*text)));
  return explanation_json(explanation);
}

Outcome<std::string> Api::list_indexes(const Exchange& /*exchange*/) {
  std::string json = "{\"indexes\":[";
  const char* separator = "";
  for (const auto& index : indexes_.all()) {
    SERVER_ASSIGN(const std::string one, index_json(*index));
    json += std::exchange(separator, ",") + one;
  }
  return json + "]}";
}

Outcome<std::string> Api::show_index(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  return index_json(*index);
}

void Api::make_index(Exchange&& exchange) {
  bool made = false;
  Response response = server::to_response([&]() -> Outcome<std::string> {
    online::Settings wanted = settings()->config.index;
    if (!exchange.body.empty()) {
      SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
      SERVER_TRY(read_settings(question, wanted));
    }
    SERVER_ASSIGN(made, indexes_.create(exchange.index, wanted, settings()->config.limits.indexes));
    SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
    return index_json(*index);
  }());
  if (made) response.status = 201;
  exchange.reply(std::move(response));
}

void Api::erase_index(Exchange&& exchange) {
  const auto erased = indexes_.erase(exchange.index, [reply = exchange.reply](const Outcome<void>& removed) {
    reply(removed ? Response{.status = 204} : server::to_response(removed.error()));
  });
  if (!erased) exchange.reply(server::to_response(erased.error()));
}

}  // namespace leitong::server

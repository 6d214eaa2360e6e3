// Requests about texts alone: comparisons, words, weights, normal forms, signatures.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <unordered_map>

#include "api.hpp"
#include "leitong/compare.hpp"
#include "leitong/json.hpp"
#include "leitong/normalise.hpp"
#include "leitong/utf8.hpp"
#include "word_api.hpp"

namespace leitong::server {
namespace {

/// The edit similarity is computed if the product of the two texts' units is at most this: a tenth of a
/// second of work.
constexpr std::uint64_t kMostEditCells = 4'000'000'000;

/// As outcome(); but a missing dictionary of this machine is not the fault of the request.
template <class T>
Outcome<T> word_outcome(Result<T> result) {
  Outcome<T> its = outcome(std::move(result));
  if (!its && its.error().status == 404) its.error().status = 501;
  return its;
}

/// {"texts": [..]} with options.
Outcome<std::vector<std::string_view>> texts_of(Question& question, std::size_t most) {
  SERVER_ASSIGN(auto texts, question.texts("texts", most));
  if (!texts) return problem(422, "\"texts\" is missing");
  return *std::move(texts);
}

/// {"name":[[..],[..]]}; one(json, i) appends the elements of list i, and may fail. `bytes`: the expected
/// size.
template <class One>
Outcome<std::string> lists_json(std::string_view name, std::size_t lists, std::size_t bytes,
                                MemoryShare& memory, One one) {
  SERVER_TRY(memory.hold_answer(bytes));
  std::string json;
  json.reserve(bytes);
  fmt::format_to(std::back_inserter(json), "{{\"{}\":[", name);
  for (std::size_t i = 0; i < lists; ++i) {
    json += i == 0 ? "[" : ",[";
    SERVER_TRY(one(json, i));
    json += ']';
    SERVER_TRY(memory.hold_answer(json.capacity()));
  }
  json += "]}";
  return json;
}

void append_weight(std::string& json, std::string_view word, double weight, bool first) {
  json += first ? "{\"word\":" : ",{\"word\":";
  append_json_string(word, json);
  fmt::format_to(std::back_inserter(json), ",\"weight\":{:.6g}}}", weight);
}

/// What write_word() may write in addition to most_json_bytes().
constexpr std::size_t kWordStep = sizeof(std::uint64_t);

/// write_json_string() for millions of words, most of which have a few bytes. It may read up to `end`, and
/// may write bytes after the word that the next one overwrites.
char* write_word(char* to, std::string_view word, const char* end) {
  if (std::endian::native != std::endian::little || word.empty() || word.size() > kWordStep ||
      static_cast<std::size_t>(end - word.data()) < kWordStep)
    return write_json_string(to, word);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, word.data(), kWordStep);
  // The high bits of bytes that need an escape, exact up to the first of them.
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x80 * kOnes;
  const auto below = [](std::uint64_t of, std::uint64_t limit) { return (of - limit * kOnes) & ~of; };
  const std::uint64_t escaped =
      (below(bytes, 0x20) | below(bytes ^ ('"' * kOnes), 1) | below(bytes ^ ('\\' * kOnes), 1)) & kHigh;
  if (escaped << (8 * (kWordStep - word.size())) != 0) return write_json_string(to, word);
  *to++ = '"';
  std::memcpy(to, &bytes, kWordStep);
  to += word.size();
  *to++ = '"';
  return to;
}

/// Is it only white space and punctuation?
bool separates(std::string_view word) {
  for (std::size_t at = 0; at < word.size();) {
    const DecodedPoint point = decode_utf8(word, at);
    const auto within = [&](char32_t low, char32_t high) {
      return point.code_point >= low && point.code_point <= high;
    };
    const bool plain = within('0', '9') || within('a', 'z') || within('A', 'Z');
    // ASCII, Latin-1, general punctuation, of East Asia, full and half width.
    const bool punctuation = within(0, 0xBF) || within(0x2000, 0x206F) || within(0x3000, 0x3003) ||
                             within(0x3008, 0x3020) || within(0xFE10, 0xFE6F) || within(0xFF01, 0xFF0F) ||
                             within(0xFF1A, 0xFF20) || within(0xFF3B, 0xFF40) || within(0xFF5B, 0xFF65) ||
                             within(0xFEFF, 0xFEFF);
    if (plain || !punctuation) return false;
    at += point.length;
  }
  return true;
}

struct Weighted {
  std::string_view word;
  double weight = 0;
};

/// Occurrences times IDF, the heaviest first; among equal ones the first in the text.
std::vector<Weighted> weigh(std::string_view text, std::span<const Word> words, const IdfDictionary& idf) {
  std::vector<Weighted> weighted;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const Word& each : words) {
    const std::string_view word = each.in(text);
    if (separates(word)) continue;
    const auto [place, fresh] = places.try_emplace(word, weighted.size());
    if (fresh) weighted.push_back({word, 0});
    weighted[place->second].weight += 1;
  }
  for (Weighted& each : weighted) each.weight *= idf.of(each.word);
  std::ranges::stable_sort(weighted,
                           [](const Weighted& a, const Weighted& b) { return a.weight > b.weight; });
  return weighted;
}

Outcome<SegmentMode> mode_of(std::optional<std::string_view> name) {
  if (!name || *name == "mix") return SegmentMode::mix;
  if (*name == "full") return SegmentMode::full;
  if (*name == "search") return SegmentMode::search;
  return problem(422, "\"mode\" is mix, full or search");
}

Outcome<Punctuation> punctuation_of(std::optional<std::string_view> name) {
  if (!name || *name == "keep") return Punctuation::keep;
  if (*name == "fold") return Punctuation::fold;
  if (*name == "space") return Punctuation::space;
  return problem(422, "\"punctuation\" is keep, fold or space");
}

Outcome<Simplify> simplify_of(std::optional<std::string_view> name) {
  if (!name || *name == "no") return Simplify::no;
  if (*name == "characters") return Simplify::characters;
  if (*name == "phrases") return Simplify::phrases;
  return problem(422, "\"simplify\" is no, characters or phrases");
}

}  // namespace

Outcome<std::string> compared_json(std::string_view a, std::string_view b) {
  const CompareOptions options{.edit_cells = kMostEditCells, .name_a = "a", .name_b = "b"};
  SERVER_ASSIGN(const CompareResult compared, word_outcome(leitong::compare(a, b, options)));
  std::string json = to_json(compared, options);
  json.pop_back();  // the line feed
  return json;
}

Outcome<std::string> Api::text(const Exchange& exchange) {
  SERVER_ASSIGN(const HtmlPart part, part_of(query_value(exchange.query, "html")));
  SERVER_ASSIGN(const PlainDocument document,
                read_body(exchange.content_type, exchange.body, settings()->config.limits, part));
  std::string json = "{\"text\":";
  append_json_string(document.text, json);
  json += fmt::format(",\"kind\":\"{}\"", document.kind);
  if (!document.encoding.empty()) {
    json += ",\"encoding\":";
    append_json_string(document.encoding, json);
  }
  SERVER_TRY(exchange.memory->hold_answer(json.capacity() + document.text.capacity()));
  return json + "}";
}

Outcome<std::string> Api::compare(const Exchange& exchange) {
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto a, question.text("a"));
  SERVER_ASSIGN(const auto b, question.text("b"));
  SERVER_TRY(question.nothing_else());
  if (!a || !b) return problem(422, "a comparison takes \"a\" and \"b\"");
  return compared_json(*a, *b);
}

Outcome<std::string> Api::segment(const Exchange& exchange) {
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto texts, texts_of(question, settings()->config.limits.records));
  SegmentSettings how;
  SERVER_ASSIGN(const auto mode, question.text("mode"));
  SERVER_ASSIGN(how.mode, mode_of(mode));
  SERVER_ASSIGN(const auto hmm, question.yes("hmm"));
  SERVER_ASSIGN(const auto all_scripts, question.yes("all_scripts"));
  SERVER_TRY(question.nothing_else());
  how.hmm = hmm.value_or(true);
  how.all_scripts = all_scripts.value_or(false);
  SERVER_ASSIGN(const Segmenter segmenter, word_outcome(words()->segmenter()));
  SERVER_ASSIGN(const auto cut, word_outcome(segmenter.segment(context_, texts, how)));
  std::string room;  // for several words
  const auto append_words = [&](std::string& json, std::size_t i) -> Outcome<void> {
    constexpr std::size_t kAtOnce = 16 << 10;
    bool first = true;
    for (std::span<const Word> left = cut[i]; !left.empty();) {
      const auto some = left.first(std::min(left.size(), kAtOnce));
      std::size_t bytes = kWordStep;
      for (const Word& word : some) bytes += most_json_bytes(word.end - word.begin) + 1;
      if (room.size() < bytes) room.resize(bytes);
      char* to = room.data();
      for (const Word& word : some) {
        if (!std::exchange(first, false)) *to++ = ',';
        to = write_word(to, word.in(texts[i]), texts[i].data() + texts[i].size());
      }
      json.append(room.data(), to);
      SERVER_TRY(exchange.memory->hold_answer(json.capacity()));
      left = left.subspan(some.size());
    }
    return {};
  };
  return lists_json("words", texts.size(), exchange.body.size() * 2, *exchange.memory, append_words);
}

Outcome<std::string> Api::keywords(const Exchange& exchange) {
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto texts, texts_of(question, settings()->config.limits.records));
  SERVER_ASSIGN(const auto count, question.whole("count", 10'000));
  SERVER_ASSIGN(const auto all_scripts, question.yes("all_scripts"));
  SERVER_TRY(question.nothing_else());
  SERVER_ASSIGN(const Segmenter segmenter, word_outcome(words()->segmenter()));
  SERVER_ASSIGN(const auto found, word_outcome(segmenter.keywords(context_, texts, count.value_or(20),
                                                                  all_scripts.value_or(false))));
  const auto append_keywords = [&](std::string& json, std::size_t i) -> Outcome<void> {
    bool first = true;
    for (const Keyword& keyword : found[i])
      append_weight(json, keyword.word, keyword.weight, std::exchange(first, false));
    return {};
  };
  return lists_json("keywords", texts.size(), 0, *exchange.memory, append_keywords);
}

Outcome<std::string> Api::weights(const Exchange& exchange) {
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto texts, texts_of(question, settings()->config.limits.records));
  SERVER_ASSIGN(const auto name, question.text("idf"));
  SERVER_ASSIGN(const auto count, question.whole("count", 1'000'000));
  SERVER_TRY(question.nothing_else());
  const auto tools = words();
  SERVER_ASSIGN(const IdfDictionary* const idf, tools->idf(name));
  SERVER_ASSIGN(const Segmenter segmenter, word_outcome(tools->segmenter()));
  SERVER_ASSIGN(const auto cut, word_outcome(segmenter.segment(context_, texts)));
  const auto append_weights = [&](std::string& json, std::size_t i) -> Outcome<void> {
    auto weighted = weigh(texts[i], cut[i], *idf);
    if (count && weighted.size() > *count) weighted.resize(*count);
    bool first = true;
    for (const Weighted& each : weighted)
      append_weight(json, each.word, each.weight, std::exchange(first, false));
    return {};
  };
  return lists_json("weights", texts.size(), 0, *exchange.memory, append_weights);
}

Outcome<std::string> Api::normalise(const Exchange& exchange) {
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto texts, texts_of(question, settings()->config.limits.records));
  NormaliseSettings how;
  const auto yes = [&](std::string_view name, bool& to) -> Outcome<void> {
    SERVER_ASSIGN(const auto value, question.yes(name));
    to = value.value_or(to);
    return {};
  };
  SERVER_TRY(yes("fold_case", how.fold_case));
  SERVER_TRY(yes("drop_invisible", how.drop_invisible));
  SERVER_TRY(yes("run_space_together", how.run_space_together));
  SERVER_ASSIGN(const auto punctuation, question.text("punctuation"));
  SERVER_ASSIGN(how.punctuation, punctuation_of(punctuation));
  SERVER_ASSIGN(const auto simplify, question.text("simplify"));
  SERVER_ASSIGN(how.simplify, simplify_of(simplify));
  SERVER_TRY(question.nothing_else());
  SERVER_ASSIGN(const NormalisedTexts normal, word_outcome(leitong::normalise(context_, texts, how)));
  std::string json = "{\"texts\":[";
  for (std::size_t i = 0; i < normal.texts.size(); ++i) {
    if (i > 0) json += ',';
    append_json_string(normal.texts[i], json);
  }
  return json + fmt::format("],\"cut_short\":{}}}", normal.cut_short);
}

Outcome<std::string> Api::sign(const Exchange& exchange) {
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto texts, texts_of(question, settings()->config.limits.records));
  SERVER_ASSIGN(const auto method, question.text("method"));
  SERVER_ASSIGN(const auto params, question.params("params"));
  SERVER_TRY(question.nothing_else());
  const std::string name(method.value_or("simhash"));
  SERVER_ASSIGN(const Signer signer, word_outcome(words()->signer(name, params)));
  SERVER_ASSIGN(const Signatures signatures, word_outcome(signer.sign(context_, texts)));
  std::string json = "{\"scheme\":";
  append_json_string(scheme_text(signer.id()), json);
  fmt::format_to(std::back_inserter(json), ",\"bits\":{},", signer.fingerprint_bits());
  const auto append_words = [&](std::string& lists, std::size_t i) -> Outcome<void> {
    const char* separator = "";
    for (const std::uint64_t word : signatures[i])
      fmt::format_to(std::back_inserter(lists), "{}\"{:016x}\"", std::exchange(separator, ","), word);
    return {};
  };
  SERVER_ASSIGN(const std::string lists,
                lists_json("signatures", texts.size(), texts.size() * 24, *exchange.memory, append_words));
  return json + lists.substr(1);
}

}  // namespace leitong::server

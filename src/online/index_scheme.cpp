#include "online/index_scheme.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/try.hpp"
#include "corpus/charset.hpp"
#include "leitong/records.hpp"
#include "leitong/scheme.hpp"
#include "online/fingerprint_scheme.hpp"
#include "online/shingle_scheme.hpp"
#include "scheme/scheme.hpp"
#include "text/segment/model_store.hpp"

namespace leitong::online {
namespace {

/// "default, simhash, ..".
std::string known_schemes() {
  std::string names = fmt::format("{}, {}", kShingleScheme, kReuseScheme);
  for (const SchemeInfo& info : schemes())
    if (is_fingerprint(info)) names.append(", ").append(info.name);
  return names;
}

std::string described(const IndexSpec& spec) {
  std::string text = scheme_text(spec.scheme);
  if (!compares_texts(spec.scheme.name)) text += fmt::format(", distance {}", spec.distance);
  return text;
}

/// Calls each(path), which may change the path, for all files that are named.
template <class Each>
void for_each_file(IndexSpec& spec, Each each) {
  Dictionaries& named = spec.dictionaries;
  for (std::filesystem::path& path : named.user) each(path);
  for (std::filesystem::path* const path : {&named.idf, &named.stop_words, &named.model})
    if (!path->empty()) each(*path);
  const SchemeInfo* const info = find_scheme(spec.scheme.name);
  if (info == nullptr) return;
  for (std::string& given : spec.given) {
    const std::size_t end = std::min(given.find('='), given.size());
    const auto is_it = [&](const ParamInfo& param) {
      return param.use == ParamUse::file && param.name == std::string_view(given).substr(0, end);
    };
    if (end + 1 >= given.size() || std::ranges::none_of(info->params, is_it)) continue;
    std::filesystem::path path = given.substr(end + 1);
    each(path);
    given.replace(end + 1, std::string::npos, path.native());
  }
}

/// Makes the names absolute, because an index may be opened from another folder. False if no file is named.
bool name_files_in_full(IndexSpec& spec) {
  bool names_files = false;
  for_each_file(spec, [&](std::filesystem::path& path) {
    names_files = true;
    std::error_code error;
    std::filesystem::path full = std::filesystem::absolute(path, error);
    if (!error) path = std::move(full);
  });
  return names_files;
}

/// An index reads its files at each opening, so pipes are not allowed.
Result<void> check_are_files(IndexSpec& wanted) {
  std::string other;
  for_each_file(wanted, [&](const std::filesystem::path& path) {
    std::error_code ignored;
    if (other.empty() && std::filesystem::exists(path, ignored) &&
        !std::filesystem::is_regular_file(path, ignored))
      other = path.native();
  });
  if (other.empty()) return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("{}: is not a regular file; an index reads its files each time it is opened", other));
}

Result<void> check_files_are_there(IndexSpec stored, const std::filesystem::path& place) {
  std::string missing;
  for_each_file(stored, [&](const std::filesystem::path& path) {
    std::error_code ignored;
    if (missing.empty() && !std::filesystem::exists(path, ignored)) missing = path.native();
  });
  if (missing.empty()) return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("{}: was made with the file {}, which isn't there; put it back, or name the scheme, "
                  "its parameters and the dictionaries again, with the file's new place",
                  place.string(), missing));
}

Result<std::unique_ptr<IndexScheme>> make(const Context& context, const Folding& folding, IndexSpec wanted) {
  if (compares_texts(wanted.scheme.name)) return make_shingle_scheme(context, folding, std::move(wanted));
  const SchemeInfo* const info = find_scheme(wanted.scheme.name);
  if (info == nullptr || !is_fingerprint(*info))
    return fail(ErrorCode::invalid_argument, fmt::format("the scheme \"{}\" has no index; choose one of: {}",
                                                         wanted.scheme.name, known_schemes()));
  return make_fingerprint_scheme(context, folding, *info, std::move(wanted));
}

struct Named {
  std::string_view name, value;
};

/// Why a text with these details cannot be accepted; empty if it can. The only such rule, for all callers.
std::string fault_in(const Text& text) {
  for (const auto& [name, value] : {Named{"text", text.text}, {"id", text.id}, {"source", text.source}})
    if (const std::size_t at = value.find('\0'); at != std::string_view::npos)
      return fmt::format("the {} holds a NUL character at byte {}", name, at + 1);
  if (std::string problem = damaged_text(text.text); !problem.empty()) return problem;
  struct Moment {
    std::string_view name;
    std::optional<Seconds> value;
  };
  for (const auto& [name, value] : {Moment{"date", text.time}, {"time at which it expires", text.expires}})
    if (value && !is_moment(*value))
      return fmt::format(
          "the {} is {}; give seconds since 1970, up to {} and none that read as a date, or a date "
          "such as 2026-11-22",
          name, *value, kMostSeconds);
  return {};
}

/// Why an index cannot keep a text or be queried for it; empty if it can.
std::string refusal(const CheckedText& text, bool to_be_added) {
  if (text.text.size() > kMostTextBytes)
    return fmt::format("the text has more than {} bytes", kMostTextBytes);
  for (const auto& [name, value] : {Named{"text", text.text}, {"id", text.id}, {"source", text.source}})
    if (!simdjson::validate_utf8(value)) return fmt::format("the {} is not valid UTF-8", name);
  if (text.stamp && !text.stamp->digest && !text.text.empty())
    return "there are both a text and a fingerprint; give one of the two";
  if (to_be_added && (text.id.empty() || text.id.size() > kMostIdBytes))
    return fmt::format("the id has {} bytes; it needs 1 to {}", text.id.size(), kMostIdBytes);
  if (text.source.size() > kMostIdBytes)
    return fmt::format("the source has {} bytes; it may have {}", text.source.size(), kMostIdBytes);
  return {};
}

}  // namespace

Result<void> check_wanted(const IndexScheme& scheme, const Wanted& wanted) {
  if (wanted.matches == 0)
    return fail(ErrorCode::invalid_argument, "0 matches are wanted of each text; ask for 1 or more");
  if (!wanted.passages || scheme.spec().keeps_texts) return {};
  return fail(ErrorCode::unsupported,
              "the index keeps no texts, so that it can't tell passages; ask without them, or make an index "
              "that keeps the texts");
}

CheckedText checked_of(const Text& text, Look look) {
  CheckedText checked;
  begin_check(text, look, checked);
  return checked;
}

void begin_check(const Text& text, Look look, CheckedText& checked) {
  checked.clear();
  checked.id = text.id;
  checked.text = text.text;
  checked.source = text.source;
  checked.time = text.time;
  checked.expires = text.expires;
  checked.look = look;
  if (text.fingerprint) checked.stamp = Stamp{text.fingerprint, {}};
  checked.reason = fault_in(text);
}

void prepare_text(const IndexScheme& scheme, const Secret& secret, bool to_be_added, CheckedText& text,
                  CheckScratch& scratch) {
  if (text.reason.empty()) text.reason = refusal(text, to_be_added);
  if (!text.reason.empty()) {
    text.verdict = Verdict::refused;
    return;
  }
  const bool without_text = text.stamp && !text.stamp->digest;
  scheme.prepare(secret, text, scratch);
  if (to_be_added && scheme.spec().keeps_texts && !without_text) scratch.codec.pack(text.text, text.packed);
}

Result<std::unique_ptr<IndexScheme>> open_index_scheme(const Context& context, const Settings& settings,
                                                       const std::filesystem::path& place,
                                                       const std::optional<IndexSpec>& stored) {
  if (settings.scheme.empty() && !settings.params.empty())
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the parameter {} is of no scheme: name the scheme, too", settings.params.front()),
        "scheme");
  IndexSpec wanted;
  wanted.scheme.name = settings.scheme.empty() ? kShingleScheme : settings.scheme;
  wanted.given = settings.params;
  wanted.dictionaries = settings.dictionaries;
  wanted.keeps_texts = settings.keep_texts;
  Folding folding = settings.folding;
  if (stored) {
    if (settings.scheme.empty()) {
      wanted.scheme.name = stored->scheme.name;
      wanted.given = stored->given;
    }
    // Another scheme is refused below, for this reason and no other.
    const bool is_same = wanted.scheme.name == stored->scheme.name;
    wanted.keeps_texts = stored->keeps_texts || !is_same;
    if (folding == Folding()) folding = folding_of(stored->scheme);
    if (is_same && ModelChoice{settings.dictionaries}.is_default()) {
      wanted.dictionaries = stored->dictionaries;
      if (settings.scheme.empty()) LEITONG_TRY(check_files_are_there(*stored, place));
    }
  }
  const bool names_files = name_files_in_full(wanted);
  LEITONG_TRY(check_are_files(wanted));
  LEITONG_ASSIGN(auto scheme, make(context, folding, std::move(wanted)));
  if (!stored) return scheme;
  const IndexSpec& made = scheme->spec();
  if (made.scheme == stored->scheme && made.distance == stored->distance) return scheme;
  const std::string difference =
      made.scheme == stored->scheme ? "" : explain_difference(stored->scheme, made.scheme);
  if (SchemeId of_these_files = stored->scheme; names_files) {
    of_these_files.model = made.scheme.model;
    if (of_these_files == made.scheme && made.distance == stored->distance)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: {}; name the files that the index was made with, or make another index "
                              "with these",
                              place.string(), difference));
  }
  const std::string in_brackets = difference.empty() ? "" : fmt::format(" ({})", difference);
  return fail(
      ErrorCode::invalid_argument,
      settings.scheme.empty() && settings.folding == Folding()
          ? fmt::format("{}: is an index by {}, and this program makes {}{}; export its texts with the "
                        "program that made it, and add them to another index",
                        place.string(), described(*stored), described(made), in_brackets)
          : fmt::format("{}: is an index by {}; it was opened for {}{}; leave the scheme and its parameters "
                        "out, or make another index with them",
                        place.string(), described(*stored), described(made), in_brackets));
}

}  // namespace leitong::online

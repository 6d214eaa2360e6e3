#include "online/index_scheme.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <string>

#include "base/try.hpp"
#include "leitong/scheme.hpp"
#include "online/fingerprint_scheme.hpp"
#include "online/shingle_scheme.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"

namespace leitong::online {
namespace {

/// "default, simhash, ..".
std::string known_schemes() {
  std::string names(kShingleScheme);
  for (const SchemeInfo& info : schemes())
    if (is_fingerprint(info)) names.append(", ").append(info.name);
  return names;
}

std::string described(const Maker& maker) {
  std::string text = scheme_text(maker.scheme);
  if (maker.scheme.name != kShingleScheme) text += fmt::format(", distance {}", maker.distance);
  return text;
}

Result<std::unique_ptr<IndexScheme>> make(const Context& context, Maker wanted) {
  if (wanted.scheme.name == kShingleScheme) return make_shingle_scheme(context, std::move(wanted));
  const SchemeInfo* const info = find_scheme(wanted.scheme.name);
  if (info == nullptr || !is_fingerprint(*info))
    return fail(ErrorCode::invalid_argument, fmt::format("the scheme \"{}\" has no index; choose one of: {}",
                                                         wanted.scheme.name, known_schemes()));
  return make_fingerprint_scheme(context, *info, std::move(wanted));
}

}  // namespace

Result<void> check_wanted(const IndexScheme& scheme, const Wanted& wanted) {
  if (wanted.matches == 0)
    return fail(ErrorCode::invalid_argument, "0 matches are wanted of each text; ask for 1 or more");
  if (!wanted.passages || scheme.maker().keeps_texts) return {};
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
}

void prepare_text(const IndexScheme& scheme, const Secret& secret, bool to_be_added, CheckedText& text,
                  CheckScratch& scratch) {
  if (text.text.size() > kMostTextBytes)
    text.reason = fmt::format("the text has more than {} bytes", kMostTextBytes);
  else if (!simdjson::validate_utf8(text.text))
    text.reason = "the text is not valid UTF-8";
  else if (text.stamp && !text.stamp->digest && !text.text.empty())
    text.reason = "there are both a text and a fingerprint; give one of the two";
  else if (to_be_added && (text.id.empty() || text.id.size() > kMostIdBytes))
    text.reason = fmt::format("the id has {} bytes; it needs 1 to {}", text.id.size(), kMostIdBytes);
  else if (text.source.size() > kMostIdBytes)
    text.reason = fmt::format("the source has {} bytes; it may have {}", text.source.size(), kMostIdBytes);
  if (!text.reason.empty()) {
    text.verdict = Verdict::refused;
    return;
  }
  const bool without_text = text.stamp && !text.stamp->digest;
  scheme.prepare(secret, text, scratch);
  if (to_be_added && scheme.maker().keeps_texts && !without_text) scratch.codec.pack(text.text, text.packed);
}

Result<std::unique_ptr<IndexScheme>> open_index_scheme(const Context& context, const Settings& settings,
                                                       const std::filesystem::path& place,
                                                       const std::optional<Maker>& stored) {
  if (settings.scheme.empty() && !settings.params.empty())
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the parameter {} is of no scheme: name the scheme, too", settings.params.front()));
  Maker wanted;
  wanted.scheme.name = settings.scheme.empty() ? kShingleScheme : settings.scheme;
  wanted.given = settings.params;
  wanted.keeps_texts = settings.keep_texts;
  if (stored) {
    wanted.keeps_texts = stored->keeps_texts;
    if (settings.scheme.empty()) {
      wanted.scheme.name = stored->scheme.name;
      wanted.given = stored->given;
    }
  }
  LEITONG_ASSIGN(auto scheme, make(context, std::move(wanted)));
  if (!stored) return scheme;
  const Maker& made = scheme->maker();
  if (made.scheme == stored->scheme && made.distance == stored->distance) return scheme;
  const std::string difference = made.scheme == stored->scheme
                                     ? ""
                                     : fmt::format(" ({})", explain_difference(stored->scheme, made.scheme));
  return fail(
      ErrorCode::invalid_argument,
      settings.scheme.empty()
          ? fmt::format("{}: is an index by {}, and this program makes {}{}; export its texts with the "
                        "program that made it, and add them to another index",
                        place.string(), described(*stored), described(made), difference)
          : fmt::format("{}: is an index by {}; it was opened for {}{}; leave the scheme and its parameters "
                        "out, or make another index with them",
                        place.string(), described(*stored), described(made), difference));
}

}  // namespace leitong::online

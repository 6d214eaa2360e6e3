#include "online/index_scheme.hpp"

#include <fmt/core.h>

#include <string>

#include "base/try.hpp"
#include "online/fingerprint_scheme.hpp"
#include "online/shingle_scheme.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"
#include "scheme/scheme_file.hpp"

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
  LEITONG_TRY(
      check_same_scheme({place.native(), stored->scheme},
                        {settings.scheme.empty() ? "this program" : "what it is opened for", made.scheme}));
  if (made.distance != stored->distance)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: is an index by {}; it was opened for {}", place.string(), described(*stored),
                            described(made)));
  return scheme;
}

}  // namespace leitong::online

#include "scheme/scheme_file.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"
#include "io/read_file.hpp"

namespace leitong {

std::filesystem::path scheme_file_of(const std::filesystem::path& signatures) {
  return signatures.string() + ".scheme";
}

Result<SchemeId> read_scheme_file(const std::filesystem::path& path) {
  LEITONG_ASSIGN(std::string text, read_whole_file(path));
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  auto id = parse_scheme(text);
  if (!id) return fail(id.error().code, fmt::format("{}: {}", path.string(), id.error().message));
  return id;
}

Result<std::optional<SchemeId>> read_scheme_beside(const std::string& signatures) {
  std::error_code error;
  const std::filesystem::path path = scheme_file_of(signatures);
  if (signatures == "-" || !std::filesystem::exists(path, error)) return std::nullopt;
  LEITONG_ASSIGN(SchemeId id, read_scheme_file(path));
  return id;
}

Result<void> check_same_scheme(const NamedScheme& a, const NamedScheme& b) {
  if (!a.id || !b.id || *a.id == *b.id) return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("{} is of the scheme {}, and {} of {}: signatures of two schemes can't be compared ({}); "
                  "sign the texts of one of them with the scheme of the other",
                  a.place, scheme_label(*a.id), b.place, scheme_label(*b.id),
                  explain_difference(*a.id, *b.id)));
}

}  // namespace leitong

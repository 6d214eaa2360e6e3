#include "api/find_in_texts.hpp"

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "dedup/find_options.hpp"
#include "io/vector_rows.hpp"

namespace leitong {
namespace {

Result<std::vector<std::uint32_t>> numbers_of(std::span<const std::uint32_t> numbers, std::string_view name,
                                              std::uint64_t texts) {
  if (!numbers.empty() && numbers.size() != texts)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} values for {} texts (references among them); give one for each",
                            numbers.size(), texts),
                std::string(name));
  return std::vector<std::uint32_t>(numbers.begin(), numbers.end());
}

/// Texts that a caller passes have no fields and no sources.
Result<void> check_keep(const KeepPolicy& keep) {
  const bool is_known = keep.by == Keep::longest || keep.by == Keep::shortest || keep.by == Keep::first ||
                        keep.by == Keep::covering || keep.by == Keep::ranked;
  if (!is_known)
    return fail(ErrorCode::invalid_argument,
                "texts in memory have no fields and no sources; choose longest, shortest, first or covering, "
                "or give ranks to a Deduplicator");
  for (const KeepPolicy& next : keep.then) {
    if (next.by == Keep::covering || next.by == Keep::ranked)
      return fail(ErrorCode::invalid_argument, "covering and ranks decide before all others or not at all");
    LEITONG_TRY(check_keep(next));
  }
  return {};
}

}  // namespace

Result<FindOptions> find_options_of_texts(const DedupSettings& settings,
                                          const std::function<std::uint64_t()>& texts) {
  LEITONG_ASSIGN(FindOptions options, find_options(settings));
  LEITONG_TRY(check_keep(settings.keep));
  if (const TextVectors& vectors = settings.vectors; settings.cosine != 0)
    options.vectors = [vectors, texts]() -> Result<DocumentVectors> {
      if (vectors.count != texts())
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} vectors for {} texts (references among them); give one for each",
                                vectors.count, texts()),
                    "vectors");
      DocumentVectors all;
      LEITONG_ASSIGN(all.rows, vectors_in_memory(vectors));
      return all;
    };
  else if (vectors.numbers != nullptr)
    return fail(ErrorCode::invalid_argument,
                "there are vectors, and no cosine from which on two texts are similar; give both", "vectors",
                "cosine");
  const TextGroups& groups = settings.groups;
  if (!groups.within.empty() || !groups.across.empty())
    options.groups = [groups, texts]() -> Result<FieldGroups> {
      FieldGroups made;
      LEITONG_ASSIGN(made.within, numbers_of(groups.within, "within", texts()));
      LEITONG_ASSIGN(made.across, numbers_of(groups.across, "across", texts()));
      return made;
    };
  if (!groups.keep_each.empty())
    options.keep_each = [groups, texts] { return numbers_of(groups.keep_each, "keep_each", texts()); };
  return options;
}

}  // namespace leitong

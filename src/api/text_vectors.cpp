#include "api/text_vectors.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"
#include "io/vector_rows.hpp"

namespace leitong {

Result<void> set_vectors(const TextVectors& vectors, double cosine, FindOptions& options,
                         std::function<std::uint64_t()> texts) {
  options.cosine = cosine;
  if (cosine == 0) {
    if (vectors.numbers == nullptr) return {};
    return fail(ErrorCode::invalid_argument,
                "there are vectors, and no cosine from which on two texts are similar; give both", "vectors",
                "cosine");
  }
  options.vectors = [vectors, texts = std::move(texts)]() -> Result<DocumentVectors> {
    if (vectors.count != texts())
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{} vectors for {} texts (references among them); give one for each",
                              vectors.count, texts()),
                  "vectors");
    DocumentVectors all;
    LEITONG_ASSIGN(all.rows, vectors_in_memory(vectors));
    return all;
  };
  return {};
}

}  // namespace leitong

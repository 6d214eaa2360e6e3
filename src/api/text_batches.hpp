// The common part of the public functions on many texts: they check texts, divide them into chunks for the
// threads, and join the results in order.
#pragma once

#include <fmt/core.h>
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "leitong/columns.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Fails with corrupt, naming the first text that is not valid UTF-8; `first` is the position of texts[0].
inline Result<void> check_texts(std::span<const std::string_view> texts, std::uint64_t first = 0) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!simdjson::validate_utf8(texts[i].data(), texts[i].size()))
      return fail(ErrorCode::corrupt, fmt::format("text {} is not valid UTF-8", first + i));
  return {};
}

/// Consecutive texts, and the position of the first of them.
struct TextChunk {
  std::span<const std::string_view> texts;
  std::size_t first = 0;
};

/// Checks the UTF-8 of the texts. Then calls `work(chunk, space, out)`, which returns Result<void>, for
/// chunks of texts on the context's threads, with one `make_space()` for each thread. Returns the outs in the
/// order of the texts. Chunks depend on the texts alone.
template <class Out, class MakeSpace, class Work>
Result<std::vector<Out>> for_chunks(const Context& context, std::span<const std::string_view> texts,
                                    MakeSpace make_space, Work work) {
  constexpr std::size_t kChunkBytes = std::size_t{64} << 10, kChunkTexts = 1024;
  std::vector<TextChunk> chunks;
  for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
    for (std::size_t bytes = 0; end < texts.size() && bytes < kChunkBytes && end - begin < kChunkTexts; ++end)
      bytes += texts[end].size();
    chunks.push_back({texts.subspan(begin, end - begin), begin});
  }
  std::vector<Out> outs(chunks.size());
  const auto work_on = [&](std::size_t i, auto& space) -> Result<void> {
    LEITONG_TRY(check_texts(chunks[i].texts, chunks[i].first));
    return work(chunks[i], space, outs[i]);
  };
  const StopToken stop(context.state().stop);
  LEITONG_TRY(
      on_threads(context, [&] { return parallel_for_each(stop, chunks.size(), make_space, work_on); }));
  return outs;
}

/// Joins columns in order.
template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}
/// Joins lists in order.
template <class T>
Lists<T> joined(std::vector<Lists<T>> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Lists<T> all;
  std::size_t values = 0, lists = 0;
  for (const Lists<T>& part : parts) values += part.values.size(), lists += part.size();
  all.values.reserve(values);
  all.offsets.reserve(lists + 1);
  for (Lists<T>& part : parts) {
    const auto shift = static_cast<std::int64_t>(all.values.size());
    all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    for (std::size_t i = 1; i < part.offsets.size(); ++i) all.offsets.push_back(shift + part.offsets[i]);
    part = {};
  }
  return all;
}

/// Ends a list: the values that were appended to `values` since the previous list belong to it.
template <class T>
void end_list(Lists<T>& lists) {
  lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
}

}  // namespace leitong

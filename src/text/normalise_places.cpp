#include <algorithm>

#include "text/normalise.hpp"
#include "text/normalise_pieces.hpp"

namespace leitong {
namespace {

/// A normal form while it is written, with the bytes from which its parts were made.
class PlacedText {
 public:
  PlacedText(PodVector<char>& normal, std::vector<NormalisedRun>& runs) : normal_(normal), runs_(runs) {
    normal_.clear();
    runs_.clear();
  }
  void space(ByteRange original) {
    if (normal_.empty()) return;
    if (gap_.empty()) gap_.begin = original.begin;
    gap_.end = original.end;
  }
  /// Appends the whole result of a stretch, without white space to be joined; `changed` if its bytes differ.
  void add(std::string_view bytes, ByteRange original, bool changed) {
    if (!gap_.empty()) {
      const ByteRange gap = gap_;
      gap_ = {};
      put(" ", gap, true);
    }
    put(bytes, original, changed);
  }

 private:
  void put(std::string_view bytes, ByteRange original, bool changed) {
    const std::size_t at = normal_.size();
    normal_.append(std::span(bytes.data(), bytes.size()));
    if (!runs_.empty()) {
      NormalisedRun& last = runs_.back();
      const bool goes_on = !changed && !last.changed && last.original.end == original.begin;
      if (goes_on || (changed && last.original == original)) {
        last.normal.end = normal_.size();
        last.original.end = original.end;
        return;
      }
    }
    runs_.push_back({{at, normal_.size()}, original, changed});
  }

  PodVector<char>& normal_;
  std::vector<NormalisedRun>& runs_;
  ByteRange gap_;
};

}  // namespace

NormaliseResult Normaliser::with_places(std::string_view utf8, PodVector<char>& normal,
                                        std::vector<NormalisedRun>& runs) const {
  const NormalView view = view_of(*table_);
  const bool runs_together = normal_kind(view.entries[U' ']) == NormalKind::space;
  const auto* const text = reinterpret_cast<const std::uint8_t*>(utf8.data());
  PlacedText placed(normal, runs);
  ComposeScratch scratch;
  NormaliseResult result;
  while (result.read < utf8.size()) {
    const NormalPiece piece = next_piece(view, utf8, result.read);
    const std::size_t bytes_before = normal.size();
    const std::size_t runs_before = runs.size();
    const NormalisedRun last_before = runs.empty() ? NormalisedRun{} : runs.back();
    for (std::size_t at = result.read; at < piece.end;) {
      // White space does not compose with a mark after it.
      const std::uint8_t* const behind = text + at + character_length(text[at]);
      const bool is_space = normal_kind(normal_entry_of(view, decode(text + at))) == NormalKind::space;
      const std::uint8_t* const next = is_space ? behind : segment_end(view, behind, text + piece.end);
      const ByteRange place{at, static_cast<std::size_t>(next - text)};
      compose_segment(view, text + place.begin, text + place.end, scratch);
      const std::string_view composed = scratch.composed;
      for (std::size_t i = 0; i < composed.size();) {
        if (runs_together && composed[i] == ' ') {
          placed.space(place);
          ++i;
          continue;
        }
        const std::size_t end =
            runs_together ? std::min(composed.find(' ', i), composed.size()) : composed.size();
        placed.add(composed.substr(i, end - i), place, composed != utf8.substr(place.begin, place.size()));
        i = end;
      }
      at = place.end;
    }
    if (normal.size() > normal_cap(utf8.size())) {
      normal.resize_for_overwrite(bytes_before);
      runs.resize(runs_before);
      if (!runs.empty()) runs.back() = last_before;
      break;
    }
    result.read = piece.end;
    result.cut_marks += piece.cuts_marks;
  }
  return result;
}

ByteRange original_place(const std::vector<NormalisedRun>& runs, ByteRange normal) {
  const auto first = std::partition_point(
      runs.begin(), runs.end(), [&](const NormalisedRun& run) { return run.normal.end <= normal.begin; });
  const auto behind = std::partition_point(
      first, runs.end(), [&](const NormalisedRun& run) { return run.normal.begin < normal.end; });
  if (first == behind) return {};
  const NormalisedRun& last = *std::prev(behind);
  const auto offset = [](const NormalisedRun& run, std::size_t at) {
    return run.original.begin + (at - run.normal.begin);
  };
  ByteRange place{first->original.begin, last.original.end};
  if (!first->changed && normal.begin > first->normal.begin) place.begin = offset(*first, normal.begin);
  if (!last.changed && normal.end < last.normal.end) place.end = offset(last, normal.end);
  return place;
}

}  // namespace leitong

#include "spread/contents.hpp"

#include <utility>

#include "base/try.hpp"

namespace leitong::spread {

Result<const ContentRow*> Contents::find(TextNumber text) {
  std::optional<Rows>& rows = files_[range_of(text, plan_.parts)];
  if (!rows) {
    LEITONG_ASSIGN(PartFile file, PartFile::open(plan_.file("weigh", range_of(text, plan_.parts))));
    LEITONG_ASSIGN(const auto found, file.mapped<ContentRow>("contents"));
    rows.emplace(Rows{std::move(file), found});
  }
  const std::size_t at = find_text(rows->rows, text, &ContentRow::text);
  if (at == rows->rows.size())
    return fail(ErrorCode::corrupt,
                "a text of a pair is missing; an input has changed while it was worked on");
  return &rows->rows[at];
}

Result<TextBlock> Contents::read(std::span<const TextNumber> texts) {
  std::vector<RecordPlace> places;
  places.reserve(texts.size());
  for (const TextNumber text : texts) {
    LEITONG_ASSIGN(const ContentRow* const row, find(text));
    places.push_back(row->place);
  }
  return texts_.read(places);
}

Result<Worth> Worth::open(const Plan& plan) {
  Worth worth;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    LEITONG_ASSIGN(PartFile file, PartFile::open(plan.file("weigh", part)));
    LEITONG_ASSIGN(const auto rows, file.mapped<TextWorth>("worth"));
    worth.parts.push_back(rows);
    worth.files.push_back(std::move(file));
  }
  return worth;
}

Result<std::uint64_t> records_of(const Plan& plan) {
  std::uint64_t records = 0;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    LEITONG_ASSIGN(const PartFile file, PartFile::open(plan.file("sketch", part)));
    LEITONG_ASSIGN(const auto rows, file.mapped<SketchRow>("sketches"));
    records += rows.size();
  }
  return records;
}

}  // namespace leitong::spread

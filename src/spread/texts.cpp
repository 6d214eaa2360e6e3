#include "spread/texts.hpp"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>

#include "base/packing.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong::spread {
namespace {

constexpr std::string_view kStage = "texts";
constexpr std::size_t kFrameBytes = std::size_t{1} << 16;
constexpr int kTextLevel = 1;

tl::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("the copied texts are damaged: {}", what));
}

}  // namespace

Result<TextWriter> TextWriter::create(const Plan& plan, std::uint32_t input, const PlacedSource& placed,
                                      const Context& context) {
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(plan.file(kStage, input), context));
  LEITONG_TRY(file.sections().begin("bytes"));
  return TextWriter(std::move(file), placed);
}

Result<void> TextWriter::add(const Place& place, std::string_view id, std::string_view text) {
  lines_.push_back(place.line);
  every_line_ &= place.line == lines_.size();
  if (!kind_.empty()) {
    positions_.push_back(place.position);
    sizes_.push_back(place.detail);
    return {};
  }
  positions_.push_back((frames_.size() - 1) << 32 | frame_.size());
  const auto id_size = static_cast<std::uint32_t>(id.size());
  frame_ += value_bytes(id_size);
  frame_ += id;
  frame_ += text;
  sizes_.push_back(static_cast<std::uint32_t>(sizeof id_size + id.size() + text.size()));
  return frame_.size() < kFrameBytes ? Result<void>() : end_frame();
}

Result<void> TextWriter::end_frame() {
  if (frame_.empty()) return {};
  std::string packed(ZSTD_compressBound(frame_.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), frame_.data(), frame_.size(), kTextLevel);
  if (ZSTD_isError(size) != 0)
    return fail(ErrorCode::limit, fmt::format("zstd can't compress: {}", ZSTD_getErrorName(size)));
  frames_.push_back(frames_.back() + size);
  frame_.clear();
  return file_.sections().append(std::string_view(packed).substr(0, size));
}

Result<void> TextWriter::finish() {
  LEITONG_TRY(end_frame());
  if (every_line_) lines_.clear();
  LEITONG_TRY(file_.put("frames", frames_));
  LEITONG_TRY(file_.put("positions", positions_));
  LEITONG_TRY(file_.put("sizes", sizes_));
  LEITONG_TRY(file_.put("lines", lines_));
  LEITONG_TRY(file_.put("kind", std::vector<char>(kind_.begin(), kind_.end())));
  LEITONG_TRY(file_.put(
      "stamp", std::vector<std::uint64_t>{stamp_.size, static_cast<std::uint64_t>(stamp_.modified)}));
  return file_.finish();
}

struct Texts::Input {
  PartFile file;
  std::string kind;
  std::uint32_t source = 0;  // of PlacedRecords
  std::span<const char> bytes;
  std::span<const std::uint64_t> frames, positions, lines;
  std::span<const std::uint32_t> sizes;

  [[nodiscard]] std::uint64_t line(std::uint32_t record) const {
    return lines.empty() ? record + std::uint64_t{1} : lines[record];
  }
};

/// What a thread keeps between two records.
struct Texts::Scratch {
  std::map<std::string, std::unique_ptr<RecordParser>, std::less<>> parsers;
  const Input* input = nullptr;  // of the frame
  std::uint64_t number = 0;
  std::string frame;

  struct Record {
    std::string_view id, text;
  };

  Result<Record> read(const Input& of, std::uint32_t record, const PlacedRecords& placed) {
    if (record >= of.sizes.size()) return damaged("a record is missing");
    if (of.kind.empty()) return read_copied(of, record);
    auto parser = parsers.find(of.kind);
    if (parser == parsers.end()) {
      LEITONG_ASSIGN(std::unique_ptr<RecordParser> made, placed.new_parser(of.kind));
      parser = parsers.emplace(of.kind, std::move(made)).first;
    }
    LEITONG_ASSIGN(const RecordFields* const fields, parser->second->read({.source = of.source,
                                                                           .detail = of.sizes[record],
                                                                           .position = of.positions[record],
                                                                           .line = of.line(record)}));
    return Record{fields->id, fields->text};
  }

  Result<Record> read_copied(const Input& of, std::uint32_t record) {
    const std::uint64_t wanted = of.positions[record] >> 32, at = of.positions[record] & UINT32_MAX;
    if (input != &of || number != wanted || frame.empty()) LEITONG_TRY(unpack(of, wanted));
    if (at + of.sizes[record] > frame.size()) return damaged("a frame is too short");
    std::string_view bytes = std::string_view(frame).substr(at, of.sizes[record]);
    std::uint32_t id_size = 0;
    if (!take_value(bytes, id_size) || id_size > bytes.size()) return damaged("a record is too short");
    return Record{bytes.substr(0, id_size), bytes.substr(id_size)};
  }

  Result<void> unpack(const Input& of, std::uint64_t wanted) {
    frame.clear();
    if (wanted + 1 >= of.frames.size() || of.frames[wanted + 1] > of.bytes.size() ||
        of.frames[wanted] > of.frames[wanted + 1])
      return damaged("a frame is missing");
    const auto packed = of.bytes.subspan(of.frames[wanted], of.frames[wanted + 1] - of.frames[wanted]);
    LEITONG_TRY(of.file.check(packed));
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
      return damaged("a frame is none of zstd");
    frame.resize(size);
    if (ZSTD_decompress(frame.data(), size, packed.data(), packed.size()) != size)
      return damaged("a frame can't be unpacked");
    input = &of;
    number = wanted;
    return {};
  }
};

Texts::Texts(const Plan& plan, const Context& context)
    : plan_(plan), context_(context), run_(context), placed_(InputOptions(plan.input), run_) {}
Texts::~Texts() = default;

Result<const Texts::Input*> Texts::open(std::uint32_t number) {
  if (const auto known = inputs_.find(number); known != inputs_.end()) return known->second.get();
  LEITONG_ASSIGN(PartFile file, PartFile::open(plan_.file(kStage, number)));
  auto input = std::make_unique<Input>(Input{.file = std::move(file)});
  LEITONG_ASSIGN(const auto kind, input->file.all<char>("kind"));
  LEITONG_ASSIGN(const auto stamp, input->file.all<std::uint64_t>("stamp"));
  LEITONG_ASSIGN(input->bytes, input->file.mapped<char>("bytes"));
  LEITONG_ASSIGN(input->frames, input->file.mapped<std::uint64_t>("frames"));
  LEITONG_ASSIGN(input->positions, input->file.mapped<std::uint64_t>("positions"));
  LEITONG_ASSIGN(input->sizes, input->file.mapped<std::uint32_t>("sizes"));
  LEITONG_ASSIGN(input->lines, input->file.mapped<std::uint64_t>("lines"));
  if (stamp.size() != 2 || input->positions.size() != input->sizes.size() ||
      (!input->lines.empty() && input->lines.size() != input->sizes.size()))
    return damaged("columns differ in length");
  input->kind.assign(kind.begin(), kind.end());
  if (!input->kind.empty())
    input->source =
        placed_.add(plan_.inputs[number].path, input->kind, {stamp[0], static_cast<std::int64_t>(stamp[1])});
  return inputs_.emplace(number, std::move(input)).first->second.get();
}

template <class Begin, class Take>
Result<void> Texts::each(std::span<const RecordPlace> places, Begin begin, Take take) {
  constexpr std::size_t kChunk = 256;
  struct Wanted {
    RecordPlace place;
    std::size_t at;
    const Input* input;
  };
  std::vector<Wanted> order;
  order.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) order.push_back({places[i], i, nullptr});
  std::ranges::sort(order, {}, &Wanted::place);
  const Input* input = nullptr;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || input_of(order[i].place) != input_of(order[i - 1].place)) {
      LEITONG_ASSIGN(input, open(input_of(order[i].place)));
    }
    order[i].input = input;
  }
  const std::size_t chunks = (order.size() + kChunk - 1) / kChunk;
  begin(chunks);
  return on_threads(context_, [&] {
    return parallel_for_each(
        run_.stop, chunks, [] { return Scratch(); },
        [&](std::size_t chunk, Scratch& scratch) -> Result<void> {
          for (std::size_t i = chunk * kChunk; i < std::min(order.size(), (chunk + 1) * kChunk); ++i) {
            LEITONG_ASSIGN(const typename Scratch::Record record,
                           scratch.read(*order[i].input, record_of(order[i].place), placed_));
            take(chunk, order[i].at, record.id, record.text);
          }
          return {};
        });
  });
}

Result<TextBlock> Texts::read(std::span<const RecordPlace> places) {
  struct Where {
    std::size_t chunk, begin, size;
  };
  TextBlock block;
  std::vector<Where> where(places.size());
  LEITONG_TRY(each(
      places, [&](std::size_t chunks) { block.bytes.resize(chunks); },
      [&](std::size_t chunk, std::size_t at, std::string_view, std::string_view text) {
        where[at] = {chunk, block.bytes[chunk].size(), text.size()};
        block.bytes[chunk] += text;
      }));
  block.texts.reserve(places.size());
  for (const auto& [chunk, begin, size] : where)
    block.texts.push_back(std::string_view(block.bytes[chunk]).substr(begin, size));
  return block;
}

Result<std::vector<std::string>> Texts::ids(std::span<const RecordPlace> places) {
  std::vector<std::string> ids(places.size());
  LEITONG_TRY(each(
      places, [](std::size_t) {},
      [&](std::size_t, std::size_t at, std::string_view id, std::string_view) { ids[at] = id; }));
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i].empty()) {
      LEITONG_ASSIGN(ids[i], place_name(places[i]));
    }
  return ids;
}

Result<std::string> Texts::place_name(RecordPlace place) {
  LEITONG_ASSIGN(const Input* const input, open(input_of(place)));
  return fmt::format("{}:{}", plan_.inputs[input_of(place)].path, input->line(record_of(place)));
}

Result<std::uint64_t> Texts::records(std::uint32_t number) {
  LEITONG_ASSIGN(const Input* const input, open(number));
  return input->sizes.size();
}

}  // namespace leitong::spread

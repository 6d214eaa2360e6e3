#include "online/segment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "io/output_file.hpp"

namespace leitong::online {
namespace {

// The advice for a damaged segment, which can be made again from the texts.
constexpr std::string_view kAdvice = "repair the index by `leitong index repair`";
constexpr std::uint64_t kPostingsPerBucket = 8;
constexpr std::uint64_t kFilterBitsPerKey = 8, kBlockBits = 512;

unsigned prefix_bits_for(std::uint64_t postings) {
  const auto bits = static_cast<unsigned>(std::bit_width(postings / kPostingsPerBucket));
  return std::clamp(bits, Segment::kLeastPrefixBits, Segment::kMostPrefixBits);
}

std::size_t block_of(Key key, std::size_t blocks) { return (mix64(key) >> 32) * blocks >> 32; }

/// Calls each(word of the block, bit) for the probes of a key.
template <class Each>
void for_each_probe(Key key, unsigned probes, Each each) {
  std::uint64_t bits = mix64(key ^ 0x9E3779B97F4A7C15u);
  for (unsigned i = 0; i < probes; ++i, bits >>= 9) each(bits >> 6 & 7, std::uint64_t{1} << (bits & 63));
}

}  // namespace

Result<std::shared_ptr<const Segment>> Segment::open(const std::filesystem::path& path) {
  auto opened = SectionFile::open(path, kKind, kVersion, kAdvice);
  if (!opened && opened.error().code == ErrorCode::not_found)
    return fail(ErrorCode::corrupt, fmt::format("{}: is missing; {}", path.string(), kAdvice));
  LEITONG_ASSIGN(SectionFile file, std::move(opened));
  std::shared_ptr<Segment> segment(new Segment(std::move(file)));
  LEITONG_TRY(segment->describe());
  return segment;
}

Result<void> Segment::describe() {
  LEITONG_ASSIGN(const auto shape, file_.section<Shape>("shape"));
  LEITONG_TRY(file_.check(std::as_bytes(shape)));
  LEITONG_ASSIGN(offsets_, file_.section<std::uint32_t>("offsets"));
  LEITONG_ASSIGN(postings_, file_.section<std::uint64_t>("postings"));
  LEITONG_ASSIGN(filter_, file_.section<std::uint64_t>("filter"));
  LEITONG_ASSIGN(records_, file_.section<TextRecord>("records"));
  if (shape.size() == 1) shape_ = shape[0];
  if (shape.size() != 1 || shape_.prefix_bits < kLeastPrefixBits || shape_.prefix_bits > kMostPrefixBits ||
      offsets_.size() != (std::size_t{1} << shape_.prefix_bits) + 1 || filter_.empty() ||
      filter_.size() % kBlockWords != 0)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: describes no segment; {}", file_.path().string(), kAdvice));
  return {};
}

std::size_t Segment::block(Key key) const noexcept { return block_of(key, filter_.size() / kBlockWords); }

Result<bool> Segment::may_hold(Key key) const {
  const std::span<const std::uint64_t> words = filter_.subspan(block(key) * kBlockWords, kBlockWords);
  LEITONG_TRY(file_.check(std::as_bytes(words)));
  bool held = true;
  for_each_probe(key, kProbes,
                 [&](std::size_t word, std::uint64_t bit) { held = held && (words[word] & bit) != 0; });
  return held;
}

Result<std::span<const std::uint64_t>> Segment::bucket(Key key) const {
  const std::span<const std::uint32_t> ends = offsets_.subspan(prefix(key), 2);
  LEITONG_TRY(file_.check(std::as_bytes(ends)));
  if (ends[0] > ends[1] || ends[1] > postings_.size())
    return fail(ErrorCode::corrupt, fmt::format("{}: a bucket lies outside", file_.path().string()));
  const std::span<const std::uint64_t> postings = postings_.subspan(ends[0], ends[1] - ends[0]);
  LEITONG_TRY(file_.check(std::as_bytes(postings)));
  return postings;
}

Result<void> Segment::verify() const {
  LEITONG_TRY(file_.verify());
  if (offsets_.front() != 0 || offsets_.back() != postings_.size() || !std::ranges::is_sorted(offsets_))
    return fail(ErrorCode::corrupt,
                fmt::format("{}: its buckets don't hold its postings", file_.path().string()));
  return {};
}

Result<TextRecord> Segment::record(TextNumber text) const {
  const std::span<const TextRecord> one = records_.subspan(text - shape_.first_text, 1);
  LEITONG_TRY(file_.check(std::as_bytes(one)));
  return one[0];
}

Posting Segment::Cursor::operator*() const noexcept {
  const std::uint64_t posting = segment_->postings_[at_];
  return {std::uint64_t{bucket_} << (kKeyBits - segment_->shape_.prefix_bits) | posting >> 32,
          static_cast<TextNumber>(posting)};
}

/// Writes a segment while it receives the postings.
class SegmentWriter {
 public:
  static Result<void> write(const std::filesystem::path& path, const SegmentContent& content) {
    LEITONG_ASSIGN(const auto file, OutputFile::create(path, true));
    LEITONG_ASSIGN(SectionWriter sections,
                   SectionWriter::create([&](std::string_view bytes) { return file->write(bytes); },
                                         Segment::kKind, Segment::kVersion));
    SegmentWriter writer(content);
    LEITONG_TRY(sections.begin("postings"));
    LEITONG_TRY(content.postings([&](const Posting& posting) -> Result<void> {
      if (++writer.count_ > Segment::kMostPostings)
        return fail(ErrorCode::limit, fmt::format("{}: a file holds at most {} postings", path.string(),
                                                  Segment::kMostPostings));
      writer.note(posting);
      return writer.block_.size() < kBuffered ? Result<void>{} : writer.flush(sections);
    }));
    LEITONG_TRY(writer.flush(sections));
    for (std::size_t i = 1; i < writer.offsets_.size(); ++i) writer.offsets_[i] += writer.offsets_[i - 1];
    LEITONG_TRY(sections.section("offsets", std::span<const std::uint32_t>(writer.offsets_)));
    LEITONG_TRY(sections.section("filter", std::span<const std::uint64_t>(writer.filter_)));
    LEITONG_TRY(sections.begin("records"));
    LEITONG_TRY(writer.write_records(sections, content));
    LEITONG_TRY(sections.section("shape", std::span<const Segment::Shape>(&writer.shape_, 1)));
    LEITONG_TRY(sections.finish());
    return file->commit();
  }

 private:
  static constexpr std::size_t kBuffered = 1 << 13;

  explicit SegmentWriter(const SegmentContent& content)
      : shape_{0, prefix_bits_for(content.most_postings), content.first_text},
        offsets_((std::size_t{1} << shape_.prefix_bits) + 1),
        filter_((content.most_keys * kFilterBitsPerKey / kBlockBits + 1) * Segment::kBlockWords) {}

  void note(const Posting& posting) {
    const unsigned rest_bits = kKeyBits - shape_.prefix_bits;
    ++offsets_[(posting.key >> rest_bits) + 1];
    block_.push_back((posting.key & ((std::uint64_t{1} << rest_bits) - 1)) << 32 | posting.text);
    if (shape_.keys > 0 && posting.key == last_) return;
    ++shape_.keys;
    last_ = posting.key;
    std::uint64_t* const words =
        &filter_[block_of(posting.key, filter_.size() / Segment::kBlockWords) * Segment::kBlockWords];
    for_each_probe(posting.key, Segment::kProbes,
                   [&](std::size_t word, std::uint64_t bit) { words[word] |= bit; });
  }
  Result<void> flush(SectionWriter& sections) {
    LEITONG_TRY(
        sections.append({reinterpret_cast<const char*>(block_.data()), block_.size() * sizeof block_[0]}));
    block_.clear();
    return {};
  }

  static Result<void> write_records(SectionWriter& sections, const SegmentContent& content) {
    const auto append = [&](std::span<const TextRecord> records) {
      return sections.append({reinterpret_cast<const char*>(records.data()), records.size_bytes()});
    };
    TextNumber text = content.first_text;
    for (std::span<const TextRecord> records : content.records) {
      if (!content.keeps_record) LEITONG_TRY(append(records));
      while (content.keeps_record && !records.empty()) {
        const auto some = records.first(std::min(records.size(), kBuffered));
        std::vector<TextRecord> kept(some.begin(), some.end());
        for (TextRecord& record : kept)
          if (!content.keeps_record(text++)) record = {};
        LEITONG_TRY(append(kept));
        records = records.subspan(some.size());
      }
    }
    return {};
  }

  Segment::Shape shape_;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint64_t> filter_, block_;
  std::uint64_t count_ = 0;
  Key last_ = 0;
};

Result<void> write_segment(const std::filesystem::path& path, const SegmentContent& content) {
  return SegmentWriter::write(path, content);
}

Result<SegmentContent> merged(std::span<const std::shared_ptr<const Segment>> segments,
                              std::function<bool(TextNumber)> alive) {
  SegmentContent content;
  content.first_text = segments.front()->first_text();
  for (const auto& segment : segments) {
    LEITONG_TRY(segment->verify());
    content.most_postings += segment->postings();
    content.most_keys += segment->keys();
    content.records.push_back(segment->records());
  }
  content.postings = [segments, alive = std::move(alive)](const auto& take) -> Result<void> {
    std::vector<Segment::Cursor> cursors;
    for (const auto& segment : segments) cursors.emplace_back(*segment);
    const auto later = [](const Segment::Cursor& a, const Segment::Cursor& b) {
      const Posting x = *a, y = *b;
      return std::tie(x.key, x.text) > std::tie(y.key, y.text);
    };
    std::erase_if(cursors, [](const Segment::Cursor& cursor) { return cursor.at_end(); });
    std::make_heap(cursors.begin(), cursors.end(), later);
    while (!cursors.empty()) {
      std::pop_heap(cursors.begin(), cursors.end(), later);
      const Posting posting = *cursors.back();
      if (alive(posting.text)) LEITONG_TRY(take(posting));
      cursors.back().next();
      if (cursors.back().at_end())
        cursors.pop_back();
      else
        std::push_heap(cursors.begin(), cursors.end(), later);
    }
    return {};
  };
  return content;
}

}  // namespace leitong::online

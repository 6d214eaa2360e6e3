// Any bytes as the sections of a segment of an online index, with correct checksums: what a damaged or forged
// file may hold. It is refused, or read without errors in memory.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "io/section_file.hpp"
#include "online/posting_lists.hpp"
#include "online/segment.hpp"
#include "require.hpp"
#include "seeds.hpp"

namespace {

using namespace leitong;
using namespace leitong::online;

/// A valid segment: text 0 has posted key 0. A reader that cannot read this one cannot read any.
const std::string& whole_segment() {
  static const std::string seed = [] {
    const std::string shape = {1, static_cast<char>(Segment::kLeastPrefixBits), 0};
    const std::string postings = '\1' + std::string(8, '\0');
    const std::string filter = '\10' + std::string(std::size_t{8} * 8, '\xff');
    const std::string records = '\1' + std::string(4, '\0');
    const std::string offsets("\0\0\0\1\xff\xff", 6);
    return shape + postings + filter + records + offsets;
  }();
  return seed;
}

/// Takes bytes from the front; zeros if there are none left.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    const std::size_t size = std::min(bytes, bytes_.size());
    std::memcpy(&value, bytes_.data(), size);
    bytes_.remove_prefix(size);
    return value;
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

std::string segment_of(Bytes& bytes) {
  struct {
    std::uint64_t keys;
    std::uint32_t prefix_bits;
    TextNumber first_text;
  } const shape = {bytes.number(1), static_cast<std::uint32_t>(bytes.number(1)),
                   static_cast<TextNumber>(bytes.number(1))};
  std::vector<std::uint64_t> postings, filter;
  for (std::uint64_t n = bytes.number(1) % 64; n > 0; --n) postings.push_back(bytes.number(8));
  for (std::uint64_t n = bytes.number(1) % 20; n > 0; --n) filter.push_back(bytes.number(8));
  std::vector<TextRecord> records(bytes.number(1) % 16);
  for (TextRecord& record : records) record.units = static_cast<std::uint32_t>(bytes.number(4));
  // Runs of equal offsets, up or down.
  std::vector<std::uint32_t> offsets(shape.prefix_bits < 20 ? (std::size_t{1} << shape.prefix_bits) + 1 : 5);
  std::uint32_t offset = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (i == next && !bytes.rest().empty()) {
      offset = static_cast<std::uint32_t>(bytes.number(1));
      next = i + 1 + bytes.number(2);
    }
    offsets[i] = offset;
  }
  std::string file;
  auto sections = SectionWriter::create(
      [&](std::string_view part) -> Result<void> {
        file.append(part);
        return {};
      },
      Segment::kKind, Segment::kVersion);
  require(sections.has_value());
  const auto write = [&](std::string_view name, const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    require(sections->section(name, std::span<const Value>(values)).has_value());
  };
  write("postings", postings);
  write("offsets", offsets);
  write("filter", filter);
  write("records", records);
  write("shape", std::vector{shape});
  require(sections->finish().has_value());
  return file;
}

}  // namespace

LEITONG_FUZZ_SEEDS(whole_segment(), whole_segment() + std::string(12, '\1'),
                   std::string_view("\x11\x00\x08\xff\xff\xff\xff\xff\xff\xff\xff", 11))

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const bool is_whole = input == whole_segment();
  Bytes bytes(input);
  const std::string file = segment_of(bytes);
  const int descriptor = ::memfd_create("fuzz", 0);
  require(descriptor >= 0 &&
          ::write(descriptor, file.data(), file.size()) == static_cast<ssize_t>(file.size()));
  const auto segment = Segment::open("/proc/self/fd/" + std::to_string(descriptor));
  ::close(descriptor);
  require(segment.has_value() || !is_whole);
  if (!segment) {
    require(!segment.error().message.empty());
    return 0;
  }
  const std::vector<std::shared_ptr<const Segment>> segments = {*segment};
  const PostingTable table;
  const TextSet removed;
  std::vector<Key> keys = {0, 1, (Key{1} << kKeyBits) - 1};
  for (Bytes more(bytes.rest()); keys.size() < 40; keys.push_back(more.number(6))) {
  }
  const std::vector<std::uint32_t> most(keys.size(), 128);
  PostingLists lists;
  const auto end = (*segment)->first_text() + static_cast<TextNumber>((*segment)->records().size());
  if (find_lists({segments, &table, nullptr, &removed, end}, keys, most, lists))
    for (const TextNumber text : lists.texts) require(text < end);
  require(!is_whole || !lists.texts.empty());
  const auto content = merged(segments, [](TextNumber) { return true; });
  if (!content) return 0;
  std::size_t count = 0;
  require(content
              ->postings([&](const Posting&) -> Result<void> {
                ++count;
                return {};
              })
              .has_value());
  require(count == (*segment)->postings());
  return 0;
}

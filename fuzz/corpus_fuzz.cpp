// Any bytes as a file of any kind: the run continues, every record is a document or quarantined, a document
// reads again as it was streamed, and kept records can be written again.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "require.hpp"
#include "seeds.hpp"

// The first byte is the kind.
LEITONG_FUZZ_SEEDS(
    "\x01{\"id\":\"a\",\"text\":\"one\"}\n\n{\"id\":2,\"text\":\"two\",\"more\":{\"x\":[1]}}\r\n{\"text\":3}",
    "\x02id,text\n1,\"a \"\"quoted\"\"\nvalue\"\n2,plain\n", "\x03id\ttext\n1\tvalue\\t\n",
    "\x04line\n\nline two", "\x01[{\"text\":\"one\"},\n {\"text\":[{}]}, 3]",
    "\x01{\n \"text\":\"a\",\n \"b\":{\"c\":[1,\n2]}\n}\n{\n\"text\":\"broken\n}\n{\"text\":\"b\"}",
    "\x05\xef\xbb\xbftext", "\x05\xff\xfeh\0i\0",
    "\x06<!doctype html><meta charset=gbk><p>a<script>b</script><table><tr><td>c</table>",
    "\x01\x1f\x8b\x08\0\0\0\0\0\0\x03", "\x04\x28\xb5\x2f\xfd\x20\x05\x29\0\0hello",
    "\x04"
    "BZh91AY&SY",
    "\x04\xfd"
    "7zXZ\0",
    "\x07WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: "
    "http://a.example/\r\n"
    "Content-Type: application/http; msgtype=response\r\nContent-Length: 103\r\n\r\n"
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=gbk\r\nTransfer-Encoding: chunked\r\n\r\n"
    "8\r\n<p>text\n\r\n0\r\n\r\n\r\n\r\n"
    "WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    "\x07WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: "
    "4\r\n\r\ntext\r\n\r\n"
    "no record\r\nWARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: "
    "40\r\n\r\ncut off")

namespace {

using leitong::Corpus;

/// A file in memory, made again for every input.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", 0)) {
    require(descriptor_ >= 0 &&
            ::write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::array kKinds = {"", "jsonl", "csv", "tsv", "lines", "text", "html", "warc"};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const MemoryFile file(bytes);

  leitong::InputOptions options;
  options.paths = {file.path()};
  options.kind = kKinds[data[0] % kKinds.size()];
  options.max_record_bytes = 1 << 16;
  static const leitong::Context context;
  auto corpus = Corpus::open(options, leitong::RunContext(context));
  if (!corpus) return 0;

  const auto scratch = (*corpus)->new_scratch();
  std::vector<std::string> texts;
  for (;;) {
    auto batch = (*corpus)->next_batch();
    if (!batch) return 0;  // a CSV without the columns that are asked for
    if (*batch == nullptr) break;
    (*corpus)->parse(**batch, *scratch, [&](const leitong::DocumentText& document) {
      require(!document.text.empty());
      texts.emplace_back(document.text);
    });
    require((*corpus)->commit(**batch).has_value());
  }
  require((*corpus)->size() == texts.size());
  require((*corpus)->records() == texts.size() + (*corpus)->quarantined());

  for (std::uint32_t d = 0; d < texts.size(); ++d) {
    const auto again = (*corpus)->read(d, *scratch);
    require(again.has_value() && again->text == texts[d]);
    require((*corpus)->id(d, *scratch).has_value());
  }
  require((*corpus)->repeated_ids().has_value());
  if ((*corpus)->one_document_a_file()) return 0;
  std::string kept;
  require((*corpus)
              ->copy_kept([](leitong::DocId d) { return d % 2 == 0; },
                          [&](std::string_view part) -> leitong::Result<void> {
                            kept += part;
                            return {};
                          })
              .has_value());
  return 0;
}

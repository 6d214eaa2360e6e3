// Requests of unknown clients to the server: the first byte chooses the reader of the rest. A head is read in
// one way only, a body stays within its bounds, and nothing is read beyond it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "encodings.hpp"
#include "head.hpp"
#include "leitong/json.hpp"
#include "records.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS("0GET /healthz?a=b HTTP/1.1\r\nHost: localhost\r\n\r\n",
                   "0POST /v1/indexes/default/check HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: "
                   "12\r\nExpect: 100-continue\r\n\r\n",
                   "0POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                   "1{\"id\":17,\"text\":\"\\u6e21\\ud83d\\ude00\"}", "1[{\"id\":\"a\",\"text\":\"x\"},7,{}]",
                   "2{\"text\":\"x\"}\n\n{\"text\":", "3{\"texts\":[\"a\"],\"count\":5,\"hmm\":true}",
                   "4\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x56\x02\x00",
                   "5\x28\xb5\x2f\xfd\x20\x02\x11\x00\x00{}", "7\xe6\xb8\xa1\xff\"\\\n")

namespace {

using namespace leitong::server;

constexpr std::size_t kMost = 1 << 16;

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b,
                            [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == y; });
}

/// What is true of every accepted head, by a count that knows only lines and not HTTP.
void check_head(std::string_view bytes, const Head& head) {
  unsigned lengths = 0, hosts = 0;
  for (std::size_t at = bytes.find("\r\n") + 2; at < bytes.size();) {
    const std::size_t end = bytes.find("\r\n", at);
    const std::string_view line = bytes.substr(at, end - at), name = line.substr(0, line.find(':'));
    at = end + 2;
    lengths += same(name, "content-length");
    hosts += same(name, "host");
    require(!same(name, "transfer-encoding"));
    require(line.empty() || (line.front() != ' ' && line.front() != '\t'));
  }
  require(lengths <= 1 && hosts <= 1 && head.has_length == (lengths == 1));
  require(head.path.starts_with('/') && head.path.find('?') == std::string::npos);
  require(bytes.find('\0') == std::string_view::npos);
}

void read_all(std::string_view type, const std::string& body) {
  if (const auto all = read_records(type, body, Wants::both, {.records = 100})) {
    require(all->records.size() <= 100);
    for (const Record& record : all->records) require(!record.reason.empty() || record.id);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string body(bytes);
  body.reserve(body.size() + kBodyPadding);
  switch (data[0]) {
    case '0': {
      const std::size_t head = head_bytes(bytes.substr(0, kMostHeadBytes));
      require(head <= bytes.size());
      if (head == 0) return 0;
      if (const auto read = read_head(bytes.substr(0, head))) check_head(bytes.substr(0, head), *read);
      return 0;
    }
    case '1':
      read_all("application/json", body);
      return 0;
    case '2':
      read_all("application/x-ndjson; charset=utf-8", body);
      return 0;
    case '3':
      if (auto question = Question::read("application/json", body)) {
        const auto texts = question->texts("texts", 10);
        if (texts && *texts) require((*texts)->size() <= 10);
        const auto count = question->whole("count", 10);
        if (count && *count) require(**count <= 10);
        (void)question->yes("hmm");
        (void)question->text("mode");
        (void)question->nothing_else();
      }
      return 0;
    case '4':
    case '5':
      if (const auto decoded = decode_body(data[0] == '4' ? "gzip" : "zstd", std::move(body), kMost)) {
        require(decoded->size() <= kMost && decoded->capacity() >= decoded->size() + kBodyPadding);
      }
      return 0;
    default: {
      // For any bytes, the output is JSON, and valid UTF-8 comes back unchanged.
      std::string json = "{\"text\":";
      json.reserve(6 * bytes.size() + 1024);
      leitong::append_json_string(bytes, json);
      json += '}';
      auto question = Question::read("application/json", json);
      require(question.has_value());
      const auto text = question->text("text");
      require(text && *text);
      if (bytes.find('\xEF') == std::string_view::npos &&
          (*text)->find("\xEF\xBF\xBD") == std::string_view::npos)
        require(**text == bytes);
      return 0;
    }
  }
}

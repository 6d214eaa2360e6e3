#include "corpus/http_body.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>

#include "corpus/warc_record.hpp"
#include "io/byte_stream.hpp"

namespace leitong {
namespace {

/// Bytes in memory as a stream.
class MemoryBytes final : public ByteStream {
 public:
  explicit MemoryBytes(std::string_view bytes) : left_(bytes) {}
  Result<std::size_t> read(char* out, std::size_t size) override {
    size = std::min(size, left_.size());
    std::memcpy(out, left_.data(), size);
    left_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view left_;
};

/// Joins the chunks (RFC 9112, section 7.1); false if the bytes are not chunks, or incomplete.
bool join_chunks(std::string_view bytes, std::string& joined) {
  for (;;) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), size, 16);
    const std::size_t feed = bytes.find('\n');
    if (error != std::errc() || feed == std::string_view::npos || end > bytes.data() + feed) return false;
    bytes.remove_prefix(feed + 1);
    if (size == 0) return true;
    if (size > bytes.size()) return false;
    joined += bytes.substr(0, size);
    bytes.remove_prefix(size);
    if (bytes.starts_with('\r')) bytes.remove_prefix(1);
    if (!bytes.starts_with('\n')) return false;
    bytes.remove_prefix(1);
  }
}

std::string decompress(Compression compression, std::string_view bytes, std::uint64_t most,
                       std::string& out) {
  const auto decoder = make_decoder(compression, std::make_unique<MemoryBytes>(bytes));
  Result<std::string> all = read_all(*decoder, "the body", static_cast<std::size_t>(most));
  if (!all) return all.error().message;
  out = std::move(*all);
  return {};
}

}  // namespace

HttpBody http_body(std::string_view response, std::uint64_t most, std::string& buffer) {
  HttpBody body;
  if (!response.starts_with("HTTP/")) {
    body.problem = "the response has no status line of HTTP";
    return body;
  }
  const std::size_t with_returns = response.find("\r\n\r\n"), without = response.find("\n\n");
  const std::size_t end = std::min(with_returns, without);
  const NamedFields fields(response.substr(0, end));
  const std::string_view status = response.substr(std::min(response.find(' '), response.size()));
  if (status.size() > 3) std::from_chars(status.data() + 1, status.data() + 4, body.status);
  body.content_type = fields.value("Content-Type");
  if (end != std::string_view::npos) body.bytes = response.substr(end + (end == with_returns ? 4 : 2));

  std::string joined;
  if (fields.value("Transfer-Encoding").find("chunked") != std::string_view::npos &&
      join_chunks(body.bytes, joined)) {
    buffer = std::move(joined);
    body.bytes = buffer;
  }
  const std::string_view coding = fields.value("Content-Encoding");
  if (coding.empty() || coding == "identity") return body;
  const Compression compression = compression_of_content(body.bytes, "");
  if (compression == Compression::gzip || compression == Compression::zstd) {
    std::string plain;
    body.problem = decompress(compression, body.bytes, most, plain);
    buffer = std::move(plain);
    body.bytes = buffer;
  } else if (coding == "br" || coding == "deflate") {
    body.problem = fmt::format("the body is in the content coding \"{}\", which is not read", coding);
  }
  return body;
}

}  // namespace leitong

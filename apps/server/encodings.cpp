#include "encodings.hpp"

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>

#include "message.hpp"

namespace leitong::server {
namespace {

constexpr int kMostWindowLog = 23;

tl::unexpected<Problem> too_large(std::size_t most) {
  return problem(
      413, fmt::format("the body has more than {} bytes when it is decompressed; send fewer records at once",
                       most));
}

/// Makes room for more bytes at the end. Problem 413 if the limit is reached, and as `hold`.
Outcome<void> grow(std::string& out, std::size_t most, const HoldBytes& hold) {
  const std::size_t used = out.size();
  // One byte more than allowed, to tell a body of exactly the limit from a larger one.
  const std::size_t size = std::min(most + 1, std::max<std::size_t>(used * 2, 64 << 10));
  if (size <= used) return too_large(most);
  if (hold) SERVER_TRY(hold(size));
  out.resize(size);
  return {};
}

Outcome<std::string> gunzip(std::string_view body, std::size_t most, const HoldBytes& hold) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK)
    return problem(503, "there is no memory to decompress the body", 5);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  std::string out;
  for (std::size_t used = 0;;) {
    out.resize(used);
    SERVER_TRY(grow(out, most, hold));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
    stream.avail_out = static_cast<uInt>(out.size() - used);
    const int status = inflate(&stream, Z_NO_FLUSH);
    used = out.size() - stream.avail_out;
    if (used > most) return too_large(most);
    if (status == Z_STREAM_END) {
      out.resize(used);
      if (stream.avail_in == 0) return out;
      if (inflateReset(&stream) != Z_OK) break;  // another member follows
      continue;
    }
    if (status != Z_OK || (stream.avail_in == 0 && stream.avail_out > 0)) break;
  }
  return problem(400, "the body is not whole gzip data");
}

Outcome<std::string> unzstd(std::string_view body, std::size_t most, const HoldBytes& hold) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (!stream) return problem(503, "there is no memory to decompress the body", 5);
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kMostWindowLog);
  ZSTD_inBuffer in{body.data(), body.size(), 0};
  std::string out;
  for (std::size_t used = 0, left = 1;;) {
    if (in.pos == in.size && left == 0) {
      out.resize(used);
      return out;
    }
    out.resize(used);
    SERVER_TRY(grow(out, most, hold));
    ZSTD_outBuffer to{out.data(), out.size(), used};
    const std::size_t before = in.pos;
    left = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(left)) {
      if (ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge)
        return problem(413,
                       "the body's zstd window is larger than 8 MB; compress it without --long or --ultra");
      break;
    }
    if (to.pos > most) return too_large(most);
    if (in.pos == before && to.pos == used) break;  // data are missing
    used = to.pos;
  }
  return problem(400, "the body is not whole zstd data");
}

}  // namespace

Outcome<std::string> decode_body(std::string_view encoding, std::string body, std::size_t most,
                                 const HoldBytes& hold) {
  const auto is = [&](std::string_view name) { return same_word(encoding, name); };
  Outcome<std::string> decoded = std::string();
  if (encoding.empty() || is("identity")) {
    decoded = std::move(body);
  } else if (is("gzip") || is("x-gzip")) {
    decoded = gunzip(body, most, hold);
  } else if (is("zstd")) {
    decoded = unzstd(body, most, hold);
  } else {
    return problem(415, "Content-Encoding may be gzip or zstd");
  }
  if (decoded) decoded->reserve(decoded->size() + kBodyPadding);
  return decoded;
}

}  // namespace leitong::server

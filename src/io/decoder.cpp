#include <bzlib.h>
#include <fmt/core.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_stream.hpp"

namespace leitong {
namespace {

constexpr std::size_t kStoredBytes = std::size_t{256} << 10;
// zlib and bzlib count output in 32 bits.
constexpr std::size_t kMostOutput = std::size_t{1} << 30;

/// The result of a codec's step.
enum class Step { more, member_end, broken, window };

/// A codec decodes one member (gzip), frame (zstd) or stream (bzip2, xz) after another:
///   explicit Codec(std::uint64_t max_window);
///   void begin();                                  the next member starts
///   Step decode(std::string_view& in, char* out, std::size_t size, std::size_t& produced);
///   static constexpr Compression kind;
///   static constexpr bool padded;                  zero bytes may follow a member
template <class Codec>
class DecodedBytes final : public ByteStream {
 public:
  DecodedBytes(std::unique_ptr<ByteStream> stored, std::uint64_t max_window)
      : stored_(std::move(stored)), buffer_(kStoredBytes), max_window_(max_window), codec_(max_window) {
    codec_.begin();
  }

  Result<std::size_t> read(char* out, std::size_t size) override {
    size = std::min(size, kMostOutput);
    while (size > 0) {
      if (failure_) return tl::unexpected<Error>(*failure_);
      if (in_.empty() && !stored_ended_ && !refill()) continue;
      if (between_members_) {
        if (Codec::padded) in_.remove_prefix(std::min(in_.find_first_not_of('\0'), in_.size()));
        if (in_.empty() && stored_ended_) return 0;
        if (in_.empty()) continue;
        codec_.begin();
        between_members_ = false;
        first_member_ = false;
        member_is_empty_ = true;
      }
      const std::size_t before = in_.size();
      std::size_t produced = 0;
      const Step step = codec_.decode(in_, out, size, produced);
      member_is_empty_ &= produced == 0;
      const bool stuck = produced == 0 && in_.size() == before;
      if (step == Step::member_end) {
        between_members_ = true;
      } else if (step == Step::window) {
        failure_ = std::make_unique<Error>(Error{
            ErrorCode::limit, fmt::format("the {} data needs a window of more than {} MB, the most that "
                                          "is allowed here; allow more, give the run more memory, or "
                                          "compress it again with a smaller one",
                                          compression_name(Codec::kind), max_window_ >> 20)});
      } else if (step == Step::broken || (stuck && !in_.empty())) {
        break_off(before == 0                          ? "is truncated"
                  : !first_member_ && member_is_empty_ ? "is followed by bytes that are none"
                                                       : "is broken");
      } else if (stuck && stored_ended_) {
        break_off("is truncated");
      }
      if (produced > 0) return produced;
    }
    return 0;
  }

 private:
  bool refill() {
    const auto got = stored_->read(buffer_.data(), buffer_.size());
    if (!got) {
      failure_ = std::make_unique<Error>(got.error());
      return false;
    }
    stored_ended_ = *got == 0;
    in_ = {buffer_.data(), *got};
    return true;
  }
  void break_off(const char* what) {
    failure_ = std::make_unique<Error>(
        Error{ErrorCode::corrupt, fmt::format("the {} data {}", compression_name(Codec::kind), what)});
  }

  std::unique_ptr<ByteStream> stored_;
  std::vector<char> buffer_;
  std::string_view in_;  // of buffer_, not decoded yet
  std::uint64_t max_window_;
  Codec codec_;
  bool stored_ended_ = false, between_members_ = false;
  bool first_member_ = true, member_is_empty_ = true;
  std::unique_ptr<Error> failure_;
};

class Gzip {
 public:
  static constexpr Compression kind = Compression::gzip;
  static constexpr bool padded = true;
  explicit Gzip(std::uint64_t /*max_window*/) {
    constexpr int kGzipWrapper = 16;
    inflateInit2(&stream_, 15 + kGzipWrapper);
  }
  ~Gzip() { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void begin() { inflateReset(&stream_); }
  Step decode(std::string_view& in, char* out, std::size_t size, std::size_t& produced) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in.size() - stream_.avail_in);
    produced = size - stream_.avail_out;
    if (status == Z_STREAM_END) return Step::member_end;
    return status == Z_OK || status == Z_BUF_ERROR ? Step::more : Step::broken;
  }

 private:
  z_stream stream_{};
};

class Zstd {
 public:
  static constexpr Compression kind = Compression::zstd;
  static constexpr bool padded = false;
  explicit Zstd(std::uint64_t max_window) : context_(ZSTD_createDCtx()) {
    const int log = static_cast<int>(std::bit_width(std::max<std::uint64_t>(max_window, 1))) - 1;
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, std::clamp(log, 10, 31));
  }

  void begin() { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }
  Step decode(std::string_view& in, char* out, std::size_t size, std::size_t& produced) {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, size, 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &to, &from);
    in.remove_prefix(from.pos);
    produced = to.pos;
    if (ZSTD_isError(left))
      return ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge ? Step::window
                                                                                 : Step::broken;
    return left == 0 ? Step::member_end : Step::more;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* c) const noexcept { ZSTD_freeDCtx(c); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
};

class Bzip2 {
 public:
  static constexpr Compression kind = Compression::bzip2;
  static constexpr bool padded = true;
  explicit Bzip2(std::uint64_t /*max_window*/) {}
  ~Bzip2() { BZ2_bzDecompressEnd(&stream_); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;

  void begin() {
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    BZ2_bzDecompressInit(&stream_, 0, 0);
  }
  Step decode(std::string_view& in, char* out, std::size_t size, std::size_t& produced) {
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = static_cast<unsigned>(in.size());
    stream_.next_out = out;
    stream_.avail_out = static_cast<unsigned>(size);
    const int status = BZ2_bzDecompress(&stream_);
    in.remove_prefix(in.size() - stream_.avail_in);
    produced = size - stream_.avail_out;
    if (status == BZ_STREAM_END) return Step::member_end;
    return status == BZ_OK ? Step::more : Step::broken;
  }

 private:
  bz_stream stream_{};
};

class Xz {
 public:
  static constexpr Compression kind = Compression::xz;
  static constexpr bool padded = true;
  /// The decoder takes some 100 KB beside the dictionary, which is the window.
  explicit Xz(std::uint64_t max_window) : most_memory_(max_window + (std::uint64_t{1} << 20)) {}
  ~Xz() { lzma_end(&stream_); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;

  void begin() {
    if (lzma_stream_decoder(&stream_, most_memory_, 0) != LZMA_OK) lzma_end(&stream_);
  }
  Step decode(std::string_view& in, char* out, std::size_t size, std::size_t& produced) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = size;
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    in.remove_prefix(in.size() - stream_.avail_in);
    produced = size - stream_.avail_out;
    if (status == LZMA_STREAM_END) return Step::member_end;
    if (status == LZMA_MEMLIMIT_ERROR) return Step::window;
    return status == LZMA_OK || status == LZMA_BUF_ERROR ? Step::more : Step::broken;
  }

 private:
  std::uint64_t most_memory_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<ByteStream> make_decoder(Compression compression, std::unique_ptr<ByteStream> stored,
                                         std::uint64_t max_window) {
  switch (compression) {
    case Compression::none:
      return stored;
    case Compression::gzip:
      return std::make_unique<DecodedBytes<Gzip>>(std::move(stored), max_window);
    case Compression::zstd:
      return std::make_unique<DecodedBytes<Zstd>>(std::move(stored), max_window);
    case Compression::bzip2:
      return std::make_unique<DecodedBytes<Bzip2>>(std::move(stored), max_window);
    case Compression::xz:
      return std::make_unique<DecodedBytes<Xz>>(std::move(stored), max_window);
  }
  return stored;
}

}  // namespace leitong

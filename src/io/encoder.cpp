#include "io/encoder.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::size_t kOutBytes = std::size_t{128} << 10;
// zlib and bzlib count input in 32 bits.
constexpr std::size_t kMostInput = std::size_t{1} << 30;

tl::unexpected<Error> unusable(const char* library) {
  return fail(ErrorCode::io, std::string(library) + " refused to compress; is memory exhausted?");
}

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder() : out_(kOutBytes) {
    constexpr int kGzipWrapper = 16;
    ready_ = deflateInit2(&stream_, 6, Z_DEFLATED, 15 + kGzipWrapper, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~GzipEncoder() override { deflateEnd(&stream_); }

  Result<void> write(std::string_view bytes, const Sink& sink) override {
    return run(bytes, Z_NO_FLUSH, sink);
  }
  Result<void> finish(const Sink& sink) override { return run({}, Z_FINISH, sink); }

 private:
  Result<void> run(std::string_view bytes, int flush, const Sink& sink) {
    if (!ready_) return unusable("zlib");
    do {
      const std::size_t part = std::min(bytes.size(), kMostInput);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = static_cast<uInt>(part);
      bytes.remove_prefix(part);
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
        stream_.avail_out = kOutBytes;
        if (deflate(&stream_, flush) == Z_STREAM_ERROR) return unusable("zlib");
        LEITONG_TRY(sink({out_.data(), kOutBytes - stream_.avail_out}));
      } while (stream_.avail_out == 0);
    } while (!bytes.empty());
    return {};
  }
  z_stream stream_{};
  bool ready_ = false;
  std::vector<char> out_;
};

class ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder() : stream_(ZSTD_createCCtx()), out_(ZSTD_CStreamOutSize()) {
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }
  Result<void> write(std::string_view bytes, const Sink& sink) override {
    return run(bytes, ZSTD_e_continue, sink);
  }
  Result<void> finish(const Sink& sink) override { return run({}, ZSTD_e_end, sink); }

 private:
  Result<void> run(std::string_view bytes, ZSTD_EndDirective directive, const Sink& sink) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      left = ZSTD_compressStream2(stream_.get(), &out, &in, directive);
      if (ZSTD_isError(left)) return unusable("zstd");
      LEITONG_TRY(sink({out_.data(), out.pos}));
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
    return {};
  }
  struct Free {
    void operator()(ZSTD_CCtx* c) const noexcept { ZSTD_freeCCtx(c); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> stream_;
  std::vector<char> out_;
};

class Bzip2Encoder final : public Encoder {
 public:
  Bzip2Encoder() : out_(kOutBytes) { ready_ = BZ2_bzCompressInit(&stream_, 9, 0, 0) == BZ_OK; }
  ~Bzip2Encoder() override { BZ2_bzCompressEnd(&stream_); }

  Result<void> write(std::string_view bytes, const Sink& sink) override {
    if (!ready_) return unusable("bzip2");
    while (!bytes.empty()) {
      const std::size_t part = std::min(bytes.size(), kMostInput);
      stream_.next_in = const_cast<char*>(bytes.data());
      stream_.avail_in = static_cast<unsigned>(part);
      bytes.remove_prefix(part);
      while (stream_.avail_in > 0) LEITONG_TRY(step(BZ_RUN, sink));
    }
    return {};
  }
  Result<void> finish(const Sink& sink) override {
    if (!ready_) return unusable("bzip2");
    stream_.avail_in = 0;
    while (!ended_) LEITONG_TRY(step(BZ_FINISH, sink));
    return {};
  }

 private:
  Result<void> step(int action, const Sink& sink) {
    stream_.next_out = out_.data();
    stream_.avail_out = kOutBytes;
    const int status = BZ2_bzCompress(&stream_, action);
    if (status < 0) return unusable("bzip2");
    ended_ = status == BZ_STREAM_END;
    return sink({out_.data(), kOutBytes - stream_.avail_out});
  }
  bz_stream stream_{};
  bool ready_ = false, ended_ = false;
  std::vector<char> out_;
};

class XzEncoder final : public Encoder {
 public:
  XzEncoder() : out_(kOutBytes) { ready_ = lzma_easy_encoder(&stream_, 6, LZMA_CHECK_CRC64) == LZMA_OK; }
  ~XzEncoder() override { lzma_end(&stream_); }

  Result<void> write(std::string_view bytes, const Sink& sink) override {
    if (!ready_) return unusable("xz");
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream_.avail_in = bytes.size();
    while (stream_.avail_in > 0) LEITONG_TRY(step(LZMA_RUN, sink));
    return {};
  }
  Result<void> finish(const Sink& sink) override {
    if (!ready_) return unusable("xz");
    while (!ended_) LEITONG_TRY(step(LZMA_FINISH, sink));
    return {};
  }

 private:
  Result<void> step(lzma_action action, const Sink& sink) {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out_.data());
    stream_.avail_out = kOutBytes;
    const lzma_ret status = lzma_code(&stream_, action);
    if (status != LZMA_OK && status != LZMA_STREAM_END) return unusable("xz");
    ended_ = status == LZMA_STREAM_END;
    return sink({out_.data(), kOutBytes - stream_.avail_out});
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ready_ = false, ended_ = false;
  std::vector<char> out_;
};

}  // namespace

std::unique_ptr<Encoder> make_encoder(Compression compression) {
  switch (compression) {
    case Compression::none:
      return nullptr;
    case Compression::gzip:
      return std::make_unique<GzipEncoder>();
    case Compression::zstd:
      return std::make_unique<ZstdEncoder>();
    case Compression::bzip2:
      return std::make_unique<Bzip2Encoder>();
    case Compression::xz:
      return std::make_unique<XzEncoder>();
  }
  return nullptr;
}

}  // namespace leitong

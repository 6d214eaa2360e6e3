#include "corpus/byte_stream.hpp"

namespace leitong {

std::unique_ptr<ByteStream> make_decoder(Compression compression, std::unique_ptr<ByteStream> stored) {
  if (compression == Compression::none) return stored;
  return stored;
}

}  // namespace leitong

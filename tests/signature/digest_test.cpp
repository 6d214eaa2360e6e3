#include "leitong/digest.hpp"

#include <gtest/gtest.h>

#include <string>

namespace leitong {
namespace {

// The published test vectors of each method (RFC 1321, FIPS 180-4, RFC 7693, the BLAKE3 paper).
TEST(Digest, KnownVectors) {
  EXPECT_EQ(digest(DigestKind::md5, ""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(digest(DigestKind::md5, "abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(digest(DigestKind::sha256, "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest(DigestKind::xxh3, ""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(digest(DigestKind::blake2b, "abc"),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
}

TEST(Digest, Blake3IsThereOrSaysWhatIsMissing) {
  const auto found = digest(DigestKind::blake3, "");
  if (!found) {
    EXPECT_EQ(found.error().code, ErrorCode::unsupported);
    EXPECT_NE(found.error().message.find("librust-blake3-dev"), std::string::npos);
    return;
  }
  EXPECT_EQ(*found, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
}

TEST(Digest, PiecesGiveTheDigestOfTheWhole) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>(i * 31 >> 3);
  for (const DigestName& known : digest_names()) {
    auto digester = Digester::create(known.kind);
    if (!digester) continue;
    for (std::size_t at = 0, step = 1; at < text.size(); at += step, step = step * 3 % 7001)
      (*digester)->update(std::string_view(text).substr(at, step));
    EXPECT_EQ((*digester)->finish(), digest(known.kind, text)) << known.name;
  }
}

}  // namespace
}  // namespace leitong

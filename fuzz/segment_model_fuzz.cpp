// The loader of segmentation models: hostile bytes are refused, and a model whose checksums are right but
// whose arrays are nonsense may cut wrongly but never reads outside.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "feature/terms.hpp"
#include "io/section_file.hpp"
#include "seeds.hpp"
#include "segment_model.hpp"
#include "text/jieba_cutter.hpp"
#include "text/segment/model_sections.hpp"

LEITONG_FUZZ_SEEDS("0000", "1\3\1\2\3\4\5\6\7\10", "1\11\0\0\0\0\377\377\377\377")

namespace {

constexpr std::string_view kSections[] = {
    "about",        "symbols",     "symbols.text", "symbols.above", "emissions",   "single.weights",
    "single.words", "weights",     "pilots",       "pairs",         "pairs.rows",  "pairs.words",
    "longer",       "longer.rows", "longer.words", "words.offsets", "words.texts", "words.term",
    "words.rank",   "words.flags", "words.tags",   "tags",          "triggers",    "ascii.words",
    "counts",       "numbers"};
constexpr std::string_view kText =
    "打雷回声，甲乙丙丁。雷同 C++ AT&T 1.5.2 a1b2 一二三四五六七八九十的T恤 \xF0\xA0\x80\x80雷🙂é echo";

/// One change: which section, where, and the four bytes to put there.
struct Change {
  std::uint8_t section;
  std::uint32_t place, value;
};

/// The model with the changes and with right checksums.
std::string changed_model(const leitong::SegmentModel& model, std::string_view changes) {
  std::string bytes;
  auto writer = leitong::SectionWriter::create(
                    [&](std::string_view part) -> leitong::Result<void> {
                      bytes += part;
                      return {};
                    },
                    leitong::kModelKind, leitong::kModelVersion)
                    .value();
  for (std::size_t i = 0; i < std::size(kSections); ++i) {
    const auto content = model.file().section<char>(kSections[i]).value();
    std::string section(content.begin(), content.end());
    for (std::size_t at = 0; at + 9 <= changes.size(); at += 9) {
      Change change;
      change.section = static_cast<std::uint8_t>(changes[at]) % std::size(kSections);
      std::memcpy(&change.place, changes.data() + at + 1, 4);
      std::memcpy(&change.value, changes.data() + at + 5, 4);
      if (change.section != i || section.size() < 4) continue;
      std::memcpy(section.data() + change.place % (section.size() / 4) * 4, &change.value, 4);
    }
    if (!writer.begin(kSections[i]) || !writer.append(section)) std::abort();
  }
  if (!writer.finish()) std::abort();
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string whole = leitong::fuzz::model_bytes();
  static const auto good = leitong::fuzz::open_model(whole).value();
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  std::string bytes;
  if (input[0] % 4 == 0) {
    // The file itself, cut and overwritten.
    bytes = whole.substr(
        0, input.size() % 3 == 0 ? whole.size() * static_cast<unsigned char>(input[0]) / 255 : whole.size());
    for (std::size_t i = 1; i + 4 < input.size() && !bytes.empty(); i += 5) {
      std::uint32_t place;
      std::memcpy(&place, input.data() + i, 4);
      bytes[place % bytes.size()] = input[i + 4];
    }
  } else {
    bytes = changed_model(*good, input.substr(1));
  }
  const auto model = leitong::fuzz::open_model(bytes);
  if (!model) return 0;

  leitong::CutScratch scratch;
  leitong::PodVector<std::uint32_t> starts;
  leitong::PodVector<leitong::Token> tokens;
  for (const auto level : {leitong::Simd::scalar, leitong::Simd::avx2, leitong::Simd::avx512}) {
    if (level > leitong::simd_level()) break;
    const leitong::JiebaCutter cutter(*model, level);
    cutter.cut(kText, true, scratch, starts);
    cutter.cut(kText, false, scratch, starts);
    cutter.cut_full(kText, scratch, tokens);
    cutter.cut_for_search(kText, true, scratch, tokens);
  }
  if (const auto terms = leitong::TermExtractor::open(*model)) {
    leitong::TermScratch term_scratch;
    leitong::PodVector<leitong::Feature> features;
    terms->top(kText, 5, term_scratch, features);
    for (const auto& token : tokens)
      (void)leitong::JiebaCutter(*model).tag(kText.substr(token.begin, token.end - token.begin));
  }
  return 0;
}

// Writes build/.../generated/normal_table.inc: what NFKC and NFKC_Casefold make of each code point, for
// src/text/normal_table.cpp, and the sets of code points that its options are about. Made from ICU and
// OpenCC, so that no foreign data lies in this repository.
#include <fstream>
#include <functional>

#include "text/normal_table.hpp"
#include "unicode_source.hpp"

namespace {

using leitong::kFoldLimit;
using leitong::normal_entry;
using leitong::NormalKind;
using leitong::tools::form_of;
using leitong::tools::normalized;
using leitong::tools::stop;

using Points = std::vector<std::uint32_t>;

Points points_of(const icu::UnicodeString& text) {
  Points points;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    points.push_back(static_cast<std::uint32_t>(text.char32At(i)));
  return points;
}

bool has_category(std::uint32_t c, std::uint32_t mask) {
  return U_MASK(u_charType(static_cast<UChar32>(c))) & mask;
}
bool has_property(std::uint32_t c, UProperty property) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), property);
}

/// True if preceding characters may change it, or it may change them, other than by canonical order.
bool may_compose(std::uint32_t c) {
  return u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_NFC_QUICK_CHECK) != UNORM_YES;
}

/// Interned lists of code points: their length, then the points.
class Lists {
 public:
  std::uint32_t add(const Points& points) {
    const auto index = static_cast<std::uint32_t>(words_.size());
    words_.push_back(static_cast<std::uint32_t>(points.size()));
    words_.insert(words_.end(), points.begin(), points.end());
    return index;
  }
  [[nodiscard]] const Points& words() const { return words_; }

 private:
  Points words_;
};

std::uint32_t entry_of(const Points& points, Lists& lists) {
  bool free = !may_compose(points.front());
  for (const std::uint32_t point : points)
    free &= u_getCombiningClass(static_cast<UChar32>(point)) == 0 && (points.size() == 1 || point != ' ');
  if (free && points.size() == 1) return points.front();
  if (free) return normal_entry(NormalKind::expansion, lists.add(points));
  if (points.size() == 1 && !may_compose(points.front()))
    return normal_entry(NormalKind::mark, points.front(),
                        u_getCombiningClass(static_cast<UChar32>(points.front())));
  return normal_entry(NormalKind::composing, lists.add(points));
}

Points entries_of(const icu::Normalizer2& form, Lists& lists) {
  const icu::Normalizer2& nfkc = leitong::tools::nfkc();
  Points entries;
  for (std::uint32_t c = 0; c < kFoldLimit; ++c) {
    const icu::UnicodeString text(static_cast<UChar32>(c));
    Points points = points_of(normalized(form, text));
    // NFKC_Casefold drops invisible characters; here that is an option of its own.
    if (points.empty()) points = points_of(normalized(nfkc, text));
    entries.push_back(c >= 0xD800 && c < 0xE000 ? c : entry_of(points, lists));
  }
  return entries;
}

void write_ranges(const char* name, const std::function<bool(std::uint32_t)>& within, std::ostream& out) {
  out << "constexpr PointRange " << name << "[] = {\n";
  for (std::uint32_t c = 0; c < kFoldLimit; ++c) {
    if (!within(c)) continue;
    const std::uint32_t begin = c;
    while (c < kFoldLimit && within(c)) ++c;
    out << "{0x" << begin << ",0x" << c << "},\n";
  }
  out << "};\n";
}

bool is_white(std::uint32_t c) { return has_property(c, UCHAR_WHITE_SPACE); }
bool is_invisible(std::uint32_t c) {
  return !is_white(c) && (has_category(c, U_GC_CC_MASK | U_GC_CF_MASK) ||
                          has_property(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ||
                          has_property(c, UCHAR_NONCHARACTER_CODE_POINT));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) stop("usage: make_normal_table OUTPUT");
  Lists lists;
  const Points plain = entries_of(form_of(&icu::Normalizer2::getNFKCInstance), lists);
  const Points casefolded = entries_of(form_of(&icu::Normalizer2::getNFKCCasefoldInstance), lists);

  std::ofstream out(argv[1]);
  out << "// Written by tools/make_normal_table.cpp during the build.\n" << std::hex;
  out << "constexpr TableRun kNfkcRuns[] = {\n";
  leitong::tools::write_runs(plain, out);
  out << "};\nconstexpr TableRun kCasefoldRuns[] = {\n";
  leitong::tools::write_runs(casefolded, out);
  out << "};\nconstexpr std::uint32_t kNormalLists[] = {\n";
  for (const std::uint32_t word : lists.words()) out << "0x" << word << ",\n";
  out << "};\n";
  write_ranges("kWhite", is_white, out);
  write_ranges("kInvisible", is_invisible, out);
  write_ranges(
      "kPunctuation", [](std::uint32_t c) { return has_category(c, U_GC_P_MASK | U_GC_S_MASK); }, out);
  out << "/// Traditional characters and their simplified forms.\nconstexpr std::uint32_t kSimplified[][2] = "
         "{\n";
  for (const auto& [from, to] : leitong::tools::opencc_characters("t2s"))
    if (from != to)
      out << "{0x" << static_cast<std::uint32_t>(from) << ",0x" << static_cast<std::uint32_t>(to) << "},\n";
  out << "};\n";
  out.close();
  if (!out) stop(std::string("can't write ") + argv[1]);
  return 0;
}

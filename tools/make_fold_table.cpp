// Writes build/.../generated/fold_table.inc: what each code point folds to, for src/text/fold.cpp.
// The content comes from the machine's Unicode packages (ICU, Unihan) and OpenCC, so none of it lies in this
// repository.
//
// fold(c) = plain(variant(NFKC(casefold(NFKC(c))))), each resulting code point classed on its own:
//   single      Han, kana, hangul and other ideographs, private use: one unit each
//   letter      letters, digits and combining marks of all other scripts (and what is unassigned today)
//   separator   white space, punctuation, symbols, ASCII control characters
//   dropped     control and format characters, variation selectors and whatever else is "default ignorable";
//               marks that writers may leave out: accents, Arabic and Hebrew points, tatweel
// variant() takes a Han character to the smallest code point of its class under: regional and traditional
// forms (OpenCC, single characters) and Unihan's kZVariant and kSemanticVariant. Classes, not chains of
// replacements, so that folding twice is folding once. plain() takes a Latin or Greek letter to its base, the
// forms of alef, yeh and kaf to one each, and the digits of every script to ASCII.
// Beside the table: Cyrillic and Greek letters that look like a Latin one (ICU's data of UTS #39).
// A second table does without plain(), and drops no marks: for those who keep them (Marks::keep).
#include <bzlib.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "unicode_source.hpp"

namespace {

using leitong::fold_entry;
using leitong::FoldClass;
using leitong::kFoldComposes;
using leitong::kFoldForeign;
using leitong::kFoldLatin;
using leitong::kFoldLimit;
using leitong::kFoldLookAlike;
using leitong::LookAlike;
using leitong::Marks;

using leitong::tools::nfkc;
using leitong::tools::stop;

icu::UnicodeString normalized(const icu::UnicodeString& text) {
  return leitong::tools::normalized(nfkc(), text);
}

icu::UnicodeString folded(char32_t c) {
  icu::UnicodeString text = normalized(icu::UnicodeString(static_cast<UChar32>(c)));
  return normalized(text.foldCase(U_FOLD_CASE_DEFAULT));
}

/// Disjoint sets of code points; each is known by its smallest member.
class Variants {
 public:
  Variants() : parent_(kFoldLimit) { std::iota(parent_.begin(), parent_.end(), 0u); }

  char32_t find(char32_t c) const {
    if (c >= kFoldLimit) return c;
    while (parent_[c] != c) c = parent_[c];
    return c;
  }
  void join(char32_t a, char32_t b) {
    a = find(plain(a));
    b = find(plain(b));
    if (a >= kFoldLimit || b >= kFoldLimit) return;
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  // A compatibility ideograph is joined as the character to which it normalizes.
  static char32_t plain(char32_t c) {
    const icu::UnicodeString text = normalized(icu::UnicodeString(static_cast<UChar32>(c)));
    return text.countChar32() == 1 ? static_cast<char32_t>(text.char32At(0)) : c;
  }
  std::vector<char32_t> parent_;
};

std::string read_bzip2(const std::string& path) {
  BZFILE* file = BZ2_bzopen(path.c_str(), "rb");
  if (file == nullptr) stop("can't open " + path + " (Debian package unicode-data)");
  std::string content;
  std::vector<char> block(1 << 16);
  int got = 0;
  while ((got = BZ2_bzread(file, block.data(), static_cast<int>(block.size()))) > 0)
    content.append(block.data(), static_cast<std::size_t>(got));
  BZ2_bzclose(file);
  if (got < 0) stop(path + " is damaged");
  return content;
}

// Lines "U+4E0A <TAB> kSemanticVariant <TAB> U+4E04<kMeyerWempe U+.."
void join_unihan(const std::string& path, Variants& variants) {
  std::istringstream lines(read_bzip2(path));
  std::string line;
  std::size_t used = 0;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string from;
    std::string field;
    std::string to;
    fields >> from >> field;
    if (field != "kZVariant" && field != "kSemanticVariant") continue;
    while (fields >> to) {
      if (!to.starts_with("U+")) continue;
      variants.join(static_cast<char32_t>(std::stoul(from.substr(2), nullptr, 16)),
                    static_cast<char32_t>(std::stoul(to.substr(2), nullptr, 16)));
      ++used;
    }
  }
  if (used < 1000) stop(path + " has an unexpected form");
}

UScriptCode script_of(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
  if (U_FAILURE(error)) stop("ICU lacks the scripts");
  return script;
}

bool is_single(char32_t c) {
  const auto point = static_cast<UChar32>(c);
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  const UScriptCode script = script_of(c);
  if (script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
      script == USCRIPT_HANGUL)
    return true;
  // The whole blocks: marks that both kana share, and ideographs that a later Unicode version will assign.
  return u_hasBinaryProperty(point, UCHAR_IDEOGRAPHIC) || within(0x3040, 0x30FF) || within(0x3400, 0x9FFF) ||
         within(0x20000, 0x3FFFF) || u_charType(point) == U_PRIVATE_USE_CHAR;
}

/// A mark without which the same text is also written. Marks without a script in Unicode count as accents if
/// they are in its blocks for these; vowel signs and tones of Indic and other scripts are never optional.
bool is_optional_mark(char32_t c) {
  constexpr char32_t kTatweel = 0x640, kIotaBelow = 0x345;  // case folding makes a letter of the latter
  const auto point = static_cast<UChar32>(c);
  if (c == kTatweel) return true;
  if (c == kIotaBelow) return false;
  if (u_charType(point) != U_NON_SPACING_MARK) return false;
  if (uscript_hasScript(point, USCRIPT_ARABIC) || uscript_hasScript(point, USCRIPT_HEBREW)) return true;
  switch (ublock_getCode(point)) {
    case UBLOCK_COMBINING_DIACRITICAL_MARKS:
    case UBLOCK_COMBINING_DIACRITICAL_MARKS_EXTENDED:
    case UBLOCK_COMBINING_DIACRITICAL_MARKS_SUPPLEMENT:
    case UBLOCK_COMBINING_HALF_MARKS:
      return true;
    default:
      return false;
  }
}

/// The letter without its accents, and the digit or letter that represents all its forms.
char32_t plain_form(char32_t c) {
  constexpr char32_t kAlef = 0x627, kYeh = 0x64A, kKaf = 0x643;
  const auto point = static_cast<UChar32>(c);
  if (u_charType(point) == U_DECIMAL_DIGIT_NUMBER)
    return U'0' + static_cast<char32_t>(u_charDigitValue(point));
  switch (c) {
    case 0x671:  // alef wasla; alef with a wavy hamza above or below; high hamza alef
    case 0x672:
    case 0x673:
    case 0x675:
      return kAlef;
    case 0x649:  // alef maksura, which is a yeh without dots; Farsi yeh
    case 0x6CC:
      return kYeh;
    case 0x6A9:  // keheh; swash kaf
    case 0x6AA:
      return kKaf;
    default:
      break;
  }
  UErrorCode error = U_ZERO_ERROR;
  static const icu::Normalizer2& nfd = leitong::tools::form_of(icu::Normalizer2::getNFDInstance);
  const auto base = static_cast<char32_t>(nfd.normalize(icu::UnicodeString(point), error).char32At(0));
  const UScriptCode script = script_of(c);
  const bool plain = script == USCRIPT_LATIN || script == USCRIPT_GREEK || base == kAlef;
  return plain && u_isalpha(point) ? base : c;
}

/// The Latin letter that a folded letter of Cyrillic or Greek looks like, or 0. A Cyrillic letter may look
/// like one as a capital (В, Н). Capitals of Greek are not considered, since their small letters are symbols
/// (µm is not mm).
char32_t look_alike_of(char32_t c) {
  static USpoofChecker* const checker = [] {
    UErrorCode error = U_ZERO_ERROR;
    USpoofChecker* const opened = uspoof_open(&error);
    if (U_FAILURE(error)) stop("ICU lacks the data of confusable characters");
    return opened;
  }();
  const auto skeleton = [](UChar32 of) -> char32_t {
    UErrorCode error = U_ZERO_ERROR;
    icu::UnicodeString found;
    uspoof_getSkeletonUnicodeString(checker, 0, icu::UnicodeString(of), found, &error);
    if (U_FAILURE(error)) stop("ICU finds no look-alikes");
    const bool is_letter = found.length() == 1 && found[0] < 0x80 && u_isalpha(found[0]);
    return is_letter ? static_cast<char32_t>(u_tolower(found[0])) : 0;
  };
  const auto point = static_cast<UChar32>(c);
  const UScriptCode script = script_of(c);
  if ((script != USCRIPT_CYRILLIC && script != USCRIPT_GREEK) || !u_isalpha(point)) return 0;
  const char32_t small = skeleton(point);
  return small != 0 || script == USCRIPT_GREEK ? small : skeleton(u_toupper(point));
}

std::uint32_t letter_flags(char32_t c) {
  if (!u_isalpha(static_cast<UChar32>(c))) return 0;
  const UScriptCode script = script_of(c);
  if (script == USCRIPT_LATIN) return kFoldLatin;
  if (script != USCRIPT_CYRILLIC && script != USCRIPT_GREEK) return 0;
  return kFoldForeign | (look_alike_of(c) != 0 ? kFoldLookAlike : 0);
}

FoldClass class_of(char32_t c, Marks marks) {
  const auto point = static_cast<UChar32>(c);
  if (c < 0x80) return u_isalnum(point) ? FoldClass::letter : FoldClass::separator;
  if (c == 0x85) return FoldClass::separator;
  if (u_hasBinaryProperty(point, UCHAR_NONCHARACTER_CODE_POINT) ||
      u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
    return FoldClass::dropped;
  if (marks == Marks::fold && is_optional_mark(c)) return FoldClass::dropped;
  const std::uint32_t category = U_MASK(u_charType(point));
  if (category & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK)) return FoldClass::dropped;
  if (category & (U_GC_Z_MASK | U_GC_P_MASK | U_GC_S_MASK)) return FoldClass::separator;
  if ((category & U_GC_CN_MASK) && u_hasBinaryProperty(point, UCHAR_EXTENDED_PICTOGRAPHIC))
    return FoldClass::separator;
  return is_single(c) ? FoldClass::single : FoldClass::letter;
}

bool is_alphanumeric(char32_t c) {
  return U_MASK(u_charType(static_cast<UChar32>(c))) & (U_GC_L_MASK | U_GC_N_MASK);
}

/// What each code point below kFoldLimit folds to (see text/fold.hpp for the layout).
struct Table {
  std::vector<std::uint32_t> entries;
  std::vector<std::uint32_t> expansions;
  std::vector<LookAlike> look_alikes;
};

std::vector<LookAlike> all_look_alikes(const std::vector<std::uint32_t>& entries) {
  std::vector<LookAlike> found;
  for (char32_t c = 0x80; c < kFoldLimit; ++c)
    if ((entries[c] & leitong::kFoldValue) == c && (entries[c] & kFoldLookAlike) != 0)
      found.push_back({c, look_alike_of(c)});
  return found;
}

Table make_table(const Variants& variants, Marks marks) {
  Table table;
  for (char32_t c = 0; c < kFoldLimit; ++c) {
    const FoldClass own = class_of(c, marks);
    const std::uint32_t composes = nfkc().hasBoundaryBefore(static_cast<UChar32>(c)) ? 0 : kFoldComposes;
    if (own == FoldClass::dropped || c < 0x80 || (c >= 0xD800 && c < 0xE000)) {
      table.entries.push_back(
          own == FoldClass::letter
              ? fold_entry(own, static_cast<std::uint32_t>(u_tolower(static_cast<UChar32>(c)))) |
                    letter_flags(c)
              : fold_entry(own, 0) | (is_optional_mark(c) ? composes : 0));
      continue;
    }
    std::vector<std::uint32_t> parts;
    std::uint32_t flags = 0;
    bool words = false;
    const icu::UnicodeString text = folded(c);
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
      const char32_t variant = variants.find(static_cast<char32_t>(text.char32At(i)));
      const char32_t part = marks == Marks::fold ? plain_form(variant) : variant;
      const FoldClass kind = class_of(part, marks);
      words |= is_alphanumeric(part);
      flags |= letter_flags(part);
      if (kind != FoldClass::dropped)
        parts.push_back(fold_entry(kind, kind == FoldClass::separator ? 0 : part) | letter_flags(part));
    }
    // A spacing accent decomposes into a space and a mark: it separates, as other symbols do.
    if (own == FoldClass::separator && !words) parts.assign(1, fold_entry(own, 0));
    std::uint32_t entry = fold_entry(FoldClass::dropped, 0);
    if (parts.size() == 1) {
      entry = parts[0];
    } else if (parts.size() > 1) {
      entry = fold_entry(FoldClass::expansion, static_cast<std::uint32_t>(table.expansions.size()));
      table.expansions.push_back(static_cast<std::uint32_t>(parts.size()));
      table.expansions.insert(table.expansions.end(), parts.begin(), parts.end());
    }
    table.entries.push_back(entry | flags | composes);
  }
  table.look_alikes = all_look_alikes(table.entries);
  return table;
}

std::uint64_t digest(const Table& table) {  // FNV-1a over 32-bit words
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const auto* part : {&table.entries, &table.expansions})
    for (const std::uint32_t word : *part) hash = (hash ^ word) * 0x100000001B3u;
  for (const LookAlike& pair : table.look_alikes)
    hash = (hash ^ pair.letter << 8 ^ pair.latin) * 0x100000001B3u;
  return hash;
}

/// `name` is the prefix of the names of its parts.
void write(const Table& table, std::string_view name, std::ostream& out) {
  out << "constexpr std::uint64_t " << name << "TableId = 0x" << std::hex << digest(table) << ";\n"
      << "constexpr TableRun " << name << "Runs[] = {\n";
  leitong::tools::write_runs(table.entries, out);
  out << "};\nconstexpr std::uint32_t " << name << "Expansions[] = {\n";
  for (const std::uint32_t word : table.expansions) out << "0x" << word << ",\n";
  out << "};\nconstexpr LookAlike " << name << "LookAlikes[] = {\n";
  for (const LookAlike& pair : table.look_alikes)
    out << "{0x" << pair.letter << ",0x" << pair.latin << "},\n";
  out << "};\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) stop("usage: make_fold_table Unihan_Variants.txt.bz2 OUTPUT");
  Variants variants;
  for (const char* name : {"hk2t", "tw2t", "jp2t", "t2s"})
    for (const auto& [from, to] : leitong::tools::opencc_characters(name)) variants.join(from, to);
  join_unihan(argv[1], variants);
  std::ofstream out(argv[2]);
  out << "// Written by tools/make_fold_table.cpp during the build.\n";
  write(make_table(variants, Marks::fold), "kFold", out);
  write(make_table(variants, Marks::keep), "kKeep", out);
  out.close();
  if (!out) stop(std::string("can't write ") + argv[2]);
  return 0;
}

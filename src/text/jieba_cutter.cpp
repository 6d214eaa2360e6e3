#include "text/jieba_cutter.hpp"

#include <cstring>

#include "base/kernel_families.hpp"
#include "leitong/utf8.hpp"

namespace leitong {
namespace {

// A text is cut into chunks that are segmented one after another. The cuts are after separators, which no
// word and no sum of weights crosses.

/// The size of a chunk whose data stays in the first and second cache level through all stages.
constexpr std::size_t kChunkBytes = 4096;

constexpr std::string_view kComma = "\xEF\xBC\x8C", kFullStop = "\xE3\x80\x82";

/// True if a separator ends before `place`. REQUIRES: valid UTF-8, `place` is the beginning of a character or
/// the end.
bool follows_separator(std::string_view utf8, std::size_t place) {
  if (place == 0) return false;
  const auto last = static_cast<unsigned char>(utf8[place - 1]);
  if (last == ' ' || last == '\t' || last == '\n') return true;
  if (last != 0x8C && last != 0x82) return false;
  return utf8.substr(0, place).ends_with(last == 0x8C ? kComma : kFullStop);
}

/// The end of the chunk that begins at `begin`: after a separator (or at the text's end), at most kChunkBytes
/// later, or later if the second half of these bytes has no separator. REQUIRES: valid UTF-8, begin <
/// text.size().
std::size_t chunk_end(std::string_view utf8, std::size_t begin) {
  if (utf8.size() - begin <= kChunkBytes) return utf8.size();
  const std::size_t wished = begin + kChunkBytes;
  for (std::size_t end = wished; end > begin + kChunkBytes / 2; --end)
    if (follows_separator(utf8, end)) return end;
  for (std::size_t end = wished + 1; end < utf8.size(); ++end)
    if (follows_separator(utf8, end)) return end;
  return utf8.size();
}

CutKernel cutter_of(Simd level) { LEITONG_RETURN_KERNEL(level, nullptr, cut_avx2, cut_avx512); }

/// cppjieba's tag for tokens without a tag in the dictionary. It examines only half of the characters.
std::string_view tag_by_characters(std::string_view token) {
  std::size_t characters = 0;
  for (std::size_t at = 0; at < token.size(); ++characters) at += decode_utf8(token, at).length;
  std::size_t ascii = 0, digits = 0;
  for (std::size_t at = 0; at < token.size() && ascii < characters / 2;) {
    const DecodedPoint point = decode_utf8(token, at);
    ascii += point.code_point < 0x80;
    digits += point.code_point >= '0' && point.code_point <= '9';
    at += point.length;
  }
  if (ascii == 0) return "x";
  return digits == ascii ? "m" : "eng";
}

/// Appends the dictionary words of `length` characters inside a token. `places` holds the beginnings of its
/// characters and the end.
void words_inside(const SegmentModel& model, std::string_view text, const PodVector<std::uint32_t>& places,
                  std::size_t length, PodVector<Token>& tokens) {
  for (std::size_t i = 0; i + length < places.size(); ++i) {
    const Token inside{places[i], places[i + length]};
    const std::uint32_t word = model.find(text.substr(inside.begin, inside.end - inside.begin));
    if (word != kNoWord && model.flags(word) & kInDictionary) tokens.push_back(inside);
  }
}

}  // namespace

JiebaCutter::JiebaCutter(std::shared_ptr<const SegmentModel> model, Simd level)
    : model_(std::move(model)), kernel_(cutter_of(level)) {}

void JiebaCutter::cut(std::string_view utf8, bool hmm, CutScratch& scratch,
                      PodVector<std::uint32_t>& starts) const {
  for (std::size_t begin = 0, end; begin < utf8.size(); begin = end) {
    end = chunk_end(utf8, begin);
    cut_chunk(utf8, begin, end, hmm, scratch, starts);
  }
}

void JiebaCutter::cut_chunk(std::string_view utf8, std::size_t begin, std::size_t end, bool hmm,
                            CutScratch& scratch, PodVector<std::uint32_t>& starts) const {
  const auto plainly = [&](std::size_t from, std::size_t to) {
    cut_general(*model_, utf8, from, to, hmm, scratch.general, starts);
  };
  if (kernel_ == nullptr || end - begin > kMaxKernelChunk) return plainly(begin, end);
  CutBuffers& buffers = scratch.kernel.buffers();
  while (begin < end) {
    const auto* text = reinterpret_cast<const std::uint8_t*>(utf8.data()) + begin;
    if (utf8.size() - end < kKernelSlack) {
      std::memcpy(buffers.text, text, end - begin);
      std::memset(buffers.text + (end - begin), 0, kKernelSlack);
      text = buffers.text;
    }
    const std::size_t before = starts.size();
    starts.resize_for_overwrite(before + (end - begin) + kKernelSlack);
    const CutResult result = kernel_(model_->tables(), text, end - begin, hmm, buffers,
                                     static_cast<std::uint32_t>(begin), starts.data() + before);
    starts.resize_for_overwrite(static_cast<std::size_t>(result.end - starts.data()));
    if (result.outcome == CutOutcome::done) return;
    if (result.outcome == CutOutcome::crowded) return plainly(begin, end);
    // For a dictionary word with ASCII: first the text before its range is cut, then the range, then the
    // rest.
    std::size_t range = begin + result.place, range_end = range;
    while (range > begin && !follows_separator(utf8, range)) --range;
    if (range > begin) cut_chunk(utf8, begin, range, hmm, scratch, starts);
    do ++range_end;
    while (range_end < end && !follows_separator(utf8, range_end));
    plainly(range, range_end);
    begin = range_end;
  }
}

void JiebaCutter::cut_full(std::string_view utf8, CutScratch& scratch, PodVector<Token>& tokens) const {
  for (std::size_t begin = 0, end; begin < utf8.size(); begin = end) {
    end = chunk_end(utf8, begin);
    leitong::cut_full(*model_, utf8, begin, end, scratch.general, tokens);
  }
}

void JiebaCutter::cut_for_search(std::string_view utf8, bool hmm, CutScratch& scratch,
                                 PodVector<Token>& tokens) const {
  scratch.starts.clear();
  cut(utf8, hmm, scratch, scratch.starts);
  PodVector<std::uint32_t> places;
  for (std::size_t i = 0; i < scratch.starts.size(); ++i) {
    const Token token{scratch.starts[i], i + 1 < scratch.starts.size()
                                             ? scratch.starts[i + 1]
                                             : static_cast<std::uint32_t>(utf8.size())};
    if (token.end - token.begin > 2) {  // shorter tokens cannot hold three characters
      places.clear();
      for (std::uint32_t at = token.begin; at < token.end; at += decode_utf8(utf8, at).length)
        places.push_back(at);
      places.push_back(token.end);
      if (places.size() > 3) words_inside(*model_, utf8, places, 2, tokens);
      if (places.size() > 4) words_inside(*model_, utf8, places, 3, tokens);
    }
    tokens.push_back(token);
  }
}

std::string_view JiebaCutter::tag(std::string_view token) const {
  const std::uint32_t word = model_->find(token);
  if (word != kNoWord && !model_->tag(word).empty()) return model_->tag(word);
  return tag_by_characters(token);
}

}  // namespace leitong

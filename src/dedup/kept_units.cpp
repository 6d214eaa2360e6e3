#include "dedup/kept_units.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "text/packed_units.hpp"

namespace leitong {

Result<void> KeptUnits::keep(DocId document, std::span<const std::uint16_t> packed) {
  const std::uint64_t units = table_.units[document];
  const std::uint64_t escapes = (packed.size() - units) / 2;
  if (escapes >= kLeftOut) return {};  // also where the table can't count so many units
  escapes_.resize(document, kLeftOut);
  escapes_.push_back(static_cast<std::uint8_t>(escapes));
  groups_.resize(document / kGroup + 1, size_);
  words_.append(packed);
  size_ += packed.size();
  if (file_ && words_.size() >= kWrittenAtOnce) LEITONG_TRY(write());
  held_.set(sizeof(std::uint16_t) * words_.size() + index_bytes());
  return {};
}

Result<void> KeptUnits::fit() {
  if (file_ || held_.bytes() <= room()) return {};
  LEITONG_ASSIGN(file_, run_.work.new_file());
  return write();
}

Result<void> KeptUnits::write() {
  LEITONG_TRY(file_->append(words_.data(), sizeof(std::uint16_t) * words_.size()));
  if (words_.size() > kWrittenAtOnce)
    words_ = PodVector<std::uint16_t>();
  else
    words_.clear();
  held_.set(index_bytes());
  return {};
}

std::uint64_t KeptUnits::begin_of(DocId document) const noexcept {
  std::uint64_t begin = groups_[document / kGroup];
  for (DocId before = document / kGroup * kGroup; before < document; ++before) begin += words_of(before);
  return begin;
}

Result<bool> KeptUnits::find(DocId document, PodVector<Unit>& units) const {
  if (document >= escapes_.size() || escapes_[document] == kLeftOut) return false;
  const std::uint64_t begin = begin_of(document), count = words_of(document);
  const auto unpack = [&](const std::uint16_t* words) { unpack_units(words, table_.units[document], units); };
  for (const Block& block : blocks_) {
    if (begin < block.begin || begin + count > block.begin + block.words.size()) continue;
    unpack(block.words.data() + (begin - block.begin));
    return true;
  }
  if (const std::uint64_t written = size_ - words_.size(); begin >= written) {
    unpack(words_.data() + (begin - written));
    return true;
  }
  PodVector<std::uint16_t> words;
  words.resize_for_overwrite(count);
  LEITONG_TRY(file_->read(sizeof(std::uint16_t) * begin, words.data(), sizeof(std::uint16_t) * count));
  unpack(words.data());
  return true;
}

void KeptUnits::divide() {
  // A block consists of the groups whose first words lie within its part of all words.
  for (std::uint64_t number = block_begins_.size(); number == 0 || number * block_words() < size_; ++number)
    block_begins_.push_back(static_cast<DocId>(
        kGroup * (std::ranges::lower_bound(groups_, number * block_words()) - groups_.begin())));
}

std::uint32_t KeptUnits::block_of(DocId document) const noexcept {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(block_begins_, document) -
                                    block_begins_.begin() - 1);
}

Result<void> KeptUnits::hold(std::uint32_t one, std::uint32_t other) {
  for (const std::uint32_t wanted : {one, other}) {
    if (blocks_[0].number == wanted || blocks_[1].number == wanted) continue;
    Block& unwanted = blocks_[0].number == one || blocks_[0].number == other ? blocks_[1] : blocks_[0];
    LEITONG_TRY(read(wanted, unwanted));
  }
  return {};
}

Result<void> KeptUnits::read(std::uint32_t number, Block& block) {
  const std::uint64_t written = size_ - words_.size();
  const auto first_of = [&](std::uint32_t block) {
    const std::size_t group = block < block_begins_.size() ? block_begins_[block] / kGroup : groups_.size();
    return group == groups_.size() ? written : std::min(groups_[group], written);
  };
  block.number = number;
  block.begin = first_of(number);
  block.words.resize_for_overwrite(first_of(number + 1) - block.begin);
  held_blocks_.set(sizeof(std::uint16_t) * (blocks_[0].words.size() + blocks_[1].words.size()));
  constexpr std::size_t kPiece = std::size_t{1} << 22;  // words
  return parallel_for_each(
      run_.stop, (block.words.size() + kPiece - 1) / kPiece, [&](std::size_t piece) -> Result<void> {
        const std::size_t begin = piece * kPiece, count = std::min(kPiece, block.words.size() - begin);
        return file_->read(sizeof(std::uint16_t) * (block.begin + begin), block.words.data() + begin,
                           sizeof(std::uint16_t) * count);
      });
}

void KeptUnits::let_go() noexcept {
  for (Block& block : blocks_) block = Block();
  held_blocks_.set(0);
}

Result<void> read_units(DocId document, const DocumentSource& source, const KeptUnits* kept,
                        ReadScratch& scratch, PodVector<Unit>& units) {
  if (kept != nullptr) {
    LEITONG_ASSIGN(const bool found, kept->find(document, units));
    if (found) return {};
  }
  LEITONG_ASSIGN(const DocumentText text, source.read(document, scratch));
  to_units(text.text, source.folding(), units);
  return {};
}

}  // namespace leitong

#include "dedup/found_stage.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/packing.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::string_view kKind = "found";
constexpr std::uint32_t kVersion = 9;
constexpr std::size_t kBlock = std::size_t{1} << 20;

/// A pair as it is stored: 48 bytes.
struct StoredPair {
  DocId a, b;
  float jaccard, containment, score;
  std::uint32_t measure;
  std::uint16_t standing, passage_units;
  WithoutTemplate own;
};
static_assert(sizeof(StoredPair) == 48);

/// A loss as it is stored.
struct StoredLoss {
  DocId leaves, stays;
  std::uint32_t own, lost, reworded, in_stretches, longest, longest_at, numbers, renamed, other_signs;
};

StoredPair stored(const VerifiedPair& pair) {
  return {pair.a,
          pair.b,
          pair.jaccard,
          pair.containment,
          pair.score,
          static_cast<std::uint32_t>(pair.measure),
          static_cast<std::uint16_t>(pair.standing),
          pair.passage_units,
          pair.own};
}
VerifiedPair verified(const StoredPair& pair) {
  return {pair.a,
          pair.b,
          pair.jaccard,
          pair.containment,
          pair.score,
          static_cast<Measure>(pair.measure),
          static_cast<PairStanding>(pair.standing),
          pair.own,
          pair.passage_units};
}

/// Packs everything that is small into one section.
std::string pack_rest(const PairResult& found) {
  std::string bytes;
  Packer packer(bytes);
  packer.array(std::span<const Copy>(found.copies));
  packer.value<std::uint64_t>(found.near_misses.size());
  for (const RefusedPair& miss : found.near_misses) {
    packer.value(stored(miss.pair));
    packer.value(miss.closeness);
  }
  packer.value(found.candidates);
  packer.value(found.hash_collisions);
  packer.value(found.audit);
  packer.value(found.templates);
  packer.value(found.vectors.compared);
  packer.value(found.vectors.unusable);
  packer.value(found.vectors.first_unusable);
  packer.text(found.vectors.why);
  packer.value(found.vectors.pairs);
  packer.value(found.vectors.limited);
  packer.value(found.vectors.recall);
  packer.value<std::uint64_t>(found.figures.size());
  for (const auto& [name, value] : found.figures) {
    packer.text(name);
    packer.value(value);
  }
  packer.array(std::span<const DocId>(found.settlement.kept));
  packer.array(std::span<const std::uint32_t>(found.settlement.pair));
  packer.array(std::span<const DocId>(found.settlement.component));
  packer.array(std::span<const DocId>(found.settlement.leaders));
  packer.value(found.settlement.losses_decide);
  packer.value(found.copies_apart);
  packer.array(std::span<const DocId>(found.kept_for_value));
  packer.value(found.has_all_losses);
  return bytes;
}

Result<void> unpack_rest(std::string_view bytes, PairResult& found) {
  Unpacker unpacker(bytes);
  unpacker.array(found.copies);
  found.near_misses.resize(std::min<std::uint64_t>(unpacker.value<std::uint64_t>(), NearMisses::kMost));
  for (RefusedPair& miss : found.near_misses) {
    miss.pair = verified(unpacker.value<StoredPair>());
    miss.closeness = unpacker.value<double>();
  }
  found.candidates = unpacker.value<std::uint64_t>();
  found.hash_collisions = unpacker.value<std::uint64_t>();
  found.audit = unpacker.value<Audit>();
  found.templates = unpacker.value<TemplateFigures>();
  found.vectors.compared = unpacker.value<std::uint64_t>();
  found.vectors.unusable = unpacker.value<std::uint64_t>();
  found.vectors.first_unusable = unpacker.value<std::uint32_t>();
  found.vectors.why = unpacker.text();
  found.vectors.pairs = unpacker.value<std::uint64_t>();
  found.vectors.limited = unpacker.value<std::uint64_t>();
  found.vectors.recall = unpacker.value<VectorRecall>();
  for (auto figures = unpacker.value<std::uint64_t>(); figures > 0; --figures) {
    const std::string_view name = unpacker.text();
    if (name.empty()) break;  // if the text is too short, done() says so
    found.figures.emplace_back(name, unpacker.value<double>());
  }
  unpacker.array(found.settlement.kept);
  unpacker.array(found.settlement.pair);
  unpacker.array(found.settlement.component);
  unpacker.array(found.settlement.leaders);
  found.settlement.losses_decide = unpacker.value<bool>();
  found.copies_apart = unpacker.value<bool>();
  unpacker.array(found.kept_for_value);
  found.has_all_losses = unpacker.value<bool>();
  return unpacker.done();
}

Result<void> append_losses(const PairStore& pairs, SectionWriter& writer) {
  std::string block;
  const auto add = [&](DocId leaves, DocId stays, const std::optional<Loss>& loss) {
    if (loss)
      Packer(block).value(StoredLoss{leaves, stays, loss->own, loss->lost, loss->reworded, loss->in_stretches,
                                     loss->longest, loss->longest_at, loss->numbers, loss->renamed,
                                     loss->other_signs});
  };
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair, const PairLosses& losses) -> Result<void> {
    add(pair.a, pair.b, losses.a);
    add(pair.b, pair.a, losses.b);
    if (block.size() < kBlock) return {};
    LEITONG_TRY(writer.append(block));
    block.clear();
    return {};
  }));
  return writer.append(block);
}

Result<void> append_pairs(const PairStore& pairs, SectionWriter& writer) {
  std::string block;
  const auto add = [&](const VerifiedPair& pair) -> Result<void> {
    Packer(block).value(stored(pair));
    if (block.size() < kBlock) return {};
    LEITONG_TRY(writer.append(block));
    block.clear();
    return {};
  };
  LEITONG_TRY(pairs.for_each(add));
  return writer.append(block);
}

}  // namespace

Result<void> save_found(const ArtifactFolder& folder, std::string_view stage, const PairResult& found) {
  return folder.write(stage, kKind, kVersion, [&](SectionWriter& writer) -> Result<void> {
    LEITONG_TRY(writer.begin("pairs"));
    LEITONG_TRY(append_pairs(*found.pairs, writer));
    LEITONG_TRY(writer.begin("losses"));
    LEITONG_TRY(append_losses(*found.pairs, writer));
    LEITONG_TRY(writer.begin("aside"));
    if (found.aside) LEITONG_TRY(append_pairs(*found.aside, writer));
    LEITONG_TRY(writer.begin("marks"));
    const auto append_marks = [&](std::span<const std::uint64_t> words) {
      return writer.append({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
    };
    if (found.marks) LEITONG_TRY(found.marks->save(append_marks));
    std::string common((found.common.size() + 7) / 8, '\0');
    for (std::size_t d = 0; d < found.common.size(); ++d)
      if (found.common[d]) common[d / 8] = static_cast<char>(common[d / 8] | 1 << d % 8);
    LEITONG_TRY(writer.begin("common"));
    LEITONG_TRY(writer.append(common));
    LEITONG_TRY(writer.begin("rest"));
    return writer.append(pack_rest(found));
  });
}

Result<void> load_found(const ArtifactFolder& folder, std::string_view stage, RunContext& run,
                        PairResult& found) {
  LEITONG_ASSIGN(const SectionFile file, folder.read(stage, kKind, kVersion));
  LEITONG_ASSIGN(const auto pairs, file.section<StoredPair>("pairs"));
  LEITONG_ASSIGN(const auto losses, file.section<StoredLoss>("losses"));
  LEITONG_ASSIGN(const auto aside, file.section<StoredPair>("aside"));
  LEITONG_ASSIGN(const auto marks, file.section<std::uint64_t>("marks"));
  LEITONG_ASSIGN(const auto common, file.section<std::uint8_t>("common"));
  LEITONG_ASSIGN(const auto rest, file.section<char>("rest"));
  const std::size_t documents = found.table.units.size();
  const auto damaged = [&] {
    return fail(ErrorCode::corrupt, file.path().string() + ": the stage is of other documents");
  };
  found.pairs = std::make_unique<PairStore>(documents, run);
  if (found.aside) found.aside = std::make_unique<PairStore>(documents, run);
  for (const auto& [stored_ones, store] : {std::pair(pairs, found.pairs.get()), {aside, found.aside.get()}}) {
    for (const StoredPair& pair : stored_ones) {
      if (pair.a >= pair.b || pair.b >= documents || store == nullptr) return damaged();
      LEITONG_TRY(store->add(verified(pair)));
    }
    if (store != nullptr) LEITONG_TRY(store->sort());
  }
  for (const StoredLoss& loss : losses) {
    if (std::max(loss.leaves, loss.stays) >= documents || loss.leaves == loss.stays) return damaged();
    LEITONG_TRY(
        found.pairs->add_loss(loss.leaves, loss.stays,
                              {loss.own, loss.lost, loss.reworded, loss.in_stretches, loss.longest,
                               loss.longest_at, loss.numbers, loss.renamed != 0, loss.other_signs != 0}));
  }
  LEITONG_TRY(found.pairs->sort());
  if (!marks.empty()) {
    found.marks = std::make_unique<TemplateMarks>(documents, run);
    LEITONG_TRY(found.marks->add(marks));
    LEITONG_TRY(found.marks->sort());
  }
  if (common.size() != (documents + 7) / 8) return damaged();
  found.common.resize(documents);
  for (std::size_t d = 0; d < documents; ++d) found.common[d] = (common[d / 8] >> d % 8 & 1) != 0;
  LEITONG_TRY(unpack_rest({rest.data(), rest.size()}, found));
  const auto in_table = [&](DocId d) { return d < documents; };
  const bool fits =
      std::ranges::all_of(found.copies,
                          [&](const Copy& c) { return in_table(c.copy) && in_table(c.original); }) &&
      std::ranges::all_of(found.settlement.kept, in_table) &&
      (found.settlement.kept.empty() || found.settlement.kept.size() == documents) &&
      std::ranges::all_of(found.settlement.leaders, in_table) &&
      std::ranges::all_of(found.kept_for_value, in_table) &&
      (found.settlement.leaders.empty() || found.settlement.leaders.size() == documents);
  return fits ? Result<void>{} : damaged();
}

}  // namespace leitong

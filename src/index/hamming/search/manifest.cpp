#include "index/hamming/search/manifest.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "index/hamming/plan.hpp"
#include "index/hamming/search/scheme_section.hpp"
#include "io/output_file.hpp"
#include "io/section_file.hpp"

namespace leitong::hamming {
namespace {

constexpr std::string_view kKind = "hamming-index";
constexpr std::uint32_t kVersion = 2;

struct ManifestRecord {
  std::uint32_t bits, distance;
  std::uint64_t next_level;
};
static_assert(sizeof(ManifestRecord) == 16);

}  // namespace

std::filesystem::path level_path(const std::filesystem::path& folder, std::uint64_t number) {
  return folder / fmt::format("level-{:06}.hamming", number);
}

std::filesystem::path manifest_path(const std::filesystem::path& folder) {
  return folder / "manifest.hamming";
}

Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest) {
  LEITONG_ASSIGN(const auto file, OutputFile::create(manifest_path(folder), true));
  const auto sink = [&](std::string_view bytes) { return file->write(bytes); };
  LEITONG_ASSIGN(SectionWriter writer, SectionWriter::create(sink, kKind, kVersion));
  const ManifestRecord record{manifest.bits, manifest.distance, manifest.next_level};
  LEITONG_TRY(writer.section("index", std::span<const ManifestRecord>(&record, 1)));
  LEITONG_TRY(writer.section("levels", std::span<const std::uint64_t>(manifest.levels)));
  if (manifest.scheme) {
    LEITONG_TRY(writer.begin(kSchemeSection));
    LEITONG_TRY(writer.append(scheme_text(*manifest.scheme)));
  }
  LEITONG_TRY(writer.finish());
  return file->commit();
}

Result<Manifest> read_manifest(const std::filesystem::path& folder) {
  LEITONG_ASSIGN(const SectionFile file, SectionFile::open(manifest_path(folder), kKind, kVersion));
  LEITONG_TRY(file.verify());
  LEITONG_ASSIGN(const auto records, file.section<ManifestRecord>("index"));
  LEITONG_ASSIGN(const auto levels, file.section<std::uint64_t>("levels"));
  if (records.size() != 1 || (records[0].bits != 64 && records[0].bits != 128) ||
      records[0].distance > kMaxDistance)
    return fail(ErrorCode::corrupt, fmt::format("{}: describes no index", file.path().string()));
  LEITONG_ASSIGN(auto scheme, read_scheme_section(file));
  return Manifest{records[0].bits,
                  records[0].distance,
                  records[0].next_level,
                  {levels.begin(), levels.end()},
                  std::move(scheme)};
}

}  // namespace leitong::hamming

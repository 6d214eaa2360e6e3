#include "job/kept_files.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "base/try.hpp"
#include "corpus/source_bytes.hpp"
#include "io/byte_stream.hpp"
#include "io/output_folder.hpp"

namespace leitong {
namespace {

constexpr std::size_t kUnpackedPiece = std::size_t{1} << 20;

tl::unexpected<Error> other_kept(std::string_view path, std::string_view what) {
  return fail(ErrorCode::corrupt,
              fmt::format("{}: is not what the run wrote beside the restorable file: {}", path, what));
}

/// Checks that the list that was written names exactly these files.
Result<void> check_list(const std::string& list, const RestorableFile& file) {
  LEITONG_ASSIGN(const auto bytes, open_decoded(list));
  LEITONG_ASSIGN(const std::string text, read_all(*bytes, list));
  const char end = file.facts().null_separated ? '\0' : '\n';
  std::size_t at = 0;
  for (const RestorableSource& source : file.sources()) {
    if (!source.kept) continue;
    const std::string line = source.path + end;
    if (text.compare(at, line.size(), line) != 0)
      return other_kept(list, fmt::format("{} should stand at byte {}", source.path, at));
    at += line.size();
  }
  return at == text.size() ? Result<void>{} : other_kept(list, fmt::format("it goes on after byte {}", at));
}

}  // namespace

Result<void> KeptFiles::add(const std::string& path, std::uint64_t size, bool stored) {
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path, run_.stop));
  const std::uint32_t number = sources_.size();
  sources_.add_file(path, file.stamp());
  begins_.push_back(begins_.back() + size);
  bool plain = path != "-" && file.can_be_read_again();
  std::uint64_t there = file.stamp().size;
  if (!plain || !stored) {
    auto bytes = std::make_unique<StoredBytes>(std::move(file), nullptr);
    LEITONG_ASSIGN(const std::string_view first, bytes->peek());
    const Compression compression = stored ? Compression::none : compression_of_content(first, path);
    plain = plain && compression == Compression::none;
    if (!plain) {
      there = 0;
      store_.begin_spooled(number);
      const auto decoder = make_decoder(compression, std::move(bytes));
      std::string piece(kUnpackedPiece, '\0');
      while (true) {
        const Result<std::size_t> got = decoder->read(piece.data(), piece.size());
        if (!got) return error_at(path, got.error());
        if (*got == 0) break;
        there += *got;
        LEITONG_TRY(store_.spool().append({piece.data(), *got}));
      }
    }
  }
  if (there == size) return {};
  return other_kept(path, fmt::format("it has {} bytes, and had {}", there, size));
}

Result<std::unique_ptr<KeptFiles>> KeptFiles::open(const std::string& kept, const RestorableFile& file,
                                                   const RunContext& run) {
  std::unique_ptr<KeptFiles> files(new KeptFiles(run));
  const RestorableFacts& facts = file.facts();
  const bool documents = facts.form == KeptForm::list || facts.form == KeptForm::documents;
  if (facts.form == KeptForm::list) LEITONG_TRY(check_list(kept, file));
  if (facts.form == KeptForm::file) LEITONG_TRY(files->add(kept, facts.kept_bytes, false));
  if (facts.form == KeptForm::file) return files;
  for (const RestorableSource& source : file.sources()) {
    if (!source.kept) continue;
    const std::string path = facts.form == KeptForm::list
                                 ? source.path
                                 : (std::filesystem::path(kept) / path_below(source.path)).string();
    LEITONG_TRY(files->add(path, source.kept_bytes, documents));
  }
  return files;
}

Result<void> KeptFiles::read(std::uint64_t begin, std::size_t size, char* out, StoreCursor& cursor) const {
  while (size > 0) {
    const auto next = std::upper_bound(begins_.begin(), begins_.end(), begin);
    if (next == begins_.end())
      return fail(ErrorCode::corrupt, "the restorable file asks for more kept bytes than there are");
    const auto number = static_cast<std::uint32_t>(next - begins_.begin() - 1);
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, *next - begin));
    LEITONG_TRY(store_.read(number, begin - begins_[number], out, part, cursor));
    begin += part;
    out += part;
    size -= part;
  }
  return {};
}

Result<std::unique_ptr<TableBytes>> KeptFiles::table(std::uint32_t number, std::uint64_t hash) {
  if (number + 1 >= begins_.size())
    return fail(ErrorCode::corrupt, "the restorable file asks for more kept tables than there are");
  if (hashed_ != number) {
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    StoreCursor cursor;
    std::string piece;
    for (std::uint64_t at = begins_[number]; at < begins_[number + 1]; at += piece.size()) {
      piece.resize(
          static_cast<std::size_t>(std::min<std::uint64_t>(kUnpackedPiece, begins_[number + 1] - at)));
      LEITONG_TRY(read(at, piece.size(), piece.data(), cursor));
      XXH3_64bits_update(&state, piece.data(), piece.size());
    }
    if (XXH3_64bits_digest(&state) != hash)
      return other_kept(sources_.path(number), "its bytes have changed");
    hashed_ = number;
  }
  return bytes_of_source(sources_, store_, number, store_.spooled_size(number).value_or(0), run_.stop);
}

std::string_view KeptFiles::path_at(std::uint64_t begin) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), begin);
  const auto number = static_cast<std::uint32_t>(next - begins_.begin());
  return sources_.path(std::min(number, sources_.size()) - 1);
}

}  // namespace leitong

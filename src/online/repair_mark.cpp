#include "online/repair_mark.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/staged.hpp"

namespace leitong::online {

namespace fs = std::filesystem;

RepairMark::RepairMark(const fs::path& place) : path_(place.empty() ? place : place / "being-repaired") {}

bool RepairMark::is_set() const {
  std::error_code error;
  return !path_.empty() && fs::exists(path_, error);
}

Result<void> RepairMark::set() const {
  LEITONG_ASSIGN(const auto file, OutputFile::create(path_, true));
  return file->commit();
}

Result<void> RepairMark::clear() const {
  std::error_code error;
  fs::remove(path_, error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be removed: {}", path_.string(), error.message()));
  return sync_folder_of(path_);
}

}  // namespace leitong::online

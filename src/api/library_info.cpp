
#include "base/cpu.hpp"
#include "leitong/version.hpp"
#include "text/units.hpp"

namespace leitong {

#define LEITONG_TEXT_(x) #x
#define LEITONG_TEXT(x) LEITONG_TEXT_(x)

LibraryInfo library_info() noexcept {
  return {LEITONG_TEXT(LEITONG_VERSION_MAJOR) "." LEITONG_TEXT(LEITONG_VERSION_MINOR) "." LEITONG_TEXT(
              LEITONG_VERSION_PATCH),
          simd_name(simd_level()), fold_table_id()};
}

}  // namespace leitong

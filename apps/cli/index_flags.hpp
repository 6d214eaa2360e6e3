// The flags that commands of an online index share.
#pragma once

#include <string>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace CLI {
class App;
}

namespace leitong::cli {

/// What was typed.
struct IndexFlags {
  std::string index, durability = "sync";
};

/// --index DIR.
void add_index_flag(CLI::App& app, IndexFlags& flags);
/// --durability.
void add_durability_flag(CLI::App& app, IndexFlags& flags);

/// What documents are added with, as it was typed.
struct DetailFlags {
  online::FileDetails details;
  double keep_days = 0;
};
/// --source, --source-field, --time-field, --expires-field, --keep-days.
void add_detail_flags(CLI::App& app, DetailFlags& flags);
[[nodiscard]] online::FileDetails to_details(const DetailFlags& flags);

/// Opens it; a new one only if `create`, and says so.
Result<online::Index> open_index(const IndexFlags& flags, bool create, const Context& context);

}  // namespace leitong::cli

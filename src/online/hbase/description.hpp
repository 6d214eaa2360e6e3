// What an index on HBase says that it is.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/fingerprint_tables.hpp"
#include "online/hbase/link.hpp"
#include "online/hbase/open.hpp"
#include "online/index_scheme.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// What this program reads and makes.
inline constexpr std::string_view kHBaseFormat = "leitong online index on hbase 2";

struct HBaseDescription {
  std::unique_ptr<IndexScheme> scheme;
  std::vector<TableKey> tables;  ///< of fingerprints
  SipKey secret{};               ///< of an index that compares texts
  bool wide = false;
};

/// Where there is none, the first that comes makes the table and writes what the index is; all are held to
/// it. Fails with not_found if there is none and none is to be made, with invalid_argument for a scheme that
/// can't be, and as HBaseLink does.
Result<HBaseDescription> describe(const Context& context, HBaseLink& link, const Settings& settings,
                                  const HBaseParts& parts);

}  // namespace leitong::online

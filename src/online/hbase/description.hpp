// The description that an index on HBase stores of itself.
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

/// The format that this program reads and makes.
inline constexpr std::string_view kHBaseFormat = "leitong online index on hbase 4";

struct HBaseDescription {
  std::unique_ptr<IndexScheme> scheme;
  std::vector<TableKey> tables;  ///< for an index of fingerprints
  SipKey secret{};               ///< for an index that compares texts
  bool wide = false;
};

/// If there is no index, the first client makes the table and writes the description; all clients use it.
/// Fails with not_found if there is none and none is to be made, with invalid_argument for an impossible
/// scheme, and as HBaseLink does.
Result<HBaseDescription> describe(const Context& context, HBaseLink& link, const Settings& settings,
                                  const HBaseParts& parts);

}  // namespace leitong::online

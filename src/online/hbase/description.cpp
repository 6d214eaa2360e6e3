#include "online/hbase/description.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/hbase/keys.hpp"
#include "online/index_spec.hpp"

namespace leitong::online {
namespace {

/// Empty if there is no table, or if it has no description yet.
Result<Fields> read(HBaseLink& link) {
  const auto rows = link.get({{.key = meta_key()}});
  if (!rows && rows.error().code == ErrorCode::not_found) return Fields();
  if (!rows) return tl::unexpected<Error>(rows.error());
  Fields fields;
  for (const HBaseCell& cell : (*rows)[0]) fields.emplace(cell.column, cell.value);
  if (!fields.contains("format")) fields.clear();
  return fields;
}

Result<Fields> make(HBaseLink& link, const IndexSpec& spec) {
  const HBaseAddress& address = link.address();
  const bool compares_texts = spec.bits == 0;
  if (compares_texts && address.blocks_in_key != 1)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: \"blocks\" is of indexes of fingerprints; leave it out, or name a scheme "
                            "such as simhash",
                            address.shown()));
  if (const std::size_t count = tables_of(spec.bits, spec.distance, address.blocks_in_key).size();
      !compares_texts && count > kMostTables)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: an index by distance {} would have {} tables; at most {} are possible: leave "
                    "out \"blocks\", or take a smaller distance",
                    address.shown(), spec.distance, count, kMostTables));
  LEITONG_TRY(link.create());
  Fields fields = fields_of(spec);
  fields["format"] = kHBaseFormat;
  fields["layout"] = address.wide ? "wide" : "tall";
  fields["blocks"] = std::to_string(address.blocks_in_key);
  if (compares_texts) {
    const SipKey secret = random_secret();
    fields["secret"] = key_of(secret.low).append(key_of(secret.high));
  }
  HBaseRow row{meta_key(), {}};
  for (const auto& [name, value] : fields) row.cells.push_back({name, value});
  LEITONG_TRY(link.put_if({"format", "", std::move(row)}));
  return read(link);
}

}  // namespace

Result<HBaseDescription> describe(const Context& context, HBaseLink& link, const Settings& settings,
                                  const HBaseParts& parts) {
  const HBaseAddress& address = link.address();
  const auto open_scheme =
      [&](const std::optional<IndexSpec>& stored) -> Result<std::unique_ptr<IndexScheme>> {
    return parts.open_scheme(context, settings, address.shown(), stored);
  };
  LEITONG_ASSIGN(Fields fields, read(link));
  if (fields.empty()) {
    if (!settings.create)
      return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", address.shown()));
    LEITONG_ASSIGN(const auto scheme, open_scheme(std::nullopt));
    LEITONG_ASSIGN(fields, make(link, scheme->spec()));
  }
  LEITONG_TRY(check_format(fields, kHBaseFormat, address.shown()));
  LEITONG_ASSIGN(const std::optional<IndexSpec> spec, spec_in(fields));
  if (!spec) return link.not_understood("the distance");
  HBaseDescription index;
  LEITONG_ASSIGN(index.scheme, open_scheme(spec));
  index.wide = fields["layout"] == "wide";
  if (index.scheme->spec().bits == 0) {
    const std::string& secret = fields["secret"];
    if (secret.size() != sizeof index.secret) return link.not_understood("the secret");
    index.secret = {number_in_key(std::string_view(secret).substr(0, 8)),
                    number_in_key(std::string_view(secret).substr(8))};
    return index;
  }
  const auto blocks = number_in(fields["blocks"]);
  if (!blocks || *blocks < 1 || *blocks > 2) return link.not_understood("the tables");
  index.tables = tables_of(index.scheme->spec().bits, spec->distance, static_cast<unsigned>(*blocks));
  if (index.tables.size() > kMostTables) return link.not_understood("the tables");
  return index;
}

}  // namespace leitong::online

#include "corpus/placed_records.hpp"

#include <fmt/core.h>

namespace leitong {

PlacedRecords::PlacedRecords(const InputOptions& options, const RunContext& run)
    : names_(options.id_field, options.text_fields, options.extra_fields),
      formats_(options.formats != nullptr ? *options.formats : standard_formats()),
      sources_(formats_),
      store_(sources_, run.work, run.stop),
      access_{sources_,
              store_,
              names_,
              options.max_record_bytes,
              options.max_window_bytes,
              bytes_read_,
              run.stop,
              run.memory.limit()} {
  names_.html = options.html;
  names_.encoding = options.encoding;
  names_.max_body_bytes = options.max_record_bytes;
  names_.blank_texts = options.blank_texts;
}

std::uint32_t PlacedRecords::add(std::string_view path, std::string_view kind, const FileStamp& stamp) {
  sources_.add_file(path, stamp);
  const std::uint32_t number = sources_.size() - 1;
  sources_[number].format = formats_.by_name(kind);
  return number;
}

Result<std::unique_ptr<RecordParser>> PlacedRecords::new_parser(std::string_view kind) const {
  const RecordFormat* const format = formats_.by_name(kind);
  if (format == nullptr || !format->has_byte_places())
    return fail(ErrorCode::unsupported, fmt::format("records of the kind \"{}\" have no places", kind));
  return format->new_parser(access_);
}

}  // namespace leitong

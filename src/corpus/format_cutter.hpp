// The cutter of formats whose reader knows where in a record the texts stand.
#pragma once

#include <string>
#include <vector>

#include "corpus/padded_bytes.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/source_list.hpp"
#include "corpus/text_cut.hpp"

namespace leitong {

/// `Fields` as for ByteParser, and: void append_texts(std::vector<TextToken>&), of the record read last.
template <class Fields>
class FormatCutter final : public TextCutter {
 public:
  explicit FormatCutter(const FieldNames& names) : fields_(names) {}

  Result<std::string_view> cut(const Source& source, std::string_view record,
                               std::span<const ByteRange> cuts) override {
    fields_.read(source, record, values_);
    if (!values_.problem.empty()) return fail(ErrorCode::corrupt, values_.problem);
    tokens_.clear();
    fields_.append_texts(tokens_);
    out_.clear();
    append_without(record, tokens_, cuts, out_, edits_);
    const std::size_t size = out_.size();
    out_.append(kRecordPadding, '\0');
    return std::string_view(out_).substr(0, size);
  }

 private:
  Fields fields_;
  RecordFields values_;
  std::vector<TextToken> tokens_;
  std::string out_;
};

}  // namespace leitong

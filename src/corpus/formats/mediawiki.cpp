// XML dumps of MediaWiki: each page is a document.
#include <fmt/core.h>

#include <array>

#include "base/try.hpp"
#include "corpus/byte_format.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/kept_copy.hpp"
#include "corpus/unescape.hpp"
#include "corpus/wiki_page.hpp"

namespace leitong {
namespace {

class WikiFields {
 public:
  explicit WikiFields(const FieldNames& names) : names_(names), buffers_(names.names.size()) {}

  void read(const Source& /*source*/, std::string_view record, RecordFields& fields) {
    fields.clear();
    const WikiPage page = parse_wiki_page(record);
    fields.id = value(page, 0);
    if (find_invalid_utf8(fields.id) != std::string_view::npos) fields.id = {};
    if (page.problem != nullptr) {
      fields.problem = page.problem;
      return;
    }
    if (names_.texts_end == 2) {
      fields.text = value(page, 1);
    } else {
      joined_.clear();
      for (std::size_t slot = 1; slot < names_.texts_end; ++slot) {
        const std::string_view text = value(page, slot);
        if (!joined_.empty() && !text.empty()) joined_ += '\n';
        joined_ += text;
      }
      fields.text = joined_;
    }
    check_text(fields.text, false, names_, fields);
    if (!fields.problem.empty() && fields.text.empty() && !has_known_text())
      fields.problem = fmt::format(
          "field \"{}\" is missing; a page of a dump has the fields id, title, ns, revision, timestamp and "
          "text",
          names_.names[1]);
    for (std::size_t slot = names_.texts_end; slot < names_.names.size(); ++slot)
      fields.extra.push_back(value(page, slot));
  }
  static std::string_view trim(const Source& /*source*/, std::string_view piece) {
    return without_page_surroundings(piece);
  }

 private:
  using Part = std::string_view WikiPage::*;
  static constexpr std::array<std::pair<std::string_view, Part>, 6> kParts{
      {{"id", &WikiPage::id},
       {"title", &WikiPage::title},
       {"ns", &WikiPage::ns},
       {"revision", &WikiPage::revision},
       {"timestamp", &WikiPage::timestamp},
       {"text", &WikiPage::text}}};

  std::string_view value(const WikiPage& page, std::size_t slot) {
    for (const auto& [name, part] : kParts)
      if (name == names_.names[slot]) return unescape_xml(page.*part, buffers_[slot]);
    return {};
  }
  [[nodiscard]] bool has_known_text() const {
    for (std::size_t slot = 1; slot < names_.texts_end; ++slot)
      for (const auto& part : kParts)
        if (part.first == names_.names[slot]) return true;
    return false;
  }

  const FieldNames& names_;
  std::vector<std::string> buffers_;  // by index in names_
  std::string joined_;
};

/// Closes the element that the preamble opens.
class WikiWriter final : public KeptWriter {
 public:
  WikiWriter(const InputAccess& access, const WriteBytes& write)
      : write_([this, &write](std::string_view bytes) {
          wrote_ = true;
          return write(bytes);
        }),
        pages_(make_byte_writer(access, write_)) {}

  Result<void> begin(std::uint32_t source) override { return pages_->begin(source); }
  Result<void> add(const Place& place) override { return pages_->add(place); }
  [[nodiscard]] KeptPlace last() const override { return pages_->last(); }
  Result<void> finish() override {
    LEITONG_TRY(pages_->finish());
    return wrote_ ? write_("</mediawiki>\n") : Result<void>{};
  }

 private:
  WriteBytes write_;
  std::unique_ptr<KeptWriter> pages_;
  bool wrote_ = false;
};

class MediawikiFormat final : public ByteFormat {
 public:
  MediawikiFormat()
      : ByteFormat({.name = "mediawiki",
                    .endings = {},
                    .why_uncut = "a dump seals the text of each page with its size and hash"}) {}

  [[nodiscard]] bool claims(const Beginning& beginning) const override {
    return is_wiki_dump(beginning.bytes);
  }
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override {
    return std::make_unique<ByteParser<WikiFields>>(access);
  }
  [[nodiscard]] std::unique_ptr<KeptWriter> new_writer(const InputAccess& access,
                                                       const WriteBytes& write) const override {
    return std::make_unique<WikiWriter>(access, write);
  }

 private:
  Result<std::unique_ptr<SourceHead>> read_head(std::string_view first_bytes,
                                                const FieldNames& /*names*/) const override {
    const std::size_t begin = first_wiki_page(first_bytes);
    if (begin == std::string_view::npos || begin == 0) return nullptr;
    auto head = std::make_unique<SourceHead>();
    head->is_table = true;
    head->preamble = first_bytes.substr(0, begin);
    return head;
  }
  [[nodiscard]] std::unique_ptr<RecordScanner> new_scanner(const SourceHead* /*head*/) const override {
    return make_wiki_scanner();
  }
};

}  // namespace

const RecordFormat& mediawiki_format() {
  static const MediawikiFormat format;
  return format;
}

}  // namespace leitong

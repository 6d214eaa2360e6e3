#include "corpus/subtitles.hpp"

#include "corpus/formats/document_format.hpp"
#include "corpus/formats/formats.hpp"

namespace leitong {
namespace {

class SpokenText {
 public:
  static std::string_view declared(std::string_view /*bytes*/) { return {}; }
  std::string read(std::string_view utf8, const FieldNames& /*names*/, std::string_view& text) {
    if (text_.capacity() > kKeptDocument) text_ = {};
    subtitles_to_text(utf8, text_);
    text = text_;
    return {};
  }

 private:
  std::string text_;
};

class SubtitlesFormat final : public DocumentFormat<SpokenText> {
 public:
  SubtitlesFormat() : DocumentFormat("subtitles", {".srt", ".vtt"}) {}
  [[nodiscard]] bool claims(const Beginning& beginning) const override {
    return is_subtitles(beginning.bytes);
  }
};

}  // namespace

const RecordFormat& subtitles_format() {
  static const SubtitlesFormat format;
  return format;
}

}  // namespace leitong

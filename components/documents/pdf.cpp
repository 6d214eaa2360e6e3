#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-global.h>
#include <poppler/cpp/poppler-page.h>

#include <memory>

#include "reading.hpp"

namespace leitong::documents {
namespace {

/// Poppler would print what it repairs.
void say_nothing(const std::string& /*message*/, void* /*closure*/) {}

}  // namespace

ReadText read_pdf(std::string_view bytes, std::size_t most) {
  poppler::set_debug_error_function(say_nothing, nullptr);
  const std::unique_ptr<poppler::document> document(
      poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
  if (document == nullptr) return {{}, "the PDF is damaged"};
  if (document->is_locked()) return {{}, "the PDF is locked by a password"};
  ReadText read;
  for (int i = 0; i < document->pages(); ++i) {
    const std::unique_ptr<poppler::page> page(document->create_page(i));
    if (page == nullptr) continue;
    const poppler::byte_array text =
        page->text(poppler::rectf(), poppler::page::non_raw_non_physical_layout).to_utf8();
    read.text.append(text.data(), text.size());
    if (read.text.size() > most) return {{}, "its text is too large"};
  }
  if (read.text.find_first_not_of(" \t\r\n\f") == std::string::npos)
    return {{}, "the PDF holds no text: its pages may be pictures, which leitong does not read"};
  return read;
}

}  // namespace leitong::documents

// Hostile text cannot act: no markup, no end of a script and no terminal sequence gets through.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/escape.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS("</script><!--", "\x1b[31m\x9b", "a&\"'<b>\r\n\t", "\xe2\x80\xae\xe2\x80\xa8\xef\xbf\xbe",
                   "\xf0\x9f\xff")

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  std::string html;
  leitong::append_html_escaped(text, html);
  require(html.find_first_of("<>\"'") == std::string::npos);

  std::string json;
  leitong::append_json_in_script(text, json);
  require(json.find_first_of("<>&") == std::string::npos);
  require(json.find("\xe2\x80\xa8") == std::string::npos && json.find("\xe2\x80\xa9") == std::string::npos);
  require(nlohmann::json::parse(json).is_string());

  std::string terminal;
  leitong::append_terminal_safe(text, terminal);
  for (const char letter : terminal)
    require(static_cast<unsigned char>(letter) >= 0x20 || letter == '\n' || letter == '\t');
  require(terminal.find('\x7f') == std::string::npos && terminal.find("\xc2\x9b") == std::string::npos);
  return 0;
}

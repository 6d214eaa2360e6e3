// A page of any bytes in any encoding gives either a reason, or valid UTF-8 without tags of scripts. Its main
// content is not longer than that, and not empty if there is any content.
#include <cstdint>
#include <string>
#include <string_view>

#include "corpus/charset.hpp"
#include "corpus/html_text.hpp"
#include "corpus/record_fields.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS("<meta charset=gbk><p>\xd6\xd0<script>x</script>",
                   "<pre>a\n</pre>&#x4e2d;&amp;<![CDATA[x]]>", "<table><td><b>x<p></b><svg><style>",
                   "\xff\xfe<\0p\0>\0",
                   "<title>t</title><nav>x<a href=y>z</a></nav><main><h2>h</h2><p class=menu>p</p></main>")

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string buffer, text;
  const leitong::DecodedText decoded = leitong::decode_text(bytes, leitong::declared_charset(bytes), buffer);
  if (!decoded.problem.empty()) return 0;
  require(leitong::find_invalid_utf8(decoded.text) == std::string::npos);
  const std::string all_problem = leitong::html_to_text(decoded.text, text);
  if (all_problem.empty()) require(leitong::find_invalid_utf8(text) == std::string::npos);
  std::string main;
  require(leitong::html_to_text(decoded.text, main, leitong::HtmlPart::main) == all_problem);
  require(main.size() <= text.size() && main.empty() == text.empty());
  return 0;
}

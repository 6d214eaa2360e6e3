// A JSON record of any bytes: accepted exactly if a second parser accepts it, and with the same text.
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "corpus/json_record.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS("{\"id\":1,\"text\":\"a\\u00e9\\ud83d\\ude00\"}",
                   "{\"text\":\"x\",\"n\":[1.5e3,true,null,{}]}", "{\"t\\u0065xt\":\"\\n\"}",
                   "{\"x\":\"\xff\\q\",\"text\":\"a\",\"n\":NaN,\"n\":[[}]}",
                   "{\"m\":[{\"c\":\"a\"},{\"c\":null},{\"c\":[{\"c\":\"b\"}]}],\"l\":[\"c\",[\"d\"]]}")

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const leitong::FieldNames names("id", {"text"}, {"n"});
  static leitong::JsonRecordReader reader(names);
  // Heap memory with exactly the promised padding, so that a sanitizer detects every access beyond it.
  std::vector<char> record(size + leitong::kRecordPadding, '}');
  if (size > 0) std::memcpy(record.data(), data, size);
  leitong::RecordFields fields;
  reader.read({record.data(), size}, fields);

  static const leitong::FieldNames lists("id", {"m[].c", "m[].c[].c", "l[]", "l[][]"}, {});
  static leitong::JsonRecordReader list_reader(lists);
  leitong::RecordFields joined;
  list_reader.read({record.data(), size}, joined);
  if (joined.problem.empty()) {
    require(leitong::find_invalid_utf8(joined.text) == std::string::npos);
    std::vector<leitong::TextToken> tokens;
    list_reader.append_texts(tokens);
    require(!tokens.empty());
    for (const leitong::TextToken& token : tokens)
      require(token.raw.data() >= record.data() &&
              token.raw.data() + token.raw.size() <= record.data() + size);
  }

  const auto other = nlohmann::json::parse(record.data(), record.data() + size, nullptr, false);
  if (!fields.problem.empty()) {
    const bool broken =
        fields.problem.starts_with("broken JSON") || fields.problem.starts_with("not a JSON object");
    // The second parser is stricter about numbers: those beyond a double are errors for it, and are kept as
    // written here.
    if (broken) require(other.is_discarded() || !other.is_object());
    return 0;
  }
  require(leitong::find_invalid_utf8(fields.text) == std::string::npos && !leitong::is_blank(fields.text));
  require(fields.text.find('\0') == std::string::npos);
  if (!other.is_discarded()) require(other.at("text").get<std::string>() == fields.text);
  return 0;
}

// Answers of a server that should be a Thrift2 server of HBase: bytes that are no answers, and answers of the
// right form with any bytes in their cells. They must be refused, or read without errors in memory.
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/context.hpp"
#include "online/hbase/address.hpp"
#include "online/hbase/description.hpp"
#include "online/hbase/entry.hpp"
#include "online/hbase/home.hpp"
#include "online/index_scheme.hpp"
#include "online/index_spec.hpp"
#include "online/text_codec.hpp"
#include "require.hpp"
#include "seeds.hpp"
#include "thrift_connection.hpp"

LEITONG_FUZZ_SEEDS(
    std::string_view("t\x82\x41\x01\x0bgetMultiple\x09\x00\x0c\x00", 20),
    std::string_view(
        "t\x82\x41\x01\x0bgetMultiple\x09\x00\x1c\x19\x1c\x18\x01i\x18\x01h\x18\x01v\x00\x00\x00", 32),
    std::string_view("t\x82\x41\x01\x11getScannerResults\x09\x00\x0c\x00", 26),
    std::string_view("t\x82\x41\x01\x0b"
                     "checkAndPut\x01\x00",
                     17),
    std::string_view("ahbase://a:1,b/n?layout=wide&blocks=2"), std::string_view("h\x01s\x05hello\x02"),
    std::string_view("d\x02\x03s\x05hello\x02"), std::string_view("h"), std::string_view("d"))

namespace {

using namespace leitong;
using namespace leitong::online;

// Bytes of a fingerprint in an entry.
constexpr std::size_t kWidth = 8;
const std::string kStored = "The ferry leaves at six in the morning, and at seven when there is fog.";

/// Always gives the answer that it is told to give.
class Answering final : public apache::thrift::transport::TVirtualTransport<Answering> {
 public:
  explicit Answering(std::string_view bytes) : left_(bytes) {}
  [[nodiscard]] bool isOpen() const override { return true; }
  std::uint32_t read(std::uint8_t* bytes, std::uint32_t size) {
    const std::size_t taken = left_.copy(reinterpret_cast<char*>(bytes), size);
    left_.remove_prefix(taken);
    return static_cast<std::uint32_t>(taken);
  }
  void write(const std::uint8_t*, std::uint32_t) {}

 private:
  std::string_view left_;
};

/// All calls, each of which is answered with these bytes.
void read_answers(std::string_view bytes) {
  const auto answered = [&](auto ask) {
    const auto connection = thrift_connection_over(std::make_shared<Answering>(bytes));
    const auto result = ask(*connection);
    require(result.has_value() || !result.error().message.empty());
  };
  answered([](HBaseConnection& on) { return on.get("table", {{.key = "row"}}); });
  answered([](HBaseConnection& on) { return on.scan("table", {{"a", "b", 2}}); });
  answered([](HBaseConnection& on) { return on.put("table", {{"row", {{"c", "v"}}}}, 1); });
  answered([](HBaseConnection& on) { return on.remove("table", {{"row", {{"c", ""}}}}, 1); });
  answered([](HBaseConnection& on) { return on.put_if("table", {"c", "v", {"row", {{"c", "w"}}}}); });
  answered([](HBaseConnection& on) { return on.create({.name = "table", .regions = 4}); });
}

/// Rows of the right shape, with any bytes in them; after some calls the server is away.
class AnyCells final : public HBaseConnection {
 public:
  Result<std::vector<std::vector<HBaseCell>>> get(const std::string&,
                                                  const std::vector<HBaseGet>& gets) override {
    std::vector<std::vector<HBaseCell>> rows;
    for (const HBaseGet& get : gets) {
      rows.emplace_back();
      if (get.key == meta_key() && get.column.empty())
        for (const auto& [name, value] : description) rows.back().push_back({name, value});
      else if (take() % 2 == 0)
        rows.back().push_back({get.column.empty() ? some() : get.column, cell()});
    }
    return away(rows);
  }
  Result<void> put(const std::string&, const std::vector<HBaseRow>&, std::uint64_t) override {
    return away();
  }
  Result<void> remove(const std::string&, const std::vector<HBaseRow>&, std::uint64_t) override {
    return away();
  }
  Result<std::vector<std::vector<HBaseRow>>> scan(const std::string&,
                                                  const std::vector<HBaseScan>& scans) override {
    std::vector<std::vector<HBaseRow>> all;
    for (const HBaseScan& scan : scans) {
      all.emplace_back();
      if (take() % 2 == 0) all.back().push_back({scan.begin + some(), {{some(), ""}}});
    }
    return away(all);
  }
  Result<bool> put_if(const std::string&, const HBaseCheckedPut&) override { return away(take() % 2 == 0); }
  Result<void> create(const HBaseTable&) override { return away(); }

  static inline std::string_view bytes;
  static inline int calls = 0;
  static inline std::vector<std::pair<std::string, std::string>> description;
  static inline bool compares_texts = false;

 private:
  static unsigned char take() {
    if (bytes.empty()) return 1;
    const char first = bytes[0];
    bytes.remove_prefix(1);
    return static_cast<unsigned char>(first);
  }
  static std::string some() {
    const std::string_view part = bytes.substr(0, take() % 32);
    bytes.remove_prefix(std::min(bytes.size(), part.size()));
    return std::string(part);
  }
  /// A valid cell of a text, a text, or any bytes.
  static std::string cell() {
    const unsigned kind = take() % 4;
    if (kind == 0) return some();
    std::string packed;
    TextCodec().pack(kStored, packed);
    if (kind == 1 && compares_texts) return packed;
    HBaseText entry;
    entry.number = take();
    entry.label.id = take() % 2 == 0 ? "a" : "b";
    entry.first = {take(), "a"};
    entry.holds = take() % 2 == 0;
    entry.stands = take() % 2 == 0;
    if (!compares_texts) {
      entry.packed_bytes = take();
      entry.stamp.fingerprint = hamming::Fingerprint128{take(), 0};
      return bytes_of_entry(entry, kWidth);
    }
    entry.text_bytes = take() % 2 == 0 ? static_cast<std::uint32_t>(kStored.size()) : take();
    entry.packed_bytes = take() % 2 == 0 ? static_cast<std::uint32_t>(packed.size()) : take();
    entry.stamp.digest = ContentDigest{take(), take()};
    entry.verdict = static_cast<Verdict>(take() % 3);
    entry.other_work = take() % 2 == 0;
    entry.record.units = take();
    entry.posted.assign(take() % 4, take());
    return bytes_of_entry(entry, 0);
  }
  template <class T>
  static Result<T> away(T answer) {
    if (++calls > 60) return fail(ErrorCode::io, "away");
    return answer;
  }
  static Result<void> away() {
    if (++calls > 60) return fail(ErrorCode::io, "away");
    return {};
  }
};

Result<std::unique_ptr<HBaseConnection>> connect(const ServerAddress&, bool, const Remote&) {
  return std::make_unique<AnyCells>();
}

/// Calls all operations of an index on a server that gives such answers.
void ask_index(std::string_view bytes, bool compares_texts) {
  static const Context context({.threads = 1});
  Settings settings{.remote = {.tries = 1, .pause = std::chrono::milliseconds(0)}};
  if (!compares_texts) {
    settings.scheme = "simhash";
    settings.params = {"features=chars", "distance=3"};
  }
  AnyCells::compares_texts = compares_texts;
  const auto scheme = open_index_scheme(context, settings, "", std::nullopt);
  require(scheme.has_value());
  Fields fields = fields_of((*scheme)->spec());
  fields["format"] = kHBaseFormat;
  fields["blocks"] = "1";
  if (compares_texts) fields["secret"] = "0123456789abcdef";
  AnyCells::description.assign(fields.begin(), fields.end());
  const auto anew = [&] {
    AnyCells::bytes = bytes;
    AnyCells::calls = 0;
    return open_hbase_home(context, {.servers = {{"host", 1}}, .name = "i"}, connect, settings,
                           {&open_index_scheme});
  };
  std::vector<Text> texts = {{.id = "a", .text = kStored}, {.id = "b", .text = "Dough rises twice."}};
  if (!compares_texts)
    for (std::size_t i = 0; i < texts.size(); ++i)
      texts[i] = {.id = texts[i].id, .text = {}, .fingerprint = hamming::Fingerprint128{i + 1, 0}};
  const auto said = [](const auto& result) {
    require(result.has_value() || !result.error().message.empty());
  };
  // On a server that knows only the description of the index, opening succeeds: so the calls below are
  // executed and not refused.
  require(!bytes.empty() || anew().has_value());
  if (auto index = anew()) said((*index)->check(texts, Look::near, {.matches = 3}));
  if (auto index = anew()) said((*index)->add(texts, Look::near, {.matches = 2}, {}));
  if (auto index = anew()) said((*index)->remove({.by = Which::By::id, .name = "a"}, {}));
  if (auto index = anew()) said((*index)->get("a"));
  if (auto index = anew()) said((*index)->verify());
  if (auto index = anew()) said((*index)->figures());
  if (auto index = anew()) said((*index)->remove({.by = Which::By::expiry, .before = 5}, {}));
  if (auto index = anew()) said((*index)->explain(kStored));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  HBaseText entry;
  switch (data[0]) {
    case 't':
      read_answers(bytes);
      break;
    case 'h':
    case 'd':
      ask_index(bytes, data[0] == 'd');
      break;
    case 'a':
      (void)parse_hbase_address(bytes);
      break;
    default:
      for (const std::size_t width : {kWidth, std::size_t{0}})
        if (read_entry(bytes, width, entry)) require(bytes_of_entry(entry, width) == bytes);
  }
  return 0;
}

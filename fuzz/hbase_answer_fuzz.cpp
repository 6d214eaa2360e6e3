// Whatever a server says that ought to be a Thrift2 server of HBase: bytes that are no answers, and answers
// of the right shape with any bytes in their cells. They are refused, or read without harm.
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
#include "online/hbase/entry.hpp"
#include "online/hbase/home.hpp"
#include "online/index_scheme.hpp"
#include "online/maker_fields.hpp"
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
    std::string_view("ahbase://a:1,b/n?layout=wide&blocks=2"), std::string_view("h\x01s\x05hello\x02"))

namespace {

using namespace leitong;
using namespace leitong::online;

constexpr std::size_t kWidth = 8;

/// Says what it is told to, whatever is asked.
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
  answered([](HBaseConnection& on) { return on.put("table", {{"row", {{"c", "v"}}}}); });
  answered([](HBaseConnection& on) { return on.remove("table", {{"row", {}}}); });
  answered([](HBaseConnection& on) { return on.put_if("table", {{"c", "v", {"row", {{"c", "w"}}}}}); });
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
      if (get.key == meta_key())
        for (const auto& [name, value] : description) rows.back().push_back({name, value});
      else if (take() % 2 == 0)
        rows.back().push_back({get.column.empty() ? some() : get.column, cell()});
    }
    return away(rows);
  }
  Result<void> put(const std::string&, const std::vector<HBaseRow>&) override { return away(); }
  Result<void> remove(const std::string&, const std::vector<HBaseRow>&) override { return away(); }
  Result<std::vector<std::vector<HBaseRow>>> scan(const std::string&,
                                                  const std::vector<HBaseScan>& scans) override {
    std::vector<std::vector<HBaseRow>> all;
    for (const HBaseScan& scan : scans) {
      all.emplace_back();
      if (take() % 2 == 0) all.back().push_back({scan.begin + some(), {{some(), ""}}});
    }
    return away(all);
  }
  Result<std::vector<bool>> put_if(const std::string&, const std::vector<HBaseCheckedPut>& puts) override {
    std::vector<bool> done;
    for (std::size_t i = 0; i < puts.size(); ++i) done.push_back(take() % 2 == 0);
    return away(done);
  }
  Result<void> create(const HBaseTable&) override { return away(); }

  static inline std::string_view bytes;
  static inline int calls = 0;
  static inline std::vector<std::pair<std::string, std::string>> description;

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
  /// What a text's cell may be, or anything.
  static std::string cell() {
    if (take() % 4 == 0) return some();
    HBaseText entry;
    entry.stage = static_cast<HBaseText::Stage>(1 + take() % 4);
    entry.time = take();
    entry.label.id = take() % 2 == 0 ? "a" : "b";
    entry.first = {take(), "a"};
    entry.holds = take() % 2 == 0;
    entry.stands = take() % 2 == 0;
    if (take() % 2 == 0) entry.heir = {take(), "b"};
    entry.packed_bytes = take();
    entry.stamp.fingerprint = hamming::Fingerprint128{take(), 0};
    return bytes_of_entry(entry, kWidth);
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

/// Everything that an index is asked, of a server that says such things.
void ask_index(std::string_view bytes) {
  static const Context context({.threads = 1});
  const Settings settings = {.scheme = "simhash",
                             .params = {"features=chars", "distance=3"},
                             .remote = {.tries = 1, .pause = std::chrono::milliseconds(0)}};
  if (AnyCells::description.empty()) {
    const auto scheme = open_index_scheme(context, settings, "", std::nullopt);
    for (const auto& [name, value] : fields_of((*scheme)->maker()))
      AnyCells::description.push_back({name, value});
    AnyCells::description.push_back({"format", "leitong online index on hbase 1"});
    AnyCells::description.push_back({"blocks", "1"});
  }
  const auto anew = [&] {
    AnyCells::bytes = bytes;
    AnyCells::calls = 0;
    return open_hbase_home(context, {.servers = {{"host", 1}}, .name = "i"}, connect, settings,
                           {&open_index_scheme});
  };
  const std::vector<Text> texts = {{.id = "a", .text = {}, .fingerprint = hamming::Fingerprint128{1, 0}},
                                   {.id = "b", .text = {}, .fingerprint = hamming::Fingerprint128{2, 0}}};
  const auto said = [](const auto& result) {
    require(result.has_value() || !result.error().message.empty());
  };
  if (auto index = anew()) said((*index)->check(texts, Look::near, {.matches = 3}));
  if (auto index = anew()) said((*index)->add(texts, Look::near, {.matches = 2}, {}));
  if (auto index = anew()) said((*index)->remove("a", {}));
  if (auto index = anew()) said((*index)->get("a"));
  if (auto index = anew()) said((*index)->verify());
  if (auto index = anew()) said((*index)->figures());
  if (auto index = anew()) said((*index)->expire(5));
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
      ask_index(bytes);
      break;
    case 'a':
      (void)parse_hbase_address(bytes);
      break;
    default:
      if (read_entry(bytes, kWidth, entry)) require(bytes_of_entry(entry, kWidth) == bytes);
  }
  return 0;
}

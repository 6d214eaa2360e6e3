#include "corpus/record_scanner.hpp"

namespace leitong {
namespace {

class LineScanner final : public RecordScanner {
 public:
  std::size_t whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>&) override {
    if (at_end) return bytes.size();
    const std::size_t last = bytes.rfind('\n');
    return last == std::string_view::npos ? 0 : last + 1;
  }
  void begin_record() override {}
  std::size_t record_end(std::string_view piece) override {
    const std::size_t feed = piece.find('\n');
    return feed == std::string_view::npos ? npos : feed + 1;
  }
};

class WholeScanner final : public RecordScanner {
 public:
  std::size_t whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) override {
    if (!at_end) return 0;
    ends.push_back(static_cast<std::uint32_t>(bytes.size()));
    return bytes.size();
  }
  void begin_record() override {}
  std::size_t record_end(std::string_view) override { return npos; }
};

}  // namespace

std::unique_ptr<RecordScanner> make_line_scanner() { return std::make_unique<LineScanner>(); }
std::unique_ptr<RecordScanner> make_whole_scanner() { return std::make_unique<WholeScanner>(); }

}  // namespace leitong

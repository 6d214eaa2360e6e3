#include "feature/term_model.hpp"

#include <fmt/core.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>
#include <string>

#include "base/try.hpp"
#include "feature/term_hash.hpp"
#include "io/read_file.hpp"
#include "io/section_file.hpp"
#include "text/segment/model.hpp"

namespace leitong {
namespace {

Result<void> check_columns(const TermColumns& columns, const std::filesystem::path& path) {
  const std::size_t rows = columns.ids.size();
  const bool lengths = columns.idf.size() == rows && columns.neighbours.size() == rows &&
                       columns.partner_ends.size() == rows && rows > 0;
  if (!lengths || !std::is_sorted(columns.ids.begin(), columns.ids.end()) ||
      !std::is_sorted(columns.partner_ends.begin(), columns.partner_ends.end()) ||
      columns.partner_ends.back() != columns.partners.size())
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the model's sections contradict each other; train it anew", path.string()));
  return {};
}

}  // namespace

double neighbour_entropy(std::span<const std::uint64_t> counts) noexcept {
  double all = 0, sum = 0;
  for (const std::uint64_t count : counts) all += static_cast<double>(count);
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / all;
    sum -= p * std::log2(p);
  }
  return sum;
}

TermModel::TermModel() = default;
TermModel::TermModel(TermModel&&) noexcept = default;
TermModel& TermModel::operator=(TermModel&&) noexcept = default;
TermModel::~TermModel() = default;

Result<TermModel> TermModel::open(const std::filesystem::path& path) {
  LEITONG_ASSIGN(SectionFile file, SectionFile::open(path, kTermModelKind, kTermModelVersion));
  LEITONG_TRY(file.verify());
  TermModel model;
  TermColumns& columns = model.columns_;
  LEITONG_ASSIGN(columns.ids, file.section<std::uint64_t>("ids"));
  LEITONG_ASSIGN(columns.idf, file.section<float>("idf"));
  LEITONG_ASSIGN(columns.neighbours, file.section<Neighbours>("neighbours"));
  LEITONG_ASSIGN(columns.partner_ends, file.section<std::uint64_t>("partner-ends"));
  LEITONG_ASSIGN(columns.partners, file.section<Partner>("partners"));
  LEITONG_TRY(check_columns(columns, path));
  model.file_ = std::make_unique<SectionFile>(std::move(file));
  model.index();
  return model;
}

Result<TermModel> TermModel::read_idf(const std::filesystem::path& path) {
  LEITONG_ASSIGN(const std::string bytes, read_whole_file(path));
  std::vector<std::pair<std::uint64_t, float>> rows;
  std::string_view rest = bytes;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty()) continue;
    const std::size_t space = line.rfind(' ');
    float value = 0;
    const char* const end = line.data() + line.size();
    if (space == 0 || space == std::string_view::npos ||
        std::from_chars(line.data() + space + 1, end, value).ptr != end || !(value > 0))
      return fail(ErrorCode::corrupt, fmt::format("{}:{}: a line is \"word weight\" with a weight above 0",
                                                  path.string(), number));
    rows.emplace_back(term_hash(TermHash::xxh3, line.substr(0, space)), value);
  }
  if (rows.empty()) return fail(ErrorCode::corrupt, fmt::format("{}: holds no words", path.string()));

  TermModel model;
  model.own(std::move(rows));
  return model;
}

TermModel TermModel::of_words(const SegmentModel& words) {
  std::vector<std::pair<std::uint64_t, float>> rows;
  for (std::uint32_t id = 0; id < words.size(); ++id)
    if (words.rank(id).idf > 0)
      rows.emplace_back(std::uint64_t{words.term(id).hash}, static_cast<float>(words.rank(id).idf));
  TermModel model;
  model.own(std::move(rows));
  model.median_idf_ = static_cast<float>(words.numbers().median_idf);
  return model;
}

Result<TermModel> TermModel::load(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(8, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == "leitong\n" ? open(path) : read_idf(path);
}

void TermModel::own(std::vector<std::pair<std::uint64_t, float>> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [id, idf] : rows) {
    if (!own_ids_.empty() && own_ids_.back() == id) {
      own_idf_.back() = idf;
      continue;
    }
    own_ids_.push_back(id);
    own_idf_.push_back(idf);
  }
  columns_.ids = own_ids_;
  columns_.idf = own_idf_;
  index();
}

void TermModel::index() {
  if (columns_.idf.empty()) {
    starts_.assign(3, 0);
    return;
  }
  // About one row for each start. Ids are hashes, so their upper bits are evenly distributed.
  const unsigned bits = std::max(1, static_cast<int>(std::bit_width(columns_.ids.size())) - 1);
  shift_ = 64 - bits;
  starts_.assign((std::size_t{1} << bits) + 1, 0);
  for (const std::uint64_t id : columns_.ids) ++starts_[(id >> shift_) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());

  std::vector<float> values(columns_.idf.begin(), columns_.idf.end());
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  least_idf_ = *least;
  greatest_idf_ = *greatest;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  median_idf_ = *middle;
}

std::optional<std::size_t> TermModel::find(std::uint64_t id) const noexcept {
  const std::size_t start = id >> shift_;
  for (std::size_t row = starts_[start]; row < starts_[start + 1]; ++row)
    if (columns_.ids[row] == id) return row;
  return std::nullopt;
}

Neighbours TermModel::neighbours(std::uint64_t id) const noexcept {
  const auto row = find(id);
  return row && trained() ? columns_.neighbours[*row] : Neighbours{};
}

std::uint64_t TermModel::content_id() const noexcept {
  std::uint64_t id = 0;
  const auto add = [&](const auto& column) {
    id = XXH3_64bits_withSeed(column.data(), column.size_bytes(), id + column.size());
  };
  add(columns_.ids);
  add(columns_.idf);
  add(columns_.neighbours);
  add(columns_.partner_ends);
  add(columns_.partners);
  return id;
}

std::span<const Partner> TermModel::partners(std::uint64_t id) const noexcept {
  const auto row = find(id);
  return row && trained() ? partners_of_row(*row) : std::span<const Partner>();
}

std::span<const Partner> TermModel::partners_of_row(std::size_t row) const noexcept {
  const std::size_t begin = row == 0 ? 0 : columns_.partner_ends[row - 1];
  return columns_.partners.subspan(begin, columns_.partner_ends[row] - begin);
}

// Rows are scattered over megabytes, so each step is done for all terms before the next one.
void TermModel::partners(std::span<const std::uint64_t> ids,
                         std::vector<std::span<const Partner>>& partners) const {
  partners.assign(ids.size(), {});
  if (!trained()) return;
  constexpr std::size_t kNone = SIZE_MAX, kPerLine = 64 / sizeof(Partner);
  std::vector<std::size_t> rows(ids.size(), kNone);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (const auto row = find(ids[i])) rows[i] = *row;
    if (rows[i] != kNone) __builtin_prefetch(&columns_.partner_ends[rows[i]]);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (rows[i] == kNone) continue;
    partners[i] = partners_of_row(rows[i]);
    for (std::size_t j = 0; j < partners[i].size(); j += kPerLine) __builtin_prefetch(&partners[i][j]);
  }
}

}  // namespace leitong

#include "job/vectors.hpp"

#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/try.hpp"
#include "io/read_file.hpp"

namespace leitong {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// Parses "[0.5, -1e-3]"; null does not count as a number. Returns false for anything else.
bool parse_numbers(std::string_view text, std::vector<double>& numbers) {
  numbers.clear();
  skip_blanks(text);
  if (!text.starts_with('[')) return false;
  text.remove_prefix(1);
  for (skip_blanks(text); !text.starts_with(']'); skip_blanks(text)) {
    double number = std::numeric_limits<double>::quiet_NaN();
    if (text.starts_with("null")) {
      text.remove_prefix(4);
    } else {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc{}) return false;
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    numbers.push_back(number);
    skip_blanks(text);
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
  }
  return text.starts_with(']') && !numbers.empty();
}

Result<DocumentVectors> of_file(const std::string& path, const Corpus& corpus) {
  DocumentVectors vectors;
  LEITONG_ASSIGN(vectors.rows, open_vector_file(path));
  const std::uint64_t rows = vectors.rows->shape().count, records = corpus.records();
  if (rows != records)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{} has {} rows, and the input {} records{}; give one row for each record, in the "
                    "order of the input",
                    path, rows, records,
                    corpus.quarantined() > 0 ? fmt::format(" ({} of them quarantined)", corpus.quarantined())
                                             : std::string()));
  vectors.gaps = corpus.documents_before_quarantined();
  return vectors;
}

/// Describes the fault of a field's value; empty if there is none.
std::string fault_of(const std::string& field, std::string_view value, bool is_array, std::size_t dimensions,
                     std::size_t expected) {
  if (value.empty()) return fmt::format("field \"{}\" holds no array of numbers", field);
  if (!is_array) return fmt::format("field \"{}\" is no array of numbers", field);
  if (dimensions == expected) return {};
  return fmt::format("field \"{}\" has {} numbers, and that of the first vector {}", field, dimensions,
                     expected);
}

Result<DocumentVectors> of_field(const std::string& field, const Corpus& corpus, const RunContext& run) {
  constexpr DocId kBetweenReports = 1 << 12;
  const auto scratch = corpus.new_scratch();
  std::optional<VectorSpool> spool;
  std::vector<double> numbers, nothing;
  DocumentVectors vectors;
  DocId waiting = 0;  // documents before the first one with a vector
  for (DocId d = 0; d < corpus.size(); ++d) {
    if (d % kBetweenReports == 0) {
      LEITONG_TRY(run.stop.check());
      run.report("reading vectors", d, corpus.size(), "documents");
    }
    LEITONG_ASSIGN(const std::string value, corpus.field(d, field, *scratch));
    const bool is_array = parse_numbers(value, numbers);
    if (is_array && !spool) {
      LEITONG_ASSIGN(spool, VectorSpool::create(run.work, numbers.size()));
      nothing.assign(numbers.size(), std::numeric_limits<double>::quiet_NaN());
      for (; waiting > 0; --waiting) LEITONG_TRY(spool->add(nothing));
    }
    const std::string fault = fault_of(field, value, is_array, numbers.size(), nothing.size());
    if (!fault.empty() && vectors.first_fault.empty()) vectors.first_fault = fault;
    if (spool) {
      LEITONG_TRY(spool->add(fault.empty() ? numbers : nothing));
    } else {
      ++waiting;
    }
  }
  if (!spool) {
    if (corpus.size() > 0)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("no record has an array of numbers in its field \"{}\"; name the field of the "
                              "vectors, or a file that ends in .npy",
                              field));
    LEITONG_ASSIGN(spool, VectorSpool::create(run.work, 1));
  }
  LEITONG_ASSIGN(vectors.rows, spool->finish());
  return vectors;
}

}  // namespace

bool is_vector_file(std::string_view vectors) noexcept { return vectors.ends_with(".npy"); }

void ask_for_vectors(const std::string& vectors, InputOptions& input) {
  if (vectors.empty() || is_vector_file(vectors)) return;
  input.extra_fields.push_back(vectors);
  input.vector_field = vectors;
}

Result<DocumentVectors> read_vectors(const std::string& vectors, const Corpus& corpus,
                                     const RunContext& run) {
  return is_vector_file(vectors) ? of_file(vectors, corpus) : of_field(vectors, corpus, run);
}

Result<std::string> about_vectors(const std::string& vectors) {
  if (!is_vector_file(vectors)) return vectors;
  LEITONG_ASSIGN(const ReadFile file, ReadFile::open(vectors));
  return fmt::format("{}, {} bytes, modified {}", vectors, file.stamp().size, file.stamp().modified);
}

}  // namespace leitong

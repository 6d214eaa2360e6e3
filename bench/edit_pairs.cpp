// Edit distance of the pairs of a file: edit_pairs PAIRS.tsv CUTOFF REPEATS prints nanoseconds a pair (least
// of the repeats) and the sum of the distances, where a distance above the cutoff counts as cutoff + 1;
// cutoff 0 is none. What ./dev bench methods holds against RapidFuzz.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "leitong/utf8.hpp"
#include "similarity/edit.hpp"

namespace {

std::vector<std::uint32_t> code_points(std::string_view text) {
  std::vector<std::uint32_t> points;
  for (std::size_t at = 0; at < text.size();) {
    const leitong::DecodedPoint point = leitong::decode_utf8(text, at);
    points.push_back(point.code_point);
    at += point.length;
  }
  return points;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: edit_pairs PAIRS.tsv CUTOFF REPEATS\n");
    return 2;
  }
  const std::size_t given = std::stoul(argv[2]), cutoff = given == 0 ? SIZE_MAX - 1 : given;
  std::ifstream file(argv[1]);
  std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> pairs;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    pairs.emplace_back(code_points(std::string_view(line).substr(0, tab)),
                       code_points(std::string_view(line).substr(tab + 1)));
  }
  double best = std::numeric_limits<double>::max();
  std::size_t sum = 0;
  for (int repeat = std::stoi(argv[3]); repeat > 0; --repeat) {
    sum = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const auto& [a, b] : pairs) sum += leitong::edit_distance(a, b, cutoff).value_or(cutoff + 1);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  fmt::print("{{\"nanoseconds\": {:.1f}, \"sum\": {}}}\n", best / static_cast<double>(pairs.size()) * 1e9,
             sum);
}

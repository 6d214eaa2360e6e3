#include "online/index_spec.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace leitong::online {
namespace {

constexpr std::string_view kUser = "user", kIdf = "idf", kStopWords = "stop_words", kModel = "model";

}  // namespace

std::string joined_lines(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> named_files(const Dictionaries& dictionaries) {
  std::vector<std::string> named;
  const auto add = [&](std::string_view name, const std::filesystem::path& path) {
    if (!path.empty()) named.push_back(fmt::format("{}={}", name, path.native()));
  };
  for (const std::filesystem::path& path : dictionaries.user) add(kUser, path);
  add(kIdf, dictionaries.idf);
  add(kStopWords, dictionaries.stop_words);
  add(kModel, dictionaries.model);
  return named;
}

Dictionaries dictionaries_of(const std::vector<std::string>& named) {
  Dictionaries dictionaries;
  for (const std::string_view line : named) {
    const std::size_t end = std::min(line.find('='), line.size());
    const std::string_view name = line.substr(0, end);
    const std::filesystem::path path(line.substr(std::min(end + 1, line.size())));
    if (name == kUser) dictionaries.user.push_back(path);
    if (name == kIdf) dictionaries.idf = path;
    if (name == kStopWords) dictionaries.stop_words = path;
    if (name == kModel) dictionaries.model = path;
  }
  return dictionaries;
}

}  // namespace leitong::online

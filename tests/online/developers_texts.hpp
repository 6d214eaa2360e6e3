// Real texts on developers' machines, which are not part of the project.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "leitong/read.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "test_places.hpp"

namespace leitong::online {

/// Some texts of three sets in random order; none if the sets are missing.
inline std::vector<std::string> developers_texts(std::uint32_t seed, std::size_t most) {
  const std::filesystem::path folder = LEITONG_SOURCE_DIR "/../shared/data";
  std::vector<std::string> texts;
  if (!std::filesystem::exists(folder / "lctt-revisions-zh.docs.jsonl.zst")) return texts;
  const Context context;
  InputFiles input;
  input.paths = {(folder / "lctt-revisions-zh.docs.jsonl.zst").string(),
                 (folder / "broadcast-items-zh.docs.jsonl.zst").string(),
                 (folder / "article-extractions-en.docs.jsonl.zst").string()};
  const auto take = [&](const InputDocument& document) -> Result<void> {
    texts.emplace_back(document.text);
    return {};
  };
  value(read_documents(context, input, take));
  RandomTexts random(seed);
  for (std::size_t i = texts.size(); i > 1; --i)
    std::swap(texts[i - 1], texts[random.below(static_cast<std::uint32_t>(i))]);
  texts.resize(std::min(texts.size(), most));
  return texts;
}

}  // namespace leitong::online

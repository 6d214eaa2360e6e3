// Which dictionaries Chinese texts are cut into words by.
#pragma once

#include <filesystem>
#include <vector>

namespace leitong {

/// The files to cut by. What is left empty is jieba's own, from the context's data folder.
struct Dictionaries {
  std::filesystem::path model = {};  ///< a model of `leitong dict build`; then the other names are empty
  std::vector<std::filesystem::path> user = {};  ///< more words: "word [frequency] [tag]" a line
  std::filesystem::path idf = {};                ///< "word idf" a line
  std::filesystem::path stop_words = {};         ///< a word a line
};

}  // namespace leitong

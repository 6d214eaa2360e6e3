// The dictionaries by which Chinese texts are cut into words.
#pragma once

#include <filesystem>
#include <vector>

namespace leitong {

/// The files of a dictionary. An empty name stands for jieba's own file in the context's data folder.
struct Dictionaries {
  std::filesystem::path model = {};  ///< a model of `leitong dict build`; then the other names are empty
  /// Files of more words, "word [frequency] [tag]" on each line.
  std::vector<std::filesystem::path> user = {};
  std::filesystem::path idf = {};         ///< "word idf" on each line
  std::filesystem::path stop_words = {};  ///< a word on each line
};

}  // namespace leitong

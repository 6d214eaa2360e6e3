// Chooses the model for segmentation: a file that was named, or one that is compiled once and stored.
#pragma once

#include <filesystem>
#include <memory>

#include "leitong/dictionaries.hpp"
#include "leitong/result.hpp"
#include "text/segment/jieba_dictionary.hpp"
#include "text/segment/model.hpp"

namespace leitong {

/// The dictionaries that a caller has chosen, and where those lie that are not named.
struct ModelChoice : Dictionaries {
  std::filesystem::path data_folder = {};  ///< folder of jieba's own files; empty: see find_data_file()

  /// True if the choice is jieba's own, in any folder.
  [[nodiscard]] bool is_default() const {
    return model.empty() && idf.empty() && stop_words.empty() && user.empty();
  }
};

/// The dictionary files of a choice without a model. Fails with not_found if jieba's files are missing.
Result<JiebaFiles> chosen_files(const ModelChoice& choice);

/// The most models that the cache folder holds: those used last. One of jieba's own dictionaries has 23 MB.
inline constexpr std::size_t kMostCachedModels = 8;

/// Opens the chosen model. One that has to be compiled is stored in the user's cache folder
/// (XDG_CACHE_HOME/leitong, or ~/.cache/leitong) under a hash of the content of its files: this takes seconds
/// the first time and milliseconds afterwards. Without such a folder it is compiled each time into a
/// temporary file without a name.
Result<std::shared_ptr<const SegmentModel>> open_segment_model(const ModelChoice& choice = {});

}  // namespace leitong

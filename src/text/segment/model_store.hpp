// Which model to segment with: a file that was named, or one that is compiled once and kept.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "leitong/result.hpp"
#include "text/segment/jieba_dictionary.hpp"
#include "text/segment/model.hpp"

namespace leitong {

/// What a user may choose; everything left empty is jieba's own, as ./dev setup fetched it.
struct ModelChoice {
  std::filesystem::path model;  ///< a compiled model; then the others are empty
  std::filesystem::path idf, stop_words;
  std::vector<std::filesystem::path> user;
  std::filesystem::path data_folder;  ///< where jieba's own lie; empty: see find_data_file()

  /// Jieba's own, wherever they lie.
  [[nodiscard]] bool is_default() const {
    return model.empty() && idf.empty() && stop_words.empty() && user.empty();
  }
};

/// The dictionary files that a choice without a model stands for. Fails with not_found if jieba's aren't
/// there.
Result<JiebaFiles> chosen_files(const ModelChoice& choice);

/// Models that the cache folder holds at most: those used last. One of jieba's own dictionaries has 23 MB.
inline constexpr std::size_t kMostCachedModels = 8;

/// Opens the chosen model. One that has to be compiled is kept in the user's cache folder
/// (XDG_CACHE_HOME/leitong, or ~/.cache/leitong), named by a hash of what its files hold: seconds the first
/// time, milliseconds afterwards. Without such a folder it is compiled each time into a temporary file
/// without a name.
Result<std::shared_ptr<const SegmentModel>> open_segment_model(const ModelChoice& choice = {});

}  // namespace leitong

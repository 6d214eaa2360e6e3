// The caller's choice of dictionaries, in the form of the lower layers.
#pragma once

#include "leitong/dictionaries.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

/// `data_folder` is where dictionaries are that are not named; empty: see find_data_file().
[[nodiscard]] inline ModelChoice to_choice(const Dictionaries& given,
                                           std::filesystem::path data_folder = {}) {
  return {.model = given.model,
          .idf = given.idf,
          .stop_words = given.stop_words,
          .user = given.user,
          .data_folder = std::move(data_folder)};
}

}  // namespace leitong

// Dictionaries of a caller's choice, as the rooms below know them.
#pragma once

#include "leitong/context.hpp"
#include "leitong/dictionaries.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

/// Those that are not named lie in the data folder of the context.
[[nodiscard]] inline ModelChoice to_choice(const Dictionaries& given, const Context& context) {
  return {.model = given.model,
          .idf = given.idf,
          .stop_words = given.stop_words,
          .user = given.user,
          .data_folder = context.settings().data_folder};
}

}  // namespace leitong

// Keeps a copy of an index by the changes that it reports.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "opened_index.hpp"

namespace leitong::online {

inline std::map<std::string, std::string> texts_of(const Index& index) {
  std::map<std::string, std::string> texts;
  const auto note = [&](const Stored& stored) -> Result<void> {
    texts[stored.id] = stored.text;
    return {};
  };
  if (const auto read = index.for_each(note); !read) throw std::runtime_error(read.error().message);
  return texts;
}

inline std::vector<std::string> keys_of(const std::map<std::string, std::string>& texts) {
  std::vector<std::string> keys;
  for (const auto& [key, text] : texts) keys.push_back(key);
  return keys;
}

inline std::vector<std::string> ids_of(const Index& index) { return keys_of(texts_of(index)); }

struct Follower {
  std::string cursor;
  std::map<std::string, std::string> texts;  // by id; empty texts if they were not requested

  /// Applies all changes that the index has to report.
  void follow(const Index& index, const ChangesWanted& wanted = {}) {
    for (bool more = true; more;) {
      const Changes told = value(index.changes(cursor, wanted));
      for (const auto& one : told.changes)
        if (one.removed)
          texts.erase(one.stored.id);
        else
          texts[one.stored.id] = one.stored.text;
      cursor = told.cursor;
      more = told.more;
    }
  }
  [[nodiscard]] std::vector<std::string> ids() const { return keys_of(texts); }
};

}  // namespace leitong::online

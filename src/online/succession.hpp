// Decides which text takes the place of a text that leaves, for every kind of index.
#pragma once

#include <optional>

#include "base/try.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// The place of a text among the texts of an index.
struct Place {
  bool holds = false;       ///< it represents its content: equal texts are copies of it
  bool stands = false;      ///< it represents its family: near texts are members
  bool other_work = false;  ///< a member that is also compared (Row::other_work)

  /// Do searches for near texts find it? Then it posts its keys or its fingerprint.
  [[nodiscard]] bool found() const noexcept { return stands || other_work; }
};

/// `Text`: the type by which the index names a text.
template <class Text>
struct Successor {
  Text text;
  bool copy = false;
};

/// Returns the earliest copy of the leaving text, or else, if it represents its family, the earliest other
/// member. No text takes the place of a copy. `first_copy` and `first_member` return
/// Result<std::optional<Text>>.
template <class Text, class FirstCopy, class FirstMember>
Result<std::optional<Successor<Text>>> successor_of(const Place& leaving, FirstCopy first_copy,
                                                    FirstMember first_member) {
  if (!leaving.holds) return std::nullopt;
  LEITONG_ASSIGN(std::optional<Text> copy, first_copy());
  if (copy) return Successor<Text>{std::move(*copy), true};
  if (!leaving.stands) return std::nullopt;
  LEITONG_ASSIGN(std::optional<Text> member, first_member());
  if (member) return Successor<Text>{std::move(*member), false};
  return std::nullopt;
}

/// The place of the successor, whose own place was `before`. A copy posts what the leaving text posted.
[[nodiscard]] inline Place place_after(const Place& leaving, const Place& before, bool copy) noexcept {
  return {true, leaving.stands, copy ? leaving.other_work : before.other_work};
}

}  // namespace leitong::online

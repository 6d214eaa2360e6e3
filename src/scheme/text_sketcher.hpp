// Computes the sketches of texts by one scheme.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "base/pod_vector.hpp"
#include "scheme/scheme.hpp"

namespace leitong {

/// Thread-safe for different workspaces.
class TextSketcher {
 public:
  /// One for each thread.
  struct Workspace {
    std::unique_ptr<Sketcher::Scratch> scheme;
    PodVector<Unit> units;
  };

  explicit TextSketcher(std::unique_ptr<const Scheme> scheme) : scheme_(std::move(scheme)) {}

  [[nodiscard]] Workspace new_workspace() const { return {scheme_->new_scratch(), {}}; }
  /// Appends the sketch of a text, which must be valid UTF-8; appends nothing if the text has none.
  void sketch(std::string_view text, Workspace& space, PodVector<std::uint64_t>& words) const {
    to_units(text, scheme_->folding(), space.units);
    scheme_->sketch({text, space.units}, *space.scheme, words);
  }
  [[nodiscard]] const Scheme& scheme() const noexcept { return *scheme_; }

 private:
  std::unique_ptr<const Scheme> scheme_;
};

}  // namespace leitong

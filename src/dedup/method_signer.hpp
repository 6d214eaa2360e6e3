// A method for its signatures alone: no pairs are found with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/memory.hpp"
#include "base/pod_vector.hpp"
#include "io/work_folder.hpp"
#include "dedup/method.hpp"
#include "leitong/result.hpp"

namespace leitong {

class MethodSigner {
 public:
  /// One per thread.
  struct Workspace {
    std::unique_ptr<Method::Scratch> method;
    PodVector<Unit> units;
  };

  /// Fails as make_method().
  static Result<std::unique_ptr<const MethodSigner>> make(std::string_view method,
                                                          std::span<const std::string> params,
                                                          std::filesystem::path work_dir = {});

  [[nodiscard]] Workspace new_workspace() const { return {method_->new_scratch(), {}}; }
  /// Appends the text's sketch; nothing for a text that has none. Thread-safe for different workspaces.
  void sign(std::string_view text, Workspace& space, PodVector<std::uint64_t>& words) const;
  [[nodiscard]] const Method& method() const noexcept { return *method_; }

 private:
  explicit MethodSigner(std::filesystem::path work_dir) : work_(std::move(work_dir)) {}

  // What a method may ask for when it finds pairs.
  Rule rule_;
  DocumentTable table_;
  MemoryBudget memory_;
  WorkFolder work_;
  std::unique_ptr<const Method> method_;
};

}  // namespace leitong

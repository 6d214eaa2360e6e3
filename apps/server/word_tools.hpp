// The dictionaries and signers of a server: opened at their first use, or at the start if the configuration
// names them.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config.hpp"
#include "leitong/context.hpp"
#include "leitong/segment.hpp"
#include "leitong/sign.hpp"
#include "problem.hpp"

namespace leitong::server {

/// Inverse document frequencies: lines "word idf". An unlisted word has the median of all.
class IdfDictionary {
 public:
  /// Fails as read_regular_file(), and with corrupt, naming the line.
  [[nodiscard]] static Result<IdfDictionary> read(const std::filesystem::path& file);
  [[nodiscard]] double of(std::string_view word) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const noexcept {
      return std::hash<std::string_view>()(word);
    }
  };
  std::unordered_map<std::string, double, Hash, std::equal_to<>> idf_;
  double median_ = 0;
};

class WordTools {
 public:
  WordTools(const Context& context, const Config& config)
      : context_(context), words_(config.words), paths_(config.idf) {}

  /// Opens what the configuration names, so that a wrong path is noticed at the start.
  [[nodiscard]] Result<void> open_named();
  [[nodiscard]] Result<Segmenter> segmenter();
  /// Problem 404 if there is no dictionary of this name; without a name the only one.
  [[nodiscard]] Outcome<const IdfDictionary*> idf(std::optional<std::string_view> name) const;
  /// As Signer::open(), once for each method and parameters.
  [[nodiscard]] Result<Signer> signer(const std::string& method, const std::vector<std::string>& params);

 private:
  /// The most signers that are kept; another one replaces the oldest.
  static constexpr std::size_t kMostSigners = 16;

  const Context& context_;
  const Dictionaries words_;
  const std::map<std::string, std::filesystem::path> paths_;
  std::map<std::string, IdfDictionary, std::less<>> idf_;
  std::mutex mutex_;  // guards what follows
  std::optional<Segmenter> segmenter_;
  std::vector<std::pair<std::string, Signer>> signers_;
};

}  // namespace leitong::server

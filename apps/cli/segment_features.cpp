#include "segment_features.hpp"

#include <fmt/core.h>

#include <iterator>
#include <memory>
#include <unordered_map>

#include "base/try.hpp"
#include "leitong/json.hpp"
#include "scheme/resources.hpp"
#include "scheme/simhash_features.hpp"

namespace leitong::cli {
namespace {

/// The state of one thread, for one line after another.
class Worker {
 public:
  Worker(const SimhashFeatures& features, const WordList& words, const FeatureFlags& flags)
      : features_(features), words_(words), flags_(flags) {}

  void line(std::string_view text, std::string& out) {
    if (flags_.json) out += "{\"words\":[";
    spelt_.clear();
    words_.for_each(text, space_.all.cutting, [&](std::string_view word, std::uint64_t id, bool) {
      if (flags_.json) {
        if (!spelt_.empty()) out += ',';
        append_json_string(word, out);
      }
      spelt_.emplace(id, word);
    });
    features_.extract({text, {}}, space_);
    if (flags_.json) out += "],\"features\":[";
    for (std::size_t i = 0; i < space_.all.features.size(); ++i) {
      if (i > 0) out += flags_.json ? "," : flags_.separator;
      feature(spelt_.at(features_.word(space_, i)), space_.all.features[i], out);
    }
    out += flags_.json ? "]}\n" : "\n";
  }

 private:
  void feature(std::string_view word, const Feature& feature, std::string& out) const {
    if (!flags_.json) {
      out += word;
      fmt::format_to(std::back_inserter(out), ":{}:{:016x}", feature.weight, feature.hash);
      return;
    }
    out += "{\"word\":";
    append_json_string(word, out);
    fmt::format_to(std::back_inserter(out), ",\"weight\":{},\"hash\":\"{:016x}\"}}", feature.weight,
                   feature.hash);
  }

  const SimhashFeatures& features_;
  const WordList& words_;
  const FeatureFlags& flags_;
  SimhashSpace space_;
  std::unordered_map<std::uint64_t, std::string_view> spelt_;  // of the line, by XXH3
};

}  // namespace

Result<void> segment_features(const LineJob& job, const FeatureFlags& flags, const ModelChoice& choice) {
  LEITONG_ASSIGN(const Params params, Params::parse("simhash", find_scheme("simhash")->params, flags.params));
  if (params.text("features") != "words")
    return fail(ErrorCode::invalid_argument,
                fmt::format("--features lists words, and --param features={} makes others; leave it out",
                            params.text("features")));
  SchemeResources resources(choice);
  LEITONG_ASSIGN(const SimhashFeatures features, SimhashFeatures::open(params, resources));
  LEITONG_ASSIGN(const auto words, simhash_words(params, resources));
  return run_lines(job, [&]() -> LineWork {
    return line_by_line([worker = std::make_shared<Worker>(features, *words, flags)](
                            std::string_view line, std::string& out) { worker->line(line, out); });
  });
}

}  // namespace leitong::cli

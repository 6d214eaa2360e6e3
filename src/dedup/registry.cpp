// The list of methods: one line each.
#include <array>
#include <string>

#include "dedup/methods/methods.hpp"

namespace leitong {
namespace {

constexpr std::array kMethods = {
    MethodInfo{"default", "winnowed long shingles joined by rarity, verified by Jaccard or containment",
               "Schleimer, Wilkerson, Aiken 2003 (winnowing); Broder 1997 (resemblance, containment)",
               make_default},
    MethodInfo{"all-pairs",
               "every pair that the rule accepts, by the exact prefix join (slow; what --exact takes)",
               "Bayardo, Ma, Srikant 2007; Chaudhuri, Ganti, Kaushik 2006", make_all_pairs},
    MethodInfo{"simhash", "jieba's words by TF-IDF, the top 20, 64-bit SimHash, distance 3",
               "Charikar 2002; Manku, Jain, Das Sarma 2007", make_simhash},
    MethodInfo{"minhash", "128 MinHash values of 5-unit shingles in 64 bands of 2",
               "Broder 1997; Dahlgaard, Knudsen, Thorup 2017", make_minhash},
    MethodInfo{"exact", "copies only: texts that are equal after folding", "", make_exact},
};

}  // namespace

std::span<const MethodInfo> methods() noexcept { return kMethods; }

Result<std::unique_ptr<Method>> make_method(std::string_view name, const MethodContext& context) {
  std::string known;
  for (const MethodInfo& info : kMethods) {
    if (info.name == name) return info.make(context);
    known.append(known.empty() ? "" : ", ").append(info.name);
  }
  return fail(ErrorCode::invalid_argument,
              "unknown method \"" + std::string(name) + "\"; choose one of: " + known);
}

}  // namespace leitong

// The list of methods: one entry each.
#include <string>
#include <vector>

#include "dedup/methods/methods.hpp"

namespace leitong {
namespace {

const std::vector<MethodInfo>& table() {
  static const std::vector<MethodInfo> methods = {
      {"default",
       "winnowed long shingles joined by rarity, verified by Jaccard or containment",
       "Schleimer, Wilkerson, Aiken 2003 (winnowing); Broder 1997 (resemblance, containment)",
       {},
       "",
       make_default},
      {"all-pairs",
       "every pair that the rule accepts, by the exact prefix join (slow; what --exact takes)",
       "Bayardo, Ma, Srikant 2007; Chaudhuri, Ganti, Kaushik 2006",
       {},
       "",
       make_all_pairs},
      {"simhash", "jieba's words by TF-IDF, the top 20, 64-bit SimHash, distance 3",
       "Charikar 2002; Manku, Jain, Das Sarma 2007", simhash_params(), "fingerprint", make_simhash},
      {"e-simhash", "SimHash of words weighed by the entropy of their neighbours and bound to their places",
       "Zhang Hang et al. 2020, places corrected", e_simhash_params(), "fingerprint", make_e_simhash},
      {"e-simhash-literal", "the same as published: places reach the lowest bits only",
       "Zhang Hang et al. 2020", e_simhash_params(), "fingerprint", make_e_simhash_literal},
      {"p-simhash", "SimHash of words that share weight with their companions, blended with their places",
       "Zhang Yanan et al. 2022, places corrected", p_simhash_params(), "fingerprint", make_p_simhash},
      {"p-simhash-literal", "the same as published: places are bound to no word", "Zhang Yanan et al. 2022",
       p_simhash_params(), "fingerprint", make_p_simhash_literal},
      {"minhash", "128 MinHash values of 5-unit shingles in 64 bands of 2",
       "Broder 1997; Dahlgaard, Knudsen, Thorup 2017", minhash_params(), "16-bit MinHash values",
       make_minhash},
      {"shingle", "the exact resemblance or containment of k-unit shingles", "Broder 1997", shingle_params(),
       "shingle hashes", make_shingle},
      {"i-match", "one digest of the words of middling rarity, and of random parts of them",
       "Chowdhury et al. 2002; Kolcz, Chowdhury, Alspector 2004", i_match_params(), "128-bit digests",
       make_i_match},
      {"edit", "the exact edit similarity, found by shared runs (slow)",
       "Levenshtein 1965; Gravano et al. 2001", edit_params(), "", make_edit},
      {"exact", "copies only: texts that are equal after folding", "", exact_params(), "digest", make_exact},
  };
  return methods;
}

}  // namespace

std::span<const MethodInfo> methods() noexcept { return table(); }

const MethodInfo* find_method(std::string_view name) noexcept {
  for (const MethodInfo& info : table())
    if (info.name == name) return &info;
  return nullptr;
}

Result<std::unique_ptr<Method>> make_method(std::string_view name, const MethodContext& context) {
  if (const MethodInfo* info = find_method(name)) {
    LEITONG_ASSIGN(const Params params, Params::parse(name, info->params, context.params));
    return info->make(context, params);
  }
  std::string known;
  for (const MethodInfo& info : table()) known.append(known.empty() ? "" : ", ").append(info.name);
  return fail(ErrorCode::invalid_argument,
              "unknown method \"" + std::string(name) + "\"; choose one of: " + known);
}

}  // namespace leitong

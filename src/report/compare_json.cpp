#include "report/render_compare.hpp"

#include <nlohmann/json.hpp>

#include "similarity/reason.hpp"

namespace leitong {
namespace {

using Json = nlohmann::ordered_json;

Json side(const ComparedText& figures, const NamedText& text) {
  return {{"name", text.name},
          {"bytes", figures.bytes},
          {"units", figures.units},
          {"shingles", figures.shingles},
          {"containment", figures.containment},
          {"coverage", figures.coverage},
          {"loss", figures.loss}};
}

Json in_corpus_object(const CorpusVerdict& verdict) {
  const WithoutTemplate own = own_measures(verdict.pair);
  Json only_base = Json::array();
  if (verdict.only_base[0]) only_base.push_back("a");
  if (verdict.only_base[1]) only_base.push_back("b");
  return {{"similar", verdict.similar},
          {"reason", verdict.reason},
          {"only_base", only_base},
          {"own_jaccard", own.jaccard},
          {"own_containment", own.containment},
          {"template_share", own.template_share},
          {"rare_share", own.rare_share},
          {"families", own.families}};
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string render_compare_json(const CompareResult& result, const NamedText& a, const NamedText& b,
                                std::span<const MethodVerdict> methods,
                                const std::optional<CorpusVerdict>* in_corpus) {
  Json object;
  object["a"] = side(result.a, a);
  object["b"] = side(result.b, b);
  object["shared_shingles"] = result.shared_shingles;
  object["jaccard"] = result.jaccard;
  object["edit"] = or_null(result.edit);
  object["shingle_simhash_distance"] = or_null(result.shingle_simhash_distance);
  object["identical"] = result.identical;
  object["other_signs"] = result.other_signs;
  object["similar"] = !result.similar_by.empty();
  object["similar_by"] = result.similar_by.empty() ? Json(nullptr) : Json(result.similar_by);
  object["relation"] = result.relation.empty() ? Json(nullptr) : Json(result.relation);
  for (const MethodVerdict& verdict : methods)
    object["methods"].push_back({{"method", verdict.method},
                                 {"similar", verdict.similar},
                                 {"similarity", verdict.similarity},
                                 {"distance", or_null(verdict.distance)},
                                 {"signature_a", or_null(verdict.signature_a)},
                                 {"signature_b", or_null(verdict.signature_b)},
                                 {"lacks_a", or_null(verdict.lacks_a)},
                                 {"lacks_b", or_null(verdict.lacks_b)}});
  if (in_corpus != nullptr) object["in_corpus"] = *in_corpus ? in_corpus_object(**in_corpus) : Json(nullptr);
  object["passage_units"] = result.passage_units;
  Json& passages = object["passages"] = Json::array();
  for (const Passage& passage : result.passages)
    passages.push_back({{"a", {passage.a.begin, passage.a.end}},
                        {"b", {passage.b.begin, passage.b.end}},
                        {"units", passage.units}});
  // Names are paths, which may be any bytes.
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace leitong

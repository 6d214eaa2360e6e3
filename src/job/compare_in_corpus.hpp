// Compares two texts among the documents of a corpus: text that many of these hold is a template.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "leitong/compare.hpp"
#include "leitong/context.hpp"
#include "leitong/read.hpp"
#include "leitong/result.hpp"
#include "report/render_compare.hpp"

namespace leitong {

/// Files whose texts do not count, and how they are read (base_text.hpp).
struct BaseFiles {
  InputFiles input;
  std::vector<std::string> paths;
};

struct InCorpus {
  CorpusVerdict verdict;
  ReadSummary read;  ///< what was read of the corpus
};

/// What `leitong dedup` would decide about the two if they were documents of the corpus. The corpus consists
/// of files, and of the texts of online indexes, where a path is the folder of one. Searches the whole corpus
/// for similar pairs, since the families of its texts decide what a template is. `compared` is compare() of
/// the same two valid UTF-8 texts, with the same folding. What `base` holds does not count;
/// with a base the corpus may have no paths: then it consists of the two texts. Fails as Corpus::open(),
/// find_pairs() and open_reference_indexes().
Result<InCorpus> compare_in_corpus(std::string_view a, std::string_view b, const CompareResult& compared,
                                   const InputOptions& corpus, const Context& context,
                                   const Folding& folding = {}, const BaseFiles& base = {});

}  // namespace leitong

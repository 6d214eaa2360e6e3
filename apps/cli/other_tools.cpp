#include "other_tools.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace leitong::cli {
namespace {

struct Advice {
  std::string_view words;  ///< with spaces around each
  std::string_view flag;   ///< that the command must have; empty: none
  std::string_view text;
};

constexpr std::array kFlags{
    Advice{" --text-column --column --text-key --text-name --content-field --body-field --columns ",
           "--text-field", "--text-field FIELD names the field of a record that holds its text"},
    Advice{" --id-column --id-key --key ", "--id-field",
           "--id-field FIELD names the field that holds the id"},
    Advice{" --ngram --ngrams --ngram-size --n-gram --shingle --shingle-size --shingles -n ", "--method",
           "the default method has no length to choose; --method shingle --param k=5 has one"},
    Advice{" --num-perm --num-perms --permutations --num-permutations --num-hashes --hashes --bands --rows ",
           "--method",
           "--method minhash --param bands=64 --param rows=2 sets them; the default method needs none"},
    Advice{" --jobs -j --workers --num-workers --processes --num-proc --nproc --cores --n-jobs --parallel ",
           "--threads", "--threads N is the number of threads; without it every core works"},
    Advice{" --seed --random-seed --random-state ", "",
           "there is nothing to seed: the same input gives the same output each time, for any number of "
           "threads"},
    Advice{" --format --input-format --file-type --type --in-format ", "--kind",
           "--kind KIND is the format of the input, and its name or content mostly tells; outputs have the "
           "format of their names"},
    Advice{" --overwrite --replace --clobber -f --yes -y ", "--force", "--force replaces files that exist"},
    Advice{" --out --outfile --output-file --output-dir --output-path --out-dir --save --destination ",
           "--output", "-o FILE names the output"},
    Advice{" --input -i --in --input-file --file --files --path --input-path ", "",
           "inputs are named without a flag: leitong COMMAND FILE.."},
    Advice{
        " --similarity --min-similarity --similarity-threshold --jaccard-threshold --jaccard --sim --cutoff "
        "-t ",
        "--threshold", "--threshold T is the least similarity, such as 0.8; the default rule needs none"},
    Advice{" --exact --exact-only --exact-match ", "--method", "--method copies finds equal texts alone"},
    Advice{" --ram --max-memory --mem --memory-limit ", "--memory", "--memory SIZE bounds the memory"},
    Advice{" --tmp --tmp-dir --temp-dir --cache-dir --cache ", "--work",
           "--work DIR is the folder for temporary files"},
    Advice{" --duplicates --dupes --removed-file ", "--removed", "--removed FILE lists what leaves, and why"},
    Advice{" -v --debug --stats --statistics ", "--verbose", "--verbose prints all figures of the run"},
    Advice{" --silent -s --no-progress ", "--quiet", "-q prints only warnings and errors"},
};

constexpr std::array kOtherCommands{
    Advice{" deduplicate dedupe dedup-files deduplication unique uniq near-dedup minhash-dedup ", "",
           "leitong dedup FILE -o KEPT removes near-duplicates"},
    Advice{" lsh minhash simhash jaccard shingle fuzzy ", "",
           "that is a method: leitong dedup --method NAME chooses one, and leitong methods explains each"},
    Advice{" version -v --Version ", "", "leitong --version prints the version"},
    Advice{" similar find search query lookup ", "",
           "leitong pairs lists the similar pairs of files; leitong check asks an index about a text"},
    Advice{" diff similarity ", "", "leitong compare A B compares two texts"},
    Advice{" server api http web ", "", "leitong serve is the service"},
    Advice{" cluster-docs clusters group ", "", "leitong dedup FILE --clusters FILE lists the clusters"},
};

std::string advice_among(std::span<const Advice> table, std::string_view word,
                         const std::vector<std::string>& known) {
  std::string wanted = " ";
  for (const char c : word.substr(0, word.find('=')))
    wanted += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  wanted += ' ';
  for (const Advice& advice : table)
    if (advice.words.find(wanted) != std::string_view::npos &&
        (advice.flag.empty() || std::ranges::find(known, advice.flag) != known.end()))
      return std::string(advice.text);
  return {};
}

}  // namespace

std::string advice_for(std::string_view word, bool is_command, const std::vector<std::string>& known) {
  std::string advice = is_command ? advice_among(kOtherCommands, word, known) : std::string();
  return advice.empty() && word.starts_with('-') ? advice_among(kFlags, word, known) : advice;
}

std::vector<std::string_view> words_of_other_tools() {
  std::vector<std::string_view> words;
  for (const std::span<const Advice> table :
       {std::span<const Advice>(kFlags), std::span<const Advice>(kOtherCommands)})
    for (const Advice& advice : table)
      for (std::string_view rest = advice.words.substr(1); !rest.empty();) {
        words.push_back(rest.substr(0, rest.find(' ')));
        rest.remove_prefix(words.back().size() + 1);
      }
  return words;
}

}  // namespace leitong::cli

#include "commands.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kWork = "Commands";
constexpr std::string_view kHelp = "About leitong";

constexpr Command kCommands[] = {
    {"dedup", kWork, "remove near-duplicates; each is verified against a document that stays", add_dedup},
    {"trim", kWork, "cut repeated lines, sentences and passages out of documents", add_trim},
    {"restore", kWork, "make the input of dedup or trim again from what was kept and removed", add_restore},
    {"decontaminate", kWork, "find the items of a benchmark inside documents", add_decontaminate},
    {"pairs", kWork, "list all similar pairs with their scores, and remove nothing", add_pairs},
    {"part", kWork, "do one part of a run that is spread over many processes or machines", add_part},
    {"cluster", kWork, "make clusters from stored pairs by another threshold, without a new run",
     add_cluster},
    {"compare", kWork, "compare two texts by every measure and mark their common passages", add_compare},
    {"eval", kWork, "measure a result against the truth", add_eval},
    {"tune", kWork, "find the best setting of a method, from texts of which the truth is known", add_tune},
    {"check", kWork, "say for each text whether an index holds it, or a similar one", add_check},
    {"add", kWork, "add texts to an index", add_add},
    {"index", kWork, "make, show, follow, copy, verify and repair an index of texts", add_index},
    {"serve", kWork, "answer over HTTP what check and the commands on words answer, with a page", add_serve},
    {"sign", kWork, "print a signature of each document, by one of the methods", add_sign},
    {"train", kWork, "learn from texts how rare words are and which occur together", add_train},
    {"digest", kWork, "print or check digests of files, to see which are equal byte by byte", add_digest},
    {"segment", kWork, "cut text into words, as jieba does", add_segment},
    {"keywords", kWork, "list the keywords of a text by TF-IDF, as jieba does", add_keywords},
    {"dict", kWork, "compile dictionaries for segment and keywords, or show them", add_dict},
    {"hamming", kWork, "join and search fingerprints by Hamming distance, exactly", add_hamming},
    {"normalise", kWork, "write texts in one normal form, line by line", add_normalise},
    {"help", kHelp, "explain a command, its flags and examples", add_help},
    {"methods", kHelp, "list the methods that find candidate pairs", add_methods},
    {"completion", kHelp, "print a completion script for a shell", add_completion},
    {"man", kHelp, "print the manual page", add_man},
};

}  // namespace

std::span<const Command> commands() noexcept { return kCommands; }

}  // namespace leitong::cli

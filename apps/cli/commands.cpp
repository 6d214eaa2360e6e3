#include "commands.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kWork = "Commands";
constexpr std::string_view kHelp = "About leitong";

constexpr Command kCommands[] = {
    {"dedup", kWork, "remove near-duplicates, each proven similar to the document that stays", add_dedup},
    {"pairs", kWork, "score all similar pairs, and remove nothing", add_pairs},
    {"cluster", kWork, "decide again from stored pairs, without a new run", add_cluster},
    {"compare", kWork, "compare two texts by every measure and mark what they share", add_compare},
    {"eval", kWork, "measure a result against the truth", add_eval},
    {"tune", kWork, "find the setting of a method that suits texts with truth", add_tune},
    {"sign", kWork, "print one signature a document, by any method", add_sign},
    {"train", kWork, "learn from texts how rare words are and what comes together", add_train},
    {"digest", kWork, "print or check digests of files: are these copies the same?", add_digest},
    {"segment", kWork, "cut text into words, as jieba does", add_segment},
    {"keywords", kWork, "name a text's keywords by TF-IDF, as jieba does", add_keywords},
    {"dict", kWork, "compile dictionaries for segment and keywords, or show them", add_dict},
    {"hamming", kWork, "join and search fingerprints by Hamming distance, exactly", add_hamming},
    {"normalise", kWork, "bring texts into one spelling, line by line", add_normalise},
    {"help", kHelp, "explain a command, its flags and examples", add_help},
    {"methods", kHelp, "list the methods that find candidate pairs", add_methods},
    {"completion", kHelp, "print a completion script for a shell", add_completion},
    {"man", kHelp, "print the manual page", add_man},
};

}  // namespace

std::span<const Command> commands() noexcept { return kCommands; }

}  // namespace leitong::cli

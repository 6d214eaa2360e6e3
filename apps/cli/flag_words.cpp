#include "flag_words.hpp"

#include <string_view>
#include <utility>

namespace leitong::cli {
namespace {

// The longer one first where one begins like another.
constexpr std::pair<std::string_view, std::string_view> kFlags[] = {
    {"the memory budget", "--memory"},
    {"the parameter synonyms:", "--synonyms:"},
    {"the parameters ", "--param "},
    {"the parameter ", "--param "},
    {"the id field", "--id-field"},
    {"the text field", "--text-field"},
    {"the site field", "--site-field"},
    {"the fingerprint field", "--fingerprint-field"},
    {"name it as a reference index", "name it with --reference-index"},
    {"the list of templates", "--templates"},
    {"the record limit of ", "--max-record, "},
    {"the record limit", "--max-record"},
    {"with templates left out", "without --template off"},
    {"let templates count", "let templates count with --template off"},
    {"choose another work folder", "choose another folder with --work"},
    {"the input format", "--input"},
    {"the keep policy ", "--keep "},
    {"name the kind jsonl, or lines", "name --kind jsonl, or --kind lines"},
    {"repair the index", "repair the index with leitong index repair --index DIR"},
    {"force overwrites", "--force overwrites"},
    {"force replaces", "--force replaces"},
};

}  // namespace

std::string with_flags(std::string message) {
  for (const auto& [thing, flag] : kFlags)
    for (std::size_t at = 0; (at = message.find(thing, at)) != std::string::npos; at += flag.size())
      message.replace(at, thing.size(), flag);
  return message;
}

}  // namespace leitong::cli

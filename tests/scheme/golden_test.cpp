// The values of sketches are fixed by tests/golden/schemes.json, which tests in other languages read as well.
// Stored signatures depend on them, so a change of words needs a new version of the scheme
// (SchemeInfo::version). CTest runs this for each set of kernels.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scheme/resources.hpp"
#include "scheme/text_sketcher.hpp"
#include "temp_path.hpp"
#include "test_places.hpp"

namespace leitong {
namespace {

using Json = nlohmann::ordered_json;
const std::filesystem::path kGolden = LEITONG_SOURCE_DIR "/tests/golden";

class Golden : public ::testing::Test {
 protected:
  Golden() {
    setenv("LEITONG_DATA", kGolden.c_str(), 1);
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
  }
  ~Golden() override {
    unsetenv("LEITONG_DATA");
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(cache_);
  }
  std::filesystem::path cache_ = test::temp_path();
};

/// Files that parameters name are beside the golden file.
std::vector<std::string> with_paths(const Json& params) {
  std::vector<std::string> given;
  for (std::string param : params) {
    if (param.starts_with("model=") || param.starts_with("thesaurus="))
      param.insert(param.find('=') + 1, kGolden.string() + "/");
    given.push_back(param);
  }
  return given;
}

/// The entry made by this build: the id, and for each text the words as hexadecimal digits.
Json made(const Json& entry, const Json& texts) {
  SchemeResources resources;
  auto scheme = make_scheme(entry["scheme"].get<std::string>(), with_paths(entry["params"]), resources);
  if (!scheme) {
    ADD_FAILURE() << scheme.error().message;
    return {};
  }
  const TextSketcher sketcher(*std::move(scheme));
  Json result = {{"scheme", entry["scheme"]},
                 {"params", entry["params"]},
                 {"id", scheme_text(sketcher.scheme().id())},
                 {"label", scheme_label(sketcher.scheme().id())}};
  TextSketcher::Workspace space = sketcher.new_workspace();
  for (const auto& [name, text] : texts.items()) {
    PodVector<std::uint64_t> words;
    sketcher.sketch(text.get<std::string>(), space, words);
    Json digits = Json::array();
    for (const std::uint64_t word : words) digits.push_back(fmt::format("{:016x}", word));
    result["words"][name] = digits;
  }
  return result;
}

TEST_F(Golden, SketchesOfEverySchemeAreFrozen) {
  const Json golden = Json::parse(std::ifstream(kGolden / "schemes.json"));
  Json now = {{"texts", golden["texts"]}};
  std::vector<std::string> covered;
  for (const Json& entry : golden["schemes"]) {
    now["schemes"].push_back(made(entry, golden["texts"]));
    EXPECT_EQ(now["schemes"].back(), entry) << entry["scheme"] << " " << entry["params"];
    covered.push_back(entry["scheme"]);
  }
  for (const SchemeInfo& info : schemes())
    EXPECT_NE(std::ranges::find(covered, info.name), covered.end()) << info.name << " isn't frozen";
  if (!HasFailure()) return;
  const std::filesystem::path path = test::temp_path("schemes.json");
  std::ofstream(path) << now.dump(1) << '\n';
  std::cerr << "what this build makes: " << path << '\n';
}

}  // namespace
}  // namespace leitong

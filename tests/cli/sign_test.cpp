// leitong sign and leitong train.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/process.hpp"
#include "feature/term_hash.hpp"
#include "signature/simhash.hpp"
#include "text/sample_text.hpp"
#include "text/small_dictionary.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using Json = nlohmann::json;

class Sign : public ::testing::Test {
 protected:
  static std::string record(const std::string& id, const std::string& text) {
    return Json{{"id", id}, {"text", text}}.dump() + "\n";
  }
  TempFolder folder_;
  std::string corpus_ =
      folder_.write("corpus.jsonl", record("a", std::string(kSampleText)) + record("b", "!?") +
                                        record("c", std::string(kSampleText)));
};

TEST_F(Sign, PrintsIdAndHexadecimalDigits) {
  const Outcome outcome =
      leitong({"sign", corpus_, "--method", "simhash", "--param", "features=chars", "--param", "top=0"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, MatchesRegex("a\t[0-9a-f]{16}\nb\t\nc\t[0-9a-f]{16}\n"));
  EXPECT_EQ(outcome.out.substr(2, 16), outcome.out.substr(outcome.out.size() - 17, 16)) << "equal texts";
  EXPECT_THAT(outcome.err, HasSubstr("1 document lacks a feature of any weight"));
}

TEST_F(Sign, OtherFormats) {
  const std::vector<std::string> chars = {"--param", "features=chars", "--param", "bits=128"};
  std::vector<std::string> command = {"sign", corpus_, "--format", "jsonl"};
  command.insert(command.end(), chars.begin(), chars.end());
  const std::string lines = leitong(command).out;
  const Json first = Json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(first["id"], "a");
  EXPECT_EQ(first["signature"].get<std::string>().size(), 32u);
  EXPECT_THAT(lines, HasSubstr("{\"id\":\"b\",\"signature\":null}"));
  command[3] = "raw";
  const Outcome raw = leitong(command);
  EXPECT_EQ(raw.out.size(), 32u) << "two signatures of two words";
  EXPECT_THAT(raw.err, HasSubstr("left out of raw output"));
}

TEST_F(Sign, ThreadsChangeNoByte) {
  std::string text;
  for (int i = 0; i < 7000; ++i)  // more than one batch of the reader
    text += record(std::to_string(i), std::string(kSampleText) + std::to_string(i * 7919));
  const std::string corpus = folder_.write("many.jsonl", text);
  const std::string one = leitong({"sign", corpus, "--method", "minhash", "--threads", "1"}).out;
  EXPECT_EQ(leitong({"sign", corpus, "--method", "minhash", "--threads", "4"}).out, one);
  EXPECT_GT(one.size(), 7000u * 512);
  EXPECT_GT(text.size(), 5u << 20);
}

TEST_F(Sign, MethodsThatCompareTextsAreNoSigners) {
  const Outcome outcome = leitong({"sign", corpus_, "--method", "edit"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(leitong({"sign", corpus_, "--method", "simhash", "--param", "bands=3"}).err,
              HasSubstr("has no such parameter"));
}

TEST_F(Sign, ExactDigestsAreThoseOfTheCommonTools) {
  const std::string text = "Ｔｈｕｎｄｅｒ  & echo";
  const std::string corpus = folder_.write("raw.jsonl", record("a", text));
  const auto sign = [&](const std::string& what, const std::string& digest) {
    return leitong({"sign", corpus, "--method", "copies", "--param", "text=" + what, "--param",
                    "digest=" + digest})
        .out.substr(2);
  };
  const std::string normal = leitong({"normalise", "-"}, text).out;
  for (const std::string name : {"md5", "sha256", "xxh3", "blake2b", "blake3"}) {
    const auto digest_of = [&](const std::string& bytes) {
      const std::string line = leitong({"digest", "--algorithm", name, "-"}, bytes).out;
      return line.substr(0, line.find(' ')) + "\n";
    };
    if (digest_of("x").size() == 1) continue;  // a build without BLAKE3
    EXPECT_EQ(sign("raw", name), digest_of(text)) << name;
    EXPECT_EQ(sign("normal", name), digest_of(normal.substr(0, normal.find('\n')))) << name;
  }
}

// The signatures of one text are fixed: other values could not be compared with stored ones.
TEST_F(Sign, SignaturesOfEveryCharacterMethodAreFrozen) {
  const std::string corpus = folder_.write("one.jsonl", record("a", std::string(kSampleText)));
  const auto sign = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"sign", corpus, "--method"});
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out.substr(2, 32);
  };
  for (const char* simd : {"scalar", "avx2", "avx512"}) {
    setenv("LEITONG_SIMD", simd, 1);
    EXPECT_EQ(sign({"simhash", "--param", "features=chars", "--param", "bits=128", "--param", "top=0"}),
              "cbd31688afe9bdb36102b5bc8193c978");
    EXPECT_EQ(sign({"minhash"}), "edfab96175797215aa0d063d03a4cc85");
    EXPECT_EQ(sign({"minhash", "--param", "scheme=permutations"}), "74a128e2d30a9b8b18d5691294b503cd");
    EXPECT_EQ(sign({"minhash", "--param", "scheme=one-permutation"}), "e34a30c19d6f049d363aaeb479e580a6");
    EXPECT_EQ(sign({"shingle"}), "0000000000cb5837000000000119e79c");
    EXPECT_EQ(sign({"copies"}), "d60f4cccc907994456bdd884f61b3392");
  }
  unsetenv("LEITONG_SIMD");
}

/// Signatures of words, by a dictionary that the test makes.
class FrozenWords : public Sign {
 protected:
  FrozenWords() {
    write_small_dictionary(folder_.path());
    std::string texts, groups;
    for (const std::string& text : small_texts(120, 5)) texts += text + "\n";
    for (int i = 0; i < kSmallWords; i += 3) groups += small_word(i) + "\t" + std::to_string(i / 30) + "\n";
    folder_.write("texts.txt", texts);
    folder_.write("groups", groups);
  }
  Outcome run(std::vector<std::string> arguments, const std::string& simd) {
    return leitong(arguments, {},
                   {"LEITONG_DATA=" + folder_.path().string(), "XDG_CACHE_HOME=" + folder_.path().string(),
                    "LEITONG_SIMD=" + simd});
  }
  static std::string digest(const std::string& bytes) {
    return leitong({"digest", "--algorithm", "xxh3", "-"}, bytes).out.substr(0, 16);
  }
};

struct FrozenCase {
  const char* digest;
  std::vector<std::string> arguments;
};

TEST_F(FrozenWords, AreTheSameOnEveryKernel) {
  const std::string model = "model=" + (folder_ / "terms.model");
  const std::vector<FrozenCase> cases = {
      {"e9593043f911f79e", {"simhash"}},
      {"9ff5c9d32ea825d3", {"simhash", model, "top=0", "weights=tfc", "hash=murmur", "bits=128"}},
      {"1bc9356a5858622f", {"simhash", model, "weights=levels", "hash=fnv1a", "cap=2"}},
      {"59eb203d8e27c2bf", {"simhash", "weights=log-tf", "hash=times33", "features=word-ngrams", "n=2"}},
      {"4bce95c87de3f28f", {"simhash", "weights=constant", "hash=multiplicative"}},
      {"90c58d4b143dc0e6", {"simhash", "thesaurus=" + (folder_ / "groups")}},
      {"0fe877da98c55d73", {"simhash", "top=0", "hash=codepoint", "weights=tf-idf-up", "ties=zero"}},
      {"647bc74eca4e93da", {"simhash", "features=chars", "n=2", "hash=codepoint", "bits=128", "ties=zero"}},
      {"c87f66ecb988970b", {"simhash", "cut=full", "top=10"}},
      {"11e31cb88ec7e51c", {"e-simhash", model, "top=20"}},
      {"a31290b9c9efb888", {"e-simhash", model, "top=20", "blend=root-square", "entropy-cap=4"}},
      {"ae94004a573bbfbd", {"e-simhash-literal", model, "top=20"}},
      {"77a1d6690d4fd1e2", {"e-simhash", model}},
      {"1a982fc10aa7a395", {"e-simhash-literal", model, "ties=zero"}},
      {"e6d52019d9907266", {"p-simhash", model, "hash=codepoint", "ties=zero"}},
      {"0facbcce84ec2f4c", {"p-simhash", model}},
      {"dbea695fad4a4b58", {"p-simhash-literal", model, "mu=1.7"}},
      {"284518e7041428e7", {"i-match", model}},
      {"147bef9a35ff113b", {"shingle", "k=3"}},
      {"7a8c2914226f0a42", {"minhash", "bands=20", "rows=5"}},
      {"4f544a88041ef2e1", {"copies", "text=normal", "digest=sha256"}},
  };
  for (const std::string simd : {"scalar", "avx2", "avx512"}) {
    const Outcome trained = run(
        {"train", folder_ / "texts.txt", "--kind", "lines", "-o", folder_ / "terms.model", "--force"}, simd);
    ASSERT_EQ(trained.code, 0) << trained.err;
    EXPECT_EQ(digest(read_file(folder_ / "terms.model")), "3f8b99ca656e951d");
    for (const FrozenCase& each : cases) {
      std::vector<std::string> arguments = {"sign",     folder_ / "texts.txt", "--kind", "lines",
                                            "--method", each.arguments[0]};
      for (std::size_t i = 1; i < each.arguments.size(); ++i)
        arguments.insert(arguments.end(), {"--param", each.arguments[i]});
      const Outcome outcome = run(arguments, simd);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      std::string signatures;  // without the ids, which hold the folder's name
      for (std::size_t tab = 0; (tab = outcome.out.find('\t', tab)) != std::string::npos; ++tab)
        signatures += outcome.out.substr(tab, outcome.out.find('\n', tab) - tab);
      EXPECT_EQ(digest(signatures), each.digest) << simd << ' ' << ::testing::PrintToString(each.arguments);
    }
  }
}

TEST_F(FrozenWords, SegmentShowsTheFeaturesThatAreSigned) {
  for (const std::vector<std::string>& params : std::vector<std::vector<std::string>>{
           {},
           {"--param", "top=0", "--param", "weights=tfc", "--param", "hash=fnv1a"},
           {"--param", "cap=2"},
           {"--param", "cut=full", "--param", "hash=codepoint", "--param", "weights=tf-idf-up"},
           {"--param", "thesaurus=" + (folder_ / "groups")}}) {
    std::vector<std::string> segment = {"segment", "--features", "--json", folder_ / "texts.txt"},
                             sign = {"sign", folder_ / "texts.txt", "--kind", "lines", "--format", "jsonl"};
    segment.insert(segment.end(), params.begin(), params.end());
    sign.insert(sign.end(), params.begin(), params.end());
    const Outcome shown = run(segment, "avx2"), signatures = run(sign, "avx2");
    ASSERT_EQ(shown.code, 0) << shown.err;
    std::istringstream rows(shown.out), expected(signatures.out);
    int texts = 0;
    for (std::string row, signature; std::getline(rows, row); ++texts) {
      ASSERT_TRUE(std::getline(expected, signature)) << signatures.err;
      std::vector<Feature> features;
      const Json line = Json::parse(row);
      for (const Json& each : line["features"]) {
        features.push_back(
            {std::stoull(each["hash"].get<std::string>(), nullptr, 16), each["weight"].get<float>()});
        EXPECT_THAT(line["words"], ::testing::Contains(each["word"]));
      }
      std::array<double, kSimhashBits> sums;
      simhash_sums(features, sums);
      EXPECT_EQ(fmt::format("{:016x}", simhash_signs(sums)), Json::parse(signature)["signature"]);
    }
    EXPECT_EQ(texts, 120);
  }
}

TEST_F(FrozenWords, DictionariesOfTheUserReachTheMethods) {
  const std::string one = small_word(3), other = small_word(5), both = one + other;
  const std::string stop = folder_.write("stop", other + "\n"), idf = folder_.write("idf", other + " 99\n"),
                    user = folder_.write("user", both + " 99999 n\n");
  const auto signature = [&](const std::string& text, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"sign", folder_.write("one.txt", text), "--kind", "lines"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments, "avx2");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out.substr(outcome.out.find('\t') + 1);
  };
  EXPECT_NE(signature(both, {}), signature(one, {}));
  EXPECT_EQ(signature(both, {"--stop-words", stop}), signature(one, {}));
  EXPECT_EQ(signature(both, {"--idf", idf, "--param", "top=1"}), signature(other, {}));
  EXPECT_EQ(signature(both, {"--user-dict", user}),
            fmt::format("{:016x}\n", term_hash(TermHash::xxh3, both)));
  EXPECT_EQ(signature(both, {"--stop-words", stop, "--method", "p-simhash"}),
            signature(one, {"--method", "p-simhash"}));

  const auto distance = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"compare",  "--text",          both,    one,
                                          "--method", "simhash,minhash", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(run(arguments, "avx2").out)["methods"][0]["distance"].get<int>();
  };
  EXPECT_GT(distance({}), 0);
  EXPECT_EQ(distance({"--stop-words", stop}), 0);

  const std::string corpus = folder_.write("two.txt", both + "\n" + one + "\n");
  const auto kept = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "dedup",       corpus,    "--kind",     "lines", "--method",           "simhash",
        "--no-verify", "--param", "distance=0", "-o",    folder_ / "kept.txt", "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(arguments, "avx2").code, 0);
    return read_file(folder_ / "kept.txt");
  };
  EXPECT_EQ(kept({}), both + "\n" + one + "\n");
  EXPECT_EQ(kept({"--stop-words", stop}), both + "\n");
}

TEST_F(FrozenWords, SynonymsCountAsTheirCanonicalWord) {
  const std::string text = small_word(3), same = small_word(5);
  const std::string list = folder_.write("synonyms", same + "\t" + text + "\n");
  const auto distances = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "compare", "--text", text, same, "--method", "simhash,p-simhash,minhash", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Json methods = Json::parse(run(arguments, "avx2").out)["methods"];
    return std::pair(methods[0]["distance"].get<int>(), methods[1]["distance"].get<int>());
  };
  EXPECT_GT(distances({}).first, 0);
  EXPECT_GT(distances({}).second, 0);
  EXPECT_EQ(distances({"--synonyms", list}), std::pair(0, 0));

  const std::string corpus = folder_.write("two.txt", text + "\n" + same + "\n");
  for (const char* const command : {"dedup", "pairs"}) {
    const std::string to = folder_ / command;
    std::vector<std::string> arguments = {
        command,      corpus,        "--kind",     "lines", "--method", "simhash", "--param",
        "distance=0", "--no-verify", "--synonyms", list,    "-o",       to};
    ASSERT_EQ(run(arguments, "avx2").code, 0) << command;
    EXPECT_EQ(read_file(to).find(same), std::string::npos) << command;
  }
  EXPECT_EQ(read_file(folder_ / "dedup"), text + "\n");
  EXPECT_THAT(read_file(folder_ / "pairs"), HasSubstr("estimate"));

  // The scheme of the signatures is stored beside them, and signatures of another scheme are not compared
  // with them.
  for (const bool with : {false, true}) {
    std::vector<std::string> sign = {"sign",     corpus, "--kind", "lines",
                                     "--format", "raw",  "-o",     folder_ / (with ? "b" : "a")};
    if (with) sign.insert(sign.end(), {"--synonyms", list});
    ASSERT_EQ(run(sign, "avx2").code, 0);
  }
  EXPECT_NE(read_file(folder_ / "a.scheme"), read_file(folder_ / "b.scheme"));
  ASSERT_EQ(run({"hamming", "build", folder_ / "a", "-o", folder_ / "a.index"}, "avx2").code, 0);
  const Outcome searched =
      run({"hamming", "search", folder_ / "a.index", "--queries", folder_ / "b"}, "avx2");
  EXPECT_NE(searched.code, 0);
  EXPECT_THAT(searched.err, HasSubstr("the dictionaries or models have other content"));

  const Outcome shown =
      run({"segment", "--features", folder_.write("same.txt", same + "\n"), "--param", "synonyms=" + list},
          "avx2");
  EXPECT_THAT(shown.out, HasSubstr(text + ":"));
  EXPECT_EQ(shown.out.find(same + ":"), std::string::npos);
}

TEST_F(FrozenWords, DictionariesThatNoMethodReadsAreRefused) {
  const std::string stop = folder_.write("stop", small_word(5) + "\n"), text = folder_ / "texts.txt";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"sign", text, "--kind", "lines", "--param", "features=chars", "--stop-words", stop},
           {"pairs", text, "--kind", "lines", "--user-dict", stop, "-o", folder_ / "pairs.tsv"},
           {"compare", "--text", "a", "b", "--method", "minhash,edit", "--idf", stop}}) {
    const Outcome outcome = run(arguments, "avx2");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("doesn't look at words"));
  }
}

TEST_F(FrozenWords, AThesaurusDoesNotDecideAlone) {
  const std::vector<std::string> pairs = {"pairs",    folder_ / "texts.txt",
                                          "--kind",   "lines",
                                          "--method", "simhash",
                                          "--param",  "thesaurus=" + (folder_ / "groups"),
                                          "-o",       folder_ / "pairs.tsv",
                                          "--force"};
  EXPECT_EQ(run(pairs, "avx2").code, 0);
  std::vector<std::string> alone = pairs;
  alone.emplace_back("--no-verify");
  const Outcome outcome = run(alone, "avx2");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("never decide alone"));
}

TEST_F(FrozenWords, DocumentsWithoutSignatureAreCountedWithTheReason) {
  std::string texts, gold;
  for (int i = 0; i < 12; ++i) {
    texts += record(std::to_string(i), i < 9 ? small_texts(12, 1)[static_cast<std::size_t>(i)]
                                             : "an English text number " + std::to_string(i * i));
    gold += std::to_string(i) + "\t" + std::to_string(i / 2) + "\n";
  }
  const std::string corpus = folder_.write("mixed.jsonl", texts), truth = folder_.write("gold.tsv", gold);
  const std::vector<std::string> method = {"--method", "i-match", "--param", "low=0", "--param", "high=1"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), method.begin(), method.end());
    return run(arguments, "avx2");
  };
  const std::string reason = "3 documents lack enough words of the lexicon";
  const Outcome dedup = with({"dedup", corpus, "-o", folder_ / "kept.jsonl", "--json"});
  ASSERT_EQ(dedup.code, 0) << dedup.err;
  EXPECT_EQ(Json::parse(dedup.out)["without_signature"], 3);
  EXPECT_THAT(dedup.err, HasSubstr(reason));
  EXPECT_THAT(dedup.err, HasSubstr("leitong train"));
  EXPECT_THAT(with({"sign", corpus}).err, HasSubstr(reason));
  EXPECT_THAT(with({"tune", corpus, "--gold", truth}).err, HasSubstr(reason));
  folder_.write("a.txt", "an English text");
  folder_.write("b.txt", small_texts(1, 1)[0]);
  EXPECT_THAT(with({"compare", folder_ / "a.txt", folder_ / "b.txt"}).out,
              HasSubstr("A  lacks enough words of the lexicon"));
  const Outcome eval =
      run({"eval", corpus, "--gold", truth, "--methods", "i-match,default", "--json"}, "avx2");
  EXPECT_EQ(Json::parse(eval.out)["default"]["without_signature"], 0);
  EXPECT_EQ(Json::parse(eval.out)["i-match"]["without_signature"], 3);
  EXPECT_THAT(eval.err, HasSubstr("i-match: " + reason));
}

class Train : public Sign {
 protected:
  void SetUp() override {
    if (leitong({"sign", corpus_}).code != 0) GTEST_SKIP() << "no dictionary; ./dev setup fetches one";
  }
};

TEST_F(Train, MakesTheModelThatOtherMethodsNeed) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += record(std::to_string(i), std::string(kSampleText) + " thunder echo " +
                                          std::string(i % 5 + 1, 'x') + " " + std::to_string(i));
  const std::string corpus = folder_.write("texts.jsonl", text), model = folder_ / "terms.model";
  const Outcome without = leitong({"sign", corpus, "--method", "e-simhash"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("leitong train"));

  const Outcome trained = leitong({"train", corpus, "-o", model});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("of 30 documents"));
  EXPECT_NE(leitong({"train", corpus, "-o", model}).code, 0) << "nothing is replaced unasked";
  const Outcome small = leitong({"train", corpus, "-o", folder_ / "small", "--memory", "1M"});
  EXPECT_EQ(small.code, 4);
  EXPECT_THAT(small.err,
              HasSubstr("the memory budget is too small; the smallest that can work is 8M (--memory)"));
  ASSERT_EQ(leitong({"train", corpus, "-o", folder_ / "again", "--threads", "4"}).code, 0);
  EXPECT_EQ(read_file(model), read_file(folder_ / "again"));
  for (const std::string method :
       {"e-simhash", "e-simhash-literal", "p-simhash", "p-simhash-literal", "i-match", "simhash"}) {
    const Outcome outcome = leitong({"sign", corpus, "--method", method, "--param", "model=" + model});
    EXPECT_EQ(outcome.code, 0) << method << ": " << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("29\t")) << method;
  }
}

}  // namespace
}  // namespace leitong::test

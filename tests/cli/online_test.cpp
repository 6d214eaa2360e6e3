// The commands of the online index, and what remains after they are killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line) && !in.eof();) lines.push_back(json::parse(line));
  return lines;
}

std::string verdicts(const std::string& text) {
  std::string result;
  for (const json& line : lines_of(text)) {
    result += line.at("id").get<std::string>() + "=" + line.at("verdict").get<std::string>();
    if (line.contains("match")) result += ":" + line["match"]["id"].get<std::string>();
    result += ' ';
  }
  return result;
}

/// Sentences of random letters; some texts are copies of earlier ones, some are edited copies.
std::string corpus(std::uint32_t seed, int count) {
  std::mt19937 random(seed);
  const auto letter = [&] {
    const unsigned code = 0x3400 + random() % 0x1900;
    return std::string{static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
                       static_cast<char>(0x80 | (code & 0x3f))};
  };
  std::vector<std::vector<std::string>> texts;
  std::string lines;
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> text;
    if (i > 0 && random() % 2 == 0) {
      text = texts[random() % texts.size()];
      if (random() % 3 != 0)
        for (std::string& unit : text)
          if (random() % 30 == 0) unit = letter();
    } else {
      for (std::size_t n = 20 + random() % 300; n > 0; --n) text.push_back(letter());
    }
    texts.push_back(text);
    std::string joined;
    for (const std::string& unit : text) joined += unit;
    lines += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"" + joined + "\"}\n";
  }
  return lines;
}

TEST(OnlineCommands, CheckAddGetRemove) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  const std::string text = "渡船清晨六点开第一班，雾大的日子改到七点，风大的日子停航一天，票价不变。";
  const std::string input = json{{"id", "a"}, {"text", text}}.dump() + "\n" +
                            json{{"id", "b"}, {"text", "面团要发两次，一次在盆里，一次在模子里。"}}.dump() +
                            "\n" + json{{"id", "c"}, {"text", text + "请早到。"}}.dump() + "\n";

  const Outcome missing = leitong({"check", "-", "--index", place}, input);
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("there is no index here"));
  EXPECT_THAT(missing.err, HasSubstr("check --add"));

  const Outcome added = leitong({"check", "--add", "-", "--index", place}, input);
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(verdicts(added.out), "a=new b=new c=near:a ");
  EXPECT_THAT(added.err, HasSubstr("made a new index"));
  EXPECT_THAT(added.err, HasSubstr("3 documents: 2 new, 1 near, 0 exact"));
  const json near = lines_of(added.out)[2];
  EXPECT_GT(near["match"]["jaccard"], .7);
  EXPECT_FALSE(near.contains("bounded"));

  EXPECT_EQ(verdicts(leitong({"check", "-", "--index", place}, input).out), "a=exact:a b=exact:b c=exact:c ");
  const Outcome again = leitong({"add", "-", "--index", place, "--json"}, input);
  EXPECT_EQ(json::parse(again.out)["known"], 3);

  const Outcome got = leitong({"index", "get", "a", "c", "--index", place});
  EXPECT_EQ(lines_of(got.out)[0]["text"], text);
  EXPECT_EQ(lines_of(got.out)[1]["family"], "a");
  EXPECT_EQ(leitong({"index", "get", "nobody", "--index", place}).code, 1);

  EXPECT_EQ(leitong({"index", "remove", "a", "--index", place}).code, 0);
  EXPECT_EQ(verdicts(leitong({"check", "-", "--index", place}, input).out), "a=near:c b=exact:b c=exact:c ");
  const json stats = json::parse(leitong({"index", "stats", "--index", place, "--json"}).out);
  EXPECT_EQ(stats["texts"], 2);
  EXPECT_EQ(leitong({"index", "verify", "--index", place}).code, 0);

  const Outcome explained = leitong({"index", "explain", folder.write("t.txt", text), "--index", place});
  EXPECT_EQ(json::parse(explained.out)["candidates"][0]["fate"], "accepted") << explained.err;
}

TEST(OnlineCommands, ChangesGoOnAtTheCursor) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  EXPECT_EQ(leitong({"index", "changes", "--index", place}).code, 1);
  const auto record = [](const char* id, const char* text) {
    return json{{"id", id}, {"text", text}, {"source", "crawl"}}.dump() + "\n";
  };
  leitong({"add", "-", "--source-field", "source", "--index", place},
          record("a", "渡船清晨六点开第一班") + record("b", "面团要发两次"));
  const Outcome all = leitong({"index", "changes", "--texts", "--index", place});
  EXPECT_EQ(all.code, 0) << all.err;
  const std::vector<json> told = lines_of(all.out);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0], (json{{"change", "added"},
                           {"id", "a"},
                           {"verdict", "new"},
                           {"source", "crawl"},
                           {"text", "渡船清晨六点开第一班"}}));
  const std::string cursor = told[2].at("cursor");
  EXPECT_EQ(leitong({"index", "remove", "a", "--index", place}).code, 0);
  leitong({"add", "-", "--index", place}, record("c", "雾大的日子改到七点"));
  const std::vector<json> rest =
      lines_of(leitong({"index", "changes", "--since", cursor, "--index", place}).out);
  ASSERT_EQ(rest.size(), 3u);
  EXPECT_EQ(rest[0], (json{{"change", "removed"}, {"id", "a"}}));
  EXPECT_EQ(rest[1], (json{{"change", "added"}, {"id", "c"}, {"verdict", "new"}}));
  EXPECT_EQ(
      lines_of(leitong({"index", "changes", "--since", rest[2].at("cursor"), "--index", place}).out).size(),
      1u);
  EXPECT_EQ(leitong({"index", "changes", "--since", "x", "--index", place}).code, 2);
  EXPECT_EQ(leitong({"index", "changes", "--since", "1.0.0", "--index", place}).code, 1)
      << "of another index";
}

// Other commands add, remove and compact at the same time, and no command waits for another one.
TEST(OnlineCommands, ChangesAreFollowedUntilTheCommandIsStopped) {
  const TempFolder folder;
  const std::string place = folder / "seen", out = folder / "told";
  ASSERT_EQ(leitong({"index", "create", "--index", place}).code, 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::execl(LEITONG_BINARY, "leitong", "index", "changes", "--follow", "--index", place.c_str(), nullptr);
    ::_exit(127);
  }
  for (int round = 0; round < 6; ++round) {
    EXPECT_EQ(
        leitong({"add", "-", "--index", place, "--source", std::to_string(round)},
                json{{"id", std::to_string(round)}, {"text", "渡船" + std::to_string(round)}}.dump() + "\n")
            .code,
        0);
    if (round % 2 == 1) {
      EXPECT_EQ(leitong({"index", "remove", std::to_string(round), "--index", place}).code, 0);
      EXPECT_EQ(leitong({"index", "compact", "--index", place}).code, 0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(round == 5 ? 1500 : 400));
  }
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::string told;
  std::size_t cursors = 0;
  for (const json& line : lines_of(read_file(out))) {
    cursors += line.contains("cursor");
    if (!line.contains("cursor"))
      told += (line.at("change") == "added" ? "+" : "-") + line.at("id").get<std::string>() + " ";
  }
  // A text that was added and removed between two reads is reported only as removed.
  for (const std::string_view came : {"+0 ", "+2 ", "+4 "}) EXPECT_THAT(told, HasSubstr(came));
  for (const std::string_view left : {"-1 ", "-3 ", "-5 "}) EXPECT_THAT(told, HasSubstr(left));
  EXPECT_GE(cursors, 4u) << told;
  EXPECT_EQ(lines_of(read_file(out)).back().contains("cursor"), true);
}

TEST(OnlineCommands, FollowingEndsWithItsReader) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"index", "create", "--index", place}).code, 0);
  const Outcome piped =
      run_program({"bash", "-c",
                   std::string("'") + LEITONG_BINARY + "' index changes --follow --index '" + place +
                       "' | head -1 > /dev/null; echo ${PIPESTATUS[0]}"});
  EXPECT_EQ(piped.out, "141\n") << piped.err;
}

TEST(OnlineCommands, SourcesDatesAndCopies) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  const std::string input =
      json{{"id", "a"}, {"text", "渡船清晨六点开第一班"}, {"from", "x"}, {"on", "2026-11-01"}}.dump() + "\n" +
      json{{"id", "b"}, {"text", "面团要发两次"}, {"on", 1'800'000'000}}.dump() + "\n" +
      json{{"id", "c"}, {"text", "雾大的日子改到七点"}, {"on", "soon"}}.dump() + "\n";
  const std::vector<std::string> details = {
      "--source", "y", "--source-field", "from", "--time-field", "on", "--keep-days", "30", "--index", place};
  const auto with_details = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), details.begin(), details.end());
    return arguments;
  };
  EXPECT_EQ(leitong({"index", "begin", "y", "--index", place}).code, 0);
  const Outcome added = leitong(with_details({"check", "--add", "-"}), input);
  EXPECT_EQ(verdicts(added.out), "a=new b=new c=refused ");
  EXPECT_THAT(added.out, HasSubstr("holds no time: soon"));
  EXPECT_EQ(leitong({"index", "get", "b", "--index", place}).code, 1) << "it is set aside";
  EXPECT_THAT(leitong({"index", "commit", "y", "--index", place}).err, HasSubstr("1 text: 1 new"));
  EXPECT_EQ(leitong({"index", "rollback", "y", "--index", place}).code, 1);

  const Outcome exported = leitong({"index", "export", "--index", place});
  const std::vector<json> lines = lines_of(exported.out);
  ASSERT_EQ(lines.size(), 2u) << exported.err;
  EXPECT_EQ(lines[0]["source"], "x");
  EXPECT_EQ(lines[0]["time"], 1'793'491'200);
  EXPECT_EQ(lines[1]["expires"], 1'800'000'000 + 30 * 86'400);
  EXPECT_EQ(lines_of(leitong({"index", "export", "--source", "y", "--index", place}).out).size(), 1u);
  const std::string other = folder / "other", copy = folder / "copy";
  EXPECT_EQ(leitong({"index", "import", "-", "--index", other}, exported.out).code, 0);
  EXPECT_EQ(leitong({"index", "export", "--index", other}).out, exported.out);

  EXPECT_EQ(leitong({"index", "snapshot", copy, "--index", place}).code, 0);
  EXPECT_THAT(leitong({"index", "expire", "--before", "2026-12-02", "--index", place}).err,
              HasSubstr("removed 1 text"));
  EXPECT_EQ(leitong({"index", "expire", "--before", "soon", "--index", place}).code, 2);
  EXPECT_THAT(leitong({"index", "remove", "--source", "y", "--index", place}).err,
              HasSubstr("removed 1 text"));
  EXPECT_EQ(leitong({"index", "compact", "--index", place}).code, 0);
  EXPECT_EQ(leitong({"index", "export", "--index", place}).out, "");
  EXPECT_EQ(leitong({"index", "export", "--index", copy}).out, exported.out);
}

TEST(OnlineCommands, BuildGivesTheVerdictsOfAdding) {
  const TempFolder folder;
  const std::string place = folder / "seen", other = folder / "other";
  const std::string file = folder.write("c.jsonl", corpus(5, 400));
  const Outcome built = leitong({"index", "build", file, "--index", place});
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(leitong({"index", "build", file, "--index", place}).code, 2) << "it is there";
  EXPECT_EQ(leitong({"index", "verify", "--index", place}).code, 0);
  leitong({"add", file, "--index", other});
  EXPECT_EQ(leitong({"index", "export", "--index", place}).out,
            leitong({"index", "export", "--index", other}).out);
  EXPECT_EQ(leitong({"index", "build", folder / "nothing", "--index", folder / "none"}).code, 1);
  EXPECT_THAT(folder.list(), ::testing::Not(::testing::Contains(HasSubstr("none"))));
}

// A client that sends line by line receives line by line.
TEST(OnlineCommands, ALineIsAnsweredBeforeTheNextOneComes) {
  const TempFolder folder;
  const Outcome outcome = run_program({"bash", "-c", "cd " + folder.path().string() + R"(
coproc )" LEITONG_BINARY R"( check --add - --index seen 2> err
for i in 1 2 3; do
  echo '{"id":"'$i'","text":"渡船清晨六点开第一班，雾大的日子改到七点。"}' >&${COPROC[1]}
  read -t 20 -r line <&${COPROC[0]} || echo "no answer"
  echo "$line"
done)"});
  EXPECT_EQ(verdicts(outcome.out), "1=new 2=exact:1 3=exact:1 ") << outcome.out << read_file(folder / "err");
}

TEST(OnlineCommands, TheExitCodeSaysWhetherADocumentWasSeenIfRequested) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"add", "-", "--index", place}, corpus(1, 20)).code, 0);
  const std::string fresh = json{{"id", "x"}, {"text", "面团要发两次，一次在盆里"}}.dump() + "\n";
  const auto code = [&](const std::string& input) {
    return leitong({"check", "-", "--kind", "jsonl", "--exit-code", "--index", place}, input).code;
  };
  EXPECT_EQ(code(fresh), 0);
  EXPECT_EQ(code(fresh + corpus(1, 1)), 1);
  EXPECT_EQ(leitong({"check", "-", "--index", place}, corpus(1, 1)).code, 0) << "it wasn't asked for";
  EXPECT_EQ(code("{broken\n" + fresh), 0) << "a record that can't be read isn't seen";
  EXPECT_EQ(code("{broken\n"), 2) << "no record could be read, which is 1 otherwise";
  EXPECT_EQ(leitong({"check", folder / "nothing", "--exit-code", "--index", place}).code, 2);
  EXPECT_EQ(leitong({"check", "-", "--exit-code", "--index", folder / "none"}, fresh).code, 2);
}

// A client that waits for the answer to each record gets an answer to every record.
TEST(OnlineCommands, ARecordThatCannotBeReadIsAnsweredInItsPlace) {
  const TempFolder folder;
  const std::string input =
      "{\"id\":\"1\",\"text\":\"abc\"}\n{\"id\":\"2\",\"te\n{\"id\":\"3\"}\n\n{\"text\":\"\xff\"}\n"
      "{\"id\":\"5\",\"text\":\"\"}\n{\"id\":\"6\",\"text\":\"\"}\n{\"id\":\"7\",\"text\":\"abc\"}\n{";
  for (const std::vector<std::string>& task : {std::vector<std::string>{"check", "--add"}, {"check"}}) {
    std::vector<std::string> arguments = task;
    arguments.insert(arguments.end(), {"-", "--kind", "jsonl", "--index", folder / "seen"});
    const Outcome outcome = leitong(arguments, input);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("4 records couldn't be read"));
    const std::vector<json> lines = lines_of(outcome.out);
    std::string ids;
    for (const json& line : lines) ids += line["id"].get<std::string>() + " ";
    ASSERT_EQ(ids, "1 2 3 -:5:10 5 6 7 -:9:1 ");
    for (const std::size_t refused : {1, 2, 3, 7}) {
      EXPECT_EQ(lines[refused]["verdict"], "refused");
      EXPECT_TRUE(lines[refused].contains("reason"));
    }
    EXPECT_EQ(lines[5]["verdict"], "exact") << "empty texts are seen if they are equal";
    EXPECT_EQ(lines[6]["verdict"], "exact");
  }
  const Outcome exported = leitong({"index", "export", "--index", folder / "seen"});
  EXPECT_EQ(leitong({"index", "import", "-", "--index", folder / "other"}, exported.out).code, 0);
  EXPECT_EQ(leitong({"index", "export", "--index", folder / "other"}).out, exported.out);
}

TEST(OnlineCommands, WhatIsNoHomeIsRefused) {
  const TempFolder folder;
  for (const std::string place : {"redi://127.0.0.1/i", "http://127.0.0.1:8380/seen"}) {
    const Outcome outcome = leitong({"add", "-", "--index", place}, corpus(1, 2));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("name a folder, redis://"));
    EXPECT_FALSE(std::filesystem::exists(place));
  }
}

TEST(OnlineCommands, AFieldThatNoDocumentHasIsAnError) {
  const TempFolder folder;
  const std::string input = json{{"id", "a"}, {"text", "渡船清晨六点开"}, {"on", "2026-11-01"}}.dump() +
                            "\n" + json{{"id", "b"}, {"text", "面团要发两次"}}.dump() + "\n";
  for (const char* const flag : {"--time-field", "--expires-field", "--source-field"}) {
    const Outcome typo = leitong({"add", "-", flag, "typo", "--index", folder / "seen"}, input);
    EXPECT_EQ(typo.code, 2) << flag;
    EXPECT_THAT(typo.err,
                HasSubstr("no document has a value of the field \"typo\": field \"typo\" is missing "
                          "(found: id, on, text)"));
  }
  const Outcome some = leitong({"add", "-", "--time-field", "on", "--index", folder / "seen"}, input);
  EXPECT_EQ(some.code, 0);
  EXPECT_THAT(some.err, HasSubstr("1 document has no value of the field \"on\""));
  const std::string file = folder.write("two.jsonl", input);
  EXPECT_EQ(leitong({"index", "build", file, "--time-field", "typo", "--index", folder / "built"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "built"));
}

// The same records in the same bytes, for each command that reads them.
TEST(OnlineCommands, RecordsThatCannotBeReadGoToTheQuarantineAsInDedup) {
  const TempFolder folder;
  const std::string file = folder.write(
      "c.jsonl", corpus(1, 3) + "{\"id\":\"2\",\"te\n{\"id\":\"\xe5\x9b\x9b\"}\n" + corpus(2, 2));
  const std::string of_dedup = folder / "dedup.jsonl";
  ASSERT_EQ(leitong({"dedup", file, "--quarantine", of_dedup}).code, 0);
  const std::string place = folder / "seen", quarantine = folder / "bad.jsonl";
  for (const std::vector<std::string>& task : {std::vector<std::string>{"add", "--index", place},
                                               {"check", "--index", place},
                                               {"index", "build", "--index", folder / "built"}}) {
    std::vector<std::string> arguments = task;
    arguments.insert(arguments.end(), {file, "--quarantine", quarantine, "--force"});
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_file(quarantine), read_file(of_dedup)) << task.front();
    std::filesystem::resize_file(quarantine, 0);
  }
  const Outcome again = leitong({"check", file, "--quarantine", quarantine, "--index", place});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("exists; force overwrites it (--force)"));
  const Outcome mixed = leitong({"check", file, "--quarantine", "-", "--index", place});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err, HasSubstr("can't both go to standard output"));
  const std::string bytes = read_file(file);
  EXPECT_EQ(leitong({"add", file, "--quarantine", file, "--force", "--index", place}).code, 2);
  EXPECT_EQ(read_file(file), bytes);
}

// Checked for an index that is open, for one that will be made, and for one that the command does not use.
TEST(OnlineCommands, NoOutputIsWrittenIntoTheFolderOfAnIndex) {
  const TempFolder folder;
  const std::string file = folder.write("c.jsonl", corpus(1, 3)), place = folder / "seen";
  ASSERT_EQ(leitong({"add", file, "--index", place}).code, 0);
  const std::string secret = read_file(folder / "seen/secret");
  std::filesystem::create_directory_symlink(place, folder / "link");
  for (const std::string& inside :
       {folder / "seen/secret", folder / "seen/segment-new", folder / "seen/texts/x", folder / "link/x"}) {
    for (const std::vector<std::string>& task :
         {std::vector<std::string>{"add", file, "--force", "--index", place, "--quarantine"},
          {"check", file, "--force", "--index", place, "--quarantine"},
          {"add", file, "--index", folder / "other", "--quarantine"},
          {"dedup", file, "--force", "-o"},
          {"dedup", file, "--reference-index", place, "--force", "-o"}}) {
      std::vector<std::string> arguments = task;
      arguments.push_back(inside);
      const Outcome outcome = leitong(arguments);
      EXPECT_EQ(outcome.code, 2) << inside << ": " << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("would lie in the index"));
    }
  }
  EXPECT_EQ(leitong({"add", file, "--index", folder / "new", "--quarantine", folder / "new/bad"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
  EXPECT_FALSE(std::filesystem::exists(folder / "seen/segment-new"));
  EXPECT_EQ(read_file(folder / "seen/secret"), secret);
  EXPECT_EQ(leitong({"index", "verify", "--index", place}).code, 0);
}

TEST(OnlineCommands, AnImportThatLeavesSomethingOutFails) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  const std::string good = corpus(1, 2);
  for (const std::string& bad :
       {std::string("{\"id\":\"n\\u0000\",\"text\":\"x\"}\n"), std::string("{broken\n"),
        std::string("{\"id\":\"e\",\"text\":\"x\",\"expires\":9223372036854775807}\n"),
        std::string("{\"id\":\"1\",\"text\":\"another one\"}\n")}) {
    const Outcome outcome = leitong({"index", "import", "-", "--index", place}, good + bad);
    EXPECT_EQ(outcome.code, 1) << bad << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("1 record was not imported"));
  }
  EXPECT_EQ(leitong({"index", "import", "-", "--index", place}, good).code, 0)
      << "what is there already is imported";
}

TEST(OnlineCommands, FlagsAboutAdditionsAreRefusedWhereNothingIsAdded) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"add", "-", "--index", place}, corpus(1, 2)).code, 0);
  for (const std::vector<std::string>& flag : {std::vector<std::string>{"--source", "s"},
                                               {"--source-field", "f"},
                                               {"--time-field", "f"},
                                               {"--expires-field", "f"},
                                               {"--keep-days", "1"},
                                               {"--durability", "none"},
                                               {"--no-texts"}}) {
    std::vector<std::string> arguments = {"check", "-", "--index", place};
    arguments.insert(arguments.end(), flag.begin(), flag.end());
    const Outcome refused = leitong(arguments, corpus(1, 2));
    EXPECT_EQ(refused.code, 2) << flag.front();
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr(flag.front() + " is about documents that are added"));
  }
}

// The words of a text are part of its fingerprint, so an index stores which dictionary files it uses, and
// their content.
TEST(OnlineCommands, AnIndexKeepsToTheDictionariesThatItWasMadeWith) {
  const TempFolder folder;
  const std::string golden = LEITONG_SOURCE_DIR "/tests/golden/";
  const std::vector<std::string> environment = {"LEITONG_DATA=" + golden,
                                                "XDG_CACHE_HOME=" + folder.path().string()};
  const std::string words = folder.write("words.txt", "图书 900 n\n"),
                    same = folder.write("moved/words.txt", "图书 900 n\n"),
                    others = folder.write("others.txt", "下午的 900 n\n");
  const std::string synonyms = folder.write("synonyms.tsv", "忽然\t突然\n");
  const auto run = [&](const std::vector<std::string>& command, const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return leitong(arguments, {}, environment);
  };
  // Relative names, as a user types them.
  const Outcome made = run_program(
      {"bash", "-c",
       "cd " + folder.path().string() + " && " LEITONG_BINARY + " add " + golden +
           "corpus.jsonl --scheme simhash --user-dict words.txt" + " --synonyms synonyms.tsv --index prints"},
      {}, environment);
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string place = folder / "prints";
  const std::vector<std::string> check = {"check", golden + "corpus.jsonl", "--index", place};
  const std::string answers = run(check).out;
  EXPECT_THAT(answers, HasSubstr("\"exact\""));
  EXPECT_EQ(run(check, {"--user-dict", same}).out, answers) << "the content counts";
  EXPECT_EQ(run({"index", "verify", "--index", place}).code, 0);

  const Outcome other = run(check, {"--user-dict", others});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("the dictionaries or models have other content"));
  EXPECT_THAT(other.err, HasSubstr("name the files that the index was made with"));

  std::filesystem::rename(words, folder / "gone.txt");
  const Outcome missing = run({"index", "stats", "--index", place});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("was made with the file " + words + ", which isn't there"));
  EXPECT_EQ(run(check, {"--user-dict", same}).out, answers);
  folder.write("words.txt", "下午的 900 n\n");
  EXPECT_THAT(run({"index", "stats", "--index", place}).err, HasSubstr("have other content"));

  const Outcome useless =
      run({"add", golden + "corpus.jsonl", "--index", folder / "seen"}, {"--user-dict", same});
  EXPECT_EQ(useless.code, 2);
  EXPECT_THAT(useless.err, HasSubstr("doesn't look at words"));
  EXPECT_FALSE(std::filesystem::exists(folder / "seen"));
}

// The digits that sign writes, for texts that no longer exist.
TEST(OnlineCommands, FingerprintsStandInPlaceOfTexts) {
  const TempFolder folder;
  const std::string file = folder.write("c.jsonl", corpus(3, 40));
  const std::vector<std::string> scheme = {"--param", "features=chars", "--param", "top=0"};
  const auto with_scheme = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), scheme.begin(), scheme.end());
    return leitong(arguments);
  };
  const std::string hex = folder / "hex.jsonl", binary = folder / "binary.jsonl";
  ASSERT_EQ(with_scheme({"sign", file, "--format", "jsonl", "-o", hex}).code, 0);
  ASSERT_EQ(with_scheme({"sign", file, "--format", "jsonl", "--digits", "binary", "-o", binary}).code, 0);
  const std::string of_texts = folder / "texts", of_digits = folder / "digits";
  ASSERT_EQ(with_scheme({"add", file, "--scheme", "simhash", "--index", of_texts}).code, 0);
  const std::vector<std::string> field = {"--fingerprint-field", "signature"};
  const auto made = with_scheme({"index", "build", hex, "--fingerprint-field", "signature", "--scheme",
                                 "simhash", "--no-texts", "--json", "--index", of_digits});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(json::parse(made.out)["documents"], 40);
  // Copies are near texts of distance 0, since there is no text whose content could be compared.
  const auto seen = [&](const std::string& input, const std::string& place, bool digits) {
    std::vector<std::string> arguments = {"check", input, "--index", place};
    if (digits) arguments.insert(arguments.end(), field.begin(), field.end());
    const Outcome outcome = leitong(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::string ids;
    for (const json& line : lines_of(outcome.out))
      ids += line["match"]["id"].get<std::string>() + "/" +
             std::to_string(line["match"].value("distance", 0)) + " ";
    return ids;
  };
  const std::string by_digits = seen(hex, of_digits, true);
  EXPECT_EQ(seen(binary, of_digits, true), by_digits);
  EXPECT_EQ(seen(file, of_digits, false), by_digits);
  EXPECT_EQ(seen(hex, of_texts, true), by_digits);

  const Outcome wrong = leitong({"check", "-", "--kind", "jsonl", field[0], field[1], "--index", of_digits},
                                "{\"id\":\"a\",\"signature\":\"0xyz\"}\n{\"id\":\"b\",\"signature\":\"" +
                                    std::string(32, '1') + "\"}\n");
  for (const std::size_t line : {0, 1}) EXPECT_EQ(lines_of(wrong.out).at(line)["verdict"], "refused");
  EXPECT_THAT(wrong.out,
              HasSubstr("holds no fingerprint: 0xyz; give 16 hexadecimal digits, or 64 binary ones"));
  EXPECT_THAT(wrong.out, HasSubstr("holds no fingerprint: 1111"));
  const std::string others = folder / "others.jsonl";
  ASSERT_EQ(leitong({"sign", file, "--format", "jsonl", "--param", "features=chars", "--param", "top=9", "-o",
                     others})
                .code,
            0);
  const Outcome refused = leitong({"check", others, field[0], field[1], "--index", of_digits});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("parameter top: 0 and 9"));
  ASSERT_EQ(leitong({"add", file, "--index", folder / "seen"}).code, 0);
  const Outcome of_texts_alone = leitong(
      {"check", "-", "--kind", "jsonl", field[0], field[1], "--index", folder / "seen"}, read_file(hex));
  EXPECT_EQ(of_texts_alone.code, 2);
  EXPECT_THAT(of_texts_alone.err, HasSubstr("the fingerprint field \"signature\": the index compares texts"));
}

TEST(OnlineCommands, JsonAfterABrokenFirstLineIsNotTakenForLines) {
  const TempFolder folder;
  const Outcome outcome =
      leitong({"check", "--add", "-", "--index", folder / "seen"}, "oops\n" + corpus(1, 2));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("name the kind jsonl, or lines"));
}

TEST(OnlineCommands, ACopySaysWhatItLacks) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  leitong({"index", "begin", "crawl-7", "--index", place});
  const Outcome copied = leitong({"index", "snapshot", folder / "copy", "--index", place});
  EXPECT_EQ(copied.code, 0);
  EXPECT_THAT(copied.err, HasSubstr("lacks what is set aside of \"crawl-7\""));
}

TEST(OnlineCommands, AnotherSchemeIsRefusedWithWhatCanBeDone) {
  const TempFolder folder;
  const std::string place = folder / "prints";
  ASSERT_EQ(
      leitong({"index", "create", "--scheme", "simhash", "--param", "distance=3", "--index", place}).code, 0);
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--scheme", "default"}, {"--scheme", "simhash", "--param", "distance=5"}}) {
    std::vector<std::string> arguments = {"add", "-", "--index", place};
    arguments.insert(arguments.end(), other.begin(), other.end());
    const Outcome refused = leitong(arguments, corpus(1, 1));
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("leave the scheme and its parameters out, or make another index"));
  }
  const Outcome far = leitong(
      {"index", "create", "--scheme", "simhash", "--param", "distance=99", "--index", folder / "far"});
  EXPECT_THAT(far.err, HasSubstr("from 0 to 16"));
}

// As root the folder is mounted read only; as another user its permissions forbid writing.
TEST(OnlineCommands, AFolderThatCannotBeWrittenIsRead) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"add", "-", "--index", place}, corpus(1, 50)).code, 0);
  const std::string input = folder.write("in.jsonl", corpus(1, 3));
  const std::string is_root = ::geteuid() == 0 ? "1" : "0";
  const std::string reads = "check " + input +
                            "|index get 1|index stats|index export|index verify|index explain " +
                            folder.write("t.txt", "渡船清晨六点开");
  const std::string writes =
      "add " + folder.write("new.jsonl", json{{"id", "new"}, {"text", "雾大的日子改到七点"}}.dump() + "\n") +
      "|index remove 1|index compact";
  const std::string script =
      "run() { IFS='|'; for command in $1; do IFS=' '; '" LEITONG_BINARY "' $command --index " + place +
      " > /dev/null; echo \"$command: $?\"; done; }\n"
      "if [ " +
      is_root + " = 1 ]; then mount --bind " + place + " " + place + " && mount -o remount,ro,bind " + place +
      " || { echo no mount; exit; }\n"
      "else chmod -R a-w " +
      place +
      "; fi\n"
      "run '" +
      reads + "'\nrun '" + writes + "'\n";
  std::vector<std::string> program = {"bash", "-c", script};
  if (::geteuid() == 0) program.insert(program.begin(), {"unshare", "-m"});
  const Outcome outcome = run_program(program);
  std::filesystem::permissions(place, std::filesystem::perms::owner_all, std::filesystem::perm_options::add);
  if (::geteuid() == 0 && outcome.out.find("index stats: ") == std::string::npos)
    GTEST_SKIP() << "NOT TESTED: no mount may be made here";
  for (const char* const read : {"check", "get", "stats", "export", "verify", "explain"})
    EXPECT_THAT(outcome.out, ::testing::ContainsRegex(std::string(read) + "[^\n]*: 0\n")) << outcome.err;
  for (const char* const write : {"add", "remove", "compact"})
    EXPECT_THAT(outcome.out, ::testing::ContainsRegex(std::string(write) + "[^\n]*: 5\n")) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the folder can't be written"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("open elsewhere")));
}

TEST(OnlineCommands, DamageIsNamedAndRepaired) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  leitong({"add", "-", "--index", place}, corpus(1, 50));
  const std::string secret = place + "/secret";
  EXPECT_EQ(read_file(secret).size(), 16u);
  EXPECT_EQ(leitong({"index", "repair", "--index", place}).code, 0);
  const Outcome whole = leitong({"index", "verify", "--index", place});
  EXPECT_EQ(whole.code, 0) << whole.err;
  std::string segment;
  for (const std::string& name : folder.list())
    if (name.find("segment-") != std::string::npos) segment = name;
  ASSERT_FALSE(segment.empty());
  std::filesystem::resize_file(folder / segment, 1000);
  const Outcome damaged = leitong({"check", "-", "--index", place}, corpus(1, 1));
  EXPECT_EQ(damaged.code, 1);
  EXPECT_THAT(damaged.err, HasSubstr("segment-"));
  EXPECT_EQ(leitong({"index", "repair", "--index", place}).code, 0);
  std::filesystem::remove(secret);
  const Outcome without = leitong({"check", "-", "--index", place}, corpus(1, 1));
  EXPECT_EQ(without.code, 1);
  EXPECT_THAT(without.err, HasSubstr("secret: is missing; repair the index"));
  EXPECT_EQ(leitong({"index", "repair", "--index", place}).code, 0);
  EXPECT_EQ(verdicts(leitong({"check", "-", "--index", place}, corpus(1, 2)).out), "0=exact:0 1=exact:1 ");
}

TEST(OnlineCommands, DamagedAndMissingSegmentsNameTheRepair) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"add", "-", "--index", place}, corpus(1, 20)).code, 0);
  ASSERT_EQ(leitong({"index", "compact", "--index", place}).code, 0);
  std::string segment;
  for (const std::string& name : folder.list())
    if (name.find("segment-") != std::string::npos) segment = name;
  ASSERT_FALSE(segment.empty());
  std::filesystem::resize_file(folder / segment, 1000);
  const Outcome damaged = leitong({"index", "stats", "--index", place});
  EXPECT_EQ(damaged.code, 1);
  EXPECT_THAT(damaged.err, HasSubstr("`leitong index repair`"));
  EXPECT_THAT(damaged.err, Not(HasSubstr("make the file anew")));
  std::filesystem::remove(folder / segment);
  const Outcome missing = leitong({"index", "stats", "--index", place});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("is missing; repair the index by `leitong index repair`"));
  EXPECT_THAT(missing.err, Not(HasSubstr("leitong index create")));
}

TEST(OnlineCommands, WhereThereIsNoIndexARepairChangesNothing) {
  const TempFolder folder;
  const std::string place = folder / "empty";
  std::filesystem::create_directory(place);
  const Outcome repaired = leitong({"index", "repair", "--index", place});
  EXPECT_EQ(repaired.code, 1);
  EXPECT_THAT(repaired.err, HasSubstr("there is no index here"));
  EXPECT_TRUE(std::filesystem::is_empty(place));
  EXPECT_EQ(leitong({"index", "create", "--index", place}).code, 0);
}

TEST(OnlineCommands, ExplainTakesOneTextThatCanBeRead) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"add", "-", "--index", place}, corpus(1, 3)).code, 0);
  folder.write("two/a.txt", "one text");
  folder.write("two/b.txt", "another text");
  const std::string files[] = {folder.write("nul.txt", std::string_view("a\0b", 3)),
                               folder.write("broken.txt", "渡船清晨\xff\xc0六点开第一班"),
                               folder.write("empty.txt", ""), folder.write("a.png", "\x89PNG\r\n\x1a\n"),
                               folder / "two"};
  for (const std::string& file : files) {
    const Outcome explained = leitong({"index", "explain", file, "--index", place});
    EXPECT_NE(explained.code, 0) << file;
    EXPECT_EQ(explained.out, "") << file;
    EXPECT_THAT(explained.err, HasSubstr(file));
  }
}

TEST(OnlineCommands, WithoutInputNoIndexIsMade) {
  const TempFolder folder;
  const std::string missing = folder / "missing.jsonl", place = folder / "seen";
  const std::vector<std::string> commands[] = {{"add"}, {"check", "--add"}, {"index", "import"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {missing, "--index", place});
    const Outcome added = leitong(command);
    EXPECT_EQ(added.code, 1) << command[0];
    EXPECT_THAT(added.err, HasSubstr(missing));
    EXPECT_FALSE(std::filesystem::exists(place)) << command[0];
  }
}

TEST(OnlineCommands, WhatIsKeptForNoDaysExpiresNow) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"add", "-", "--index", place, "--keep-days", "0"}, corpus(1, 3)).code, 0);
  const Outcome expired = leitong({"index", "expire", "--before", "2100-01-01", "--index", place});
  EXPECT_THAT(expired.err, HasSubstr("removed 3 texts"));
}

TEST(OnlineCommands, AllIdsThatAreMissingAreNamed) {
  const TempFolder folder;
  const std::string place = folder / "seen";
  ASSERT_EQ(leitong({"add", "-", "--index", place}, corpus(1, 3)).code, 0);
  const Outcome missing = leitong({"index", "get", "zz", "0", "", "--index", place});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("\"zz\", \"\""));
  const Outcome both = leitong({"index", "remove", "0", "--source", "s", "--index", place});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("leave one out"));
}

// A limit on the size of files acts like a full disk: here a batch has no room at all.
TEST(OnlineCommands, AFullDiskEndsAdditionsAndLosesNothing) {
  const TempFolder folder;
  const std::string texts = corpus(4, 12000);
  const std::string input = folder.write("texts.jsonl", texts);
  const std::string place = folder / "seen";
  std::size_t begin = 0;
  for (int line = 0; line < 4000; ++line) begin = texts.find('\n', begin) + 1;
  ASSERT_EQ(leitong({"add", "-", "--index", place}, texts.substr(0, begin)).code, 0);
  ASSERT_EQ(leitong({"index", "compact", "--index", place}).code, 0);
  const Outcome full = run_program({"bash", "-c",
                                    "set -o pipefail; (ulimit -f 64; exec " LEITONG_BINARY " check --add " +
                                        input + " --index " + place + " --durability none) | cat"});
  EXPECT_EQ(full.code, 5) << full.err;
  EXPECT_THAT(full.err, HasSubstr("can't be read or written"));
  const std::size_t printed = lines_of(full.out).size();
  EXPECT_GT(printed, 1000u);
  EXPECT_LT(printed, 12000u);
  const Outcome again = leitong({"add", input, "--index", place, "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(json::parse(again.out)["documents"], 12000);
  EXPECT_EQ(json::parse(again.out)["known"], printed);
  EXPECT_EQ(leitong({"index", "verify", "--index", place}).code, 0);
}

/// Starts leitong, kills it when so many bytes of its output were read and some microseconds have passed, and
/// returns what it printed. It prints into a pipe, which blocks it: it cannot end before the bytes are read.
std::string killed(std::vector<std::string> arguments, std::size_t bytes, unsigned microseconds) {
  arguments.insert(arguments.begin(), LEITONG_BINARY);
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(ends[1], 1);
    ::dup2(null, 2);
    ::close(ends[0]);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string printed, piece(1 << 16, '\0');
  const auto read_some = [&](std::size_t most) {
    const ssize_t got = ::read(ends[0], piece.data(), std::min(most, piece.size()));
    printed.append(piece, 0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return got > 0;
  };
  while (printed.size() < bytes && read_some(bytes - printed.size())) {
  }
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  while (read_some(piece.size())) {
  }
  ::close(ends[0]);
  return printed;
}

// LEITONG_KILLS sets another number of kills.
TEST(OnlineCommands, WhatWasPrintedSurvivesKills) {
  const char* const wish = std::getenv("LEITONG_KILLS");
  const int kills = wish != nullptr ? std::atoi(wish) : 12;
  const TempFolder folder;
  // Some batches of 256 KB, so that the command runs long enough to be killed.
  const std::string input = folder.write("texts.jsonl", corpus(2, 12000));
  const std::string place = folder / "seen", expected_place = folder / "expected";
  for (const std::string& one : {place, expected_place}) {
    std::filesystem::create_directories(one);
    std::ofstream(one + "/secret", std::ios::binary) << "0123456789abcdef";
  }
  const Outcome whole = leitong({"check", "--add", input, "--index", expected_place, "--durability", "none"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  std::vector<std::string> expected;
  // The loss depends on the templates that the index knows, and it knows more of them at the second query.
  const auto told = [](json line) {
    if (!line.contains("match")) return line["verdict"].get<std::string>();
    line["match"].erase("loss");
    line["match"].erase("covered");
    return line["verdict"].get<std::string>() + line["match"].dump();
  };
  for (const json& line : lines_of(whole.out)) expected.push_back(told(line));

  std::mt19937 random(3);
  std::size_t most = 0, in_the_middle = 0;
  const auto compare = [&](const std::string& printed) {
    std::size_t count = 0;
    for (const json& line : lines_of(printed)) {
      const std::size_t i = std::stoul(line["id"].get<std::string>());
      ASSERT_EQ(told(line), expected[i]) << "text " << i;
      // What was printed once must be in the index from then on.
      if (i < most) {
        ASSERT_TRUE(line.contains("known")) << "text " << i << " was lost";
      }
      ++count;
    }
    in_the_middle += count > 0 && count < expected.size();
    most = std::max(most, count);
  };
  for (int i = 0; i < kills; ++i) {
    if (most == expected.size()) {  // begin again
      std::filesystem::remove_all(place);
      std::filesystem::create_directories(place);
      std::ofstream(place + "/secret", std::ios::binary) << "0123456789abcdef";
      most = 0;
    }
    // Sometimes before anything is printed: while the index is made or opened.
    const std::size_t bytes = random() % 8 == 0 ? 0 : random() % whole.out.size();
    compare(
        killed({"check", "--add", input, "--index", place}, bytes, static_cast<unsigned>(random() % 20000)));
    if (HasFatalFailure()) return;
  }
  std::printf("printed lines: %d kills, %zu of them in the middle\n", kills, in_the_middle);
  EXPECT_GT(in_the_middle, static_cast<std::size_t>(kills / 3)) << "too few kills met it at work";
  const Outcome last = leitong({"check", "--add", input, "--index", place});
  ASSERT_EQ(last.code, 0) << last.err;
  compare(last.out);
  EXPECT_EQ(most, expected.size());
  EXPECT_EQ(leitong({"index", "verify", "--index", place}).code, 0);
}

TEST(OnlineCommands, CheckLeavesOutWhatDoesNotCount) {
  const TempFolder folder;
  const std::string place = folder / "articles";
  std::vector<std::string> texts;
  for (const json& line : lines_of(corpus(61, 60)))
    if (const auto& text = line["text"].get_ref<const std::string&>(); text.size() > 600 && texts.size() < 3)
      texts.push_back(text);
  ASSERT_EQ(texts.size(), 3u);
  const std::string copied = texts[0].substr(0, 300), own = texts[2];
  const std::string articles =
      folder.write("articles.jsonl", json{{"id", "a"}, {"text", texts[0]}, {"by", "li"}}.dump() + "\n");
  ASSERT_EQ(leitong({"add", articles, "--index", place, "--scheme", "reuse", "--source-field", "by"}).code,
            0);
  const std::string essay =
      folder.write("essay.jsonl",
                   json{{"id", "e"}, {"text", own + "“" + copied + "”（某甲）"}, {"by", "li"}}.dump() + "\n");
  const auto asked = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"check", essay, "--index", place});
    return leitong(flags);
  };
  EXPECT_EQ(verdicts(asked({}).out), "e=parts ");
  EXPECT_EQ(verdicts(asked({"--exclude", "bibliography"}).out), "e=parts ");
  EXPECT_EQ(verdicts(asked({"--exclude", "quotations,bibliography"}).out), "e=new ");
  EXPECT_EQ(verdicts(asked({"--exclude", "same_source", "--source-field", "by"}).out), "e=new ");
  EXPECT_EQ(verdicts(asked({"--exclude", "same_source", "--source", "wang"}).out), "e=parts ");
  EXPECT_EQ(verdicts(asked({"--base", folder.write("sheet.txt", texts[0])}).out), "e=new ");
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--exclude", "all"},
                                                {"--exclude", "same_source"},
                                                {"--exclude", "quotations", "--add"},
                                                {"--base", essay, "--add"},
                                                {"--source", "li"}})
    EXPECT_EQ(asked(wrong).code, 2) << wrong[0];
}

}  // namespace
}  // namespace leitong::test

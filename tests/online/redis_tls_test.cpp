// An index on a Redis server that is reached by TLS, and the access to it: certificates, passwords and users.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "opened_index.hpp"
#include "random_texts.hpp"
#include "redis_servers.hpp"
#include "temp_folder.hpp"

namespace leitong::online {
namespace {

void run(const std::string& command) {
  if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) throw std::runtime_error(command);
}

/// Certificate authorities in a folder, and the certificates that they sign.
class Certificates {
 public:
  explicit Certificates(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    for (const char* const name : {"ca", "other-ca"})
      run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=" +
          std::string(name) + " -keyout " + file(name, ".key") + " -out " + file(name, ".pem"));
  }
  [[nodiscard]] std::string file(const std::string& name, const std::string& end = ".pem") const {
    return (folder_ / (name + end)).string();
  }
  /// Signed by the authority "ca". `whom` is a subjectAltName.
  void make(const std::string& name, const std::string& whom) const {
    run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name + " -addext " +
        "subjectAltName=" + whom + " -keyout " + file(name, ".key") + " -out " + file(name, ".csr"));
    run("openssl x509 -req -days 2 -copy_extensions copy -in " + file(name, ".csr") + " -CA " + file("ca") +
        " -CAkey " + file("ca", ".key") + " -CAcreateserial -out " + file(name));
  }

 private:
  std::filesystem::path folder_;
};

class OnlineRedisTls : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = no_redis(); !why.empty()) GTEST_SKIP() << "NOT TESTED ON REDIS: " << why;
    if (std::system("openssl version >/dev/null 2>&1") != 0) GTEST_SKIP() << "NOT TESTED BY TLS: no openssl";
    certificates_ = std::make_unique<Certificates>(folder_.path() / "certificates");
    certificates_->make("server", "IP:127.0.0.1");
    certificates_->make("client", "DNS:client");
    server_ = std::make_unique<RedisServerProcess>(
        folder_.path() / "s", free_port(),
        "tls-port " + std::to_string(port_) + "\ntls-cert-file " + certificates_->file("server") +
            "\ntls-key-file " + certificates_->file("server", ".key") + "\ntls-ca-cert-file " +
            certificates_->file("ca") + "\n");
  }
  [[nodiscard]] std::string place(const std::string& host, const std::string& authority,
                                  bool as_client) const {
    return "rediss://" + host + ":" + std::to_string(port_) + "/i?ca=" + certificates_->file(authority) +
           (as_client
                ? "&cert=" + certificates_->file("client") + "&key=" + certificates_->file("client", ".key")
                : "");
  }

  TempFolder folder_{"tls"};
  std::unique_ptr<Certificates> certificates_;
  int port_ = free_port();
  std::unique_ptr<RedisServerProcess> server_;
};

std::string refusal(const std::string& place) {
  const Context context;
  const auto opened = Index::open(context, place, {.remote = {.tries = 2}});
  return opened ? "" : opened.error().message;
}

TEST_F(OnlineRedisTls, AnIndexOverTlsAnswersAsAnyOther) {
  Opened opened(place("127.0.0.1", "ca", true));
  RandomTexts random(81);
  std::vector<std::string> texts, ids;
  for (int i = 0; i < 600; ++i)
    texts.push_back(i % 3 == 2 ? texts.back() : random.text(100 + random.below(3000)));
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  std::vector<Text> batch;
  for (std::size_t i = 0; i < texts.size(); ++i) batch.push_back({.id = ids[i], .text = texts[i]});
  const std::vector<Answer> answers = value(opened.index.check_and_add(batch));
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(answers[i].verdict, i % 3 == 2 ? Verdict::exact : Verdict::fresh) << i;
  const auto whole = opened.index.verify();
  EXPECT_TRUE(whole) << whole.error().message;
}

TEST_F(OnlineRedisTls, AServerIsAcceptedOnlyWithASignedCertificateForItsName) {
  EXPECT_EQ(refusal(place("127.0.0.1", "ca", true)), "");
  EXPECT_NE(refusal(place("127.0.0.1", "other-ca", true)).find("not believed"), std::string::npos);
  EXPECT_NE(refusal(place("localhost", "ca", true)).find("not believed: hostname mismatch"),
            std::string::npos);
  // The authorities of the system do not include this one.
  const std::string url = place("127.0.0.1", "ca", true);
  EXPECT_NE(refusal(url.substr(0, url.find('?'))).find("not believed"), std::string::npos);
}

TEST_F(OnlineRedisTls, AServerThatRequiresACertificateRefusesAClientWithoutOne) {
  EXPECT_NE(refusal(place("127.0.0.1", "ca", false)), "");
}

TEST_F(OnlineRedisTls, FilesThatAreNotThereAreNamed) {
  const Context context;
  const auto opened = Index::open(context, "rediss://127.0.0.1:1/i?ca=/none.pem");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(opened.error().message.find("/none.pem"), std::string::npos) << opened.error().message;
}

TEST_F(OnlineRedisTls, UsersAndPasswordsComeFromThePlaceOrTheEnvironment) {
  const int port = server_->port();
  // As docs/online-index.md has it.
  redis_cli(
      port,
      "ACL SETUSER indexer on '>p@ss/word' '~leitong:{i}:*' +fcall +fcall_ro +function +time +info +exists "
      "+del +@string +@hash +@list +@set +@sortedset");
  redis_cli(port, "ACL SETUSER default off");
  const std::string at = "127.0.0.1:" + std::to_string(port) + "/i";
  EXPECT_EQ(refusal("redis://indexer:p%40ss%2Fword@" + at), "");
  EXPECT_NE(refusal("redis://" + at).find("NOAUTH"), std::string::npos);
  EXPECT_NE(refusal("redis://indexer:wrong@" + at).find("WRONGPASS"), std::string::npos);
  EXPECT_NE(refusal("redis://indexer:p%4@" + at).find("hexadecimal"), std::string::npos);
  ::setenv("LEITONG_REDIS_USER", "indexer", 1);
  ::setenv("LEITONG_REDIS_PASSWORD", "p@ss/word", 1);
  {
    Opened opened("redis://" + at);
    EXPECT_EQ(opened.add({{"a", "渡船清晨六点开第一班", "s"}, {"b", "渡船清晨六点开第一班", "s"}}),
              "new exact:a ");
    EXPECT_TRUE(value(opened.index.remove("a")));
    EXPECT_TRUE(opened.index.changes());
    EXPECT_EQ(value(opened.index.figures()).texts, 1u);
    EXPECT_EQ(value(opened.index.remove_source("s")), 1u);
  }
  ::unsetenv("LEITONG_REDIS_USER");
  ::unsetenv("LEITONG_REDIS_PASSWORD");
}

}  // namespace
}  // namespace leitong::online

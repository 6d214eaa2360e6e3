#include "hbase_server.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "leitong/online.hpp"
#include "network.hpp"
#include "redis_servers.hpp"
#include "test_places.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

fs::path jars() { return fs::path(LEITONG_SOURCE_DIR) / ".deps" / "hbase"; }

bool wait_until(int process, std::chrono::seconds limit, const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end || ::waitpid(process, nullptr, WNOHANG) != 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

bool accepts(int port) {
  const int connection = connect_to(port);
  if (connection >= 0) ::close(connection);
  return connection >= 0;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void end_process(int& process) {
  if (process <= 0) return;
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  process = -1;
}

}  // namespace

std::string no_hbase() {
  const Context context;
  const auto opened =
      Index::open(context, "hbase://127.0.0.1:1/x", {.scheme = "simhash", .remote = {.tries = 1}});
  if (!opened && opened.error().code == ErrorCode::unsupported) return opened.error().message;
  if (std::system("java -version >/dev/null 2>&1") != 0)
    return "java is missing (scripts/install-packages --servers installs it)";
  if (!fs::exists(jars() / "digest"))
    return "HBase is missing (scripts/fetch-hbase fetches it into " + jars().string() + ")";
  return {};
}

HBaseServer::HBaseServer(std::uint64_t rows_in_memory) {
  // Another process may take a port meanwhile: then it is tried again.
  for (int tries = 1;; ++tries) {
    port_ = free_port();
    zookeeper_ = free_port();
    info_ = free_port();
    const fs::path home = fs::absolute(folder_.path());
    fs::remove_all(home / "data");
    fs::remove_all(home / "zk");
    fs::create_directories(home / "conf");
    std::map<std::string, std::string> settings = {
        {"hbase.cluster.distributed", "false"},
        {"hbase.rootdir", "file://" + (home / "data").string()},
        {"hbase.tmp.dir", home / "tmp"},
        {"hadoop.tmp.dir", home / "hadoop"},
        {"hbase.zookeeper.property.dataDir", home / "zk"},
        {"hbase.zookeeper.quorum", "127.0.0.1"},
        {"hbase.zookeeper.property.clientPort", std::to_string(zookeeper_)},
        {"zookeeper.recovery.retry", "1"},
        {"hbase.unsafe.stream.capability.enforce", "false"},
        {"hbase.wal.provider", "filesystem"},
        {"hbase.localcluster.assign.random.ports", "false"},
        {"hbase.master.port", std::to_string(free_port())},
        {"hbase.regionserver.port", std::to_string(free_port())},
        {"hbase.master.hostname", "localhost"},
        {"hbase.unsafe.regionserver.hostname", "localhost"},
        {"hbase.master.ipc.address", "127.0.0.1"},
        {"hbase.regionserver.ipc.address", "127.0.0.1"},
        {"hbase.master.info.port", "-1"},
        {"hbase.regionserver.info.port", std::to_string(info_)},
        {"hbase.regionserver.info.bindAddress", "127.0.0.1"},
        {"hbase.regionserver.msginterval", "100"},
        {"hbase.master.wait.on.regionservers.mintostart", "1"},
        {"hbase.master.wait.on.regionservers.maxtostart", "1"},
        {"hbase.master.wait.on.regionservers.interval", "100"},
        {"hbase.regionserver.handler.count", "16"},
        // Otherwise each of the many regions takes 2 MB with its first row.
        {"hbase.hregion.memstore.mslab.enabled", "false"},
        {"hbase.thrift.info.port", "-1"},
        {"hbase.regionserver.thrift.ipaddress", "127.0.0.1"},
        {"hbase.regionserver.thrift.port", std::to_string(port_)},
        {"hbase.regionserver.thrift.compact", "true"},
        {"hbase.regionserver.thrift.framed", "false"},
        // One for each connection at once.
        {"hbase.thrift.minWorkerThreads", "80"},
    };
    if (rows_in_memory != 0) settings["hbase.hregion.memstore.flush.size"] = std::to_string(rows_in_memory);
    std::ofstream site(home / "conf" / "hbase-site.xml");
    site << "<configuration>\n";
    for (const auto& [name, value] : settings)
      site << "<property><name>" << name << "</name><value>" << value << "</value></property>\n";
    site << "</configuration>\n";
    site.close();
    std::ofstream(home / "conf" / "log4j.properties")
        << "log4j.rootLogger=INFO,A\nlog4j.appender.A=org.apache.log4j.ConsoleAppender\n"
           "log4j.appender.A.target=System.err\nlog4j.appender.A.layout=org.apache.log4j.PatternLayout\n"
           "log4j.appender.A.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n\n";
    try {
      start_master();
      start_thrift();
      return;
    } catch (const std::runtime_error&) {
      end_process(master_);
      end_process(thrift_);
      if (tries == 3) throw;
    }
  }
}

HBaseServer::~HBaseServer() {
  end_process(thrift_);
  end_process(master_);
}

int HBaseServer::start(const std::string& name, const std::string& memory, const std::string& java_class) {
  const fs::path home = fs::absolute(folder_.path());
  std::vector<std::string> words = {"java",
                                    memory,
                                    "-XX:+UseSerialGC",
                                    "-XX:-UsePerfData",
                                    "-XX:TieredStopAtLevel=1",
                                    "-Djava.net.preferIPv4Stack=true"};
  for (const char* opened : {"lang", "lang.reflect", "io", "nio", "util", "util.concurrent"})
    words.insert(words.end(), {"--add-opens", std::string("java.base/java.") + opened + "=ALL-UNNAMED"});
  for (const char* opened : {"sun.nio.ch", "jdk.internal.ref"})
    words.insert(words.end(), {"--add-opens", std::string("java.base/") + opened + "=ALL-UNNAMED"});
  for (const char* exported : {"jdk.internal.misc", "sun.net.dns", "sun.net.util"})
    words.insert(words.end(), {"--add-exports", std::string("java.base/") + exported + "=ALL-UNNAMED"});
  words.insert(words.end(), {"-cp", (home / "conf").string() + ":" + (jars() / "lib").string() + "/*",
                             java_class, "start"});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string log = home / (name + ".log");
  const int process = ::fork();
  if (process != 0) return process;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int out = ::open(log.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::execvp("java", arguments.data());
  ::_exit(1);
}

void HBaseServer::start_master() {
  master_ = start("master", "-Xmx512m", "org.apache.hadoop.hbase.master.HMaster");
  if (!wait_until(master_, std::chrono::seconds(120), [&] {
        return text_of(folder_.path() / "master.log").find("Master has completed initialization") !=
               std::string::npos;
      }))
    throw std::runtime_error("HBase doesn't start:\n" +
                             text_of(folder_.path() / "master.log").substr(0, 4000));
}

void HBaseServer::start_thrift() {
  thrift_ = start("thrift", "-Xmx256m", "org.apache.hadoop.hbase.thrift2.ThriftServer");
  if (!wait_until(thrift_, std::chrono::seconds(60), [&] { return accepts(port_); }))
    throw std::runtime_error("HBase's Thrift2 server doesn't start:\n" +
                             text_of(folder_.path() / "thrift.log").substr(0, 4000));
}

void HBaseServer::kill_master() { end_process(master_); }
void HBaseServer::kill_thrift() { end_process(thrift_); }
void HBaseServer::pause_thrift() { ::kill(thrift_, SIGSTOP); }
void HBaseServer::go_on_thrift() { ::kill(thrift_, SIGCONT); }

std::string HBaseServer::place(const std::string& name, int port) const {
  return "hbase://127.0.0.1:" + std::to_string(port == 0 ? port_ : port) + "/" + name;
}

// The counters are not available for some seconds after a table was made.
std::uint64_t HBaseServer::counter(const std::string& name) const {
  const std::string request =
      "GET /jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Server HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n";
  std::string answer;
  for (int tries = 0; tries < 200; ++tries) {
    const int connection = connect_to(info_);
    if (connection < 0 || ::write(connection, request.data(), request.size()) < 0)
      throw std::runtime_error("the region server tells no numbers");
    answer.clear();
    std::array<char, 4096> bytes{};
    for (ssize_t size = 0; (size = ::read(connection, bytes.data(), bytes.size())) > 0;)
      answer.append(bytes.data(), static_cast<std::size_t>(size));
    ::close(connection);
    if (const std::size_t at = answer.find("\"" + name + "\""); at != std::string::npos)
      return std::stoull(answer.substr(answer.find_first_of("0123456789", answer.find(':', at))));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw std::runtime_error("the region server doesn't tell " + name + ":\n" + answer.substr(0, 1000));
}

HBaseServer& shared_hbase() {
  static const std::unique_ptr<HBaseServer> server = std::make_unique<HBaseServer>(1 << 20);
  return *server;
}

}  // namespace leitong::online

#include "redis_servers.hpp"

#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <thread>

#include "leitong/online.hpp"

namespace leitong::online {
namespace {

std::string output_of(const std::string& command) {
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> bytes{};
  while (const std::size_t size = std::fread(bytes.data(), 1, bytes.size(), pipe))
    output.append(bytes.data(), size);
  ::pclose(pipe);
  return output;
}

template <class Condition>
void wait_until(Condition condition, const char* what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end)
      throw std::runtime_error(std::string(what) + ": not within a minute");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace

std::string redis_cli(int port, const std::string& what) {
  return output_of("redis-cli -p " + std::to_string(port) + " " + what);
}

std::string no_redis() {
  const Context context;
  const auto opened = Index::open(context, "redis://127.0.0.1:1/x", {.remote = {.tries = 1}});
  if (!opened && opened.error().code == ErrorCode::unsupported) return opened.error().message;
  if (std::system("redis-server --version >/dev/null 2>&1 && redis-cli --version >/dev/null 2>&1") != 0)
    return "redis-server and redis-cli are missing (scripts/install-packages --servers installs them)";
  return {};
}

// Below the ports that the system gives to connections: one of these could take the port while its server is
// down, even a connection to this very port.
int free_port() {
  std::random_device random;
  for (int tries = 0; tries < 1000; ++tries) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(10'000 + random() % 22'000));
    const bool is_free = ::bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(descriptor);
    if (is_free) return ntohs(address.sin_port);
  }
  throw std::runtime_error("no free port");
}

RedisServerProcess::RedisServerProcess(const std::filesystem::path& folder, int port, const std::string& more)
    : port_(port) {
  std::filesystem::create_directories(folder);
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw std::runtime_error("pipe");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(pipe[0], STDIN_FILENO);
    ::close(pipe[1]);
    ::execlp("redis-server", "redis-server", "-", static_cast<char*>(nullptr));
    ::_exit(1);
  }
  ::close(pipe[0]);
  const std::string configuration = "bind 127.0.0.1\nport " + std::to_string(port) + "\ndir " +
                                    folder.string() + "\nsave \"\"\ndaemonize no\nlogfile " +
                                    (folder / "log").string() + "\n" + more;
  if (::write(pipe[1], configuration.data(), configuration.size()) < 0) throw std::runtime_error("write");
  ::close(pipe[1]);
  wait_until([&] { return redis_cli(port_, "PING").starts_with("PONG"); }, "redis-server");
}

void RedisServerProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

RedisServers::RedisServers(int count) {
  std::string create = "redis-cli --cluster create";
  for (int i = 0; i < count; ++i) {
    const int port = free_port();
    std::string more;
    if (count > 1)
      more = "cluster-enabled yes\ncluster-node-timeout 2000\ncluster-config-file nodes.conf\ncluster-port " +
             std::to_string(free_port()) + "\n";
    servers_.push_back(std::make_unique<RedisServerProcess>(folder_.path() / std::to_string(i), port, more));
    create += " 127.0.0.1:" + std::to_string(port);
  }
  if (count == 1) return;
  const std::string said = output_of(create + " --cluster-yes");
  for (const auto& server : servers_)
    wait_until(
        [&] {
          return redis_cli(server->port(), "CLUSTER INFO").find("cluster_state:ok") != std::string::npos;
        },
        said.c_str());
}

std::string RedisServers::addresses() const {
  std::string text;
  for (const auto& server : servers_)
    text += (text.empty() ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(server->port());
  return text;
}

}  // namespace leitong::online

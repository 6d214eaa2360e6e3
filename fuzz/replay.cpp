// Runs a fuzz target without libFuzzer: on its seeds, small changes of them and random bytes, the same every
// time. So tests detect an outdated target, with any compiler.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Only targets with seeds define it.
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

constexpr int kChanges = 8, kRandom = 32;
constexpr std::size_t kLongest = 200;

std::vector<std::string> seeds_of(char* program) {
  std::string folder = (std::filesystem::temp_directory_path() / "leitong-seeds-XXXXXX").string();
  if (LLVMFuzzerInitialize == nullptr || mkdtemp(folder.data()) == nullptr) return {};
  char* arguments[] = {program, folder.data(), nullptr};
  char** argv = arguments;
  int argc = 2;
  LLVMFuzzerInitialize(&argc, &argv);
  std::vector<std::string> seeds;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(file.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  std::filesystem::remove_all(folder);
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

void run(const std::string& input) {
  // A copy of exact size, so that a sanitizer detects reads beyond it.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int, char** argv) {
  std::mt19937 random(1);
  for (const std::string& seed : seeds_of(argv[0])) {
    run(seed);
    for (int i = 0; i < kChanges && !seed.empty(); ++i) {
      std::string changed = seed.substr(0, 1 + random() % seed.size());
      changed[random() % changed.size()] = static_cast<char>(random());
      run(changed);
    }
  }
  for (int i = 0; i < kRandom; ++i) {
    std::string input(random() % kLongest, '\0');
    for (char& byte : input) byte = static_cast<char>(random());
    run(input);
  }
  return EXIT_SUCCESS;
}

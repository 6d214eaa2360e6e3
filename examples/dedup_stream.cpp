// usage: dedup_stream FILE [WORK_FOLDER]
//
// Prints the lines of a file that may be larger than memory, without the near-duplicates, in 200 MB of
// memory; shows the progress, and stops at Ctrl-C.
#include <leitong/dedup.hpp>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

leitong::Context* running = nullptr;

int stop(const leitong::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  leitong::Context context({.memory = 200 << 20,
                            .work_folder = argc > 2 ? argv[2] : "",
                            .progress = [](const leitong::Progress& p) {
                              std::fprintf(stderr, "\r%.*s: %llu %.*s ", int(p.stage.size()), p.stage.data(),
                                           static_cast<unsigned long long>(p.done), int(p.unit.size()),
                                           p.unit.data());
                            }});
  running = &context;
  std::signal(SIGINT, [](int) { running->request_stop(); });

  auto deduplicator = leitong::Deduplicator::open(context, {.keep = leitong::Keep::first});
  if (!deduplicator) return stop(deduplicator.error());
  std::ifstream file(argc > 1 ? argv[1] : "/dev/stdin");
  for (std::string line; std::getline(file, line);) {
    const std::string_view text = line;
    if (const auto added = deduplicator->add({&text, 1}); !added) return stop(added.error());
  }

  const auto decisions = deduplicator->finish();
  if (!decisions) return stop(decisions.error());
  for (std::uint32_t i = 0; i < decisions->size(); ++i)
    if (decisions->stays(i)) std::puts(deduplicator->text(i).value().c_str());
  std::fprintf(stderr, "\n%llu of %zu lines removed\n", static_cast<unsigned long long>(decisions->removed()),
               decisions->size());
  return 0;
}

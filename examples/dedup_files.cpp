// A whole run over files: what `leitong dedup IN.. -o OUT` does, with progress, Ctrl-C, warnings and figures.
#include <leitong/context.hpp>
#include <leitong/job.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>

namespace {

std::atomic<leitong::Context*> running{nullptr};

// request_stop() may be called from a signal handler: the run then ends and leaves no output.
void on_interrupt(int) {
  if (leitong::Context* const context = running) context->request_stop();
}

void show(const leitong::Progress& at) {
  if (at.total > 0)
    std::fprintf(stderr, "%.*s: %3.0f %%\r", static_cast<int>(at.stage.size()), at.stage.data(),
                 100.0 * static_cast<double>(at.done) / static_cast<double>(at.total));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: dedup_files OUT IN..\n");
    return 2;
  }
  leitong::Context context({.memory = std::uint64_t{1} << 30, .progress = show});
  running = &context;
  std::signal(SIGINT, on_interrupt);

  leitong::DedupJob job;
  job.input.paths.assign(argv + 2, argv + argc);
  job.settings.keep = leitong::Keep::first;
  job.outputs.kept = argv[1];
  const auto summary = leitong::dedup_files(context, job);
  running = nullptr;
  if (!summary) {
    std::fprintf(stderr, "%s\n", summary.error().message.c_str());
    return summary.error().code == leitong::ErrorCode::cancelled ? 130 : 1;
  }
  for (const leitong::RunWarning warning : summary->warnings)
    std::fprintf(stderr, "warning: %s\n", leitong::warning_name(warning).data());
  std::printf("%llu of %llu records stay\n", static_cast<unsigned long long>(summary->kept),
              static_cast<unsigned long long>(summary->records));
  std::fprintf(stderr, "%s\n", leitong::to_json(*summary, job).c_str());
  return 0;
}

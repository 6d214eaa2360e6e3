#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "job/train.hpp"
#include "run_flags.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct TrainFlags {
  InputFlags input;
  std::string output;
  bool force = false, json = false, vectors = false;
};

std::string to_json(const TrainSummary& summary) {
  const TrainingFigures& figures = summary.figures;
  const nlohmann::ordered_json json{
      {"documents", figures.documents}, {"copies", summary.copies}, {"quarantined", summary.quarantined},
      {"sampled", figures.sampled},     {"words", figures.words},   {"terms", figures.terms},
      {"partners", figures.partners}};
  return json.dump(2) + "\n";
}

Result<void> train(const TrainFlags& flags) {
  if (flags.vectors)
    return fail(ErrorCode::unsupported,
                "--vectors: vectors of texts are learned by the Python package: pip install "
                "'leitong[vectors,zh]', then "
                "python -m leitong train --vectors INPUT... -o vectors.npy");
  if (flags.output.empty())
    return fail(ErrorCode::invalid_argument, "train needs -o MODEL, the file to write");
  LEITONG_ASSIGN(InputOptions input, to_input(flags.input.files));
  const TrainOptions options{std::move(input), flags.output, flags.force};
  const NamedOutput output{"--output", flags.output};
  LEITONG_TRY(check_mapped(output));
  LEITONG_TRY(check_outputs({output, {"--json", flags.json ? "-" : ""}}, options.input.paths));
  TrainSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.input.context, display));
    LEITONG_ASSIGN(summary, run_train(options, context));
  }
  const TrainingFigures& figures = summary.figures;
  print_note(fmt::format("{}: {} and {} from {} of {}", flags.output, human_counted(figures.terms, "term"),
                         human_counted(figures.partners, "companion"), human_counted(figures.words, "word"),
                         human_counted(figures.sampled, "document")));
  if (summary.copies > 0)
    print_note(fmt::format("{} left out", human_counted(summary.copies, "copy was", "copies were")));
  if (figures.sampled < figures.documents)
    print_warning(fmt::format("an even sample of the {} documents, since --memory holds no more",
                              human_count(figures.documents)));
  if (summary.quarantined > 0)
    print_warning(left_out_warning(summary.quarantined, summary.first_quarantined));
  if (flags.json) LEITONG_TRY(print_data(to_json(summary)));
  return check_read(
      {figures.documents, summary.quarantined, summary.truncated_inputs, summary.first_quarantined},
      flags.input.allow_truncated);
}

}  // namespace

Run add_train(CLI::App& app) {
  auto flags = std::make_shared<TrainFlags>();
  flags->input.context.memory = std::uint64_t{1} << 30;
  add_input_flags(app, flags->input);
  add_text(app, "-o,--output", flags->output, "MODEL", "the model file");
  add_switch(app, "--force", flags->force, "replace a model that exists");
  add_size(app, "--memory", flags->input.context.memory,
           "the most memory for data that grow with the texts (1G); if the texts need more, an even sample "
           "of them is used");
  add_switch(app, "--json", flags->json, "print the counts as one JSON object");
  add_switch(app, "--vectors", flags->vectors,
             "learn vectors of the texts instead, for leitong dedup --vectors; the Python package does it: "
             "python -m leitong "
             "train --vectors INPUT... -o vectors.npy");
  add_resource_flags(app, flags->input.context);
  add_examples(app,
               "The model holds, for every word, its inverse document frequency, the entropies\n"
               "of its neighbours, and the words that often occur in the same texts. simhash,\n"
               "e-simhash, p-simhash and i-match use it to weigh words. Which words occur\n"
               "together is counted among the 60 heaviest words of each text, and a word counts\n"
               "from two texts on. These two bounds were chosen by leitong, and the formula is a\n"
               "reconstruction (docs/methods.md).\n"
               "\n"
               "Example:\n"
               "  leitong train corpus.jsonl -o terms.model\n"
               "  leitong dedup corpus.jsonl -o kept.jsonl --method e-simhash --param model=terms.model");
  return [flags] { return train(*flags); };
}

}  // namespace leitong::cli

// The commands. Tables name them: commands.cpp, hamming_command.cpp and index_command.cpp.
#pragma once

#include "command.hpp"

namespace leitong::cli {

Run add_dedup(CLI::App& app);
Run add_restore(CLI::App& app);
Run add_decontaminate(CLI::App& app);
Run add_pairs(CLI::App& app);
Run add_part(CLI::App& app);
Run add_trim(CLI::App& app);
Run add_cluster(CLI::App& app);
Run add_compare(CLI::App& app);
Run add_eval(CLI::App& app);
Run add_tune(CLI::App& app);
Run add_serve(CLI::App& app);
Run add_sign(CLI::App& app);
Run add_train(CLI::App& app);
Run add_digest(CLI::App& app);
Run add_segment(CLI::App& app);
Run add_keywords(CLI::App& app);
Run add_dict(CLI::App& app);
Run add_hamming(CLI::App& app);
Run add_check(CLI::App& app);
Run add_add(CLI::App& app);
Run add_index(CLI::App& app);
Run add_normalise(CLI::App& app);
Run add_help(CLI::App& app);
Run add_methods(CLI::App& app);
Run add_completion(CLI::App& app);
Run add_man(CLI::App& app);

// leitong hamming ..
Run add_hamming_join(CLI::App& app);
Run add_hamming_build(CLI::App& app);
Run add_hamming_search(CLI::App& app);
Run add_hamming_explain(CLI::App& app);
Run add_hamming_stats(CLI::App& app);

// leitong index ..
Run add_index_begin(CLI::App& app);
Run add_index_commit(CLI::App& app);
Run add_index_rollback(CLI::App& app);
Run add_index_changes(CLI::App& app);
Run add_index_replicate(CLI::App& app);
Run add_index_expire(CLI::App& app);
Run add_index_build(CLI::App& app);
Run add_index_export(CLI::App& app);
Run add_index_import(CLI::App& app);
Run add_index_snapshot(CLI::App& app);
Run add_index_compact(CLI::App& app);

}  // namespace leitong::cli

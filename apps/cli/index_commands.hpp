// The commands of leitong index that follow, change or copy a whole index; index_command.cpp has the table.
#pragma once

#include "command.hpp"

namespace leitong::cli {

Run add_index_begin(CLI::App& app);
Run add_index_commit(CLI::App& app);
Run add_index_rollback(CLI::App& app);
Run add_index_changes(CLI::App& app);
Run add_index_expire(CLI::App& app);
Run add_index_build(CLI::App& app);
Run add_index_export(CLI::App& app);
Run add_index_import(CLI::App& app);
Run add_index_snapshot(CLI::App& app);
Run add_index_compact(CLI::App& app);

}  // namespace leitong::cli

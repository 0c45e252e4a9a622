// SPDX-License-Identifier: GPL-3.0-or-later
// A kept run on disk for the next session: JSON lines, the first says what the run is, each further one is a metric as
// `--metrics` writes it, or of a class what happened, as its run file has it. It is only ever appended to, so that a
// program that is killed loses at most the line it was writing, and what is there is read up to the first line that is
// not whole or cannot be.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ui/runs/run_library.h"

namespace lab {

std::string journalHead(const KeptRun& run);  // one line

// What is appended to a journal at one time; it may be written on any thread.
struct JournalPart {
  std::filesystem::path path;
  std::string head;  // "" where the journal has one
  std::vector<Metric> metrics;
  std::vector<std::string> order;  // RunMetrics::order
};
// UserError (kind Run), or BrokenInvariant for a metric that no journal takes; then the journal is as it was before.
void append(const JournalPart& part);

struct Journal {
  KeptRun run;    // name, note, colour and the like are the session's
  Message fault;  // of the first line that is whole and cannot be; what stands before it is in `run`
};
// Nothing where not even the head can be read.
std::optional<Journal> readJournal(const std::filesystem::path& path);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// A kept run on disk for the next session, as JSON lines: the first describes the run, each further one is a metric in
// the format of `--metrics` or, for a class, an event in the format of its run file. The file is only ever appended to,
// so a killed program loses at most the line that it was writing. It is read up to the first line that is incomplete or
// invalid.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ui/runs/run_library.h"

namespace lab {

std::string journalHead(const KeptRun& run);  // one line

// What is appended to a journal at one time; any thread may write it.
struct JournalPart {
  std::filesystem::path path;
  std::string head;  // "" if the journal has one
  std::vector<Metric> metrics;
  std::vector<std::string> order;  // RunMetrics::order
};
// Throws UserError (kind Run), or BrokenInvariant for a metric that no journal accepts; the journal is then unchanged.
void append(const JournalPart& part);

struct Journal {
  KeptRun run;    // name, note, colour and the like come from the session
  Message fault;  // about the first complete but invalid line; the lines before it are in `run`
};
// Nothing if not even the head can be read.
std::optional<Journal> readJournal(const std::filesystem::path& path);

}  // namespace lab

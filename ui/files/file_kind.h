// SPDX-License-Identifier: GPL-3.0-or-later
// The kind of a file that is opened, dropped, or named on the command line: decided by its content, and by its name for
// tables that are not ours.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lab {

enum class FileKind {
  Recording,
  Curves,  // a CSV of runs, as charts export it
  Table,   // any other CSV
  Experiment
};
FileKind fileKind(std::span<const std::uint8_t> bytes, const QString& path);
// By the first bytes alone. Nothing for what cannot be read, and for pipes, which can be read only once.
std::optional<FileKind> fileKindAt(const QString& path);
// True if the file says that it is an experiment, whose name may end in any way.
bool isSavedExperiment(const QString& path);

inline std::string_view textOf(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// A program as a Jupyter notebook (nbformat 4.5): a head in Markdown and a code cell for each part. The code cells,
// joined, are the program.
#pragma once

#include <string>

#include "core/codegen/program.h"

namespace lab {

// `name`: "mirrored.py". A program that is started once for each of several tasks cannot run in one kernel: its cells
// write a file of this name, and the last cell starts it.
std::string notebookOf(const Program& program, const std::string& name);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Where the reference folder lies (MNIST, golden trajectories, measured rows). The folder is optional: a test that
// needs it skips, and says so, when it is absent.
#pragma once

#include <filesystem>

namespace lab::test {

// $STRATEGYLAB_REFERENCE_DIR; else `shared` beside the project if it is the reference folder; else empty.
std::filesystem::path referenceDir();

}  // namespace lab::test

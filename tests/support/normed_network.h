// SPDX-License-Identifier: GPL-3.0-or-later
// A small network with a batch normalisation, on digits, as a file that --network reads.
#pragma once

#include <QString>

namespace lab::test {

// Normalised over the examples of all replicas, or of each replica by itself; with dropout. Writes the file into
// `folder` under its own name and returns its path, or "" if it cannot be written.
QString normedNetworkFile(const QString& folder, bool synchronized);

}  // namespace lab::test

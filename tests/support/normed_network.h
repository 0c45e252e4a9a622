// SPDX-License-Identifier: GPL-3.0-or-later
// A small network with a batch normalisation, on digits, as a file that --network reads.
#pragma once

#include <QString>

namespace lab::test {

// Normalised by all replicas' examples, or by each one's own, and with dropout. In `folder`, by a name of its own; the
// file's path, empty where it cannot be written.
QString normedNetworkFile(const QString& folder, bool synchronized);

}  // namespace lab::test

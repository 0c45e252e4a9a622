// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of the variables that are no longer those of the first replica, in a checkpoint. A strategy saves one copy, as
// TensorFlow does, and writes it to all; what a person has broken would be mended by that.
#pragma once

#include "core/model/safetensors.h"

namespace lab {

class Cluster;

// Of each replica the weights and slots that have other bits than the first one's: "copies/replica_2/weights", …
void saveDifferingCopies(Cluster& cluster, TensorFile& checkpoint);
bool hasDifferingCopies(const TensorFile& checkpoint);
// After the strategy has written its one copy to all.
void loadDifferingCopies(Cluster& cluster, const TensorFile& checkpoint);

}  // namespace lab

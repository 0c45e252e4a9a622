// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of variable copies that differ from the first replica's. A strategy saves one copy, as TensorFlow does,
// and loads it into all replicas; without this file, loading would repair what a person has broken on purpose.
#pragma once

#include "core/model/safetensors.h"

namespace lab {

class Cluster;

// Saves each replica's weights and slots whose bits differ from the first replica's: "copies/replica_2/weights", …
void saveDifferingCopies(Cluster& cluster, TensorFile& checkpoint);
bool hasDifferingCopies(const TensorFile& checkpoint);
// Call after the strategy has written its one copy to all replicas.
void loadDifferingCopies(Cluster& cluster, const TensorFile& checkpoint);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Progress before a run's first step: what is being prepared, and how much of it, where that is known.
#pragma once

#include <cstdint>

namespace lab {

struct Preparation {
  enum class Part : std::uint8_t {
    Turn,       // the run before has yet to give up its memory
    Data,       // images are read and unpacked: bytes of them
    Replicas,   // of `total`
    Gpus,       // opened
    Processes,  // started by mpirun, here or on other hosts
    Upload,     // the images, to GPUs: `total` of them, all GPUs together
    Weights,    // initialised and given to all
    Step,       // everything is ready
  };

  Part part = Part::Turn;
  std::int64_t done = 0, total = 0;  // total 0: not known
  bool operator==(const Preparation&) const = default;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/choices.h"

#include "core/base/message.h"

namespace lab {

std::string_view toString(Reducer reducer) {
  constexpr std::array<std::string_view, 17> kNames{LAB_WORDS("auto"),
                                                    LAB_WORDS("ring"),
                                                    LAB_WORDS("tree"),
                                                    LAB_WORDS("halving-doubling"),
                                                    LAB_WORDS("hierarchical"),
                                                    LAB_WORDS("torus"),
                                                    LAB_WORDS("one-device"),
                                                    "nccl",
                                                    "mpi",
                                                    "none",
                                                    "reduce-broadcast",
                                                    "cpu",
                                                    "central-host",
                                                    "central-device",
                                                    "servers-sync",
                                                    "servers-async",
                                                    "neighbours"};
  return kNames.at(static_cast<std::size_t>(reducer));
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The names of the methods of step_model.h.
#include "core/base/error.h"
#include "core/timing/step_model.h"

namespace lab {

std::string_view toString(CommMethod method) {
  switch (method) {
    case CommMethod::None:
      return "none";
    case CommMethod::Nccl:
      return "nccl";
    case CommMethod::Ring:
      return "ring";
    case CommMethod::Tree:
      return "tree";
    case CommMethod::HalvingDoubling:
      return "halving-doubling";
    case CommMethod::Hierarchical:
      return "hierarchical";
    case CommMethod::Torus:
      return "torus";
    case CommMethod::OneDevice:
      return "one-device";
    case CommMethod::ReduceBroadcast:
      return "reduce-broadcast";
    case CommMethod::CpuAllReduce:
      return "cpu";
    case CommMethod::CentralHost:
      return "central-host";
    case CommMethod::CentralDevice:
      return "central-device";
    case CommMethod::ServersSync:
      return "servers-sync";
    case CommMethod::ServersAsync:
      return "servers-async";
  }
  throwBrokenInvariant("a method without a name", __FILE__, __LINE__);
}

}  // namespace lab

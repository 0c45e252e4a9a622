// SPDX-License-Identifier: GPL-3.0-or-later
// A run's lineage as files store it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/config/lineage.h"

namespace lab {

nlohmann::json lineageToJson(const Lineage& lineage);
Lineage lineageFromJson(const nlohmann::json& json);  // UserError for anything that lineageToJson() does not write,
                                                      // except for unknown settings

}  // namespace lab

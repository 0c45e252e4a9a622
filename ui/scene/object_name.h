// SPDX-License-Identifier: GPL-3.0-or-later
// Objects by name, for texts that lead to them: "gradient 1", "gradient 1 4", "digit 0 2", "queue".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/scene/object.h"

namespace lab {

// "" for none.
std::string objectName(const Object& object);
// Nothing where no object is called so. That the run has it is not said.
std::optional<Object> objectNamed(std::string_view name);

}  // namespace lab

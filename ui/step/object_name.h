// SPDX-License-Identifier: GPL-3.0-or-later
// Objects by name, for texts that link to them: "gradient 1", "gradient 1 4", "digit 0 2", "queue".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/step/object.h"

namespace lab {

// Returns "" for no object.
std::string objectName(const Object& object);
// Empty if no object has this name. Does not check that the run has the object.
std::optional<Object> objectNamed(std::string_view name);

}  // namespace lab

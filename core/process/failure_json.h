// SPDX-License-Identifier: GPL-3.0-or-later
// Why a process fails, as a line for a window that words it in its own language: the message's id, its English and its
// values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/message.h"

namespace lab {

std::string failureLine(const Message& message);
// Empty where the line is none. UserError where it is one that cannot be read.
Message failureFrom(const nlohmann::json& line);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The reason for a process's failure, as a line for a window that shows it in its own language: the message's id, its
// English and its values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/message.h"

namespace lab {

std::string failureLine(const Message& message);
// Returns an empty message if the line is not a failure's. Throws a UserError for an unreadable one.
Message failureFrom(const nlohmann::json& line);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// How run files and Chrome traces spell the names of a legend, and what such spellings mean. Nothing else reads these
// words: files of every version have them, and all other code compares ids.
#pragma once

#include <string>

#include "core/base/message.h"

namespace lab {

std::string nameInFile(const Message& name);  // "replica 0", "link replica 0 → replica 1 · NVLink 2.0"

// The inverse; a name that no version of this program has written is kept unchanged.
Message nameFromFile(const std::string& spelt);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The student's page and its files (resources/class/page), which are built into the program.
#pragma once

#include <string_view>

namespace lab::classes {

struct PageFile {
  std::string_view path;  // as requested, "/page.mjs"
  const char* type;       // of content
  std::string_view bytes;
};
// Returns null for any other path.
const PageFile* pageFile(std::string_view path);

}  // namespace lab::classes

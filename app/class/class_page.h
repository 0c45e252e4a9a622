// SPDX-License-Identifier: GPL-3.0-or-later
// The student's page and its files (resources/class/page), which are in the program.
#pragma once

#include <string_view>

namespace lab::classes {

struct PageFile {
  std::string_view path;  // as it is asked for, "/page.mjs"
  const char* type;       // of content
  std::string_view bytes;
};
// Nothing for any other path.
const PageFile* pageFile(std::string_view path);

}  // namespace lab::classes

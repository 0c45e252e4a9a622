// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"

#include <string_view>

namespace lab {

std::string sentence(std::string words) {
  constexpr std::string_view kEnds = ".!?";
  const bool isCommand = words.substr(words.find_last_of(' ') + 1).starts_with("--") && !words.ends_with("'");
  if (!isCommand && !words.empty() && kEnds.find(words.back()) == std::string_view::npos && !words.ends_with("…"))
    words += '.';
  return words;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the regular files of a gzipped tar archive one after the other, each into memory. Names are only inspected:
// nothing is written, and no link is followed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lab {

// `wanted` gets each file's name without folders, and its size; `take` gets the content of the wanted files, and may
// throw. Throws a UserError if the archive is damaged or cut short; messages call it `name`.
void readTarGz(std::span<const std::uint8_t> archive, const std::string& name,
               const std::function<bool(const std::string& file, std::int64_t bytes)>& wanted,
               const std::function<void(const std::string& file, std::vector<std::uint8_t> content)>& take);

}  // namespace lab

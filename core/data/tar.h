// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the regular files of a tar archive that is packed with gzip, one after the other, each in memory. Names are
// only looked at: nothing is written, and no link is followed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lab {

// `take` gets the content of each file that `wanted` says yes to (its name without folders, its bytes); it may throw.
// UserError where the archive is damaged or cut short; `name` is what messages call it.
void readTarGz(std::span<const std::uint8_t> archive, const std::string& name,
               const std::function<bool(const std::string& file, std::int64_t bytes)>& wanted,
               const std::function<void(const std::string& file, std::vector<std::uint8_t> content)>& take);

}  // namespace lab

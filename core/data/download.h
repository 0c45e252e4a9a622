// SPDX-License-Identifier: GPL-3.0-or-later
// Downloads one address into one partial file, and resumes the file if the server can. A download never waits without
// limit and never writes more than expected. The caller must check the bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/message.h"

namespace lab {

struct DownloadLimits {
  std::int64_t maxBytes = 0;  // of the whole file
  std::chrono::seconds connectTimeout{20};
  std::chrono::seconds stallTimeout{30};  // without a single byte
};

struct DownloadResult {
  enum class End { Complete, Stopped, Failed };
  End end = End::Failed;
  bool resumed = false;  // the file begins with bytes of an earlier call
  Message reason;        // of a failure, without the address
};

// The bytes of the file so far, including those of earlier calls, and in total (-1 while unknown). Called often, on the
// calling thread; an exception from it ends the download and is rethrown.
using DownloadProgress = std::function<void(std::int64_t received, std::int64_t total)>;

// Takes http, https and file addresses; what http sends must not begin with '<', as web pages do. Throws a UserError
// (kind Run) only if `part` cannot be written.
DownloadResult download(const std::string& url, const std::filesystem::path& part, const DownloadLimits& limits,
                        const DownloadProgress& progress, std::stop_token stop);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the downloads in a program that is taken to a machine without a network (STRATEGYLAB_DOWNLOADS): it omits
// libcurl and its dependencies, a third of the pack of tests/gpu/run.sh.
#include "core/data/download.h"
#include "core/data/messages.h"

namespace lab {

DownloadResult download(const std::string&, const std::filesystem::path&, const DownloadLimits&,
                        const DownloadProgress&, std::stop_token) {
  return {.reason = say::builtWithoutDownloads};
}

}  // namespace lab

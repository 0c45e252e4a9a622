// SPDX-License-Identifier: GPL-3.0-or-later
// A run on its way from the first of several processes to the window, which is none of them: JSON lines on standard
// output. The first one says what the run is (aboutLine); metrics follow as `--metrics` writes them; a step's record is
// a file in a folder that both share, or, where they share none, pieces in lines of their own. Read with the checks of
// run files: what comes out of another program may be anything.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/run_info.h"
#include "core/trace/step_record.h"

namespace lab {

std::string aboutLine(const RunInfo& info);
// `config` is the run's, resolved by the reader, and `data` its examples: neither is sent. UserError where the line is
// none, or of other examples.
std::shared_ptr<const RunInfo> infoFromAbout(const nlohmann::json& line, const ResolvedSettings& config,
                                             std::shared_ptr<const Dataset> data);

// The bits of a record. Both ends are of the same build and the same kind of processor, which the run checks.
std::string bytesOf(const StepRecord& record);
// UserError where the bytes are not those of a record of this run.
std::shared_ptr<const StepRecord> recordFromBytes(std::string_view bytes, const RunInfo& info);

std::string recordFileName(std::int64_t step);  // in the folder
// The window leaves this in it: on another host there may be a folder of that name, of checkpoints alone.
inline constexpr const char* kFolderMark = "shared";
// Bytes as text, for lines: base64.
std::string textOfBytes(std::string_view bytes);
std::string bytesOfText(std::string_view text);  // what is no base64 is left out
inline constexpr std::size_t kBytesPerPiece = 2304;

}  // namespace lab

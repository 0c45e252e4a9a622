// SPDX-License-Identifier: GPL-3.0-or-later
// A run on its way from the first of several processes to the window, which is not one of them: JSON lines on standard
// output. The first line describes the run (aboutLine); metrics follow as `--metrics` writes them; a step's record is a
// file in a shared folder, or, without one, pieces in lines of their own. Lines are read with the checks of run files,
// because another program's output may be anything.
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
// `config` is the run's, resolved by the reader, and `data` its examples: neither is sent. Throws a UserError if the
// line is invalid, or describes other examples.
std::shared_ptr<const RunInfo> infoFromAbout(const nlohmann::json& line, const ResolvedSettings& config,
                                             std::shared_ptr<const Dataset> data);

// Returns the bits of a record. The run checks that both ends have the same build and the same kind of processor.
std::string bytesOf(const StepRecord& record);
// Throws a UserError if the bytes are not a record of this run.
std::shared_ptr<const StepRecord> recordFromBytes(std::string_view bytes, const RunInfo& info);

std::string recordFileName(std::int64_t step);  // in the folder
// The window puts this file into the folder: another host may have a folder of that name, with checkpoints only.
inline constexpr const char* kFolderMark = "shared";
// Converts bytes to text for lines: base64.
std::string textOfBytes(std::string_view bytes);
std::string bytesOfText(std::string_view text);  // skips characters outside base64
inline constexpr std::size_t kBytesPerPiece = 2304;

}  // namespace lab

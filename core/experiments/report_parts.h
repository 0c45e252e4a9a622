// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the parts of a report (report.cpp, report_steps.cpp): escaped HTML, numbers on an axis, and the parts about
// single steps.
#pragma once

#include <string>
#include <vector>

#include "core/experiments/report.h"

namespace lab {

std::string escaped(const std::string& text);
std::string cell(const std::string& tag, const std::string& text, const std::string& attributes = "");
std::vector<double> ticksOf(double low, double high);  // about five round values within a range
std::string shortNumber(const ReportLanguage& language, double value);

// Returns where the time of each run's step went, as bars and as numbers, beside what similar published steps took; the
// parts sum to the step's time.
std::string breakdownOf(const Report& report, const ReportLanguage& language);
// Returns the steps on one scale, each from its own beginning.
std::string tracesOf(const Report& report, const ReportLanguage& language);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What the core says, in the window's language. The core knows no Qt and speaks English; the texts of its that the
// window shows stand in core_texts.cpp for lupdate to find, and tst_translations holds that list against the core's own
// tables. What is not in the list is shown as it is: names of hardware, keys of the catalogue, values as the command
// line has them.
#pragma once

#include <QString>

#include <span>
#include <string>

#include "core/run/run_config.h"

namespace lab {

// A label, or a whole sentence with values in it, such as what() of a UserError. Cached; for the window's thread.
QString coreText(const std::string& english);
QString coreSentence(const std::string& english);  // what() of an error, to stand alone: with a capital
QString laneText(const std::string& lane);         // "link replica 0 → replica 1 · NVLink 2.0", without its "link"

QString strategyShortName(const StrategyInfo& info);  // "Mirrored", where it is clear that it is a strategy

QString settingCaption(const ConfigField& field);  // "Batch per replica"
QString settingName(const ConfigField& field);     // within a sentence: "batch per replica"
QString settingHelp(const ConfigField& field);
QString settingText(const ConfigField& field, const std::string& value);   // as shown: "0,5", "Ring"
std::string settingValue(const ConfigField& field, const QString& shown);  // as ConfigField::set() takes it

// How a strategy adds gradients, by RunInfo::reducer: "all-reduce: ring"; "" where there is nothing to add.
QString reductionText(const StrategyInfo& strategy, const std::string& reducer);

std::span<const char* const> coreTexts();      // labels, which are matched whole
std::span<const char* const> coreSentences();  // with %1, %2 for values
void forgetCoreTexts();                        // after another translation has been installed

}  // namespace lab

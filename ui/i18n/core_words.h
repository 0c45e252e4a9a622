// SPDX-License-Identifier: GPL-3.0-or-later
// The core's texts in the window's language: its messages (core/base/message.h) and the English words in its tables.
// Words without a translation are shown unchanged: names of hardware, keys of the catalogue, values of the command
// line.
#pragma once

#include <QString>

#include <exception>
#include <string>

#include "core/base/message.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"

namespace lab {

QString coreText(const Message& message);
QString coreText(const std::string& words);    // from a table: a strategy's name, a setting's value
QString coreSentence(const Message& message);  // begins with a capital, to stand alone
QString coreSentence(const std::exception& error);

QString strategyShortName(const StrategyInfo& info);  // "Mirrored", where context says that it is a strategy

QString settingCaption(const ConfigField& field);  // "Batch per replica"
QString settingName(const ConfigField& field);     // within a sentence: "batch per replica"
QString settingHelp(const ConfigField& field);
QString settingText(const ConfigField& field, const std::string& value);   // as shown: "0,5", "Ring"
std::string settingValue(const ConfigField& field, const QString& shown);  // as ConfigField::set() takes it

// How a strategy adds gradients, from RunInfo::reducer: "all-reduce: ring". "" if there is nothing to add.
QString reductionText(const StrategyInfo& strategy, const std::string& reducer);

}  // namespace lab

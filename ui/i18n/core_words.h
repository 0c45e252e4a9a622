// SPDX-License-Identifier: GPL-3.0-or-later
// What the core says, in the window's language: its messages (core/base/message.h), and English words of its tables.
// Words that have no translation are shown as they are: names of hardware, keys of the catalogue, values as the command
// line has them.
#pragma once

#include <QString>

#include <exception>
#include <string>

#include "core/base/message.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"

namespace lab {

QString coreText(const Message& message);
QString coreText(const std::string& words);    // of a table: a strategy's name, a value of a setting
QString coreSentence(const Message& message);  // to stand alone: with a capital
QString coreSentence(const std::exception& error);

QString strategyShortName(const StrategyInfo& info);  // "Mirrored", where it is clear that it is a strategy

QString settingCaption(const ConfigField& field);  // "Batch per replica"
QString settingName(const ConfigField& field);     // within a sentence: "batch per replica"
QString settingHelp(const ConfigField& field);
QString settingText(const ConfigField& field, const std::string& value);   // as shown: "0,5", "Ring"
std::string settingValue(const ConfigField& field, const QString& shown);  // as ConfigField::set() takes it

// How a strategy adds gradients, by RunInfo::reducer: "all-reduce: ring"; "" where there is nothing to add.
QString reductionText(const StrategyInfo& strategy, const std::string& reducer);

}  // namespace lab

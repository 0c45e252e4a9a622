// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of one strategy alone: its own file in resources/strategies has each message in every language, and its
// row in the table of strategies says when which one is meant. Such a file may also hold any other text of its own
// strategy (its name, its sentence, what its settings do), which needs no other translation then.
#pragma once

#include <QString>
#include <QTranslator>

#include <map>
#include <string>

#include "core/config/run_settings.h"

namespace lab {

// Of the moment, as in StrategyInfo::words; "" where the strategy has nothing of its own to say.
QString strategyWords(StrategyKind strategy, const std::string& moment);

// By id, then by language: "en", "de".
const std::map<std::string, std::map<std::string, std::string>>& strategyMessages();

// From the English text of a message to another language's, whatever the context.
class StrategyTranslator final : public QTranslator {
 public:
  explicit StrategyTranslator(const std::string& language);
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* note, int n) const override;

 private:
  std::map<std::string, QString, std::less<>> texts_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about a single strategy. The strategy's file in resources/strategies has each message in every language, and
// its row in the table of strategies says when each is shown. The file may also hold the strategy's other texts (its
// name, its sentence, what its settings do), which then need no translation elsewhere.
#pragma once

#include <QString>
#include <QTranslator>

#include <map>
#include <string>
#include <string_view>

#include "core/config/run_info.h"

namespace lab {

// Returns whether the window ever asks for this moment's message (kStrategyMoments).
bool isStrategyMoment(std::string_view moment);

// The strategy's message for a moment that the window asks for; "" if it has none.
QString strategyWords(StrategyKind strategy, const std::string& moment);
// The same with a value, if it has a place for it.
QString strategyWords(StrategyKind strategy, const std::string& moment, const QString& value);
// The same with the run's values in it (kStrategyMoments).
QString strategyWords(const RunInfo& info, const std::string& moment);

// By id, then by language: "en", "de".
const std::map<std::string, std::map<std::string, std::string>>& strategyMessages();

// Translates the English text of a message into another language, in any context.
class StrategyTranslator final : public QTranslator {
 public:
  explicit StrategyTranslator(const std::string& language);
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* note, int n) const override;

 private:
  std::map<std::string, QString, std::less<>> texts_;
};

}  // namespace lab

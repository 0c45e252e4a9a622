// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/i18n/strategy_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/strategy/strategy.h"

namespace lab::resources {

extern const unsigned char strategyWords[];
extern const std::size_t strategyWordsSize;

}  // namespace lab::resources

namespace lab {

const std::map<std::string, std::map<std::string, std::string>>& strategyMessages() {
  static const auto all = [] {
    // The resource holds one JSON file after the other.
    const std::string_view text(reinterpret_cast<const char*>(resources::strategyWords), resources::strategyWordsSize);
    std::map<std::string, std::map<std::string, std::string>> messages;
    std::istringstream files{std::string(text)};
    for (nlohmann::json file; (files >> std::ws).good() && files >> file;)
      messages.merge(file.get<std::map<std::string, std::map<std::string, std::string>>>());
    return messages;
  }();
  return all;
}

bool isStrategyMoment(std::string_view moment) {
  constexpr std::string_view kOfAReducer = "note.aggregate.";
  return moment.starts_with(kOfAReducer) || std::ranges::find(kStrategyMoments, moment) != kStrategyMoments.end();
}

QString strategyWords(StrategyKind strategy, const std::string& moment) {
  LAB_CHECK(isStrategyMoment(moment));
  const auto& words = strategyInfo(strategy).words;
  const auto word = words.find(moment);
  if (word == words.end()) return {};
  return QCoreApplication::translate("strategy", strategyMessages().at(word->second).at("en").c_str());
}

QString strategyWords(StrategyKind strategy, const std::string& moment, const QString& value) {
  const QString words = strategyWords(strategy, moment);
  return words.contains(QStringLiteral("%1")) ? words.arg(value) : words;
}

QString strategyWords(const RunInfo& info, const std::string& moment) {
  const bool halves = info.config.matmul == Precision::Bfloat16;
  return strategyWords(info.config.strategy, moment)
      .replace(QStringLiteral("%1"), QString::fromStdString(info.deviceType) + QStringLiteral(":0"))
      .replace(QStringLiteral("%2"), halves ? QStringLiteral("bfloat16") : QStringLiteral("float32"));
}

StrategyTranslator::StrategyTranslator(const std::string& language) {
  for (const auto& [id, texts] : strategyMessages())
    texts_[texts.at("en")] = QString::fromStdString(texts.at(language));
}

QString StrategyTranslator::translate(const char*, const char* text, const char*, int) const {
  const auto found = texts_.find(std::string_view(text != nullptr ? text : ""));
  return found == texts_.end() ? QString() : found->second;
}

}  // namespace lab

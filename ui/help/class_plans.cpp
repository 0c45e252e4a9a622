// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/class_plans.h"

#include <string>

#include "ui/i18n/written_words.h"

namespace lab {

const std::vector<ClassPlan>& shippedClasses() {
  static const auto all = [] {
    std::vector<LineProblem> problems;  // ignored here: tst_guide checks the file
    return readClassPlans(writtenBlocks("class"), writtenBlocks("station"), problems);
  }();
  return all;
}

QString classNote(const ClassStation& station) {
  return writtenWords(station.say) + QStringLiteral("\n→ ") + writtenWords(station.answer) + QLatin1Char('\n') +
         writtenWords(station.seen);
}

QString classesMarkdown(const QString& language) {
  const std::string code = language.toStdString();
  const auto words = [&code](const LessonText& text) {
    return QString::fromStdString(text.in(code)).replace(QLatin1Char('*'), QStringLiteral("\\*"));
  };
  QString text;
  for (const ClassPlan& plan : shippedClasses()) {
    text += QStringLiteral("### %1\n\n%2\n\n").arg(words(plan.title), words(plan.about));
    for (const ClassStation& station : plan.stations)
      text += QStringLiteral("**%1 min: %2.** %3 → %4 *%5*\n\n")
                  .arg(QString::number(station.minute), words(station.title), words(station.say), words(station.answer),
                       words(station.seen));
  }
  return text.trimmed();
}

}  // namespace lab

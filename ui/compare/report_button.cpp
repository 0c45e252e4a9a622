// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/report_button.h"

#include <QStringList>

#include <string>

#include "core/base/error.h"
#include "core/strategy/strategy.h"
#include "ui/compare/lane_report.h"
#include "ui/compare/lane_table.h"
#include "ui/i18n/core_words.h"
#include "ui/lanes/lanes.h"
#include "ui/theme/file_dialog.h"

namespace lab {

ReportButton::ReportButton(const Lanes& lanes, LaneTable& table) : lanes_(lanes), table_(table) {
  setObjectName(QStringLiteral("compareReport"));
  setText(tr("Report…"));
  setFocusPolicy(Qt::TabFocus);
  setProperty("framed", true);
  setToolTip(tr("Writes what the lanes show into an HTML or PDF file"));
  setWhatsThis(
      tr("Writes one file about all lanes as they are now: the table, where the step's time goes, curves, settings and "
         "where they differ, and each strategy's program in TensorFlow. An HTML file needs no other files; a name that "
         "ends with .pdf gives pages to print."));
  connect(this, &QToolButton::clicked, this, &ReportButton::ask);
}

// The proposed name says what is compared.
void ReportButton::ask() {
  QStringList keys;
  for (std::size_t i = 0; i < lanes_.count(); ++i)
    keys << QString::fromStdString(std::string(strategyKey(lanes_.at(i).resolved().strategy)));
  askForPath(window(), this,
             {FileQuestion::Kind::Save, tr("Write a report of the lanes"),
              tr("Web page (*.html)") + QStringLiteral(";;") + tr("PDF (*.pdf)"),
              keys.join(QLatin1Char('-')) + QStringLiteral(".html"), "reportDialog"},
             [this](const QString& path) { write(path); });
}

void ReportButton::write(const QString& path) {
  table_.refresh();  // the table may lag behind, as it changes no faster than one can read
  try {
    const Report report = reportOf(lanes_, table_);
    if (report.runs.empty()) {
      Q_EMIT said(tr("No report: none of the lanes has trained a step yet."));
      return;
    }
    saveReport(report, path);
    Q_EMIT said(tr("Saved: %1").arg(path));
  } catch (const UserError& error) {
    Q_EMIT said(coreSentence(error));
  }
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Actions on the program and its lines: going to a line's moment, showing words about it, copying, saving files.
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>

#include <algorithm>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/codegen/notebook.h"
#include "core/options/config_field.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/program/program_pane.h"
#include "ui/program/program_text.h"
#include "ui/runview/run_controller.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kWordsLines = 3;

}  // namespace

// If this movie follows another one, moves the leader: to the leader's beat of the same kind, or as far into its step.
bool ProgramPane::goTo(int row) {
  const Listing& listing = text_->listing();
  const RunInfo* info = controller_ ? controller_->info() : nullptr;
  if (row < 0 || row >= static_cast<int>(listing.size()) || info == nullptr || !playback_ || !leader_) return false;
  const ProgramBeats beats = at(listing, row).beats;
  const auto& record = playback_->record();
  const Story& story = playback_->story();
  if (!record || story.beats.empty()) return false;
  if (isBeforeSteps(beats) && !isOfSteps(beats)) {
    leader_->home();
    return true;
  }
  const auto at = momentOf(beats, *info, *record, story);
  if (!at) return false;
  if (leader_ == playback_) {
    playback_->seek(playback_->step(), *at);
    return true;
  }
  const Story& leading = leader_->story();
  const Beat* same = leading.find(story.beats[story.beatAt(*at)].kind);
  const double share = story.seconds > 0 ? *at / story.seconds : 0;
  leader_->seek(leader_->step(), same != nullptr ? same->beginS : share * leading.seconds);
  return true;
}

QString ProgramPane::momentWords(const ListingRow& row) const {
  if (row.beats.none()) return tr("Set-up; not part of any beat.");
  const RunInfo* info = controller_ ? controller_->info() : nullptr;
  const ProgramBeats done = info != nullptr ? doneBy(*info, row.beats) : row.beats;
  const QString does = tr("Does: %1.").arg(beatWords(done.none() ? row.beats : done));
  if (isBeforeSteps(row.beats) && !isOfSteps(row.beats))
    return does + QLatin1Char(' ') + tr("Click or Enter: the first step's beginning.");
  if (!isOfSteps(row.beats))
    return does + QLatin1Char(' ') + tr("This line runs outside the steps: no moment shows it.");
  const bool shown = info != nullptr && playback_ && playback_->record() &&
                     momentOf(row.beats, *info, *playback_->record(), playback_->story()).has_value();
  return does + QLatin1Char(' ') +
         (shown ? tr("Click or Enter: to that moment.") : tr("This step has no such moment."));
}

QString ProgramPane::wordsOf(int row) const {
  const Listing& listing = text_->listing();
  if (row < 0 || row >= static_cast<int>(listing.size())) return {};
  const ListingRow& at = lab::at(listing, row);
  if (at.text.isEmpty()) return {};
  QStringList words;
  if (at.isLine()) words << tr("Line %1.").arg(at.number);
  const auto& marks = text_->marks();
  if (static_cast<std::size_t>(row) < marks.size()) {
    if (lab::at(marks, row).now == ProgramText::Now::IsDone) words << tr("▶ Runs now.");
    if (lab::at(marks, row).now == ProgramText::Now::IsCalling) words << tr("▷ Calls a line that runs now.");
  }
  words << momentWords(at);
  if (at.changed) words << tr("+ New with the last change of settings.");
  if (at.lessAbove) words << tr("− Above it a line is gone.");
  return words.join(QLatin1Char(' '));
}

void ProgramPane::say() {
  const QString words = wordsOf(rowAtHand());
  text_->setAccessibleDescription(words);
  const QString shown =
      words.isEmpty() ? tr("▶ runs now · ▷ its caller · ◆ of the object pointed at · + changed · − line gone") : words;
  words_->setToolTip(shown);
  // Keeps the height constant, or the text would move under the pointer.
  words_->setFixedHeight(kWordsLines * words_->fontMetrics().lineSpacing() + theme::em(0.4));
  const QRect room = words_->contentsRect();
  const auto fits = [&](const QString& text) {
    return words_->fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height() <= room.height();
  };
  QString cut = shown;
  while (!cut.isEmpty() && !fits(cut + (cut == shown ? QString() : QStringLiteral(" …"))))
    cut.truncate(std::max<qsizetype>(0, cut.lastIndexOf(QLatin1Char(' '))));
  words_->setText(cut == shown ? shown : cut + QStringLiteral(" …"));
}

void ProgramPane::fillMenu(QMenu& menu) {
  connect(menu.addAction(tr("Copy the &whole program")), &QAction::triggered, this,
          [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(program_.text())); });
  connect(menu.addAction(tr("&Save as a Python file…")), &QAction::triggered, this, [this] { askForFile(false); });
  connect(menu.addAction(tr("Save as a &notebook…")), &QAction::triggered, this, [this] { askForFile(true); });
}

void ProgramPane::copy() {
  if (text_->listing().empty()) return;
  const auto lines = text_->copied().count(QLatin1Char('\n'));
  QGuiApplication::clipboard()->setText(text_->copied());
  Q_EMIT said(text_->textCursor().hasSelection()
                  ? tr("The selected lines are on the clipboard.")
                  : tr("The program is on the clipboard: %Ln lines.", nullptr, plural(lines)),
              false);
}

QString ProgramPane::nameOf(bool notebook) const {
  return QString::fromStdString(std::string(strategyKey(config_->strategy))) +
         (program_.loop ? QStringLiteral("-loop") : QStringLiteral("-fit")) +
         (notebook ? QStringLiteral(".ipynb") : QStringLiteral(".py"));
}

// Opens the dialog without an event loop of its own. Proposes a name that no file has yet.
void ProgramPane::askForFile(bool notebook) {
  if (!config_) return;
  auto* dialog = new QFileDialog(this, notebook ? tr("Save the program as a notebook") : tr("Save the program"));
  dialog->setObjectName(QStringLiteral("programDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(QFileDialog::AnyFile);
  dialog->setNameFilter(notebook ? tr("Jupyter notebook (*.ipynb)") : tr("Python (*.py)"));
  dialog->setDefaultSuffix(notebook ? QStringLiteral("ipynb") : QStringLiteral("py"));
  QString name = nameOf(notebook);
  const QFileInfo proposed(name);
  for (int n = 2; dialog->directory().exists(name); ++n)
    name = QStringLiteral("%1-%2.%3").arg(proposed.completeBaseName()).arg(n).arg(proposed.suffix());
  dialog->selectFile(name);
  connect(dialog, &QFileDialog::fileSelected, this, &ProgramPane::write);
  dialog->open();
}

void ProgramPane::write(const QString& path) {
  if (!config_) return;
  try {
    const bool notebook = path.endsWith(QLatin1String(".ipynb"), Qt::CaseInsensitive);
    const std::string script = (QFileInfo(path).completeBaseName() + QStringLiteral(".py")).toStdString();
    writeFileAtomically(path.toStdString(), notebook ? notebookOf(program_, script) : program_.text());
    Q_EMIT said(tr("Saved: %1").arg(path), false);
  } catch (const std::exception& error) {
    Q_EMIT said(coreSentence(error), true);
  }
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/look/fitting.h"
#include "ui/look/theme.h"
#include "ui/setup/experiment.h"
#include "ui/words/core_words.h"

namespace lab {
namespace {

constexpr int kMostShown = 40;

}  // namespace

namespace {

int lettersScore(const QString& typed, const QString& name) {
  // What is typed stands there as a word, or as the beginning of one.
  for (qsizetype i = 0; (i = name.indexOf(typed, i, Qt::CaseInsensitive)) >= 0; ++i)
    if (i == 0 || !name[i - 1].isLetterOrNumber()) return 4 + 6 * (static_cast<int>(typed.size()) - 1);
  int score = 0;
  qsizetype at = 0, last = -2;
  for (const QChar wanted : typed) {
    if (wanted.isSpace()) continue;
    // The beginning of a word before any other place.
    qsizetype found = -1;
    for (qsizetype i = at; i < name.size() && found < 0; ++i)
      if (name[i].toLower() == wanted.toLower() && (i == last + 1 || i == 0 || !name[i - 1].isLetterOrNumber()))
        found = i;
    if (found < 0) found = name.indexOf(wanted, at, Qt::CaseInsensitive);
    if (found < 0) return -1;
    const bool start = found == 0 || !name[found - 1].isLetterOrNumber();
    score += found == last + 1 ? 6 : start ? 4 : 1;
    last = found;
    at = found + 1;
  }
  return score;
}

}  // namespace

int matchScore(const QString& typed, const QString& name) {
  const int inOrder = lettersScore(typed, name);
  int byWords = 0;
  for (const QString& word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const int score = lettersScore(word, name);
    if (score < 0) return inOrder;
    byWords += score;
  }
  return std::max(inOrder, byWords);
}

CommandPalette::CommandPalette(std::vector<Command> commands, Experiment& experiment, QWidget* parent)
    : QDialog(parent), commands_(std::move(commands)), experiment_(experiment) {
  setObjectName(QStringLiteral("palette"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Command"));
  line_ = new QLineEdit;
  line_->setObjectName(QStringLiteral("paletteLine"));
  line_->setPlaceholderText(tr("Type a command, or a setting and its value: replicas 4"));
  line_->setAccessibleName(tr("Command"));
  line_->installEventFilter(this);
  list_ = new QListWidget;
  list_->setAccessibleName(tr("Commands found"));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setUniformItemSizes(true);
  auto* column = new QVBoxLayout(this);
  column->addWidget(line_);
  column->addWidget(list_, 1);
  fitToScreen(*this, {40, 26});
  connect(line_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::act);
  filter();
}

void CommandPalette::filter() {
  const QString typed = line_->text();
  found_.clear();
  // A setting's name, and behind it a value.
  const QString setting = typed.section(QLatin1Char(' '), 0, -2).trimmed().replace(QLatin1Char(' '), QLatin1Char('-'));
  const QString value = typed.section(QLatin1Char(' '), -1);
  for (const ConfigField& field : configFields()) {
    const QString name = QString::fromStdString(field.name);
    // By its key, and by the name that the window gives it.
    const bool named =
        settingCaption(field).compare(typed.section(QLatin1Char(' '), 0, -2).trimmed(), Qt::CaseInsensitive) == 0;
    if (setting.isEmpty() || value.isEmpty() || (name != setting.toLower() && !named)) continue;
    found_.push_back(
        {tr("Set %1 to %2").arg(settingName(field), value),
         {},
         [this, name, given = QString::fromStdString(settingValue(field, value))] { experiment_.set(name, given); },
         experiment_.refusal(name).isEmpty()});
  }
  std::vector<std::pair<int, const Command*>> ranked;
  for (const Command& command : commands_) {
    const int score = matchScore(typed, command.name);
    if (score >= 0) ranked.emplace_back(score, &command);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [score, command] : ranked)
    if (found_.size() < kMostShown) found_.push_back(*command);

  list_->clear();
  const auto add = [this](const QString& text, bool possible) {
    auto* item = new QListWidgetItem(text, list_);
    if (!possible) item->setFlags(Qt::NoItemFlags);
  };
  for (const Command& command : found_) {
    QString words = command.keys.isEmpty() ? command.name : QStringLiteral("%1    %2").arg(command.name, command.keys);
    if (!command.possible) words += tr("    (not now)");
    add(words, command.possible);
  }
  if (found_.empty())
    add(tr("No command is called “%1”. A setting is typed with its value: replicas 4").arg(typed.simplified()), false);
  list_->setCurrentRow(nextPossible(0, 1));
}

// The first row from `row` on, in this direction, that can be done; -1: none.
int CommandPalette::nextPossible(int row, int direction) const {
  const auto count = static_cast<int>(found_.size());
  while (row >= 0 && row < count && !found_[static_cast<std::size_t>(row)].possible) row += direction;
  return row < count ? row : -1;
}

QStringList CommandPalette::shown() const {
  QStringList names;
  for (const Command& command : found_) names << command.name;
  return names;
}

void CommandPalette::act() {
  const int row = list_->currentRow();
  if (row < 0 || row >= static_cast<int>(found_.size()) || !found_[static_cast<std::size_t>(row)].possible) return;
  const std::function<void()> what = found_[static_cast<std::size_t>(row)].act;
  close();  // first: what is done may open something of its own
  what();
}

bool CommandPalette::eventFilter(QObject*, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return false;
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Down || key == Qt::Key_Up) {
    const int direction = key == Qt::Key_Down ? 1 : -1;
    if (const int row = nextPossible(list_->currentRow() + direction, direction); row >= 0) list_->setCurrentRow(row);
  } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    act();
  } else {
    return false;
  }
  return true;
}

}  // namespace lab

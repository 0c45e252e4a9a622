// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/command_palette.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "ui/accessibility/announcer.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"
#include "ui/setup/fit.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kMostShown = 40, kPageRows = 10;

}  // namespace

namespace {

int lettersScore(const QString& typed, const QString& name) {
  // The typed text occurs as a word, or as the beginning of one.
  for (qsizetype i = 0; (i = name.indexOf(typed, i, Qt::CaseInsensitive)) >= 0; ++i)
    if (i == 0 || !name[i - 1].isLetterOrNumber()) return 4 + 6 * (static_cast<int>(typed.size()) - 1);
  int score = 0;
  qsizetype at = 0, last = -2;
  for (const QChar wanted : typed) {
    if (wanted.isSpace()) continue;
    // Prefer the beginning of a word to any other place.
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

namespace {

enum Rank { Letters = 1, MenusWords, Setting, OwnWords };

QStringList wordsOf(const QString& text) {
  static const QRegularExpression kGap(QStringLiteral("[^\\p{L}\\p{N}]+"));
  return text.split(kGap, Qt::SkipEmptyParts);
}

// True if each typed word is the beginning of a word in the name.
bool haveWords(const QString& typed, const QString& name) {
  const QStringList wanted = wordsOf(typed), there = wordsOf(name);
  return !wanted.isEmpty() && std::ranges::all_of(wanted, [&there](const QString& word) {
    return std::ranges::any_of(there,
                               [&word](const QString& one) { return one.startsWith(word, Qt::CaseInsensitive); });
  });
}

// The rank, then the score; nothing if there is no match.
std::optional<std::pair<int, int>> rankOf(const QString& typed, const Command& command) {
  const QString& words = command.words.isEmpty() ? command.name : command.words;
  const QString own = words.section(QStringLiteral(" ▸ "), -1);
  // "mode fast": matches the end of "Run ▸ Mode ▸ Fast", word by word.
  const QStringList wanted = wordsOf(typed.toLower()), path = wordsOf(words.toLower());
  if (wanted.size() >= wordsOf(own).size() && wanted.size() > 1 &&
      wanted == path.last(std::min(wanted.size(), path.size())))
    return std::pair(static_cast<int>(OwnWords), 2000 + matchScore(typed, words));
  if (haveWords(typed, own)) {
    const bool whole = own.compare(typed.simplified(), Qt::CaseInsensitive) == 0;
    const bool first = own.startsWith(typed.simplified(), Qt::CaseInsensitive);
    return std::pair(static_cast<int>(OwnWords), (whole ? 2000 : first ? 1000 : 0) + matchScore(typed, own));
  }
  const int score = matchScore(typed, words);
  if (score < 0) return std::nullopt;
  return std::pair(static_cast<int>(haveWords(typed, words) ? MenusWords : Letters), score);
}

// A plain word is not a file name: an input must exist, and an output must have a folder or a suffix.
bool namesFile(const ConfigField& field, const QString& value) {
  if (field.kind == ConfigField::Kind::Folder ? QFileInfo(value).isDir() : QFileInfo(value).isFile()) return true;
  return field.group == "Output" && (value.contains(QLatin1Char('/')) || value.contains(QLatin1Char('.')));
}

// True for the whole name of a setting, in the window's words or as an option.
bool isSetting(const QString& typed) {
  const QString key = QString(typed).replace(QLatin1Char(' '), QLatin1Char('-'));
  return std::ranges::any_of(configFields(), [&](const ConfigField& field) {
    return key.compare(QString::fromStdString(field.name), Qt::CaseInsensitive) == 0 ||
           typed.compare(settingCaption(field), Qt::CaseInsensitive) == 0;
  });
}

// Throws UserError if the setting cannot have this value. A text can only be checked with all settings together.
void checkValue(const ConfigField& field, const std::string& value, const RunSettings& now) {
  const RunSettings config = withSetting(now, field.name, value);
  if (field.kind == ConfigField::Kind::Text) (void)resolve(config);
}

}  // namespace

std::vector<std::size_t> rankedCommands(const QString& typed, const std::vector<Command>& commands) {
  std::vector<std::pair<std::pair<int, int>, std::size_t>> ranked;
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (const auto rank = rankOf(typed, commands[i])) ranked.emplace_back(*rank, i);
  std::ranges::stable_sort(ranked, std::ranges::greater(), [](const auto& one) { return one.first; });
  std::vector<std::size_t> rows;
  for (const auto& [rank, row] : ranked) rows.push_back(row);
  return rows;
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
  hint_ = makeLabel({.name = "paletteHint", .wraps = true, .plain = true});
  auto* column = new QVBoxLayout(this);
  column->addWidget(line_);
  column->addWidget(list_, 1);
  column->addWidget(hint_);
  fitToScreen(*this, {40, 26});
  connect(line_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::act);
  filter();
}

void CommandPalette::hint(const QString& text) {
  hint_->setText(text);
  hint_->setVisible(!text.isEmpty());
  if (!text.isEmpty()) announce(*this, text);
}

// Matches a setting by its name, its key or its caption, followed by a value.
std::vector<Command> CommandPalette::settingsTyped() {
  std::vector<Command> found;
  const QString typed = line_->text().simplified(), setting = typed.section(QLatin1Char(' '), 0, -2);
  const QString value = typed.section(QLatin1Char(' '), -1),
                key = QString(setting).replace(QLatin1Char(' '), QLatin1Char('-'));
  for (const ConfigField& field : configFields()) {
    const QString name = QString::fromStdString(field.name);
    const bool named = settingCaption(field).compare(setting, Qt::CaseInsensitive) == 0;
    if (setting.isEmpty() || (name != key.toLower() && !named)) continue;
    const bool isFile = field.kind == ConfigField::Kind::File || field.kind == ConfigField::Kind::Folder;
    if (isFile && !namesFile(field, value)) continue;
    try {
      checkValue(field, settingValue(field, value), experiment_.asked());
    } catch (const UserError& error) {
      hint(coreSentence(error));
      continue;
    }
    const QString refusal = experiment_.refusal(name);
    found.push_back({tr("Set %1 to %2").arg(settingName(field), value),
                     {},
                     [this, &field, value] { set(field, value); },
                     refusal.isEmpty(),
                     {},
                     refusal,
                     {}});
  }
  return found;
}

void CommandPalette::set(const ConfigField& field, const QString& value) {
  const auto words = [this, &field] {
    const std::string now = field.get(experiment_.resolved());
    return now.empty() ? QStringLiteral("–") : settingText(field, now);
  };
  const QString before = words();
  experiment_.set(QString::fromStdString(field.name), QString::fromStdString(settingValue(field, value)));
  if (!experiment_.complaint().isEmpty()) return void(Q_EMIT said(experiment_.complaint()));
  const QString now = words();
  Q_EMIT said(before == now ? tr("%1 is %2 already.").arg(settingCaption(field), now)
                            : QStringLiteral("%1 %2 → %3").arg(settingCaption(field), before, now));
}

void CommandPalette::filter() {
  hint({});
  const QString typed = line_->text();
  std::vector<Command> settings = settingsTyped();
  const bool lacksValue = isSetting(typed.simplified());
  found_.clear();
  for (const std::size_t row : rankedCommands(typed, commands_)) {
    const Command& command = commands_[row];
    const int rank = rankOf(typed, command)->first;
    if (lacksValue && rank == Letters) break;  // scattered letters of a setting's name mean no command
    if (!settings.empty() && rank < Setting)
      for (Command& setting : std::exchange(settings, {})) found_.push_back(std::move(setting));
    if (found_.size() < kMostShown) found_.push_back(command);
  }
  for (Command& setting : settings) found_.push_back(std::move(setting));

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
  // A sentence is shown in full, on as many lines as it needs.
  list_->setUniformItemSizes(!found_.empty());
  list_->setWordWrap(found_.empty());
  if (found_.empty()) add(nothingFound(typed.simplified()), false);
  // If the best match is impossible, Enter must not run another one instead.
  list_->setCurrentRow(!found_.empty() && (found_.front().possible || typed.isEmpty()) ? nextPossible(0, 1) : -1);
}

// A setting without its value cannot be applied, but its name is recognised.
QString CommandPalette::nothingFound(const QString& typed) const {
  for (const ConfigField& field : configFields())
    if (QString::fromStdString(field.name).startsWith(typed, Qt::CaseInsensitive) ||
        settingCaption(field).startsWith(typed, Qt::CaseInsensitive))
      return tr("“%1” is a setting, typed with its value. %2").arg(settingName(field), settingHelp(field));
  return tr("No command is called “%1”. A setting is typed with its value: replicas 4").arg(typed);
}

// The first possible row from `row` on, in this direction; -1: none.
int CommandPalette::nextPossible(int row, int direction) const {
  const auto count = static_cast<int>(found_.size());
  while (row >= 0 && row < count && !at(found_, row).possible) row += direction;
  return row < count ? row : -1;
}

QStringList CommandPalette::shown() const {
  QStringList names;
  for (const Command& command : found_) names << command.name;
  return names;
}

void CommandPalette::act() {
  if (found_.empty()) return;
  const int row = std::max(0, list_->currentRow());
  const Command command = at(found_, row);
  if (!command.possible) return hint(tr("Not now: %1").arg(command.why.isEmpty() ? command.name : command.why));
  close();                                                 // first, because the command may open a window
  if (!command.says.isEmpty()) Q_EMIT said(command.says);  // before: what it says itself is more
  command.act();
}

bool CommandPalette::eventFilter(QObject*, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return false;
  const int key = static_cast<QKeyEvent*>(event)->key();
  const bool pages = key == Qt::Key_PageDown || key == Qt::Key_PageUp;
  if (pages || key == Qt::Key_Down || key == Qt::Key_Up) {
    const int direction = key == Qt::Key_Down || key == Qt::Key_PageDown ? 1 : -1;
    int row = list_->currentRow() + direction;
    if (pages) row = std::clamp(row + direction * (kPageRows - 1), 0, std::max(0, list_->count() - 1));
    if (row = nextPossible(row, direction); row >= 0) list_->setCurrentRow(row);
  } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    act();
  } else {
    return false;
  }
  return true;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/program_pane.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/codegen/notebook.h"
#include "core/options/config_field.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/program/program_text.h"
#include "ui/runview/run_controller.h"
#include "ui/step/selection.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

bool sameSettings(const ResolvedSettings& a, const ResolvedSettings& b) {
  return std::ranges::all_of(configFields(), [&](const ConfigField& field) { return field.get(a) == field.get(b); });
}

QLabel* makeWords(const char* name, const char* role) {
  auto* label = makeLabel({.name = name, .role = role, .wraps = true, .plain = true});
  label->hide();
  return label;
}

constexpr int kWordsLines = 3;

}  // namespace

ProgramPane::ProgramPane(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent) {
  setObjectName(QStringLiteral("programPane"));
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  auto* bar = new FlowLayout;
  makeBar(*bar);
  note_ = makeWords("programNote", "quiet");
  changes_ = makeWords("programChanges", "strong");
  words_ = makeWords("programWords", "caption");
  text_ = new ProgramText;
  text_->setAccessibleName(tr("TensorFlow program"));
  text_->setPlaceholderText(tr("The program appears here as soon as there is a run."));
  text_->setWhatsThis(
      tr("The TensorFlow program that does what the settings say. Lines that run at the shown moment are marked ▶, "
         "lines that call them ▷. Point at a line to see on the stage what it is about; click it, or press Enter, to "
         "go to its moment."));
  auto* column = new QVBoxLayout(this);
  column->setSpacing(0);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(bar);
  column->addWidget(note_);
  column->addWidget(changes_);
  column->addWidget(text_, 1);
  column->addWidget(words_);
  words_->show();
  theme::follow(this, [this, bar] {
    bar->setContentsMargins(theme::em(0.4), theme::em(0.2), theme::em(0.4), theme::em(0.2));
    bar->setSpacing(theme::em(0.3));
    for (QLabel* label : {note_, changes_, words_})
      label->setContentsMargins(theme::em(0.6), theme::em(0.2), theme::em(0.6), theme::em(0.2));
    say();
  });
  connectText();
  follow(controller, playback, selection, playback);
}

ProgramPane::~ProgramPane() {
  if (selection_) selection_->light({});
}

void ProgramPane::makeBar(QLayout& bar) {
  auto* ways = new QButtonGroup(this);
  const auto way = [&](const char* name, const QString& text, const QString& tip, bool loop) {
    QToolButton* button = addButton(bar, name, text, tip);
    button->setCheckable(true);
    ways->addButton(button);
    connect(button, &QToolButton::clicked, this, [this, loop] {
      if (loop == loop_) return showWay();
      setLoop(loop);
      Q_EMIT loopChosen(loop);
    });
    return button;
  };
  fit_ = way("programFit", tr("Keras fit"), tr("One line trains: model.fit"), false);
  custom_ =
      way("programLoop", tr("Custom loop"), tr("A custom training loop, which writes out each part of a step"), true);
  fit_->setChecked(true);
  connect(addButton(bar, "programCopy", tr("Copy"), tr("The selected lines; without a selection, the whole program")),
          &QToolButton::clicked, this, &ProgramPane::copy);
  connect(addButton(bar, "programSave", tr("Save .py…"), tr("The whole program as a file of Python")),
          &QToolButton::clicked, this, [this] { askForFile(false); });
  connect(
      addButton(bar, "programNotebook", tr("Save .ipynb…"), tr("The whole program as a Jupyter notebook, in parts")),
      &QToolButton::clicked, this, [this] { askForFile(true); });
}

QToolButton* ProgramPane::addButton(QLayout& bar, const char* name, const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setObjectName(QLatin1String(name));
  button->setText(text);
  button->setToolTip(tip);
  button->setWhatsThis(tip);
  button->setAccessibleName(text);
  button->setProperty("framed", true);
  button->setFocusPolicy(Qt::TabFocus);
  bar.addWidget(button);
  return button;
}

void ProgramPane::connectText() {
  text_->setWords([this](int row) { return wordsOf(row); }, [this](QMenu& menu) { fillMenu(menu); });
  connect(text_, &ProgramText::pointedAt, this, &ProgramPane::point);
  connect(text_, &ProgramText::wanted, this, &ProgramPane::goTo);
  connect(text_, &QPlainTextEdit::cursorPositionChanged, this, [this] { point(pointed_); });
}

void ProgramPane::follow(RunController& controller, Playback& playback, Selection& selection, Playback& leader) {
  if (controller_ == &controller && playback_ == &playback && selection_ == &selection) return;
  for (QObject* before :
       {static_cast<QObject*>(controller_), static_cast<QObject*>(playback_), static_cast<QObject*>(selection_)})
    if (before != nullptr) before->disconnect(this);
  if (selection_) selection_->light({});
  controller_ = &controller;
  playback_ = &playback;
  selection_ = &selection;
  leader_ = &leader;
  connect(&controller, &RunController::updated, this, &ProgramPane::takeRun);
  connect(&controller, &RunController::started, this, &ProgramPane::takeRun);
  connect(&playback, &Playback::changed, this, &ProgramPane::mark);
  connect(&selection, &Selection::changed, this, &ProgramPane::mark);
  listedStep_ = -1;
  takeRun();
  mark();
}

void ProgramPane::setLoop(bool loop) {
  loop_ = loop;
  showWay();
  before_.reset();  // the program is only written in another way; no setting has changed
  stale_ = true;
  refresh();
}

// Shows which form the text has, as a strategy may have no fit. The chosen form returns as soon as it is possible.
void ProgramPane::showWay() {
  const bool known = !stale_ && config_.has_value();
  ((known ? program_.loop : loop_) ? custom_ : fit_)->setChecked(true);
}

// Notes settings even while the pane is hidden, because changes are shown against the program just before.
void ProgramPane::takeRun() {
  const RunInfo* info = controller_ ? controller_->info() : nullptr;
  if (info == nullptr) return;
  ResolvedSettings config = info->config;
  if (config.dataset == "auto") config.dataset = info->dataset;  // the program says where its data differ
  // A class computes on its workers' processors, also with a strategy that is only simulated elsewhere.
  if (info->isClass) config.devices = DeviceChoice::Cpu;
  if (config_ && sameSettings(*config_, config)) return;
  before_ = std::exchange(config_, std::move(config));
  stale_ = true;
  refresh();
}

void ProgramPane::refresh() {
  if (!isVisible() || !config_) return;
  if (std::exchange(stale_, false)) makeLines();
  mark();
}

void ProgramPane::makeLines() {
  program_ = makeProgram(*config_, {.loop = loop_});
  change_ = {};
  if (before_) change_ = changeOf(makeProgram(*before_, {.loop = loop_}), program_);
  QStringList notes;
  if (strategyInfo(config_->strategy).beyondTensorFlow)
    notes << tr("TensorFlow has no such strategy: this is the program of the nearest one.");
  if (program_.loop && !loop_) notes << tr("A custom loop, not Keras's fit: the program's first lines say why.");
  note_->setText(notes.join(QLatin1Char(' ')));
  note_->setVisible(!notes.isEmpty());
  showWay();
  changes_->setText(changeWords());
  changes_->setVisible(!changes_->text().isEmpty());
  makeListing();
  toChange_ = change_.lines > 0;
  atStart_ = false;
}

QString ProgramPane::changeWords() const {
  if (!before_) return {};
  if (change_.none()) return tr("No line has changed.");
  const StrategyInfo &from = strategyInfo(before_->strategy), &to = strategyInfo(config_->strategy);
  QString words = tr("%Ln lines changed", nullptr, change_.lines);
  if (&from != &to) words = tr("%1 → %2: %3").arg(strategyShortName(from), strategyShortName(to), words);
  if (change_.asides > 0) words += tr(" (and %Ln comments or stand-ins)", nullptr, change_.asides);
  return words;
}

void ProgramPane::makeListing() {
  const Story* story = playback_ && playback_->record() ? &playback_->story() : nullptr;
  const double seconds = story != nullptr ? playback_->seconds() : 0;
  listedStep_ = story != nullptr ? story->step : -1;
  listedBeat_ = story != nullptr ? story->beatAt(seconds) : 0;
  Listing listing = listingOf(program_, story, seconds);
  lab::mark(listing, change_);
  if (listing != text_->listing()) text_->setListing(std::move(listing));
}

void ProgramPane::mark() {
  if (!isVisible() || stale_ || !playback_ || !selection_) return;
  const auto& record = playback_->record();
  const Story& story = playback_->story();
  if (!program_.loop &&
      ((record ? story.step : -1) != listedStep_ || (record && story.beatAt(playback_->seconds()) != listedBeat_)))
    makeListing();
  const RunInfo* info = controller_ ? controller_->info() : nullptr;
  ProgramBeats now;
  if (record && info != nullptr) now = beatsAt(*info, *record, story, playback_->seconds());
  const ProgramBeats about = beatsOf(selection_->shown(), record.get());
  const Listing& listing = text_->listing();
  std::vector<ProgramText::Mark> marks(listing.size());
  std::vector<int> done;
  for (std::size_t i = 0; i < listing.size(); ++i) {
    const bool whole = isWholeStep(listing[i].beats);
    if (listing[i].beats.meets(now)) marks[i].now = whole ? ProgramText::Now::IsCalling : ProgramText::Now::IsDone;
    marks[i].isPointedAt = !whole && listing[i].beats.meets(about);
    if (marks[i].now == ProgramText::Now::IsDone) done.push_back(static_cast<int>(i));
  }
  const bool moved = marks != text_->marks();
  text_->setMarks(std::move(marks));
  if (showsChange())
    text_->bringIntoView(changedRows());
  else if (moved)
    text_->bringIntoView(done);
}

// If true, the pane shows the lines that the user has just changed. Ends when the new run's movie is moved.
bool ProgramPane::showsChange() {
  const bool begins = playback_->story().isBeginning(playback_->seconds());
  if (playback_->isPlaying() || (atStart_ && !begins)) toChange_ = false;
  atStart_ = begins;
  return toChange_;
}

std::vector<int> ProgramPane::changedRows() const {
  std::vector<int> rows;
  const Listing& listing = text_->listing();
  for (std::size_t i = 0; i < listing.size(); ++i)
    if (listing[i].changed && !listing[i].aside) rows.push_back(static_cast<int>(i));
  return rows;
}

void ProgramPane::point(int row) {
  pointed_ = row;
  say();
  if (!selection_) return;
  const int at = rowAtHand();
  const Listing& listing = text_->listing();
  if (at < 0 || !isVisible()) return selection_->light({});
  const ProgramBeats beats = lab::at(listing, at).beats;
  selection_->light(isWholeStep(beats) ? ObjectKinds{Object::Kind::Device} : objectsOf(beats));
}

// The row under the pointer, or else the row of the keyboard's cursor.
int ProgramPane::rowAtHand() const {
  const int row = pointed_ >= 0 ? pointed_ : text_->hasFocus() ? text_->caretRow() : -1;
  return row < static_cast<int>(text_->listing().size()) ? row : -1;
}

void ProgramPane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
  say();
}

void ProgramPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  say();
}

void ProgramPane::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  pointed_ = -1;
  if (selection_) selection_->light({});
}

// Actions on the program and its lines: going to a line's moment, showing words about it, copying, saving files.

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

void ProgramPane::askForFile(bool notebook) {
  if (!config_) return;
  askForPath(this, this,
             {FileQuestion::Kind::Save, notebook ? tr("Save the program as a notebook") : tr("Save the program"),
              notebook ? tr("Jupyter notebook (*.ipynb)") : tr("Python (*.py)"), nameOf(notebook), "programDialog"},
             [this](const QString& path) { write(path); });
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/inspector.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QScopeGuard>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "ui/i18n/band_words.h"
#include "ui/inspect/heat_map.h"
#include "ui/inspect/memory_area.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
#include "ui/step/selection.h"
#include "ui/step/value_map.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kIntervalMs = 400, kLeisurelyMs = 1000;
constexpr double kDigit = 9;         // side, in text sizes
constexpr double kNameWidth = 10.7;  // widest name of a figure on one line, in text sizes
constexpr double kLeastName = 7;     // with less width, a name stands above its value
constexpr double kMostSlowdown = 10;

QLabel* makeWords(const char* name, const char* role) {
  return makeLabel({.name = name, .role = role, .wraps = true, .plain = true, .selectable = true});
}

void fill(QLabel* label, const QString& text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

}  // namespace

Inspector::Inspector(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback), selection_(selection) {
  setProperty("role", QStringLiteral("panel"));
  auto* content = new QWidget;
  content->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(content);
  createContent(*column);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll);

  timer_.setSingleShot(true);
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &Inspector::refresh);
  connect(&playback_, &Playback::changed, this, &Inspector::follow);
  connect(&controller_, &RunController::updated, this, &Inspector::schedule);
  connect(&selection_, &Selection::changed, this, &Inspector::refresh);
  refresh();
}

void Inspector::createContent(QVBoxLayout& column) {
  column.setContentsMargins(theme::em(0.9), theme::em(0.7), theme::em(0.9), theme::em(0.9));
  column.setSpacing(theme::em(0.5));
  title_ = makeWords("inspectorTitle", "title");
  subtitle_ = makeWords("inspectorSubtitle", "quiet");
  digit_ = makeLabel({.name = "inspectorDigit", .role = "picture"});
  digit_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  heat_ = new HeatMap;
  createChoices();

  auto* table = new QWidget;
  grid_ = new QGridLayout(table);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(theme::em(0.8));
  grid_->setVerticalSpacing(theme::em(0.25));
  grid_->setColumnStretch(1, 1);

  memory_ = new MemoryArea;
  createSpeed();
  sumsTitle_ = makeWords("inspectorSumsTitle", "strong");
  sums_ = makeWords("inspectorSums", "plain");
  code_ = makeWords("inspectorCode", "plain");
  code_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  note_ = makeWords("inspectorNote", "quiet");
  for (QWidget* part :
       {static_cast<QWidget*>(title_), static_cast<QWidget*>(subtitle_), static_cast<QWidget*>(digit_),
        static_cast<QWidget*>(heat_), choices_, static_cast<QWidget*>(sumsTitle_), static_cast<QWidget*>(sums_), table,
        static_cast<QWidget*>(memory_), speed_, static_cast<QWidget*>(code_), static_cast<QWidget*>(note_)})
    column.addWidget(part);
  column.addStretch();
}

void Inspector::createChoices() {
  part_ = new QComboBox;
  part_->setObjectName(QStringLiteral("inspectorPart"));
  part_->setAccessibleName(tr("Variable"));
  part_->setToolTip(tr("Which variable of the network is shown"));
  part_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  scope_ = new QComboBox;
  scope_->setObjectName(QStringLiteral("inspectorScope"));
  scope_->setAccessibleName(tr("Scale of the colours"));
  scope_->setToolTip(tr("Where the colours end: at the largest value of this variable, or of all"));
  scope_->addItems({tr("scale: this variable"), tr("scale: all of them")});
  for (QComboBox* box : {part_, scope_}) {
    box->setFocusPolicy(Qt::TabFocus);
    connect(box, &QComboBox::activated, this, &Inspector::showParts);
  }
  choices_ = new QWidget;
  auto* choices = new QVBoxLayout(choices_);
  choices->setContentsMargins(0, 0, 0, 0);
  choices->setSpacing(theme::em(0.3));
  choices->addWidget(part_);
  choices->addWidget(scope_);
}

void Inspector::createSpeed() {
  speed_ = new QWidget;
  auto* speed = new QHBoxLayout(speed_);
  speed->setContentsMargins(0, 0, 0, 0);
  auto* words = makeLabel({.text = tr("Slow it down by"), .wraps = true});
  slowdown_ = new QDoubleSpinBox;
  slowdown_->setObjectName(QStringLiteral("slowdown"));
  slowdown_->setToolTip(tr("How many times slower this device computes: a straggler"));
  slowdown_->setRange(1, kMostSlowdown);
  slowdown_->setSingleStep(0.5);
  slowdown_->setDecimals(1);
  slowdown_->setSuffix(tr(" ×"));
  slowdown_->setKeyboardTracking(false);
  slowdown_->setFocusPolicy(Qt::StrongFocus);
  words->setBuddy(slowdown_);
  connect(slowdown_, &QDoubleSpinBox::valueChanged, this, [this](double factor) {
    if (slowed_ >= 0) Q_EMIT slowdownWanted(slowed_, factor);
  });
  connect(slowdown_, &QDoubleSpinBox::editingFinished, this, [this] {
    if (slowed_ != text_.replica) showSpeed();  // meanwhile, another device is described
  });
  speed->addWidget(words, 1);
  speed->addWidget(slowdown_);
}

void Inspector::showSpeed() {
  const QSignalBlocker quiet(slowdown_);
  slowed_ = text_.replica;
  if (slowed_ >= 0) slowdown_->setValue(text_.slowdown);
}

void Inspector::setLeisurely(bool leisurely) {
  timer_.setInterval(leisurely ? kLeisurelyMs : kIntervalMs);
}

// Another step, its events and a new selection appear together with the stage; changes in between would be too fast to
// read.
void Inspector::follow() {
  const auto& record = playback_.record();
  const bool other = (index_ ? &index_->record() : nullptr) != record.get() || !playback_.isMoving() ||
                     playback_.story().captionAt(playback_.seconds()) != caption_;
  if (other) {
    refresh();
  } else {
    schedule();
  }
}

void Inspector::schedule() {
  if (isVisible() && !timer_.isActive()) timer_.start();
}

void Inspector::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

// Rows stand beside their names or below them, as the width allows.
void Inspector::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) schedule();
}

Description Inspector::describeNow() {
  const auto& record = playback_.record();
  const auto info = controller_.sharedInfo();
  if (!record || !info || playback_.story().beats.empty()) {
    index_.reset();
    return describeRun();
  }
  if (!index_ || &index_->record() != record.get() || &index_->info() != info.get())
    index_ = std::make_unique<StepIndex>(info, record);
  if (!selection_.shown()) return describeRun();
  return describe(selection_.shown(), *index_, playback_.story(), playback_.seconds(),
                  evaluationAfter(controller_.metrics()->evaluations, *index_));
}

Description Inspector::describeRun() {
  Description text;
  const RunInfo* info = controller_.info();
  text.title = tr("This run");
  text.subtitle = runDevices(info);
  if (info != nullptr) text.subtitle = runTitle(info->config, info) + QStringLiteral(" · ") + text.subtitle;
  if (index_) {
    text.rows.push_back({.name = tr("On the stage"), .value = {}, .isHeading = true});
    for (Description::Row& row : describeMoment(*index_, playback_.story(), playback_.seconds()))
      text.rows.push_back(std::move(row));
    text.rows.push_back({.name = tr("Latest"), .value = {}, .isHeading = true});
  }
  for (const Figure& figure :
       runFigures(info, controller_.steps(), controller_.metrics()->evaluations, steady_.of(controller_.sharedInfo())))
    text.rows.push_back({.name = figure.name, .value = figure.value});
  text.note =
      tr("Point at anything on the stage to see what it is; click to keep it here: an image, a gradient, weights, "
         "a layer, a device, a link, a variable shard.");
  if (info != nullptr) text.note += QStringLiteral("\n\n") + runData(info) + QLatin1Char('.');
  return text;
}

void Inspector::refresh() {
  timer_.stop();
  if (!isVisible()) return;
  // Rows that appear change the layout, and with it perhaps what the pointer is over: that is shown afterwards.
  if (std::exchange(isRefreshing_, true)) return schedule();
  const auto done = qScopeGuard([this] { isRefreshing_ = false; });
  text_ = describeNow();
  caption_ = playback_.story().captionAt(playback_.seconds());
  showBand();
  fill(title_, text_.title);
  fill(subtitle_, text_.subtitle);
  digit_->setVisible(!text_.digit.isNull());
  if (!text_.digit.isNull()) {
    const int side = qRound(theme::em(kDigit) * devicePixelRatioF());
    QPixmap picture = QPixmap::fromImage(text_.digit.scaled(side, side, Qt::KeepAspectRatio, Qt::FastTransformation));
    picture.setDevicePixelRatio(devicePixelRatioF());
    digit_->setPixmap(picture);
    // Qt tells screen readers of a name also where it is the same.
    if (digit_->accessibleName() != text_.title) digit_->setAccessibleName(text_.title);
  }
  showParts();
  showRows();
  memory_->show(text_.memory);
  {
    const QSignalBlocker quiet(slowdown_);  // a number that is typed but not entered is dropped when the field goes
    speed_->setVisible(text_.replica >= 0);
  }
  if (!slowdown_->hasFocus()) showSpeed();
  fill(sumsTitle_, text_.sumsTitle);
  fill(sums_, text_.sums.join(QLatin1Char('\n')));
  fill(code_, text_.code);
  fill(note_, text_.note);
  // Lay out from the rows outwards, now, so that a screenshot does not show rows in the room of earlier ones.
  for (QWidget* part = grid_->parentWidget(); part != this; part = part->parentWidget())
    if (part->layout() != nullptr) part->layout()->activate();
}

// For times of the model: how far predictions of published steps were off.
void Inspector::showBand() {
  using Kind = Object::Kind;
  const auto info = controller_.sharedInfo();
  const auto& record = playback_.record();
  constexpr Kind kUntimed[] = {Kind::Digit, Kind::Weights, Kind::Gradient, Kind::Host};
  if (!info || !record || std::ranges::find(kUntimed, selection_.shown().kind) != std::end(kUntimed)) return;
  if (text_.rows.empty()) return;  // the object does not occur in this step
  const QString band = bandText(*info, record->metric);
  if (!band.isEmpty()) text_.rows.push_back({tr("Modelled times"), band});
}

void Inspector::showParts() {
  choices_->setVisible(!text_.parts.empty());
  if (text_.parts.empty()) {
    heat_->clear();
    return;
  }
  QStringList names;
  for (const TensorPart& part : text_.parts) names << part.name;
  QStringList before;
  for (int i = 0; i < part_->count(); ++i) before << part_->itemText(i);
  if (names != before) {
    const QSignalBlocker quiet(part_);
    const QString chosen = part_->currentText();
    part_->clear();
    part_->addItems(names);
    part_->setCurrentIndex(std::max(0, part_->findText(chosen)));
  }
  const TensorPart& part = at(text_.parts, part_->currentIndex());
  double scale = largestMagnitude(part.values);
  if (scope_->currentIndex() == 1)
    for (const TensorPart& other : text_.parts) scale = std::max(scale, largestMagnitude(other.values));
  heat_->show(part, scale);
}

void Inspector::showRows() {
  // A name is on one line if the longest word of all values fits beside it, and above its value if it would be broken
  // into many lines.
  const auto longestWord = [this](const QString& text) {
    int longest = 0;
    for (const QString& word : text.split(QLatin1Char(' ')))
      longest = std::max(longest, fontMetrics().horizontalAdvance(word));
    return longest;
  };
  int longest = 0, longestName = 0;
  for (const auto& row : text_.rows) {
    longest = std::max(longest, longestWord(row.value));
    longestName = std::max(longestName, longestWord(row.name));
  }
  const int room = this->width() - longest - theme::em(4.6);  // minus margins, scroll bar and spacing
  const bool stacked = room < std::max(longestName, theme::em(kLeastName));
  const auto known = static_cast<int>(rows_.size());
  while (rows_.size() < text_.rows.size())
    rows_.emplace_back(makeWords("rowName", "quiet"), makeWords("rowValue", "plain"));
  for (int row = stacked == stacked_ ? known : 0; row < static_cast<int>(rows_.size()); ++row) {
    const auto& [name, value] = at(rows_, row);
    for (QLabel* label : {name, value}) grid_->removeWidget(label);
    // Aligned separately: a grid gives an aligned label the height of one line, and cuts off the others.
    for (QLabel* label : {name, value}) label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    grid_->addWidget(name, 2 * row, 0, 1, stacked ? 2 : 1);
    grid_->addWidget(value, stacked ? 2 * row + 1 : 2 * row, stacked ? 0 : 1, 1, stacked ? 2 : 1);
  }
  stacked_ = stacked;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool used = i < text_.rows.size();
    rows_[i].first->setVisible(used);
    rows_[i].second->setVisible(used && !text_.rows[i].isHeading);
    if (!used) continue;
    QLabel& name = *rows_[i].first;
    setRole(name, text_.rows[i].isHeading ? QStringLiteral("strong") : QStringLiteral("quiet"));
    name.setText(text_.rows[i].name);
    const int width = name.fontMetrics().horizontalAdvance(text_.rows[i].name) + 1;
    rows_[i].second->setText(text_.rows[i].value);
    // No number may be broken at its comma.
    rows_[i].second->setMinimumWidth(std::min(longestWord(text_.rows[i].value) + 1, this->width() - theme::em(3.4)));
    name.setMinimumWidth(width <= theme::em(kNameWidth) && width <= room ? width : 0);
  }
}

}  // namespace lab

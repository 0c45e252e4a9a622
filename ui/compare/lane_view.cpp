// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/prediction/rates.h"
#include "ui/compare/breakdown_bar.h"
#include "ui/compare/lane_sketch.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/stage/stage.h"
#include "ui/theme/icons.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"
#include "ui/transport/scrubber.h"

namespace lab {
namespace {

constexpr int kNoteLines = 2;
constexpr int kLinkMs = 100;          // shortest interval while the movie plays
constexpr int kFrame = 3;             // pixels: around the lane with the focus
constexpr double kLeastLinkName = 8;  // in text sizes: less of a name says nothing

// "worker 0 → …r 0": a link is identified by the ends of its name, and above all by its sender.
QString cutName(const QFontMetrics& metrics, const QString& name, int room) {
  const QString from = name.section(QStringLiteral(" → "), 0, 0) + QStringLiteral(" → ");
  const int rest = room - metrics.horizontalAdvance(from);
  const QString to = name.section(QStringLiteral(" → "), 1);
  if (to.isEmpty() || rest < theme::em(2)) return metrics.elidedText(name, Qt::ElideMiddle, room);
  return from + metrics.elidedText(to, Qt::ElideLeft, rest);
}

QLabel* narrowLabel(const char* name, const char* role = nullptr) {
  QLabel* label = makeLabel({.name = name, .role = role, .plain = true});
  label->setMinimumWidth(1);
  return label;
}

// `name`, then how much of the link's bytes has been carried.
QString carriedWords(const QString& name, std::int64_t now, std::int64_t whole) {
  return name + LaneView::tr("%1: %2 of %3").arg(QString(), bytesText(now), bytesText(whole));
}

}  // namespace

LaneView::LaneView(Lane& lane, const Lane& leader, QWidget* parent) : QFrame(parent), lane_(lane), leader_(leader) {
  setObjectName(QStringLiteral("lane"));
  setProperty("role", QStringLiteral("panel"));
  stage_ = new Stage(lane.controller(), lane.playback(), lane.selection());
  stage_->setFocusPolicy(Qt::StrongFocus);
  stage_->picture().setBeside(true);
  stage_->setMinimumHeight(Stage::kLowHeight);
  sketch_ = new LaneSketch(lane);
  scrubber_ = new Scrubber(lane.playback());
  breakdown_ = new BreakdownBar;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kFrame, kFrame, kFrame, kFrame);
  column->setSpacing(0);
  head_ = makeHead();
  column->addWidget(head_);
  column->addWidget(stage_, 1);
  column->addWidget(sketch_, 1);
  column->addWidget(scrubber_);
  column->addWidget(breakdown_);
  connect(&lane.playback(), &Playback::changed, this, &LaneView::showLink);
  connect(&lane.controller(), &RunController::started, this, &LaneView::forget);
  connect(&leader.controller(), &RunController::started, this, &LaneView::forget);
  linkTimer_.setSingleShot(true);
  linkTimer_.setInterval(kLinkMs);
  connect(&linkTimer_, &QTimer::timeout, this, &LaneView::showLinkNow);
  sketch_->hide();
  for (QWidget* part : findChildren<QWidget*>()) part->installEventFilter(this);
  refresh(0, 0);
}

QWidget* LaneView::makeHead() {
  auto* head = new QWidget;
  head->setMinimumWidth(1);
  mark_ = narrowLabel("laneMark");
  mark_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  name_ = narrowLabel("laneName", "strong");
  name_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  words_ = narrowLabel("laneWords", "quiet");
  number_ = narrowLabel("laneNumber");
  link_ = narrowLabel("laneLink", "quiet");
  QSizePolicy fills(QSizePolicy::Ignored, QSizePolicy::Preferred);
  fills.setRetainSizeWhenHidden(true);  // so that its neighbours stay in place
  link_->setSizePolicy(fills);
  link_->setWhatsThis(
      tr("How much the busiest link has carried up to the shown moment, of all that it carries in this step. Point at "
         "this line to see every link."));
  note_ = narrowLabel("laneNote", "caption");
  note_->setWordWrap(true);
  close_ = new QToolButton;
  close_->setObjectName(QStringLiteral("closeLane"));
  close_->setWhatsThis(tr("Ends this lane's run. The others go on."));
  close_->setIcon(icon(Icon::Close));
  close_->setAutoRaise(true);
  close_->setFocusPolicy(Qt::StrongFocus);  // otherwise a click on it would focus its lane, which then moves
  QSizePolicy keeps = close_->sizePolicy();
  keeps.setRetainSizeWhenHidden(true);  // so that all heads look alike
  close_->setSizePolicy(keeps);
  close_->setVisible(lane_.isOwn());
  connect(close_, &QToolButton::clicked, this, &LaneView::closeWanted);
  auto* row = new QHBoxLayout;
  row->addWidget(mark_);
  row->addWidget(name_);
  row->addWidget(words_);
  row->addWidget(link_, 1);
  row->addWidget(number_);
  row->addWidget(close_);
  auto* column = new QVBoxLayout(head);
  column->addLayout(row);
  column->addWidget(note_);
  theme::follow(head, [row, column] {
    row->setSpacing(theme::em(0.5));
    column->setContentsMargins(theme::em(0.5), 0, theme::em(0.2), theme::em(0.1));
    column->setSpacing(0);
  });
  return head;
}

void LaneView::setSmall(bool small) {
  if (small == small_) return;
  small_ = small;
  stage_->setVisible(!small);
  scrubber_->setVisible(!small && !tight_);
  sketch_->setVisible(small);
  showNumber();
  showNote();
  setFocusPolicy(small ? Qt::StrongFocus : Qt::NoFocus);  // otherwise the stage takes the focus
}

void LaneView::setTight(bool tight) {
  if (std::exchange(tight_, tight) == tight) return;
  scrubber_->setVisible(!small_ && !tight);
  showNote();
}

int LaneView::headHeight(int width) const {
  const QMargins margins = head_->layout()->contentsMargins();
  const int inner = std::max(1, width - 2 * kFrame - margins.left() - margins.right());
  return close_->sizeHint().height() + note_->heightForWidth(inner) + margins.top() + margins.bottom();
}

void LaneView::setHeadHeight(int height) {
  head_->setMinimumHeight(height);
}

QSize LaneView::leastWithStage(bool tight) const {
  const int notes = (tight ? 1 : kNoteLines) * note_->fontMetrics().lineSpacing();
  const int head = close_->sizeHint().height() + notes + theme::em(0.2);
  const int scrubber = tight ? 0 : scrubber_->sizeHint().height();
  return stage_->minimumSize() + QSize(2 * kFrame, 2 * kFrame + head + scrubber + breakdown_->sizeHint().height());
}

void LaneView::setFocused(bool focused) {
  focused_ = focused;
  setAccessibleDescription(focused ? tr("has the focus") : QString());
  update();
}

void LaneView::setMark(const QPixmap& mark) {
  mark_->setPixmap(mark);
}

LaneView::Facts LaneView::facts(InStepBy by) const {
  return {lane_.playback().record(),
          leader_.playback().record(),
          lane_.controller().sharedInfo(),
          leader_.controller().sharedInfo(),
          lane_.controller().state(),
          lane_.refusal(),
          by,
          small_};
}

void LaneView::forget() {
  shown_.reset();
  links_ = {};
}

double LaneView::barRoom() const {
  return breakdown_->room();
}

void LaneView::refresh(std::int64_t longestNs, double barRoom, InStepBy by) {
  const auto& record = lane_.playback().record();
  const RunInfo* info = lane_.controller().info();
  breakdown_->show(record ? std::optional(record->metric) : std::nullopt, longestNs, barRoom,
                   info != nullptr ? info->config.examplesPerStep() : 0);
  if (const Facts now = facts(by); std::exchange(shown_, now) == now) return showLink();
  const QString name = lane_.name();
  setAccessibleName(tr("Lane %1").arg(name));
  stage_->setAccessibleName(tr("Stage of %1").arg(name));
  scrubber_->setAccessibleName(tr("Moments of the present step of %1").arg(name));
  close_->setToolTip(tr("Close the lane %1").arg(name));
  close_->setAccessibleName(close_->toolTip());
  words_->setText(lane_.words());
  showNumber();
  unequals_ = laneNotes(lane_, leader_, by);
  unequal_.clear();
  for (const LaneNote& note : unequals_) unequal_ += note.whole + QLatin1Char(' ');
  showNote();
  showLink();
}

void LaneView::showNumber() {
  const auto& record = lane_.playback().record();
  QString number;
  if (record && small_)
    number = tr("step %1").arg(countText(record->metric.step));  // the loss stands below
  else if (record)
    number = tr("step %1 · loss %2").arg(countText(record->metric.step), lossText(record->metric.loss));
  number_->setText(number);
}

void LaneView::followLinks() {
  const auto& record = lane_.playback().record();
  if (links_.record == record) return;
  links_ = {record, {}, -1, -1};
  if (!record || lane_.controller().info() == nullptr) return;
  const TraceLegend& legend = lane_.controller().info()->legend;
  links_.whole = linkBytes(legend, *record);
  const auto most = std::ranges::max_element(links_.whole, {}, &LinkBytes::bytes);  // like busiestLink()
  if (most == links_.whole.end()) return;
  links_.busiest = most - links_.whole.begin();
  // The stage shows what kind of link it is.
  linkName_ = coreText(at(legend.tracks, most->track).name).section(QStringLiteral(" · "), 0, 0);
}

// One line per link; none while a run is being prepared, which has not described itself yet.
QString LaneView::linkTip(const std::vector<LinkBytes>& now) const {
  if (now.empty()) return {};
  const TraceLegend& legend = lane_.controller().info()->legend;
  QStringList links;
  for (std::size_t i = 0; i < now.size(); ++i)
    links << carriedWords(coreText(at(legend.tracks, now[i].track).name), now[i].bytes, links_.whole[i].bytes);
  return links.join(QLatin1Char('\n'));
}

void LaneView::showLink() {
  if (!isVisible() || small_) return;
  // A new text lays out the whole head again, so not with every frame, which nobody could read anyway.
  if (leader_.playback().isPlaying() && links_.record == lane_.playback().record()) {
    if (!linkTimer_.isActive()) linkTimer_.start();
    return;
  }
  showLinkNow();
}

void LaneView::showLinkNow() {
  linkTimer_.stop();
  if (!isVisible() || small_) return;
  followLinks();
  std::vector<LinkBytes> now;
  QString words, brief;
  if (links_.busiest >= 0) {
    const Playback& playback = lane_.playback();
    const std::int64_t ns = playback.story().clockAt(playback.seconds());
    if (std::exchange(links_.ns, ns) == ns) return;
    now = linkBytes(lane_.controller().info()->legend, *links_.record, ns);
    const auto busiest = static_cast<std::size_t>(links_.busiest);
    linkCarried_ = carriedWords(QString(), now[busiest].bytes, links_.whole[busiest].bytes);
    brief = linkName_ + linkCarried_;
    words = tr("Busiest link %1").arg(brief);
  }
  if (words == said_ && wholeLink_ >= 0) return;
  said_ = words;
  shortLinkWords_ = brief;
  const auto room = [this](const QString& text) {
    return text.isEmpty() ? 0 : link_->fontMetrics().horizontalAdvance(text) + theme::em(0.7);
  };
  wholeLink_ = room(words);
  shortLink_ = room(brief);
  link_->setToolTip(linkTip(now));
  link_->setAccessibleName(words);
  showNote();
}

std::vector<LaneNote> LaneView::notes() const {
  const auto one = [](const QString& words) { return std::vector<LaneNote>{{words, words}}; };
  if (!lane_.refusal().isEmpty()) return one(lane_.refusal());
  if (lane_.controller().state() == RunState::Failed) return one(lane_.controller().failure());
  if (lane_.isOwn() && unequals_.empty()) return one(tr("Same seed, images, order and global batch."));
  if (lane_.isOwn()) return unequals_;
  std::vector<LaneNote> notes = one(tr("The window's own run."));
  notes.insert(notes.end(), unequals_.begin(), unequals_.end());
  return notes;
}

// Shows the sentences that fit into two lines, or into one if room is short; the tool tip has all of them.
void LaneView::showNote() {
  QStringList all;
  const std::vector<LaneNote> said = notes();
  for (const LaneNote& note : said) all << note.whole;
  note_->setToolTip(all.join(QLatin1Char(' ')));
  note_->setAccessibleName(note_->toolTip());
  const int room = std::max(width() - theme::em(1.5), 1);
  note_->setText(wordsThatFit(said, note_->fontMetrics(), room, small_ || tight_ ? 1 : kNoteLines));
  // A kept run's name may be long, but its end says whether it was edited.
  const int nameRoom = width() - mark_->sizeHint().width() - close_->sizeHint().width() - theme::em(3);
  name_->setText(name_->fontMetrics().elidedText(lane_.name(), Qt::ElideMiddle, std::max(nameRoom, 1)));
  name_->setToolTip(lane_.name());
  int used = mark_->sizeHint().width() + name_->sizeHint().width() + close_->sizeHint().width() + theme::em(3);
  used += number_->sizeHint().width();
  number_->setVisible(used <= width());
  // The name of the busiest link takes precedence over words that the stage shows too.
  const int rest = width() - used, wordsWidth = words_->sizeHint().width() + theme::em(0.5);
  const bool both = rest >= wordsWidth + wholeLink_;
  const int forName = rest - link_->fontMetrics().horizontalAdvance(linkCarried_) - theme::em(0.7);
  const bool cut = rest < shortLink_ && forName >= theme::em(kLeastLinkName);
  words_->setVisible(!small_ && (both || (rest < shortLink_ && !cut && rest >= wordsWidth)));
  link_->setVisible(!small_ && shortLink_ > 0 && (cut || rest >= shortLink_));
  const bool named = rest - (words_->isHidden() ? 0 : wordsWidth) >= wholeLink_;
  link_->setText(cut     ? cutName(link_->fontMetrics(), linkName_, forName) + linkCarried_
                 : named ? said_
                         : shortLinkWords_);
}

void LaneView::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  showNote();
}

void LaneView::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
  wholeLink_ = -1;  // not measured
  forget();
}

void LaneView::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  QPainter painter(this);
  const theme::Colours& c = theme::colours();
  painter.setPen(QPen(focused_ ? c.accent : c.line, focused_ ? kFrame : 1));
  painter.setBrush(Qt::NoBrush);
  const double half = focused_ ? kFrame / 2.0 : 0.5;
  painter.drawRect(QRectF(rect()).adjusted(half, half, -half, -half));
}

void LaneView::mousePressEvent(QMouseEvent* event) {
  QFrame::mousePressEvent(event);
  Q_EMIT chosen();
}

void LaneView::focusInEvent(QFocusEvent* event) {
  QFrame::focusInEvent(event);
  Q_EMIT chosen();
}

bool LaneView::eventFilter(QObject* watched, QEvent* event) {
  // The close button chooses no lane: lanes would be arranged again, and the button would move away from the pointer.
  if (watched != close_ && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::FocusIn))
    Q_EMIT chosen();
  return QFrame::eventFilter(watched, event);
}

}  // namespace lab

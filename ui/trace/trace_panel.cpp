// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_panel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>
#include <utility>
#include <variant>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/prediction/step_timeline.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "core/timeline/chrome_trace.h"
#include "core/trace/messages.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
#include "ui/step/selection.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/fitting.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"
#include "ui/trace/breakdown_strip.h"
#include "ui/trace/breakdown_table.h"
#include "ui/trace/counter_tracks.h"
#include "ui/trace/foreign_tracks.h"
#include "ui/trace/trace_paint.h"
#include "ui/trace/trace_search.h"
#include "ui/trace/trace_view.h"

namespace lab {
namespace {

constexpr int kSummaryMs = 150;
constexpr double kBarsEm = 20;  // least width beside the breakdown, in text sizes

QToolButton* headButton(const char* name, const QString& text, const QString& tip) {
  auto* made = new QToolButton;
  made->setObjectName(QLatin1String(name));
  made->setText(text);
  made->setToolTip(tip);
  made->setAccessibleName(text);
  made->setProperty("framed", true);
  return made;
}

QString atOnceWords(const Traffic& traffic) {
  return traffic.mostLinks == 0
             ? QString()
             : TracePanel::tr(" · at most %1 at once, on %Ln links", nullptr, plural(traffic.mostLinks))
                   .arg(bytesText(traffic.mostBytes));
}

}  // namespace

TracePanel::TracePanel(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback), selection_(selection) {
  setProperty("role", QStringLiteral("panel"));
  complaint_ = makeLabel({.name = "traceComplaint", .role = "error"});
  complaint_->setWordWrap(true);
  complaint_->hide();
  makeBars();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(makeHead());
  column->addWidget(complaint_);
  column->addWidget(strip_);
  column->addWidget(split_, 1);
  theme::follow(this, [this] { fitParts(); });
  followAll();
}

void TracePanel::makeBars() {
  view_ = new TraceView;
  view_->setObjectName(QStringLiteral("trace"));
  counterTracks_ = &view_->addCounters();
  foreign_ = new ForeignTracks;
  breakdown_ = new BreakdownTable;
  strip_ = new BreakdownStrip;
  bars_ = new QSplitter(Qt::Vertical);
  bars_->addWidget(view_);
  bars_->addWidget(foreign_);
  bars_->setChildrenCollapsible(false);
  split_ = new QSplitter(Qt::Horizontal);
  split_->addWidget(bars_);
  split_->addWidget(breakdown_);
  split_->setStretchFactor(0, 1);
  split_->setStretchFactor(1, 0);
  split_->setChildrenCollapsible(false);
}

QLayout* TracePanel::makeHead() {
  title_ = makeLabel({.name = "traceTitle", .role = "strong"});
  totals_ = makeLabel({.name = "traceTotals", .role = "quiet"});
  totals_->setMinimumWidth(1);  // in a narrow dock it is cut
  search_ = new TraceSearch({view_, &foreign_->view()});
  auto* open = headButton("openTrace", tr("Open…"),
                          tr("A Chrome trace that this program has written, or TensorFlow's or PyTorch's profiler"));
  export_ = headButton("exportTrace", tr("Export…"), tr("As a Chrome trace, for Perfetto and chrome://tracing"));
  back_ = headButton("closeTrace", tr("Back to the run"), tr("Shows the current run's step again"));
  auto* fit = headButton("fitTrace", tr("Fit"), tr("Fits the selected bar or the step; once more: everything (F)"));
  fit->setFocusPolicy(Qt::TabFocus);
  apart_ = headButton("traceApart", tr("All tracks"), tr("Tracks that did the same, each in a row of its own"));
  table_ = headButton("traceTable", tr("Table"), tr("Where the time of each device went"));
  arrows_ = headButton("traceArrows", tr("Arrows"),
                       tr("From what a sender did to its transfer, and on to what the receiver does with it. The "
                          "arrows of the chosen bar are shown, or all of them where there are few."));
  counters_ = headButton("traceCounters", tr("Counters"),
                         tr("Bytes in flight, links in use and the memory of the chosen device, below the tracks"));
  for (QToolButton* each : {apart_, table_, arrows_, counters_}) {
    each->setCheckable(true);
    each->setFocusPolicy(Qt::TabFocus);
  }
  for (QToolButton* each : {back_, apart_, table_, counters_}) each->hide();
  connect(open, &QToolButton::clicked, this, [this] { askForFile(true); });
  connect(fit, &QToolButton::clicked, view_, &TraceView::fit);
  head_ = new FlowLayout;
  head_->setSpacing(theme::em(0.5));
  head_->setContentsMargins(theme::em(0.8), theme::em(0.3), theme::em(0.8), theme::em(0.3));
  for (QWidget* each : {static_cast<QWidget*>(title_), static_cast<QWidget*>(totals_), static_cast<QWidget*>(search_)})
    head_->addWidget(each);
  for (QToolButton* each : {fit, apart_, table_, arrows_, counters_, open, export_, back_}) head_->addWidget(each);
  return head_;
}

void TracePanel::followAll() {
  timer_.setSingleShot(true);
  timer_.setInterval(kSummaryMs);
  connect(&timer_, &QTimer::timeout, this, &TracePanel::summarise);
  connect(&playback_, &Playback::changed, this, &TracePanel::follow);
  connect(&controller_, &RunController::started, this, &TracePanel::follow);
  connect(&selection_, &Selection::changed, this, &TracePanel::mark);
  connect(export_, &QToolButton::clicked, this, [this] { askForFile(false); });
  connect(back_, &QToolButton::clicked, this, &TracePanel::closeFile);
  connect(view_, &TraceView::rangeChanged, this, &TracePanel::schedule);
  connect(view_, &TraceView::foldedChanged, this, &TracePanel::followFolds);
  connect(counterTracks_, &CounterTracks::shownChanged, this, &TracePanel::followCounters);
  connect(counters_, &QToolButton::clicked, counterTracks_, &CounterTracks::setShown);
  connect(apart_, &QToolButton::clicked, this, [this](bool apart) { view_->setFolded(!apart); });
  connect(table_, &QToolButton::clicked, this, &TracePanel::fitParts);
  connect(foreign_, &ForeignTracks::shownChanged, this, &TracePanel::fitParts);
  connect(arrows_, &QToolButton::toggled, view_, &TraceView::setArrows);
  arrows_->setChecked(true);
  connect(view_, &TraceView::barHovered, this, [this](std::int64_t bar) {
    if (isOfRun()) selection_.hover(objectOf(bar));
  });
  connect(view_, &TraceView::picked, this, [this](std::int64_t bar, int track) {
    if (!isOfRun()) return;
    Object object = objectOf(bar);
    if (bar == TraceView::kNone && track >= 0) {
      const TraceLegend::Track& facts = at(timeline_->legend.tracks, track);
      object = facts.isLink ? Object{Object::Kind::Link, -1, track} : Object{Object::Kind::Device, facts.endpoint, -1};
    }
    selection_.pin(object);
  });
  connect(view_, &TraceView::wanted, this, [this](std::int64_t ns) {
    if (isOfRun()) playback_.seek(playback_.step(), playback_.story().secondsAt(ns));
  });
}

void TracePanel::followFolds() {
  apart_->setVisible(view_->tracks().canFold());
  apart_->setChecked(!view_->tracks().isFolded());
}

void TracePanel::followCounters() {
  counters_->setVisible(!counterTracks_->tracks().empty());
  counters_->setChecked(!counterTracks_->isHidden());
}

// Bars and breakdown side by side, or one above the other if that is too narrow. A table that would have to scroll is
// shown only on request.
void TracePanel::fitParts() {
  const QSize room = visibleRoom(*this);
  const bool whole = room.width() >= theme::em(kBarsEm + 1) + breakdown_->wholeWidth() &&
                     room.height() - head_->heightForWidth(room.width()) >= breakdown_->wholeHeight();
  // The two traces share the available height.
  split_->setSizePolicy(QSizePolicy::Expanding, foreign_->isHidden() ? QSizePolicy::Expanding : QSizePolicy::Ignored);
  table_->setVisible(!whole);
  breakdown_->setVisible(whole || table_->isChecked());
  strip_->setVisible(timeline_ && !whole && !table_->isChecked());
  const bool beside = width() >= theme::em(kBarsEm + 1) + breakdown_->leastWidth();
  split_->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
  bars_->setMinimumWidth(beside ? theme::em(kBarsEm) : 0);
  // The splitter would leave a table that fits as narrow as its hint, and the table would scroll.
  breakdown_->setMinimumWidth(!beside ? 0 : whole ? breakdown_->wholeWidth() : breakdown_->leastWidth());
}

void TracePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHead();
  fitParts();
}

void TracePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

bool TracePanel::isSeen() const {
  return isVisible();
}

void TracePanel::refresh() {
  follow();
  summarise();
  mark();
}

void TracePanel::follow() {
  if (!isSeen() || isFileShown()) return;
  const auto& record = playback_.record();
  if (record != record_.lock() || !record) {
    record_ = record;
    const auto info = controller_.sharedInfo();
    show(record && record->timesKnown && info ? std::make_shared<const Timeline>(timelineOf(*info, *record)) : nullptr);
  }
  view_->setNow(record ? std::optional(playback_.story().clockAt(playback_.seconds())) : std::nullopt);
}

void TracePanel::show(std::shared_ptr<const Timeline> timeline) {
  timeline_ = std::move(timeline);
  view_->setTimeline(timeline_);
  followCounters();
  search_->refresh();
  export_->setEnabled(timeline_ != nullptr);
  mark();
  schedule();
}

void TracePanel::schedule() {
  if (isSeen() && !timer_.isActive()) timer_.start();
}

void TracePanel::summarise() {
  if (!isSeen()) return;
  timer_.stop();
  std::vector<BreakdownTable::Column> columns;
  if (!timeline_) {
    const bool untimed = playback_.record() && !playback_.record()->timesKnown;
    title_->setText(untimed ? tr("Step %1 · times were not recorded").arg(countText(playback_.step())) : QString());
    totalsOf_ = {untimed ? tr("It was written by a version that kept none.") : QString()};
    fitHead();
    breakdown_->setColumns(columns);
    strip_->setColumns(columns);
    fitParts();
    return;
  }
  const Timeline& timeline = *timeline_;
  const auto range = view_->axis().range().value_or(TraceAxis::Range{timeline.beginNs, timeline.endNs});
  const RunInfo* info = isFileShown() ? nullptr : controller_.info();
  for (int track = 0; track < timeline.tracks(); ++track) {
    const TraceLegend::Track& facts = at(timeline.legend.tracks, track);
    // Hosts' processors only feed the other devices.
    const auto spans = timeline.track(track);
    const bool feeds = info != nullptr
                           ? facts.endpoint >= info->replicas + info->parameterDevices
                           : std::ranges::all_of(spans, [](const Span& s) { return s.kind == SpanKind::Input; });
    if (facts.endpoint < 0 || feeds) continue;
    columns.push_back({briefly(at(timeline.legend.endpoints, facts.endpoint).name), facts.endpoint,
                       timeline.breakdown(track, range.first, range.second)});
  }
  const bool areWorkers = info != nullptr && !strategyInfo(info->config.strategy).synchronous;
  breakdown_->setColumns(columns, areWorkers);
  strip_->setColumns(columns, areWorkers);
  fitParts();
  const QString clock = timeline.clock == TimeSource::Modelled ? tr("modelled") : tr("measured");
  const auto& record = playback_.record();
  const QString few = info != nullptr && record ? remainderWords(*info, record->metric) : QString();
  const QString remainder = few.isEmpty() ? few : QStringLiteral(" · ") + few;
  title_->setText(isFileShown() ? tr("%1 · %2").arg(QFileInfo(file_).fileName(), clock)
                                : tr("Step %1 · %2").arg(countText(playback_.step()), clock) + remainder);
  const Traffic traffic = trafficOf(timeline, range.first, range.second);
  // For asynchronous workers the drawn range is not the step, which is one worker's own cycle and began long ago.
  const bool workers = info != nullptr && record && record->metric.worker.has_value();
  const QString cycle = workers && !view_->axis().range()
                            ? tr(" · the cycle of %1 took %2")
                                  .arg(endpointName(*info, *record->metric.worker), durationText(record->metric.stepNs))
                            : QString();
  const QString totals =
      tr("%1 %2: %Ln transfers, %3", nullptr, plural(traffic.transfers))
          .arg(view_->axis().range() ? tr("Marked:")
               : isFileShown()       ? tr("Total")
               : workers             ? tr("Since the update before,")
                                     : tr("It took"),
               durationText(range.second - range.first), bytesText(static_cast<std::int64_t>(traffic.bytes)));
  const QString dropped = timeline.dropped > 0 ? tr(" · %Ln spans were not recorded", nullptr,
                                                    plural(static_cast<std::int64_t>(timeline.dropped)))
                                               : QString();
  totalsOf_ = {totals + atOnceWords(traffic) + cycle + dropped, totals + cycle + dropped, totals + dropped};
  fitHead();
}

// The status line shows the cycle's length too, so it is left out if the buttons would need a line of their own, which
// in a low panel would hide what lies below.
void TracePanel::fitHead() {
  totals_->setToolTip(totalsOf_.front());
  for (const QString& words : totalsOf_) {
    totals_->setText(words);
    int wide = head_->contentsMargins().left() + head_->contentsMargins().right();
    for (int i = 0; i < head_->count(); ++i)
      if (const QLayoutItem* item = head_->itemAt(i); !item->isEmpty())
        wide += item->sizeHint().width() + theme::em(0.5);
    if (wide <= width()) return;
  }
}

Object TracePanel::objectOf(std::int64_t bar) const {
  if (bar == TraceView::kNone) return {};
  const auto i = static_cast<std::size_t>(bar);
  const Span& span = timeline_->spans[i];
  const int endpoint = at(timeline_->legend.tracks, span.track).endpoint;
  switch (span.kind) {
    case SpanKind::Transfer:
      return {Object::Kind::Transfer, -1, static_cast<std::int64_t>(timeline_->source[i])};
    case SpanKind::Compute:
      if (operationOf(span.label) < 0) break;  // cancelled
      return {Object::Kind::Layer, endpoint, operationOf(span.label)};
    case SpanKind::Update:
      return {Object::Kind::Weights, endpoint, -1};
    case SpanKind::Reduce:
      return {Object::Kind::Gradient, endpoint, -1};
    case SpanKind::Input:
    case SpanKind::Wait:
    case SpanKind::Startup:
      break;
  }
  return {Object::Kind::Device, endpoint, -1};
}

bool TracePanel::isPartOf(const Object& object, std::size_t bar) const {
  const Span& span = timeline_->spans[bar];
  const int endpoint = at(timeline_->legend.tracks, span.track).endpoint;
  switch (object.kind) {
    case Object::Kind::Digit:  // the image is part of everything that its replica computes
      return span.kind == SpanKind::Compute && endpoint == object.endpoint;
    case Object::Kind::Transfer:
    case Object::Kind::Layer:
    case Object::Kind::Weights:
      return objectOf(static_cast<std::int64_t>(bar)) == object;
    case Object::Kind::Gradient:
      return span.kind == SpanKind::Reduce && endpoint == object.endpoint;
    default:
      return false;
  }
}

void TracePanel::mark() {
  if (!isSeen() || !timeline_) return;
  counterTracks_->setDevice(isOfRun() && selection_.pinned() ? selection_.pinned().endpoint : -1);
  const Object object = isOfRun() ? selection_.shown() : Object{};
  if (!object) return view_->setMarks({}, {});
  view_->setMarks([this, object](std::size_t bar) { return isPartOf(object, bar); },
                  [this, object](int track) {
                    const TraceLegend::Track& facts = at(timeline_->legend.tracks, track);
                    if (object.kind == Object::Kind::Link) return track == object.index;
                    return facts.endpoint >= 0 && facts.endpoint == object.endpoint;
                  });
}

void TracePanel::askForFile(bool open) {
  const QString filters = tr("Chrome traces (*.json *.json.gz)") + QStringLiteral(";;") + tr("All files (*)");
  if (open)
    askForPath(this, this, {FileQuestion::Kind::Open, tr("Open a trace"), filters, {}, "traceDialog"},
               [this](const QString& path) { openFile(path); });
  else  // An opened trace keeps its file name.
    askForPath(
        this, this,
        {FileQuestion::Kind::Save, tr("Export the trace"), filters,
         isFileShown() ? QFileInfo(file_).absoluteFilePath() : QStringLiteral("step-%1.json").arg(playback_.step()),
         "traceDialog"},
        [this](const QString& path) { exportFile(path); });
}

void TracePanel::complain(const QString& sentence) {
  complaint_->setText(sentence);
  complaint_->setVisible(!sentence.isEmpty());
}

void TracePanel::openFile(const QString& path) {
  const auto opened = std::make_shared<std::variant<Timeline, ForeignTrace>>();
  background_.run([path, opened] { *opened = openTrace(path.toStdString()); },
                  [this, path, opened](const QString& failure) {
                    complain(failure);
                    if (!failure.isEmpty()) return;
                    if (auto* other = std::get_if<ForeignTrace>(opened.get())) {
                      foreign_->open(path, std::move(*other));
                      return search_->refresh();
                    }
                    showFile(path, std::make_shared<const Timeline>(std::get<Timeline>(std::move(*opened))));
                  });
}

void TracePanel::showFile(const QString& path, std::shared_ptr<const Timeline> timeline) {
  file_ = path;
  record_.reset();
  back_->show();
  view_->setNow(std::nullopt);
  view_->setTimeline(nullptr);  // a range that was zoomed into does not exist in the other trace
  show(std::move(timeline));
  summarise();
}

void TracePanel::exportFile(const QString& path) {
  if (!timeline_) return;
  try {
    writeChromeTrace(path.toStdString(), *timeline_);
    complain(QFileInfo(path).size() > kMaxTraceFileBytes
                 ? tr("The trace is written, but is too large to open in this window. Perfetto opens it.")
                 : QString());
    Q_EMIT said(tr("Saved: %1").arg(path));
  } catch (const UserError& error) {
    complain(coreSentence(error));
  }
}

void TracePanel::closeFile() {
  file_.clear();
  back_->hide();
  complain({});
  record_.reset();
  timeline_.reset();
  view_->setTimeline(nullptr);
  refresh();
}

}  // namespace lab

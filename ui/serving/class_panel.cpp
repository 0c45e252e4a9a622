// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/class_panel.h"

#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/i18n/words.h"
#include "ui/serving/member_table.h"
#include "ui/serving/served_class.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLeastTable = 7;  // em

}  // namespace

ClassPanel::ClassPanel(ServedClass& served, QWidget* parent) : QScrollArea(parent), served_(served) {
  setObjectName(QStringLiteral("classPanel"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* both = new QWidget;
  both->setProperty("role", QStringLiteral("panel"));
  both->setAttribute(Qt::WA_StyledBackground);
  auto* column = new QVBoxLayout(both);
  empty_ = makeEmpty();
  content_ = makeContent();
  column->addWidget(empty_);
  column->addWidget(content_, 1);
  setWidget(both);
  both->installEventFilter(this);
  theme::follow(this, [this, column] {
    const int margin = theme::em(0.6);
    column->setContentsMargins(margin, margin, margin, margin);
    view_->setMinimumHeight(theme::em(kLeastTable));
  });
  connect(&served_, &ServedClass::changed, this, &ClassPanel::refresh);
  setShowsCode(false);
  refresh();
}

// Makes the content as high as the panel. If wrapped rows need more height, the panel scrolls.
void ClassPanel::fit() {
  const QLayout& all = *widget()->layout();
  const int bar = verticalScrollBar()->sizeHint().width();
  const bool scrolls = all.minimumHeightForWidth(width()) > height();
  setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
  const int across = width() - (scrolls ? bar : 0);
  widget()->resize(across, scrolls ? all.minimumHeightForWidth(across) : height());
}

void ClassPanel::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fit();
}

bool ClassPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
  return QScrollArea::eventFilter(watched, event);
}

QWidget* ClassPanel::makeEmpty() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  emptyWords_ = makeLabel({.name = "classEmpty", .wraps = true});
  column->addWidget(emptyWords_);
  auto* row = new FlowLayout;
  addButton(*row, "classServe", tr("Serve to the class…"), tr("Asks where and how; nothing can be reached before that"),
            [this] { Q_EMIT serveWanted(); });
  column->addLayout(row);
  column->addStretch(1);
  return page;
}

QWidget* ClassPanel::makeContent() {
  auto* page = new QWidget;
  totals_ = makeLabel({.name = "classTotals", .role = "strong", .wraps = true});
  auto* table = new MemberTable(served_, this);
  view_ = makeMemberView(*table);
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ClassPanel::refreshButtons);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(totals_);
  column->addWidget(makeButtons());
  column->addWidget(view_, 1);
  return page;
}

QWidget* ClassPanel::makeButtons() {
  auto* page = new QWidget;
  auto* row = new FlowLayout(page);
  row->setContentsMargins(0, 0, 0, 0);
  pause_ = addButton(*row, "classPause", tr("Pause all"),
                     tr("All workers rest after the gradient that they are computing; or they go on"),
                     [this] { served_.setPaused(!served_.isPaused()); });
  code_ = addButton(*row, "classShowCode", {}, {}, [this] { Q_EMIT codeWanted(!showsCode_); });
  copy_ = addButton(*row, "classCopy", tr("Copy the link"), tr("For a browser, or strategylab-cli join"), [this] {
    QGuiApplication::clipboard()->setText(served_.link());
    Q_EMIT said(tr("Copied: the link of the class"));
  });
  end_ = addButton(*row, "classEnd", tr("End the lesson…"), tr("Training ends for all; the run stays here"),
                   [this] { askToEnd(); });
  nicknames_ = new QCheckBox(tr("Show nicknames"));
  nicknames_->setObjectName(QStringLiteral("classNicknames"));
  nicknames_->setToolTip(tr("What students call themselves, beside the names that the program gives"));
  connect(nicknames_, &QCheckBox::toggled, &served_, &ServedClass::setShowsNicknames);
  row->addWidget(nicknames_);
  selected_ = makeLabel({.text = tr("Selected:"), .role = "quiet"});
  row->addWidget(selected_);
  each_ << addButton(*row, "classSlow2", tr("Slow down ×2"),
                     tr("The selected workers take twice as long for each closure"), [this] { slow(2); })
        << addButton(*row, "classSlow4", tr("Slow down ×4"),
                     tr("The selected workers take four times as long for each closure"), [this] { slow(4); })
        << addButton(*row, "classFullSpeed", tr("Full speed"), tr("The selected workers are no longer slowed down"),
                     [this] { slow(1); })
        << addButton(*row, "classRemove", tr("Remove"),
                     tr("Sends the selected workers away and tells them why; others do their closures"),
                     [this] { removeSelected(); });
  return page;
}

QAbstractButton* ClassPanel::addButton(QLayout& row, const char* name, const QString& text, const QString& tip,
                                       const std::function<void()>& act) {
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  connect(button, &QPushButton::clicked, this, act);
  row.addWidget(button);
  return button;
}

void ClassPanel::setShowsCode(bool shown) {
  showsCode_ = shown;
  code_->setText(shown ? tr("Show the stage") : tr("Show the code"));
  code_->setToolTip(tr("QR code and link, large, in place of the stage"));
}

void ClassPanel::slow(double factor) {
  for (const int worker : selectedWorkers(*view_)) served_.slow(worker, factor);
}

void ClassPanel::removeSelected() {
  for (const int worker : selectedWorkers(*view_)) served_.remove(worker);
}

// Asks, because ending the class cannot be undone: the link is valid for one lesson.
void ClassPanel::askToEnd() {
  if (findChild<QMessageBox*>(QStringLiteral("classAskEnd")) != nullptr) return;
  auto* question = new QMessageBox(this);
  question->setObjectName(QStringLiteral("classAskEnd"));
  question->setAttribute(Qt::WA_DeleteOnClose);
  question->setIcon(QMessageBox::Question);
  question->setWindowTitle(tr("End the lesson?"));
  question->setText(tr("Training ends for %Ln workers, and the link is no longer valid. The run stays in the window.",
                       nullptr, served_.totals().workers));
  QPushButton* end = question->addButton(tr("&End the lesson"), QMessageBox::AcceptRole);
  end->setObjectName(QStringLiteral("classEndNow"));
  QPushButton* stay = question->addButton(tr("&Go on with it"), QMessageBox::RejectRole);
  question->setDefaultButton(stay);
  question->setEscapeButton(stay);
  connect(end, &QPushButton::clicked, &served_, &ServedClass::end);
  question->open();
}

void ClassPanel::refresh() {
  using State = ClassSource::State;
  const State state = served_.state();
  empty_->setVisible(state != State::Open);
  emptyWords_->setText(state == State::Over
                           ? served_.totals().updates > 0
                                 ? tr("The lesson is over. Its run is in the charts and among the runs.")
                                 : tr("The lesson ended before its first update.")
                           : tr("No class is served. Students join in their browsers with a QR code, install nothing, "
                                "and compute real gradients of this experiment; they appear here as they join."));
  content_->setVisible(state != State::None);
  totals_->setText(state == State::Over ? classEndWords(served_) : classTotalsWords(served_.totals()));
  const bool open = served_.isOpen();
  for (QAbstractButton* button : {pause_, code_, copy_, end_}) button->setVisible(open);
  copy_->setEnabled(!served_.link().isEmpty());
  pause_->setText(served_.isPaused() ? tr("Go on") : tr("Pause all"));
  nicknames_->setChecked(served_.showsNicknames());
  refreshButtons();
}

void ClassPanel::refreshButtons() {
  const bool open = served_.isOpen();
  const bool any = open && !selectedWorkers(*view_).empty();
  selected_->setVisible(open);
  for (QAbstractButton* button : each_) {
    button->setVisible(open);
    button->setEnabled(any);
  }
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/units.h"
#include "ui/charts/metric_chart.h"
#include "ui/run_summary.h"
#include "ui/theme.h"

namespace lab {
namespace {

constexpr int kChartIntervalMs = 100;
constexpr int kMargin = 14;
constexpr QSize kButtonSize(124, 40);
constexpr std::size_t kBatchLine = 0, kTestLine = 1;  // of both charts

QLabel* makeLabel(const char* name, double scale, QFont::Weight weight, const QColor& colour) {
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  QFont font = label->font();
  font.setPointSizeF(font.pointSizeF() * scale);
  font.setWeight(weight);
  label->setFont(font);
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, colour);
  label->setPalette(palette);
  return label;
}

void showBanner(QLabel* banner, const QString& text, const QColor& ink, const QColor& ground) {
  banner->setVisible(!text.isEmpty());
  if (banner->text() == text) return;
  banner->setText(text);
  banner->setStyleSheet(QStringLiteral("QLabel { color: %1; background: %2; border: 1px solid %1; border-radius: 6px;"
                                       " padding: 10px; }")
                            .arg(ink.name(), ground.name()));
}

QString stateWords(const RunController& controller) {
  switch (controller.state()) {
    case RunState::Preparing:
      return MainWindow::tr("Preparing the data and the devices");
    case RunState::Running:
      return MainWindow::tr("Training");
    case RunState::Paused:
      return MainWindow::tr("Paused");
    case RunState::Finished:
      return controller.end() ? MainWindow::tr("Finished: %1 steps in %2 s")
                                    .arg(QString::fromStdString(formatCount(controller.end()->steps)))
                                    .arg(controller.end()->seconds, 0, 'f', 1)
                              : MainWindow::tr("Finished");
    case RunState::Stopped:
      return MainWindow::tr("Stopped");
    case RunState::Failed:
      return MainWindow::tr("Failed");
  }
  return {};
}

}  // namespace

MainWindow::MainWindow(RunController& controller, QWidget* parent) : QMainWindow(parent), controller_(controller) {
  setWindowTitle(QStringLiteral("StrategyLab"));
  setMinimumSize(900, 560);
  resize(1280, 800);
  createActions();

  banner_ = new QLabel;
  banner_->setObjectName(QStringLiteral("banner"));
  banner_->setWordWrap(true);
  banner_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  banner_->hide();

  auto* central = new QWidget;
  auto* column = new QVBoxLayout(central);
  column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
  column->setSpacing(kMargin);
  column->addWidget(createHeader());
  column->addWidget(banner_);
  column->addWidget(createCards());
  column->addWidget(createCharts(), 1);
  setCentralWidget(central);

  stateText_ = makeLabel("state", 1, QFont::DemiBold, theme::colours().ink);
  dataText_ = makeLabel("data", 1, QFont::Normal, theme::colours().quietInk);
  droppedText_ = makeLabel("dropped", 1, QFont::Normal, theme::colours().quietInk);
  statusBar()->setContentsMargins(kMargin - 4, 0, 4, 4);
  statusBar()->addWidget(stateText_);
  statusBar()->addWidget(dataText_, 1);
  statusBar()->addPermanentWidget(droppedText_);

  chartTimer_.setSingleShot(true);
  chartTimer_.setInterval(kChartIntervalMs);
  connect(&chartTimer_, &QTimer::timeout, this, &MainWindow::refreshCharts);
  connect(&controller_, &RunController::updated, this, &MainWindow::onUpdated);
  refreshAll();
}

void MainWindow::createActions() {
  play_ = new QAction(this);
  play_->setObjectName(QStringLiteral("play"));
  play_->setShortcut(Qt::Key_Space);
  connect(play_, &QAction::triggered, this, [this] {
    if (controller_.state() == RunState::Paused) {
      controller_.play();
    } else {
      controller_.pause();
    }
  });
  step_ = new QAction(style()->standardIcon(QStyle::SP_MediaSkipForward), tr("Step"), this);
  step_->setObjectName(QStringLiteral("step"));
  step_->setShortcut(Qt::Key_Right);
  step_->setToolTip(tr("One training step, then pause (Right)"));
  connect(step_, &QAction::triggered, this, [this] { controller_.stepOnce(); });
}

QWidget* MainWindow::createHeader() {
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kMargin);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  title_ = makeLabel("title", 1.7, QFont::DemiBold, theme::colours().ink);
  devices_ = makeLabel("devices", 1.05, QFont::Normal, theme::colours().quietInk);
  words->addWidget(title_);
  words->addWidget(devices_);
  row->addLayout(words, 1);
  for (QAction* action : {play_, step_}) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    button->setFixedSize(kButtonSize);
    button->setStyleSheet(QStringLiteral("QToolButton { background: %1; border: 1px solid %2; border-radius: 6px;"
                                         " padding-left: 14px; }"
                                         "QToolButton:hover, QToolButton:focus { border-color: %3; }"
                                         "QToolButton:pressed { background: %2; }")
                              .arg(theme::colours().panel.name(), theme::colours().edge.name(), theme::colours().accent.name()));
    row->addWidget(button);
  }
  return header;
}

QWidget* MainWindow::createCards() {
  auto* strip = new QWidget;
  auto* row = new QHBoxLayout(strip);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kMargin);
  for (std::size_t i = 0; i < runFigures(nullptr, {}, {}).size(); ++i) {
    auto* panel = new QFrame;
    panel->setObjectName(QStringLiteral("card"));
    panel->setStyleSheet(QStringLiteral("QFrame#card { background: %1; border: 1px solid %2; border-radius: 6px; }")
                             .arg(theme::colours().panel.name(), theme::colours().line.name()));
    auto* column = new QVBoxLayout(panel);
    column->setSpacing(2);
    const Card card{makeLabel("figureName", 0.95, QFont::Normal, theme::colours().quietInk),
                    makeLabel("figureValue", 1.5, QFont::DemiBold, theme::colours().ink),
                    makeLabel("figureNote", 0.9, QFont::Normal, theme::colours().quietInk)};
    card.note->setWordWrap(true);
    column->addWidget(card.name);
    column->addWidget(card.value);
    column->addWidget(card.note);
    column->addStretch();
    row->addWidget(panel, 1);
    cards_.push_back(card);
  }
  return strip;
}

QWidget* MainWindow::createCharts() {
  auto* charts = new QWidget;
  auto* row = new QHBoxLayout(charts);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kMargin);
  const std::vector<MetricChart::Line> lines{{tr("training, each batch"), theme::colours().batchLine, false},
                                             {tr("test images"), theme::colours().ink, true}};
  loss_ = new MetricChart(tr("Loss"), tr("Cross-entropy (nats)"), MetricChart::Range::FromZero, lines);
  accuracy_ = new MetricChart(tr("Accuracy"), tr("Correct (%)"), MetricChart::Range::Percent, lines);
  loss_->setObjectName(QStringLiteral("loss"));
  accuracy_->setObjectName(QStringLiteral("accuracy"));
  row->addWidget(loss_, 1);
  row->addWidget(accuracy_, 1);
  return charts;
}

void MainWindow::onUpdated() {
  refreshTexts();
  if (!chartTimer_.isActive()) chartTimer_.start();
}

void MainWindow::refreshAll() {
  refreshTexts();
  refreshCharts();
}

void MainWindow::refreshTexts() {
  const RunInfo* info = controller_.info();
  const bool paused = controller_.state() == RunState::Paused;
  play_->setText(paused ? tr("Continue") : tr("Pause"));
  play_->setIcon(style()->standardIcon(paused ? QStyle::SP_MediaPlay : QStyle::SP_MediaPause));
  play_->setToolTip(paused ? tr("Go on training (Space)") : tr("Pause after the present step (Space)"));
  play_->setEnabled(!controller_.isOver());
  step_->setEnabled(!controller_.isOver());

  title_->setText(runTitle(controller_.config(), info));
  devices_->setText(runDevices(info));
  stateText_->setText(stateWords(controller_));
  dataText_->setText(runData(info));
  droppedText_->setText(
      tr("dropped spans: %1")
          .arg(QString::fromStdString(formatCount(static_cast<std::int64_t>(controller_.droppedSpans())))));

  if (!controller_.failure().isEmpty()) {
    showBanner(banner_, controller_.failure(), theme::colours().errorInk, theme::colours().errorGround);
  } else {
    showBanner(banner_, runWarning(controller_.steps()), theme::colours().warningInk, theme::colours().warningGround);
  }

  const auto figures = runFigures(info, controller_.steps(), controller_.evaluations());
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    cards_[i].name->setText(figures[i].name);
    cards_[i].value->setText(figures[i].value);
    cards_[i].note->setText(figures[i].note);
  }
}

void MainWindow::refreshCharts() {
  QList<QPointF> batchLoss, batchAccuracy, testLoss, testAccuracy;
  for (const StepMetric& step : controller_.steps()) {
    const auto x = static_cast<double>(step.step);
    batchLoss.append({x, step.loss});
    batchAccuracy.append({x, 100 * step.accuracy});
  }
  for (const EvalMetric& evaluation : controller_.evaluations()) {
    const auto x = static_cast<double>(evaluation.step);
    testLoss.append({x, evaluation.testLoss});
    testAccuracy.append({x, 100 * evaluation.testAccuracy});
  }
  if (controller_.info()) {
    loss_->setLastStep(static_cast<double>(controller_.info()->totalSteps));
    accuracy_->setLastStep(static_cast<double>(controller_.info()->totalSteps));
  }
  loss_->setPoints(kBatchLine, batchLoss);
  loss_->setPoints(kTestLine, testLoss);
  accuracy_->setPoints(kBatchLine, batchAccuracy);
  accuracy_->setPoints(kTestLine, testAccuracy);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_words.h"

#include <QPainter>
#include <QPolygonF>
#include <QStringList>

#include <cmath>

#include "core/options/config_field.h"
#include "ui/charts/axis.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"

namespace lab {

QString axisName(const std::string& axis) {
  return axis == kRuleAxis ? tr("Learning-rate rule") : settingCaption(configField(axis));
}

QString axisText(const std::string& axis, const std::string& value) {
  if (axis == kRuleAxis) return ruleName(value);
  if (axis == "strategy")
    for (const StrategyInfo& info : strategies())
      if (info.key == value) return strategyShortName(info);
  return value.empty() ? QStringLiteral("–") : settingText(configField(axis), value);
}

QString ruleName(const std::string& rule) {
  if (rule == "none") return tr("rate unchanged");
  if (rule == "sqrt") return tr("√ of the batch");
  if (rule == "linear") return tr("linear");
  if (rule == kWarmedRule) return tr("linear, warmed up");
  if (rule == kStalenessRule) return tr("divided by the staleness");
  return QString::fromStdString(rule);
}

QString planText(const SweepRequest& request) {
  const SweepPlan& plan = request.plan;
  const auto valuesText = [&](const std::string& axis) {
    QStringList texts;
    for (const std::string& value : valuesOf(plan, axis)) texts << axisText(axis, value);
    return texts.join(QStringLiteral(", "));
  };
  QString text = tr("%1: %2. %3: %4.")
                     .arg(axisName(request.rows), valuesText(request.rows), axisName(request.columns),
                          valuesText(request.columns));
  text += QLatin1Char('\n');
  if (request.rows != "strategy" && request.columns != "strategy")
    text += coreText(strategyInfo(plan.base.strategy).name) + QStringLiteral(" · ");
  text += valuesText(kRuleAxis) + QStringLiteral(" · ") + tr("%Ln seeds", nullptr, plural(plan.seeds));
  if (plan.target.accuracy) text += QStringLiteral(" · ") + tr("target %1").arg(percentText(*plan.target.accuracy));
  return text;
}

QString quantityName(SweepQuantity quantity, std::optional<bool> modelled) {
  switch (quantity) {
    case SweepQuantity::Steps:
      return tr("Steps to the target");
    case SweepQuantity::Examples:
      return tr("Examples to the target");
    case SweepQuantity::Seconds:
      return !modelled   ? tr("Time to the target, partly modelled")
             : *modelled ? tr("Time to the target, modelled")
                         : tr("Time to the target, measured");
    case SweepQuantity::Accuracy:
      return tr("Test accuracy at the end");
    case SweepQuantity::Rate:
      return !modelled   ? tr("Images/s, partly modelled")
             : *modelled ? tr("Images/s, modelled, steady")
                         : tr("Images/s, measured, mean of the run");
    case SweepQuantity::Efficiency:
      return tr("Scaling efficiency, modelled");
    case SweepQuantity::Loss:
      return tr("Test loss at the end");
    case SweepQuantity::Duration:
      return !modelled   ? tr("Time of the run, partly modelled")
             : *modelled ? tr("Time of the run, modelled")
                         : tr("Time of the run, measured");
  }
  return {};
}

QString secondsText(double seconds) {
  return durationText(std::llround(seconds * 1e9));
}

QString quantityText(SweepQuantity quantity, double value) {
  switch (quantity) {
    case SweepQuantity::Seconds:
    case SweepQuantity::Duration:
      return secondsText(value);
    case SweepQuantity::Accuracy:
    case SweepQuantity::Efficiency:
      return percentText(value);
    case SweepQuantity::Steps:
      return value < 100'000 ? countText(std::llround(value)) : shortNumber(value);
    default:
      return shortNumber(value);
  }
}

QString stateName(CellState state) {
  switch (state) {
    case CellState::Waiting:
      return tr("waiting");
    case CellState::Running:
      return tr("running");
    case CellState::Reached:
      return tr("reached the target");
    case CellState::NotReached:
      return tr("not reached");
    case CellState::Finished:
      return tr("finished");
    case CellState::Diverged:
      return tr("diverged");
    case CellState::Failed:
      return tr("failed");
    case CellState::Cancelled:
      return tr("cancelled");
    case CellState::Refused:
      return tr("cannot run");
    case CellState::NotRun:
      return tr("not run: time was up");
    case CellState::Stopped:
      return tr("stopped early: others were better");
  }
  return {};
}

QString stateLetter(CellState state) {
  switch (state) {
    case CellState::NotReached:
      return tr("N", "mark of a cell: not reached");
    case CellState::Diverged:
      return tr("D", "mark of a cell: diverged");
    case CellState::Failed:
      return tr("F", "mark of a cell: failed");
    case CellState::Cancelled:
      return tr("C", "mark of a cell: cancelled");
    case CellState::Refused:
      return tr("X", "mark of a cell: cannot run, too large or invalid");
    case CellState::NotRun:
      return tr("T", "mark of a cell: not run, time was up");
    case CellState::Stopped:
      return tr("S", "mark of a cell: stopped early");
    default:
      return {};
  }
}

namespace {

void paintLetter(QPainter& painter, const QRectF& at, CellState state) {
  const QString letter = stateLetter(state);
  if (letter.isEmpty()) return;
  const double side = at.width();
  QFont font = painter.font();
  font.setPixelSize(std::max(1, static_cast<int>(side * 0.55)));
  font.setBold(true);
  painter.setFont(font);
  const double down = state == CellState::Diverged ? side * 0.16 : 0;
  painter.drawText(
      at.translated(state == CellState::Refused ? side * 0.16 : 0, state == CellState::Refused ? -side * 0.12 : down),
      Qt::AlignCenter, letter);
}

}  // namespace

void paintMark(QPainter& painter, const QRectF& box, CellState state) {
  const double side = std::min(box.width(), box.height());
  const QRectF at(box.center().x() - side / 2, box.center().y() - side / 2, side, side);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen = painter.pen();
  pen.setWidthF(std::max(1.0, side / 12));
  if (state == CellState::NotRun) pen.setStyle(Qt::DotLine);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  const QColor ink = pen.color();
  switch (state) {
    case CellState::Waiting:
      painter.setBrush(ink);
      painter.drawEllipse(at.center(), side / 10, side / 10);
      break;
    case CellState::Running:
      painter.setBrush(ink);
      painter.drawPolygon(QPolygonF({at.topLeft() + QPointF(side / 5, side / 8),
                                     {at.right() - side / 8, at.center().y()},
                                     at.bottomLeft() + QPointF(side / 5, -side / 8)}));
      break;
    case CellState::Reached:
    case CellState::Finished:
      painter.setBrush(ink);
      painter.drawEllipse(at.adjusted(side / 5, side / 5, -side / 5, -side / 5));
      break;
    case CellState::NotReached:
    case CellState::NotRun:
      painter.drawEllipse(at);
      break;
    case CellState::Diverged:
      painter.drawPolygon(QPolygonF({{at.center().x(), at.top()}, at.bottomRight(), at.bottomLeft()}));
      break;
    case CellState::Failed:
      painter.drawPolygon(QPolygonF({{at.center().x(), at.top()},
                                     {at.right(), at.center().y()},
                                     {at.center().x(), at.bottom()},
                                     {at.left(), at.center().y()}}));
      break;
    case CellState::Cancelled:
      painter.drawRect(at);
      break;
    case CellState::Stopped:
      painter.drawRoundedRect(at, side / 4, side / 4);
      break;
    case CellState::Refused:
      painter.drawRect(at);
      painter.drawLine(at.topLeft(), at.bottomRight());
      break;
  }
  paintLetter(painter, at, state);
  painter.restore();
}

QString entryText(const SweepEntry& entry, SweepQuantity quantity) {
  QStringList words;
  const int runs = static_cast<int>(entry.cells.size());
  if (entry.hasMean()) {
    words << QStringLiteral("%1: %2").arg(quantityName(quantity, entry.modelled), quantityText(quantity, entry.mean()));
    if (entry.values.size() > 1) {
      const auto [low, high] = std::minmax_element(entry.values.begin(), entry.values.end());
      words << tr("mean of %Ln seeds", nullptr, plural(std::ssize(entry.values)))
            << tr("± %1, from %2 to %3")
                   .arg(quantityText(quantity, entry.deviation()), quantityText(quantity, *low),
                        quantityText(quantity, *high));
    }
  } else if (entry.ofTwoClocks) {
    words << tr("no mean: some times are modelled, others measured");
  } else if (!entry.values.empty()) {
    words << (isOfTarget(quantity) ? tr("%1 of %Ln runs reached the target", nullptr, runs)
              : entry.mark == CellState::Diverged
                  ? tr("%1 of %Ln runs ended with a loss that is a number", nullptr, runs)
                  : tr("not stopped: %1 of %Ln runs", nullptr, runs))
                 .arg(countText(std::ssize(entry.values)));
  }
  if (!entry.rule.empty() && entry.hasMean()) words << tr("rule: %1").arg(ruleName(entry.rule));
  if (entry.mark) words << stateName(*entry.mark);
  for (const SweepEntry::Stopped& stop : entry.stopped)
    words << (stop.testAccuracy ? tr("after %Ln steps a test accuracy of %1", nullptr, plural(stop.steps))
                                      .arg(percentText(*stop.testAccuracy))
                                : tr("after %Ln steps", nullptr, plural(stop.steps)));
  if (entry.best) words << tr("best of its row");
  return words.join(QStringLiteral(", "));
}

}  // namespace lab

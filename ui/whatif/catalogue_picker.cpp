// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/catalogue_picker.h"

#include <QWheelEvent>

#include <algorithm>

#include "ui/theme.h"
#include "ui/words.h"

namespace lab {
namespace {

QString text(const std::string& utf8) {
  return QString::fromStdString(utf8).toHtmlEscaped();
}

QString rich(const std::string& name, const QStringList& figures, const std::string& sources,
             const std::string& notes) {
  QString all = QStringLiteral("<b>%1</b><br>%2").arg(text(name), figures.join(QStringLiteral("<br>")));
  if (!sources.empty()) all += QStringLiteral("<br><br>") + QObject::tr("Sources: %1").arg(text(sources));
  if (!notes.empty()) all += QStringLiteral("<br><br>") + text(notes);
  return QStringLiteral("<qt><p style='width:%1px'>%2</p></qt>").arg(theme::em(32)).arg(all);
}

}  // namespace

QString figuresOf(const DeviceModel& device) {
  QStringList figures{QObject::tr("%1 TFLOP/s float32").arg(numberText(device.fp32Tflops))};
  if (device.matrixTflops > 0)
    figures << QObject::tr("%1 TFLOP/s %2").arg(numberText(device.matrixTflops), text(device.matrixPrecision));
  figures << QObject::tr("%1 GB memory, %2 GB/s").arg(numberText(device.memoryGb), numberText(device.memoryGbPerSec))
          << QObject::tr("%1 µs a kernel launch").arg(numberText(device.launchOverheadUs))
          << QObject::tr("%1 % of its peak when it trains a CNN").arg(numberText(100 * device.cnnEfficiency));
  return rich(device.name, figures, device.sources, device.notes);
}

QString figuresOf(const LinkModel& link) {
  return rich(link.name,
              {QObject::tr("%1 GB/s per direction, %2 of it reached")
                   .arg(numberText(link.gbPerSec), numberText(link.effectiveGbPerSec)),
               QObject::tr("%1 µs a message").arg(numberText(link.latencyUs))},
              link.sources, link.notes);
}

CataloguePicker::CataloguePicker(What what, const Catalogue& catalogue, QWidget* parent)
    : QComboBox(parent), what_(what) {
  setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(10);
  setMaxVisibleItems(16);
  setFocusPolicy(Qt::TabFocus);  // after a choice with the mouse the keys are the window's
  setCatalogue(catalogue);
  connect(this, &QComboBox::activated, this, [this] { Q_EMIT chosen(); });
  connect(this, &QComboBox::currentIndexChanged, this, &CataloguePicker::showTip);
  showTip();
}

void CataloguePicker::setCatalogue(const Catalogue& catalogue) {
  const QSignalBlocker quiet(this);
  const QString before = id();
  clear();
  const auto add = [this](const auto& model) {
    addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
    setItemData(count() - 1, figuresOf(model), Qt::ToolTipRole);
  };
  if (what_ == What::Device)
    for (const DeviceModel& device : catalogue.devices()) add(device);
  else
    for (const LinkModel& link : catalogue.links()) add(link);
  setCurrentIndex(std::max(0, findData(before)));
  showTip();
}

void CataloguePicker::setId(const QString& id) {
  const QSignalBlocker quiet(this);
  setCurrentIndex(findData(id));
  showTip();
}

void CataloguePicker::showTip() {
  setToolTip(currentData(Qt::ToolTipRole).toString());
}

void CataloguePicker::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

}  // namespace lab

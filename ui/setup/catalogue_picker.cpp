// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/catalogue_picker.h"

#include <QCompleter>
#include <QFocusEvent>
#include <QLineEdit>
#include <QStandardItemModel>

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kFigures = Qt::UserRole + 1;

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
          << QObject::tr("%1 µs per kernel launch").arg(numberText(device.launchOverheadUs))
          << QObject::tr("%1 % of its peak when it trains a CNN").arg(numberText(100 * device.cnnEfficiency));
  return rich(device.name, figures, device.sources, device.notes);
}

QString figuresOf(const LinkModel& link) {
  return rich(link.name,
              {QObject::tr("%1 GB/s per direction nominal, %2 effective")
                   .arg(numberText(link.gbPerSec), numberText(link.effectiveGbPerSec)),
               QObject::tr("%1 µs per transfer").arg(numberText(link.latencyUs))},
              link.sources, link.notes);
}

CataloguePicker::CataloguePicker(What what, const Catalogue& catalogue, QWidget* parent) : Still(parent), what_(what) {
  setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(10);
  setMaxVisibleItems(16);
  setFocusPolicy(Qt::TabFocus);  // after a choice with the mouse, keys go to the window
  setCatalogue(catalogue);
  connect(this, &QComboBox::activated, this, [this] { Q_EMIT chosen(); });
  connect(this, &QComboBox::currentIndexChanged, this, &CataloguePicker::showTip);
  showTip();
}

void CataloguePicker::setCatalogue(const Catalogue& catalogue) {
  const QSignalBlocker quiet(this);
  const QString before = id();
  clear();
  if (usual_) addItem(QString(), QString());
  const auto add = [this](const auto& model) {
    addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
    for (const int role : {int{Qt::ToolTipRole}, kFigures}) setItemData(count() - 1, figuresOf(model), role);
  };
  if (what_ == What::Device)
    for (const DeviceModel& device : catalogue.devices()) add(device);
  else
    for (const LinkModel& link : catalogue.links()) add(link);
  if (usual_) setUsual(*usual_);
  setCurrentIndex(std::max(0, findData(before)));
  showTip();
}

void CataloguePicker::letType() {
  setEditable(true);
  setFocusPolicy(Qt::StrongFocus);
  setInsertPolicy(NoInsert);
  completer()->setCompletionMode(QCompleter::PopupCompletion);
  completer()->setFilterMode(Qt::MatchContains);
  completer()->setCaseSensitivity(Qt::CaseInsensitive);
  connect(lineEdit(), &QLineEdit::editingFinished, this, &CataloguePicker::take);
}

// Shows the text from its beginning if there is no room for all of it.
void CataloguePicker::showText(const QString& text) {
  setEditText(text);
  lineEdit()->setCursorPosition(0);
}

void CataloguePicker::take() {
  const QString text = lineEdit()->text().trimmed();
  if (text == itemText(currentIndex())) return;
  int row = findText(text, Qt::MatchFixedString);
  if (row < 0) row = findData(text.toLower());
  if (row < 0 && !text.isEmpty()) {  // a part of exactly one name
    QList<int> holding;
    for (int i = usual_ ? 1 : 0; i < count(); ++i)
      if (itemText(i).contains(text, Qt::CaseInsensitive)) holding << i;
    if (holding.size() == 1) row = holding.front();
  }
  if (text.isEmpty() && usual_) row = 0;
  if (row < 0) {
    Q_EMIT typed(text);
    return;
  }
  setCurrentIndex(row);
  showText(itemText(row));
  Q_EMIT chosen();
}

void CataloguePicker::refuse(const std::function<QString(const QString& id)>& why) {
  auto* rows = qobject_cast<QStandardItemModel*>(model());
  for (int i = 0; i < count(); ++i) {
    const QString reason = why(itemData(i).toString());
    rows->item(i)->setEnabled(reason.isEmpty());
    setItemData(i, reason, Qt::AccessibleDescriptionRole);
    const QString tip = itemData(i, kFigures).toString();
    setItemData(
        i,
        reason.isEmpty() ? tip : QStringLiteral("<qt><p>%1</p>").arg(reason.toHtmlEscaped()) + tip.mid(qstrlen("<qt>")),
        Qt::ToolTipRole);
  }
  showTip();
}

void CataloguePicker::setUsual(const QString& id) {
  const QSignalBlocker quiet(this);
  if (!usual_) insertItem(0, QString(), QString());
  usual_ = id;
  const int row = std::max(0, findData(id));
  setItemText(
      0, id.isEmpty() ? QObject::tr("the usual one") : QObject::tr("%1 (usual)").arg(row > 0 ? itemText(row) : id));
  setItemData(0, itemData(row, Qt::ToolTipRole), Qt::ToolTipRole);
  if (isEditable() && currentIndex() == 0) showText(itemText(0));
}

void CataloguePicker::setId(const QString& id) {
  const QSignalBlocker quiet(this);
  setCurrentIndex(findData(id));
  if (isEditable()) showText(currentIndex() < 0 ? id : itemText(currentIndex()));
  showTip();
}

void CataloguePicker::showTip() {
  if (!isEditable()) setToolTip(currentData(Qt::ToolTipRole).toString());  // else its own, and the entries have theirs
}

// A click selects the text, so that typing replaces it.
void CataloguePicker::focusInEvent(QFocusEvent* event) {
  QComboBox::focusInEvent(event);
  const Qt::FocusReason why = event->reason();
  if (why == Qt::TabFocusReason || why == Qt::BacktabFocusReason || why == Qt::ShortcutFocusReason) byMouse_ = false;
  if (why != Qt::MouseFocusReason || !isEditable()) return;
  byMouse_ = true;
  QMetaObject::invokeMethod(lineEdit(), &QLineEdit::selectAll, Qt::QueuedConnection);  // after the press
}

// What was typed but not chosen keeps the keys.
void CataloguePicker::hidePopup() {
  QComboBox::hidePopup();
  if (!byMouse_ || !isEditable()) return;
  const auto giveBack = [this] {
    if (byMouse_ && lineEdit()->text() == itemText(currentIndex())) clearFocus();
  };
  QMetaObject::invokeMethod(this, giveBack, Qt::QueuedConnection);  // after the choice
}

}  // namespace lab

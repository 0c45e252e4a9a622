// SPDX-License-Identifier: GPL-3.0-or-later
// A device or a link of the hardware catalogue, chosen from a list. Every entry's tool tip has its figures and where
// each of them comes from.
#pragma once

#include <QComboBox>

#include <functional>
#include <optional>

#include "core/timing/catalogue.h"

namespace lab {

QString figuresOf(const DeviceModel& device);  // with sources, as rich text
QString figuresOf(const LinkModel& link);

class CataloguePicker final : public QComboBox {
  Q_OBJECT

 public:
  enum class What { Device, Link };

  CataloguePicker(What what, const Catalogue& catalogue, QWidget* parent = nullptr);

  void setCatalogue(const Catalogue& catalogue);  // the same entry stays chosen, if it is there

  // Letters that are typed narrow the list to the names that hold them; an id is understood too.
  void letType();
  // Entries for which this has a sentence cannot be chosen, and their tool tip says it.
  void refuse(const std::function<QString(const QString& id)>& why);

  // A first entry with the id "", which stands for this one.
  void setUsual(const QString& id);

  QString id() const { return currentData().toString(); }
  void setId(const QString& id);  // emits nothing

 Q_SIGNALS:
  void chosen();                    // by a person
  void typed(const QString& text);  // by a person, and no entry is called so

 protected:
  void wheelEvent(QWheelEvent* event) override;  // scrolls the form, changes nothing

 private:
  void showTip();
  void showText(const QString& text);
  void take();  // what was typed

  What what_;
  std::optional<QString> usual_;
};

}  // namespace lab

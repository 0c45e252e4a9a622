// SPDX-License-Identifier: GPL-3.0-or-later
// A list that chooses a device or a link of the hardware catalogue. Every entry's tool tip shows its figures and their
// sources.
#pragma once

#include <QComboBox>

#include <functional>
#include <optional>

#include "core/hardware/catalogue.h"
#include "ui/theme/still.h"

namespace lab {

QString figuresOf(const DeviceModel& device);  // with sources, as rich text
QString figuresOf(const LinkModel& link);

class CataloguePicker final : public Still<QComboBox> {
  Q_OBJECT

 public:
  enum class What { Device, Link };

  CataloguePicker(What what, const Catalogue& catalogue, QWidget* parent = nullptr);

  void setCatalogue(const Catalogue& catalogue);  // the same entry stays chosen, if it is there

  // Typed letters narrow the list to the names that contain them; an id is accepted too. A click then gives the focus
  // too, and after a choice from the list the keys go to the window again.
  void letType();
  // Entries for which `why` returns a sentence cannot be chosen, and their tool tip shows the sentence.
  void refuse(const std::function<QString(const QString& id)>& why);

  // Adds a first entry with the id "", which stands for the entry `id`.
  void setUsual(const QString& id);

  QString id() const { return currentData().toString(); }
  void setId(const QString& id);  // emits nothing

  void hidePopup() override;

 Q_SIGNALS:
  void chosen();                    // by the user
  void typed(const QString& text);  // by the user, if no entry has this name

 protected:
  void focusInEvent(QFocusEvent* event) override;

 private:
  void showTip();
  void showText(const QString& text);
  void take();  // takes the typed text

  What what_;
  std::optional<QString> usual_;
  bool byMouse_ = false;  // a click gave the focus
};

}  // namespace lab

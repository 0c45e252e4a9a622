// SPDX-License-Identifier: GPL-3.0-or-later
// Every setting of the strategy's runs, generated from the table of fields: a new row there becomes a new line here. A
// setting of other strategies is hidden, unless it is set; so is the size of packs where no gradients are packed. Each
// change goes to the Experiment at once; an empty line means the default, which it shows greyed. A second form contains
// only some of the settings, without groups and as high as its lines, for a page that needs them; it hides none.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>
#include "core/options/config_field.h"

class QBoxLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace lab {

class CataloguePicker;
class Experiment;
struct ConfigField;

class SetupForm final : public QWidget {
  Q_OBJECT

 public:
  explicit SetupForm(Experiment& experiment, QWidget* parent = nullptr);
  SetupForm(Experiment& experiment, const QStringList& only, QWidget* parent = nullptr);

 Q_SIGNALS:
  void picturesChosen(const QString& folder);  // the user's own pictures, which are inspected before they are set

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Line {
    QString name;
    // `value` is "" for the default; `now`: the default's present meaning.
    std::function<void(const QString& value, const QString& now)> show;
    QWidget* row = nullptr;
    QBoxLayout* layout = nullptr;  // of the label, and the editor beside it or below
    QLabel* label = nullptr;
    QWidget* editor = nullptr;
  };

  void addRow(QVBoxLayout& group, const ConfigField& field);
  QWidget* makeEditor(const ConfigField& field);
  QWidget* makeList(const ConfigField& field);
  QWidget* makeCheck(const ConfigField& field);
  QWidget* makeText(const ConfigField& field);
  QWidget* makeNetwork(const ConfigField& field);
  QWidget* makeHardware(const ConfigField& field);
  void setText(const QString& name, const QString& value);
  void readCatalogue();
  void offerDevices();
  void fitRows();  // to the width and the text size
  void showComplaint();
  void refresh();

  Experiment& experiment_;
  bool few_ = false;  // only some of the settings
  QLabel *summary_ = nullptr, *complaint_;
  QScrollArea* scroll_ = nullptr;  // null where there are only some of the settings
  std::vector<Line> lines_;
  std::vector<QVBoxLayout*> groups_;
  std::string catalogueFile_;  // the lists of hardware contain its entries and the built-in ones
  std::vector<CataloguePicker*> hardware_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Every setting of a run, generated from the table of fields: a new row there is a new line here. Each change goes to
// the Experiment at once; an empty line means the default, which stands in it greyed. Or some of the settings alone,
// without groups, as high as their lines: for a page that asks for them.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>
#include "core/options/config_field.h"

class QFormLayout;
class QLabel;

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
  void picturesChosen(const QString& folder);  // of one's own, instead of setting it: they are looked at first

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Line {
    QString name;
    // "" where it is the default; `now`: what that means at present.
    std::function<void(const QString& value, const QString& now)> show;
  };

  void addRow(QFormLayout& form, const ConfigField& field);
  QWidget* makeEditor(const ConfigField& field);
  QWidget* makeList(const ConfigField& field);
  QWidget* makeCheck(const ConfigField& field);
  QWidget* makeText(const ConfigField& field);
  QWidget* makeNetwork(const ConfigField& field);
  QWidget* makeHardware(const ConfigField& field);
  void setText(const QString& name, const QString& value);
  void readCatalogue();
  void offerDevices();
  void fitRows();  // to the width and the letters
  void refresh();

  Experiment& experiment_;
  bool few_ = false;  // rows: names and fields need not be in line with others
  QLabel *summary_ = nullptr, *complaint_;
  std::vector<Line> lines_;
  std::vector<QFormLayout*> forms_;
  std::vector<QLabel*> labels_;
  std::string catalogueFile_;  // whose entries the lists of hardware have, with the built-in ones
  std::vector<CataloguePicker*> hardware_;
};

}  // namespace lab

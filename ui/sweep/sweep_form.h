// SPDX-License-Identifier: GPL-3.0-or-later
// The form for a sweep: two axes with their values, learning-rate rules, seeds, a target, how long each run trains, how
// many run at once. A sentence below says at once what is impossible; the form runs nothing.
#pragma once

#include <QTimer>
#include <QWidget>

#include <optional>

#include "ui/sweep/sweep_request.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace lab {

class SweepForm final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepForm(QWidget* parent = nullptr);

  void setRequest(const SweepRequest& request);
  // Sets all settings that are not in the form.
  void setBase(const RunSettings& base);
  const RunSettings& base() const { return base_; }
  // Returns nothing if a value is impossible; complaint() then says which.
  std::optional<SweepRequest> request();
  const QString& complaint() const { return complaint_; }
  void complain(const QString& sentence);  // shows the sentence; "": nothing is wrong
  void say(const QString& sentence);       // describes the plan
  void tellEdits();                        // now, if a change waits for the moment after the last one

 Q_SIGNALS:
  void edited();      // a moment after the last change
  void baseWanted();  // asks for the stage's present settings
  void presetWanted(const SweepRequest& request);

 private:
  enum class Length { Target, Steps, Examples, Epochs };
  struct Axis {
    QComboBox* setting = nullptr;
    QLineEdit* values = nullptr;
  };

  // A plan's value, which a field shows rounded: unless the field was edited since, it is in the request as it was.
  struct Exact {
    double value = 0, shown = -1;
  };

  void addHead(QVBoxLayout& column);
  void addAxes(QFormLayout& form);
  void addRules(QFormLayout& form);
  void addLength(QFormLayout& form);
  void axisChosen(Axis& axis);
  void fillValues(const Axis& axis, const std::vector<std::string>& values);
  std::vector<std::string> valuesIn(const Axis& axis) const;
  std::string settingOf(const Axis& axis) const;
  void checkAxes() const;  // throws UserError
  void changed();
  void showBase();

  RunSettings base_;
  QString complaint_;
  Axis rows_, columns_;
  QCheckBox* rules_[5]{};  // rate kept, root, linear, linear with warm-up, by staleness
  QDoubleSpinBox *warmup_, *target_;
  Exact exactWarmup_, exactTarget_;  // the target as a fraction
  QSpinBox *seeds_, *amount_, *jobs_, *within_;
  QComboBox* length_;
  QLabel *baseText_, *plan_, *complaintText_;
  QTimer timer_;  // single shot
  bool filling_ = false;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The network that What if asks about: the run's own, one of the presets, or one read from a file, which need not be
// one that can be trained here.
#pragma once

#include <QComboBox>

#include <map>
#include <string>

#include "core/prediction/what_if.h"

namespace lab {

class NetworkChoice final : public QComboBox {
  Q_OBJECT

 public:
  explicit NetworkChoice(QWidget* parent = nullptr);

  // Chooses the run's network, which comes first if it is no preset. Forgets the previous run's.
  void setRun(const WhatIf& run);
  void apply(WhatIf& asked) const;  // makes it ask about the chosen network
  void open(const QString& path);   // adds and chooses a file's network, or complains

 Q_SIGNALS:
  void chosen();
  void complained(const QString& why);  // "": nothing is wrong

 private:
  void take(int index);
  void askForFile();

  RunSettings run_;                           // only the settings of its network, as in files_
  std::map<std::string, RunSettings> files_;  // each file that was opened, by its path
  QString chosen_;                            // the present choice: a key of the timing model
};

}  // namespace lab

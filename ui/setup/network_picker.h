// SPDX-License-Identifier: GPL-3.0-or-later
// Which network is trained, as a list: those that the program knows, each with the shape of its images, the file that
// was opened, and a way to another file.
#pragma once

#include <QComboBox>

namespace lab {

class Experiment;

// Whether a file describes a network: a .keras file, or what model.to_json() has written.
bool isNetworkFile(const QString& path);

class NetworkPicker final : public QComboBox {
  Q_OBJECT

 public:
  explicit NetworkPicker(Experiment& experiment, QWidget* parent = nullptr);

  // The file's name, without its folder; what was changed by hand has none.
  static QString nameOf(const QString& network);

 private:
  void refresh();
  void take(int index);
  void askForFile();

  Experiment& experiment_;
};

}  // namespace lab

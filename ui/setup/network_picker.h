// SPDX-License-Identifier: GPL-3.0-or-later
// A list of networks to train: those built into the program, each with the shape of its images, the opened file, and an
// entry that opens another file.
#pragma once

#include <QComboBox>

#include <functional>

namespace lab {

class Experiment;

// True if a file describes a network: a .keras file, or the output of model.to_json().
bool isNetworkFile(const QString& path);

class NetworkPicker final : public QComboBox {
  Q_OBJECT

 public:
  explicit NetworkPicker(Experiment& experiment, QWidget* parent = nullptr);

  // The file's name without its folder; a network that was edited by hand has no file name.
  static QString nameOf(const QString& network);
  // Asks for a network's file, as askForPath() does.
  static void askForNetwork(QWidget* parent, QObject* receiver, const std::function<void(const QString&)>& then);

 private:
  void refresh();
  void take(int index);
  void askForFile();

  Experiment& experiment_;
};

}  // namespace lab

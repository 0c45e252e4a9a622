// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/network_choice.h"

#include <QSignalBlocker>

#include "core/base/error.h"
#include "core/model/known_networks.h"
#include "core/options/network_of.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/network_picker.h"

namespace lab {
namespace {

const QString kAnotherFile = QStringLiteral("\n");  // a value that nobody would use as a file name

void takeNetworkOf(const RunSettings& from, RunSettings& to) {
  to.network = from.network;
  to.networkFile = from.networkFile;
}

}  // namespace

NetworkChoice::NetworkChoice(QWidget* parent) : QComboBox(parent) {
  setFocusPolicy(Qt::TabFocus);  // after a choice with the mouse, keys go to the window
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setAccessibleName(tr("Network"));
  setToolTip(
      tr("A network is only timed here. It may be larger than what can be trained: a preset, or a file that "
         "Keras has written."));
  for (const KnownNetwork& known : timedNetworks()) addItem(coreText(known.name), QString::fromStdString(known.key));
  insertSeparator(count());
  addItem(tr("Open a file…"), kAnotherFile);
  connect(this, &QComboBox::currentIndexChanged, this, &NetworkChoice::take);
}

void NetworkChoice::setRun(const WhatIf& run) {
  QSignalBlocker quiet(this);
  takeNetworkOf(run.config, run_);
  files_.clear();
  const QString first = QString::fromStdString(timedNetworks().front().key);
  while (itemData(0) != first) removeItem(0);
  chosen_ = QString::fromStdString(run.model);
  if (findData(chosen_) < 0) {
    insertItem(0, NetworkPicker::nameOf(chosen_), chosen_);
    setItemData(0, chosen_, Qt::ToolTipRole);
  }
  setCurrentIndex(findData(chosen_));
  quiet.unblock();
  Q_EMIT complained({});
}

void NetworkChoice::apply(WhatIf& asked) const {
  asked.model = chosen_.toStdString();
  const auto file = files_.find(asked.model);
  takeNetworkOf(file == files_.end() ? run_ : file->second, asked.config);
}

void NetworkChoice::open(const QString& path) {
  RunSettings file;
  file.network = path.toStdString();
  try {
    readNetworkFile(file);
  } catch (const UserError& error) {
    Q_EMIT complained(coreSentence(error));
    return;
  }
  files_.insert_or_assign(path.toStdString(), std::move(file));
  chosen_ = path;
  {
    const QSignalBlocker quiet(this);
    if (findData(path) < 0) {
      insertItem(0, NetworkPicker::nameOf(path), path);
      setItemData(0, path, Qt::ToolTipRole);
    }
    setCurrentIndex(findData(path));
  }
  Q_EMIT complained({});
  Q_EMIT chosen();
}

void NetworkChoice::take(int index) {
  const QString asked = itemData(index).toString();
  if (asked != kAnotherFile) {
    chosen_ = asked;
    Q_EMIT complained({});
    Q_EMIT chosen();
    return;
  }
  const QSignalBlocker quiet(this);
  setCurrentIndex(findData(chosen_));
  askForFile();
}

void NetworkChoice::askForFile() {
  NetworkPicker::askForNetwork(this, this, [this](const QString& path) { open(path); });
}

}  // namespace lab

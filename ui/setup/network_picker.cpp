// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/network_picker.h"

#include <QAbstractItemView>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalBlocker>

#include "core/base/error.h"
#include "core/config/run_settings.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

const QString kAnotherFile = QStringLiteral("\n");  // a value that nobody would use as a file name

// "course · 28 × 28 × 1"
QString networkLine(const std::string& name) {
  RunSettings config;
  config.network = name;
  QString line = QString::fromStdString(name);
  if (name == "auto") return coreText(name);
  QStringList extents;
  for (const std::int64_t extent : networkOf(config)->input()) extents << QString::number(extent);
  return line + QStringLiteral(" · ") + extents.join(QStringLiteral(" × "));
}

}  // namespace

bool isNetworkFile(const QString& path) {
  // Includes older formats: they are refused with advice.
  for (const auto* ending : {".keras", ".h5", ".pb"})
    if (path.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) return true;
  if (QFileInfo::exists(path + QStringLiteral("/saved_model.pb"))) return true;
  QFile file(path);
  constexpr qint64 kMostBytes = qint64{4} << 20;
  if (!path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) || file.size() > kMostBytes ||
      !file.open(QIODevice::ReadOnly))
    return false;
  return QJsonDocument::fromJson(file.readAll()).object().contains(QStringLiteral("class_name"));
}

NetworkPicker::NetworkPicker(Experiment& experiment, QWidget* parent) : QComboBox(parent), experiment_(experiment) {
  const ConfigField& field = configField("network");
  setFocusPolicy(Qt::TabFocus);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(8);
  view()->setMinimumWidth(theme::em(14));
  setAccessibleName(settingCaption(field));
  setAccessibleDescription(settingHelp(field));
  setToolTip(settingHelp(field));
  setWhatsThis(
      tr("The network that is trained. A file must come from Keras: a .keras file, or what model.to_json() has "
         "written. You can also drop it on the window."));
  connect(this, &QComboBox::activated, this, &NetworkPicker::take);
  connect(&experiment_, &Experiment::changed, this, &NetworkPicker::refresh);
  refresh();
}

QString NetworkPicker::nameOf(const QString& network) {
  return QFileInfo(settingText(configField("network"), network.toStdString())).fileName();
}

void NetworkPicker::refresh() {
  // A refused choice stays visible, next to the sentence that says why.
  if (experiment_.complaintAbout() == QStringLiteral("network")) return;
  const QSignalBlocker quiet(this);
  clear();
  for (const std::string& name : networkNames()) addItem(networkLine(name), QString::fromStdString(name));
  const QString now = QString::fromStdString(experiment_.asked().network);
  if (findData(now) < 0) {
    addItem(nameOf(now), now);
    setItemData(count() - 1, now, Qt::ToolTipRole);
  }
  insertSeparator(count());
  addItem(tr("Open a file…"), kAnotherFile);
  setCurrentIndex(findData(now));
}

void NetworkPicker::take(int index) {
  const QString chosen = itemData(index).toString();
  if (chosen != kAnotherFile) return experiment_.set(QStringLiteral("network"), chosen);
  // Shows the present network again, even while a sentence reports a refusal: this entry names no network.
  const QSignalBlocker quiet(this);
  setCurrentIndex(findData(QString::fromStdString(experiment_.asked().network)));
  askForFile();
}

void NetworkPicker::askForNetwork(QWidget* parent, QObject* receiver, const std::function<void(const QString&)>& then) {
  askForPath(parent, receiver,
             {FileQuestion::Kind::Open, tr("A network of Keras"),
              tr("Networks of Keras") + QStringLiteral(" (*.json *.keras)")},
             then);
}

// The dialog's complaint about a missing file runs an event loop: the dialog is the window's, because a lesson that
// turns its page deletes the picker at once.
void NetworkPicker::askForFile() {
  askForNetwork(window(), this, [this](const QString& path) { experiment_.set(QStringLiteral("network"), path); });
}

}  // namespace lab

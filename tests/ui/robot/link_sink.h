// SPDX-License-Identifier: GPL-3.0-or-later
// Receives the links that would open in a browser or another program.
#pragma once

#include <QObject>
#include <QUrl>

#include <functional>
#include <utility>

namespace lab::robot {

class LinkSink final : public QObject {
  Q_OBJECT

 public:
  explicit LinkSink(std::function<void(const QString&)> told);
  ~LinkSink() override;

 public Q_SLOTS:
  void take(const QUrl& link) { told_(link.toString()); }

 private:
  std::function<void(const QString&)> told_;
};

}  // namespace lab::robot

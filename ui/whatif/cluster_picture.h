// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster, drawn: hosts with their devices, the link that joins them inside, NICs, and the network between hosts,
// each with its name and figures. Of many alike a few are drawn and the rest is counted.
#pragma once

#include <QWidget>

#include "core/timing/cluster_spec.h"

namespace lab {

class ClusterPicture final : public QWidget {
  Q_OBJECT

 public:
  explicit ClusterPicture(const Catalogue& catalogue, QWidget* parent = nullptr);

  void setCluster(const ClusterSpec& cluster);
  QString words() const { return words_; }  // the same as a sentence
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintHost(QPainter& painter, const QRectF& box, std::int64_t number);
  void paintDevices(QPainter& painter, const QRectF& area);

  const Catalogue& catalogue_;
  ClusterSpec cluster_;
  QString words_;
};

}  // namespace lab

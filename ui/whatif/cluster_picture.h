// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing of a cluster: hosts with their devices, the link inside each, NICs, and the network between hosts, each
// with its name and figures. Of many equal parts only a few are drawn and the others counted; at least one per group.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

#include "core/hardware/cluster_spec.h"

namespace lab {

class ClusterPicture final : public QWidget {
  Q_OBJECT

 public:
  explicit ClusterPicture(const Catalogue& catalogue, QWidget* parent = nullptr);
  void setCatalogue(const Catalogue& catalogue) { catalogue_ = catalogue; }

  // Factors on the catalogue's bandwidths and latencies.
  struct LinkSpeeds {
    double link = 1, hostLink = 1, latency = 1;
  };
  // `servers`: number of parameter servers, each on a host of its own.
  void setCluster(const ClusterSpec& cluster, std::int64_t servers, const LinkSpeeds& speeds);
  QString words() const { return words_; }  // the same as a sentence
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  // A box of the picture: one host, or the last drawn host of a group, which stands for the others too.
  struct Drawn {
    const HostGroup* group = nullptr;
    std::int64_t first = 0, last = 0;  // numbers of hosts, over all groups
  };
  std::vector<Drawn> chosen(std::int64_t room) const;
  QStringList inside(const HostGroup& group) const;  // the name and figures of the link inside
  QStringList between() const;                       // the same for the link between hosts
  QStringList hostLinkLines(double room) const;
  double leastHost() const;                        // width
  double leastCell(const HostGroup& group) const;  // width of a device
  std::int64_t cellsIn(const QSizeF& area, const HostGroup& group) const;
  void paintHost(QPainter& painter, const QRectF& box, const Drawn& host);
  void paintDevices(QPainter& painter, const QRectF& area, const HostGroup& group);

  Catalogue catalogue_;
  ClusterSpec cluster_;
  std::int64_t servers_ = 0;
  LinkSpeeds speeds_;
  QString words_;
};

}  // namespace lab

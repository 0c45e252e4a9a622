// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster, drawn: hosts with their devices, the link that joins them inside, NICs, and the network between hosts,
// each with its name and figures. Of many alike a few are drawn and the rest is counted; of each group at least one.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

#include "core/timing/cluster_spec.h"

namespace lab {

class ClusterPicture final : public QWidget {
  Q_OBJECT

 public:
  explicit ClusterPicture(const Catalogue& catalogue, QWidget* parent = nullptr);
  void setCatalogue(const Catalogue& catalogue) { catalogue_ = catalogue; }

  // Times as fast as the catalogue has them, and times the latency.
  struct LinkSpeeds {
    double link = 1, hostLink = 1, latency = 1;
  };
  // `servers`: parameter servers, each a host of its own beside these.
  void setCluster(const ClusterSpec& cluster, std::int64_t servers, const LinkSpeeds& speeds);
  QString words() const { return words_; }  // the same as a sentence
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  // A box of the picture: one host, or the last that is drawn of a group, for those behind it too.
  struct Drawn {
    const HostGroup* group = nullptr;
    std::int64_t first = 0, last = 0;  // numbers of hosts, over all groups
  };
  std::vector<Drawn> chosen(std::int64_t room) const;
  QStringList inside(const HostGroup& group) const;  // the name and figures of the link there
  QStringList between() const;                       // likewise of the link between hosts
  QStringList hostLinkLines(double room) const;
  double leastHost() const;                        // width
  double leastCell(const HostGroup& group) const;  // of a device
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

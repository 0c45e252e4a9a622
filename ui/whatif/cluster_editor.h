// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster as a form: hosts, the devices of each (of one kind or two), the link inside and between them, NICs. What is
// wrong with it is said below the field that was changed last.
#pragma once

#include <QWidget>

#include "core/timing/cluster_spec.h"

class QFormLayout;
class QLabel;
class QSpinBox;

namespace lab {

class CataloguePicker;

class ClusterEditor final : public QWidget {
  Q_OBJECT

 public:
  explicit ClusterEditor(const Catalogue& catalogue, QWidget* parent = nullptr);

  void setCatalogue(const Catalogue& catalogue);
  ClusterSpec cluster() const;
  void setCluster(const ClusterSpec& cluster);  // the first group's; nothing is told
  void complain(const QString& sentence);       // "": nothing is wrong

 Q_SIGNALS:
  void changed();

 private:
  void edited(QWidget* field);

  QFormLayout* form_;
  QSpinBox *hosts_, *perHost_, *others_, *nics_;
  CataloguePicker *device_, *otherDevice_, *link_, *hostLink_;
  QLabel* complaint_;
  QWidget* last_;  // the field that was changed
};

}  // namespace lab

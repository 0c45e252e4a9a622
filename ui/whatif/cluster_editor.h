// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster as a form: groups of equal hosts, one of which is in the fields: the number of hosts, the devices of each
// (of one or two kinds), the link inside them, NICs; and the link between all hosts. An error is shown below the field
// that was changed last.
#pragma once

#include <QWidget>

#include <vector>

#include "core/hardware/catalogue.h"
#include "core/hardware/cluster_spec.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QSpinBox;
class QToolButton;

namespace lab {

class CataloguePicker;

class ClusterEditor final : public QWidget {
  Q_OBJECT

 public:
  explicit ClusterEditor(const Catalogue& catalogue, QWidget* parent = nullptr);

  void setCatalogue(const Catalogue& catalogue);
  ClusterSpec cluster() const;
  void setCluster(const ClusterSpec& cluster);  // shows its first group; emits nothing
  void complain(const QString& sentence);       // "": nothing is wrong

 Q_SIGNALS:
  void changed();

 private:
  QWidget* createGroupRow();
  void edited(QWidget* field);
  void addGroup();
  void removeGroup();
  void showGroup(std::size_t index);
  void readFields();  // into the current group
  void nameGroups();  // also updates what can be done with the groups
  void offerLinks();  // links that all devices of the group have
  QString whyNot(const QString& link) const;
  QString usualLink() const;

  Catalogue catalogue_;
  std::vector<HostGroup> groups_{HostGroup{}};  // never empty
  std::size_t current_ = 0;                     // the group in the fields
  QFormLayout* form_;
  QWidget* groupRow_;
  QComboBox* group_;
  QToolButton *add_, *remove_;
  QSpinBox *hosts_, *perHost_, *others_, *nics_;
  CataloguePicker *device_, *otherDevice_, *link_, *hostLink_;
  QLabel* complaint_;
  QWidget* last_;  // the field that was changed last
};

}  // namespace lab

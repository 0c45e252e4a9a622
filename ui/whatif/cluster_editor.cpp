// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/cluster_editor.h"

#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QWheelEvent>

#include <algorithm>

#include "ui/theme.h"
#include "ui/whatif/catalogue_picker.h"

namespace lab {
namespace {

// The wheel scrolls the form and changes no number by accident.
class QuietSpinBox final : public QSpinBox {
 public:
  using QSpinBox::QSpinBox;

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

}  // namespace

ClusterEditor::ClusterEditor(const Catalogue& catalogue, QWidget* parent)
    : QWidget(parent), form_(new QFormLayout(this)), complaint_(new QLabel(this)) {
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setVerticalSpacing(theme::em(0.35));
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  complaint_->setObjectName(QStringLiteral("clusterComplaint"));
  complaint_->setProperty("role", QStringLiteral("error"));
  complaint_->setWordWrap(true);
  complaint_->hide();

  const auto row = [this](const char* name, const QString& title, const QString& tip, QWidget* field) {
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(title);
    if (field->toolTip().isEmpty()) field->setToolTip(tip);
    field->setWhatsThis(tip);
    form_->addRow(title, field);
  };
  const auto number = [&](const char* name, const QString& title, const QString& tip, int least, int most) {
    auto* box = new QuietSpinBox;
    box->setRange(least, most);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setKeyboardTracking(false);
    row(name, title, tip, box);
    connect(box, &QSpinBox::valueChanged, this, [this, box] { edited(box); });
    return box;
  };
  const auto picker = [&](const char* name, const QString& title, CataloguePicker::What what) {
    auto* made = new CataloguePicker(what, catalogue);
    row(name, title, tr("A row of the hardware catalogue; the tool tip has its figures and their sources."), made);
    connect(made, &CataloguePicker::chosen, this, [this, made] { edited(made); });
    return made;
  };
  hosts_ = number("clusterHosts", tr("Hosts"), tr("Machines, all alike."), 1, 65536);
  perHost_ = number("clusterPerHost", tr("Devices a host"), tr("Of the first kind, in each host."), 1, 1024);
  device_ = picker("clusterDevice", tr("Device"), CataloguePicker::What::Device);
  others_ = number("clusterOthers", tr("and as many of"), tr("Devices of a second kind in each host; 0: none."), 0, 64);
  otherDevice_ = picker("clusterOtherDevice", tr("another"), CataloguePicker::What::Device);
  link_ = picker("clusterLink", tr("Link inside"), CataloguePicker::What::Link);
  hostLink_ = picker("clusterHostLink", tr("Between hosts"), CataloguePicker::What::Link);
  nics_ =
      number("clusterNics", tr("NICs a host"), tr("Network cards of each host, one link between hosts each."), 1, 64);
  last_ = hosts_;
  otherDevice_->setId(QStringLiteral("t4"));
  otherDevice_->setEnabled(false);
}

void ClusterEditor::edited(QWidget* field) {
  last_ = field;
  otherDevice_->setEnabled(others_->value() > 0);
  Q_EMIT changed();
}

void ClusterEditor::setCatalogue(const Catalogue& catalogue) {
  for (CataloguePicker* picker : {device_, otherDevice_, link_, hostLink_}) picker->setCatalogue(catalogue);
}

ClusterSpec ClusterEditor::cluster() const {
  ClusterSpec cluster;
  HostGroup group;
  group.count = hosts_->value();
  group.devices.assign(static_cast<std::size_t>(perHost_->value()), device_->id().toStdString());
  group.devices.insert(group.devices.end(), static_cast<std::size_t>(others_->value()),
                       otherDevice_->id().toStdString());
  group.link = link_->id().toStdString();
  group.nics = nics_->value();
  cluster.hosts = {group};
  cluster.hostLink = hostLink_->id().toStdString();
  return cluster;
}

void ClusterEditor::setCluster(const ClusterSpec& cluster) {
  const HostGroup& group = cluster.hosts.front();
  const std::string first = group.devices.front();
  const auto same = std::ranges::count(group.devices, first);
  const auto set = [](QSpinBox* box, std::int64_t value) {
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(value));
  };
  set(hosts_, group.count);
  set(perHost_, same);
  set(others_, std::ssize(group.devices) - same);
  set(nics_, group.nics);
  device_->setId(QString::fromStdString(first));
  if (std::ssize(group.devices) > same) otherDevice_->setId(QString::fromStdString(group.devices.back()));
  otherDevice_->setEnabled(std::ssize(group.devices) > same);
  link_->setId(QString::fromStdString(group.link));
  hostLink_->setId(QString::fromStdString(cluster.hostLink));
}

void ClusterEditor::complain(const QString& sentence) {
  if (complaint_->text() == sentence) return;
  if (form_->indexOf(complaint_) >= 0) {
    const QFormLayout::TakeRowResult taken = form_->takeRow(complaint_);
    delete taken.fieldItem;
    delete taken.labelItem;
  }
  complaint_->setText(sentence);
  complaint_->setVisible(!sentence.isEmpty());
  if (sentence.isEmpty()) return;
  int row = 0;
  QFormLayout::ItemRole role = QFormLayout::FieldRole;
  form_->getWidgetPosition(last_, &row, &role);
  form_->insertRow(row + 1, complaint_);
  complaint_->setMinimumHeight(complaint_->heightForWidth(std::max(width(), theme::em(10))));
  complaint_->show();
}

}  // namespace lab

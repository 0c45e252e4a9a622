// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/cluster_editor.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <utility>

#include "ui/setup/catalogue_picker.h"
#include "ui/theme/still.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr std::size_t kMostGroups = 8;

// The devices of one host, by their ids: "8 V100", "2 V100 + 1 T4".
QString devicesText(const HostGroup& group) {
  QStringList kinds;
  for (std::size_t i = 0; i < group.devices.size();) {
    const auto same = std::ranges::count(group.devices, group.devices[i]);
    kinds << QStringLiteral("%1 %2").arg(same).arg(QString::fromStdString(group.devices[i]).toUpper());
    i += static_cast<std::size_t>(same);
  }
  return kinds.join(QStringLiteral(" + "));
}

}  // namespace

ClusterEditor::ClusterEditor(const Catalogue& catalogue, QWidget* parent)
    : QWidget(parent), catalogue_(catalogue), form_(new QFormLayout(this)), complaint_(new QLabel(this)) {
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setVerticalSpacing(theme::em(0.35));
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form_->setRowWrapPolicy(QFormLayout::WrapLongRows);  // for long names and large letters
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
    auto* box = new Still<QSpinBox>;
    box->setRange(least, most);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setKeyboardTracking(false);
    row(name, title, tip, box);
    connect(box, &QSpinBox::valueChanged, this, [this, box] { edited(box); });
    return box;
  };
  const auto picker = [&](const char* name, const QString& title, CataloguePicker::What what) {
    auto* made = new CataloguePicker(what, catalogue);
    row(name, title, tr("A row of the hardware catalogue; the tooltip shows its figures and their sources."), made);
    connect(made, &CataloguePicker::chosen, this, [this, made] { edited(made); });
    return made;
  };
  groupRow_ = createGroupRow();
  row("clusterGroups", tr("Group of hosts"),
      tr("Hosts that are alike form a group; the fields below describe the group that is chosen here."), groupRow_);
  group_->setToolTip(groupRow_->toolTip());
  hosts_ = number("clusterHosts", tr("Hosts"), tr("Machines of this group, all alike."), 1, 65536);
  perHost_ = number("clusterPerHost", tr("Devices/host"), tr("Devices of the first kind in each host."), 1, 1024);
  device_ = picker("clusterDevice", tr("Device"), CataloguePicker::What::Device);
  others_ = number("clusterOthers", tr("plus"), tr("Devices of a second kind in each host; 0: none."), 0, 64);
  otherDevice_ = picker("clusterOtherDevice", tr("another"), CataloguePicker::What::Device);
  link_ = picker("clusterLink", tr("Link inside"), CataloguePicker::What::Link);
  nics_ =
      number("clusterNics", tr("NICs/host"), tr("Network cards of each host; each is one link between hosts."), 1, 64);
  hostLink_ = picker("clusterHostLink", tr("Between hosts"), CataloguePicker::What::Link);
  last_ = hosts_;
  otherDevice_->setId(QStringLiteral("t4"));
  otherDevice_->setEnabled(false);
  readFields();
  nameGroups();
  offerLinks();
}

QWidget* ClusterEditor::createGroupRow() {
  auto* whole = new QWidget;
  auto* row = new QHBoxLayout(whole);
  row->setContentsMargins(0, 0, 0, 0);
  group_ = new Still<QComboBox>;
  group_->setObjectName(QStringLiteral("clusterGroup"));
  group_->setAccessibleName(tr("Group of hosts"));
  group_->setFocusPolicy(Qt::TabFocus);
  group_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  // "1: 4 × 8 V100" needs twice as many, but in a narrow column a name is cut before the buttons beside it are.
  group_->setMinimumContentsLength(6);
  row->addWidget(group_, 1);
  const auto button = [&](const char* name, const QString& text, const QString& tip, void (ClusterEditor::*act)()) {
    auto* made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setText(text);
    made->setAccessibleName(tip);
    made->setToolTip(tip);
    made->setProperty("framed", true);
    row->addWidget(made);
    connect(made, &QToolButton::clicked, this, act);
    return made;
  };
  add_ = button("clusterAddGroup", tr("Add"), tr("Add a group of hosts like this one"), &ClusterEditor::addGroup);
  remove_ = button("clusterRemoveGroup", tr("Remove"), tr("Remove this group of hosts"), &ClusterEditor::removeGroup);
  connect(group_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (index >= 0) showGroup(static_cast<std::size_t>(index));
  });
  return whole;
}

void ClusterEditor::edited(QWidget* field) {
  last_ = field;
  otherDevice_->setEnabled(others_->value() > 0);
  readFields();
  offerLinks();
  // A newly chosen device brings its own fastest link along, as on the command line.
  if (field != link_ && !whyNot(link_->id()).isEmpty()) {
    link_->setId(usualLink());
    readFields();
  }
  nameGroups();
  Q_EMIT changed();
}

// Returns why the link cannot join the group's devices; "" if it can.
QString ClusterEditor::whyNot(const QString& link) const {
  const auto model = std::ranges::find(catalogue_.links(), link.toStdString(), &LinkModel::id);
  if (model == catalogue_.links().end()) return {};
  for (const std::string& id : groups_[current_].devices) {
    const auto device = std::ranges::find(catalogue_.devices(), id, &DeviceModel::id);
    if (device == catalogue_.devices().end() || catalogue_.canHave(*device, *model)) continue;
    QStringList names;
    for (const std::string& own : device->links)
      if (const auto has = std::ranges::find(catalogue_.links(), own, &LinkModel::id); has != catalogue_.links().end())
        names << QString::fromStdString(has->name);
    return tr("%1 has no ports for it; it has: %2.")
        .arg(QString::fromStdString(device->name), names.join(QStringLiteral(", ")));
  }
  return {};
}

// The first device's fastest link that all devices have; otherwise any common link.
QString ClusterEditor::usualLink() const {
  const auto first = std::ranges::find(catalogue_.devices(), groups_[current_].devices.front(), &DeviceModel::id);
  if (first != catalogue_.devices().end())
    for (const std::string& link : first->links)
      if (whyNot(QString::fromStdString(link)).isEmpty()) return QString::fromStdString(link);
  for (const LinkModel& link : catalogue_.links())
    if (whyNot(QString::fromStdString(link.id)).isEmpty()) return QString::fromStdString(link.id);
  return link_->id();
}

void ClusterEditor::offerLinks() {
  link_->refuse([this](const QString& link) { return whyNot(link); });
}

void ClusterEditor::readFields() {
  HostGroup& group = groups_[current_];
  group.count = hosts_->value();
  group.devices.assign(static_cast<std::size_t>(perHost_->value()), device_->id().toStdString());
  group.devices.insert(group.devices.end(), static_cast<std::size_t>(others_->value()),
                       otherDevice_->id().toStdString());
  group.link = link_->id().toStdString();
  group.nics = nics_->value();
}

void ClusterEditor::addGroup() {
  HostGroup group = groups_[current_];
  group.count = 1;
  const auto taken = [this](const std::string& name) {
    return std::ranges::find(groups_, name, &HostGroup::name) != groups_.end();
  };
  for (std::size_t n = groups_.size() + 1; taken(group.name); ++n) group.name = "hosts " + std::to_string(n);
  groups_.push_back(std::move(group));
  showGroup(groups_.size() - 1);
  last_ = groupRow_;
  Q_EMIT changed();
}

void ClusterEditor::removeGroup() {
  groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(current_));
  showGroup(std::min(current_, groups_.size() - 1));
  last_ = groupRow_;
  Q_EMIT changed();
}

void ClusterEditor::nameGroups() {
  const QSignalBlocker quiet(group_);
  group_->clear();
  for (std::size_t i = 0; i < groups_.size(); ++i)
    group_->addItem(QStringLiteral("%1: %2 × %3").arg(i + 1).arg(groups_[i].count).arg(devicesText(groups_[i])));
  group_->setCurrentIndex(static_cast<int>(current_));
  add_->setEnabled(groups_.size() < kMostGroups);
  remove_->setEnabled(groups_.size() > 1);
}

void ClusterEditor::setCatalogue(const Catalogue& catalogue) {
  catalogue_ = catalogue;
  for (CataloguePicker* picker : {device_, otherDevice_, link_, hostLink_}) picker->setCatalogue(catalogue);
  offerLinks();
}

ClusterSpec ClusterEditor::cluster() const {
  ClusterSpec cluster;
  cluster.hosts = groups_;
  cluster.hostLink = hostLink_->id().toStdString();
  return cluster;
}

void ClusterEditor::setCluster(const ClusterSpec& cluster) {
  groups_ = cluster.hosts;
  hostLink_->setId(QString::fromStdString(cluster.hostLink));
  showGroup(0);
}

void ClusterEditor::showGroup(std::size_t index) {
  current_ = index;
  const HostGroup& group = groups_[current_];
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
  offerLinks();
  nameGroups();
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

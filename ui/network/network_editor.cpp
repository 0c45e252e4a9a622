// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/network/network_editor.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <utility>

#include "core/base/error.h"
#include "core/model/messages.h"
#include "core/options/network_of.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kMostUnits = 4096;  // larger layers must be set in a file

QString kindWords(NetworkLayer::Kind kind) {
  switch (kind) {
    case NetworkLayer::Kind::Conv2D:
      return NetworkEditor::tr("Conv2D: filters look for patterns");
    case NetworkLayer::Kind::MaxPool2D:
      return NetworkEditor::tr("MaxPooling2D: the largest of 2×2 stays");
    case NetworkLayer::Kind::Dense:
      return NetworkEditor::tr("Dense: each unit sees all values");
    case NetworkLayer::Kind::Dropout:
      return NetworkEditor::tr("Dropout: a step leaves out a quarter");
    case NetworkLayer::Kind::BatchNorm:
      return NetworkEditor::tr("BatchNormalization: mean 0, variance 1 over the batch");
    default:
      break;
  }
  return {};
}

}  // namespace

NetworkEditor::NetworkEditor(Experiment& experiment, QWidget* parent) : QWidget(parent), experiment_(experiment) {
  add_ = new QPushButton(tr("Add a layer"));
  add_->setObjectName(QStringLiteral("addLayer"));
  add_->setFocusPolicy(Qt::TabFocus);
  add_->setMenu(makeMenu());
  add_->setToolTip(tr("After the chosen layer, or as near to it as possible"));
  remove_ = new QPushButton(tr("Remove"));
  remove_->setObjectName(QStringLiteral("removeLayer"));
  remove_->setFocusPolicy(Qt::TabFocus);
  connect(remove_, &QPushButton::clicked, this, &NetworkEditor::removeLayer);
  caption_ = makeLabel({.role = "caption"});
  units_ = new QSpinBox;
  units_->setObjectName(QStringLiteral("layerUnits"));
  units_->setRange(1, kMostUnits);
  units_->setKeyboardTracking(false);
  units_->setWhatsThis(
      tr("How many filters or units the chosen layer has. Another number is another network: a new run begins."));
  units_->setToolTip(tr("Filters or units of the chosen layer"));
  caption_->setBuddy(units_);
  connect(units_, &QSpinBox::valueChanged, this, &NetworkEditor::setUnits);
  auto* both = new QWidget;  // keeps caption and number side by side
  auto* pair = new QHBoxLayout(both);
  pair->setContentsMargins(0, 0, 0, 0);
  pair->addWidget(caption_);
  pair->addWidget(units_);
  auto* row = new FlowLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.5));
  for (QWidget* part : {static_cast<QWidget*>(add_), static_cast<QWidget*>(remove_), both}) row->addWidget(part);
  show(nullptr, -1);
}

QMenu* NetworkEditor::makeMenu() {
  auto* menu = new QMenu(this);
  for (const NetworkLayer::Kind kind : kindsToAdd())
    connect(menu->addAction(kindWords(kind)), &QAction::triggered, this, [this, kind] { add(kind); });
  return menu;
}

void NetworkEditor::show(std::shared_ptr<const NeuralNetwork> network, int layer) {
  // A number that is typed but not entered belongs to the layer that was shown: it is dropped when its field is hidden,
  // disabled or set.
  const QSignalBlocker quiet(units_);
  network_ = std::move(network);
  layer_ = network_ != nullptr && layer < static_cast<int>(network_->layers().size()) ? layer : -1;
  const QString locked = experiment_.refusal(QStringLiteral("network"));
  setEnabled(network_ != nullptr && locked.isEmpty());
  setToolTip(locked);
  const auto chosen = static_cast<std::size_t>(layer_);
  remove_->setEnabled(layer_ >= 0 && canRemove(*network_, chosen));
  remove_->setToolTip(layer_ < 0             ? tr("Choose a layer in the table first")
                      : remove_->isEnabled() ? tr("Remove the chosen layer (Delete)")
                                             : tr("This layer must stay: its outputs are the classes"));
  const bool units = layer_ >= 0 && hasUnits(*network_, chosen);
  caption_->setVisible(units);
  units_->setVisible(units);
  if (!units) return;
  const NetworkLayer& of = network_->layers()[chosen];
  caption_->setText(of.kind == NetworkLayer::Kind::Conv2D ? tr("Filters") : tr("Units"));
  units_->setAccessibleName(caption_->text());
  units_->setValue(static_cast<int>(of.units));
}

template <typename Edit>
void NetworkEditor::change(const Edit& edit) {
  if (network_ == nullptr) return;
  try {
    const EditedNetwork edited = edit(*network_);
    Q_EMIT chosen(static_cast<int>(edited.layer));
    experiment_.setNetwork(edited.network);
  } catch (const UserError& error) {
    // What the core advises for a file cannot be done here: another window or padding.
    const bool isTooSmall = error.message().is(say::windowTooLarge);
    Q_EMIT refused(isTooSmall ? tr("The images would become too small for this layer, or for one after it. Remove a "
                                   "layer that makes them smaller first.")
                              : coreSentence(error));
  }
}

void NetworkEditor::add(NetworkLayer::Kind kind) {
  change([&](const NeuralNetwork& network) {
    const std::size_t after = layer_ < 0 ? network.layers().size() : static_cast<std::size_t>(layer_);
    return withLayer(network, after, kind, kEditedNetwork);
  });
}

void NetworkEditor::removeLayer() {
  if (layer_ < 0 || !isEnabled() || !canRemove(*network_, static_cast<std::size_t>(layer_))) return;
  change([&](const NeuralNetwork& network) {
    return withoutLayer(network, static_cast<std::size_t>(layer_), kEditedNetwork);
  });
}

void NetworkEditor::setUnits(int units) {
  if (layer_ < 0 || !hasUnits(*network_, static_cast<std::size_t>(layer_))) return;
  change([&](const NeuralNetwork& network) {
    return withUnits(network, static_cast<std::size_t>(layer_), units, kEditedNetwork);
  });
}

}  // namespace lab

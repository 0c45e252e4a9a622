// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/layer_words.h"

#include <QCoreApplication>

#include "ui/words/words.h"

namespace lab {
namespace {

struct LayerTexts {
  Q_DECLARE_TR_FUNCTIONS(lab::LayerWords)
};

}  // namespace

LayerWords layerWords(const NeuralNetwork& network, const NetworkLayer& layer) {
  const QString units = countText(layer.units);
  if (layer.kind == NetworkLayer::Kind::Conv2D)
    return {LayerTexts::tr("Conv2D, %1 filters of %2×%3").arg(units).arg(layer.side).arg(layer.width),
            LayerTexts::tr("Conv2D, %1 filters").arg(units), QStringLiteral("Conv"), units};
  if (layer.kind == NetworkLayer::Kind::BatchNorm) {
    const QString name = QStringLiteral("BatchNormalization");
    return {name, name, QStringLiteral("Norm"), countText(layer.output.back())};
  }
  const bool last = layer == network.layers().back();
  const QString name = (last ? LayerTexts::tr("Dense, %1 classes") : LayerTexts::tr("Dense, %1 units")).arg(units);
  return {name, name, last ? units : QStringLiteral("Dense"), units};
}

}  // namespace lab

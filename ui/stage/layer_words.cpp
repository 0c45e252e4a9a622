// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/layer_words.h"

#include <QCoreApplication>

#include "ui/words.h"

namespace lab {
namespace {

struct LayerWords {
  Q_DECLARE_TR_FUNCTIONS(lab::LayerWords)
};

}  // namespace

LayerWords layerWords(const NeuralNetwork& network, const NetworkLayer& layer) {
  const QString units = countText(layer.units);
  if (layer.kind == NetworkLayer::Kind::Conv2D)
    return {LayerWords::tr("Conv2D, %1 filters of %2×%2").arg(units).arg(layer.side),
            LayerWords::tr("Conv2D, %1 filters").arg(units), QStringLiteral("Conv")};
  const bool last = layer == network.layers().back();
  const QString name = (last ? LayerWords::tr("Dense, %1 classes") : LayerWords::tr("Dense, %1 units")).arg(units);
  return {name, name, last ? units : QStringLiteral("Dense")};
}

}  // namespace lab

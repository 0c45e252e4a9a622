// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/normed_network.h"

#include <QFile>

#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"

namespace lab::test {

QString normedNetworkFile(const QString& folder, bool synchronized) {
  using Kind = NetworkLayer::Kind;
  QFile file(folder + (synchronized ? QStringLiteral("/synchronised.json") : QStringLiteral("/own.json")));
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(QByteArray::fromStdString(kerasJson(
      {"normed",
       {28, 28, 1},
       {{.kind = Kind::Conv2D, .name = "conv2d", .units = 5, .side = 3, .strideY = 3, .strideX = 3, .bias = false},
        {.kind = Kind::BatchNorm, .name = "batch_normalization", .momentum = 0.9, .synchronized = synchronized},
        {.kind = Kind::Activation, .name = "re_lu", .relu = true},
        {.kind = Kind::Dropout, .name = "dropout", .rate = 0.3},
        {.kind = Kind::Flatten, .name = "flatten"},
        {.kind = Kind::Dense, .name = "dense", .units = 10}}})));
  return file.fileName();
}

}  // namespace lab::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/step/layer_words.h"

#include <QCoreApplication>

#include "ui/i18n/words.h"

namespace lab {
namespace {

struct LayerTexts {
  Q_DECLARE_TR_FUNCTIONS(lab::LayerWords)
};

QString size(std::int64_t height, std::int64_t width) {
  return QStringLiteral("%1×%2").arg(height).arg(width);
}

// How a window moves, if not as usual for the layer.
QString windowWords(const NetworkLayer& layer, std::int64_t usualY, std::int64_t usualX) {
  QString words;
  if (layer.strideY != usualY || layer.strideX != usualX)
    words += LayerTexts::tr(", strides %1").arg(size(layer.strideY, layer.strideX));
  if (layer.same) words += QStringLiteral(", same");
  return words;
}

QString functionName(const NetworkLayer& layer) {
  const std::string_view word = activationWord(layer.function);
  return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
}

// For the kinds that only pass on the values of the layer before them.
QString passingWords(const NetworkLayer& layer) {
  using Kind = NetworkLayer::Kind;
  switch (layer.kind) {
    case Kind::MaxPool2D:
      return LayerTexts::tr("MaxPooling2D, %1").arg(size(layer.side, layer.width));
    case Kind::AveragePool2D:
      return LayerTexts::tr("AveragePooling2D, %1").arg(size(layer.side, layer.width));
    case Kind::Flatten:
      return QStringLiteral("Flatten");
    case Kind::Dropout:
      return LayerTexts::tr("Dropout, %1 of the units").arg(percentText(layer.rate));
    case Kind::Add:
      return QStringLiteral("Add");
    case Kind::Concatenate:
      return QStringLiteral("Concatenate");
    case Kind::GlobalAveragePool2D:
      return QStringLiteral("GlobalAveragePooling2D");
    case Kind::GlobalMaxPool2D:
      return QStringLiteral("GlobalMaxPooling2D");
    case Kind::ZeroPadding2D:
      return QStringLiteral("ZeroPadding2D");
    default:
      return layer.softmax                                ? QStringLiteral("Softmax")
             : layer.relu                                 ? QStringLiteral("ReLU")
             : layer.function == ActivationFunction::None ? QStringLiteral("Activation")
                                                          : LayerTexts::tr("Activation, %1").arg(functionName(layer));
  }
}

QString convolutionWords(const NetworkLayer& layer) {
  return LayerTexts::tr("Conv2D, %1 filters of %2").arg(countText(layer.units), size(layer.side, layer.width)) +
         windowWords(layer, 1, 1);
}

}  // namespace

LayerWords layerWords(const NeuralNetwork& network, const NetworkLayer& layer) {
  using Kind = NetworkLayer::Kind;
  const QString units = countText(layer.units);
  if (layer.kind == Kind::Conv2D)
    return {convolutionWords(layer), LayerTexts::tr("Conv2D, %1 filters").arg(units),
            QStringLiteral("Conv2D, %1").arg(units), QStringLiteral("Conv"), units};
  if (layer.kind == Kind::DepthwiseConv2D) {
    const QString window = size(layer.side, layer.width);
    return {LayerTexts::tr("DepthwiseConv2D, %1 filters of %2 for each channel").arg(units, window) +
                windowWords(layer, 1, 1),
            QStringLiteral("DepthwiseConv2D, %1").arg(window), QStringLiteral("Depthwise"), QStringLiteral("Depthw."),
            countText(layer.output.back())};
  }
  if (layer.kind == Kind::LayerNorm)
    return {QStringLiteral("LayerNormalization"), QStringLiteral("LayerNormalization"), QStringLiteral("Norm"),
            QStringLiteral("Norm"), countText(layer.output.back())};
  if (layer.kind == Kind::BatchNorm) {
    const QString channels = countText(layer.output.back());
    if (!layer.synchronized)
      return {QStringLiteral("BatchNormalization"), QStringLiteral("BatchNormalization"), QStringLiteral("Norm"),
              QStringLiteral("Norm"), channels};
    return {LayerTexts::tr("BatchNormalization, synchronised"), LayerTexts::tr("BatchNorm., synchronised"),
            QStringLiteral("Norm ⇄"), QStringLiteral("Norm ⇄"), QStringLiteral("⇄")};
  }
  if (layer.kind != Kind::Dense) {
    const QString words = passingWords(layer);
    const QString kind = words.section(QLatin1Char(','), 0, 0);
    if (layer.kind == Kind::GlobalAveragePool2D || layer.kind == Kind::GlobalMaxPool2D) {
      const bool isMean = layer.kind == Kind::GlobalAveragePool2D;
      return {words,
              words,
              isMean ? LayerTexts::tr("Averages") : LayerTexts::tr("Maxima"),
              isMean ? QStringLiteral("GAP") : QStringLiteral("GMP"),
              {}};
    }
    const bool pools = layer.kind == Kind::MaxPool2D || layer.kind == Kind::AveragePool2D;
    return {pools ? words + windowWords(layer, layer.side, layer.width) : words, words, kind, kind, {}};
  }
  const bool last = layer == network.layers().back();
  const QString name = (last ? LayerTexts::tr("Dense, %1 classes") : LayerTexts::tr("Dense, %1 units")).arg(units);
  return {name, name, QStringLiteral("Dense, %1").arg(units), last ? units : QStringLiteral("Dense"), units};
}

}  // namespace lab

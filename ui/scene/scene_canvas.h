// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a scene while it is built, back to front; and what is known of words and pictures before a painter draws
// them: how wide they are and which fit.
#pragma once

#include <QCoreApplication>
#include <QStringList>

#include <utility>
#include <vector>

#include "ui/scene/scene.h"

namespace lab {

inline constexpr Qt::Alignment kAtLeft = Qt::AlignLeft | Qt::AlignVCenter, kAtRight = Qt::AlignRight | Qt::AlignVCenter;

class SceneCanvas {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneCanvas)

 public:
  explicit SceneCanvas(const StageLayout& layout);  // `layout` must outlive the canvas

  const StageLayout& layout() const { return layout_; }

  // Adds an item in front of all others. The reference is valid until the next item is added.
  Item& add(Item::Shape shape, const QRectF& box, const Object& object = {});
  Item& text(const QRectF& box, const QString& words, double scale = 1, Qt::Alignment align = Qt::AlignCenter);
  // The first (longest) of these words that fits into the box, or the last if none fits.
  Item& fitted(const QRectF& box, const QStringList& forms, double scale = 1, Qt::Alignment align = Qt::AlignCenter,
               bool bold = false);
  Item& chip(const QRectF& box, const QString& words, const Object& object = {});
  Item& term(const QRectF& picture, const Values& values, const Object& object);  // a line of an equation

  bool coversWords(const QRectF& box) const;            // true if it covers a text or a version of weights in the scene
  void hideLayerNames(const QRectF& box, int replica);  // those that a chip in this box would cover
  std::vector<Item>& items() { return scene_.items; }
  void endStanding() { scene_.standing = scene_.items.size(); }  // later items travel or lie above the others
  Scene take() { return std::move(scene_); }

  static QString colourScaleText(double scale);

 private:
  const StageLayout& layout_;
  Scene scene_;
};

// How many values are drawn in a box: squares of three pixels, which remain visible in a compressed film too. Empty if
// the box is too small for a picture.
QSize resolutionOf(const QRectF& box);
inline constexpr double kNarrowestPicture = 3;  // pixels wide

QRectF between(const QRectF& a, const QRectF& b, double t);
double easeInOut(double t);  // 0..1 to 0..1, slow at both ends

// Words are chosen without a painter, so this is their largest width in any of the usual fonts.
double widthOf(const QString& words, double fontPx, bool bold = false);
// Returns the first (longest) of these that fits into `width`, or the last if none fits.
QString longestThatFits(const QStringList& words, double width, double fontPx, bool bold = false);
// The font size for the name of weights, at most `largest`.
double weightsFontPx(const QString& name, const QSizeF& badge, bool disc, double largest);

}  // namespace lab

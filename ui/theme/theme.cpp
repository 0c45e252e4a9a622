// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QHash>
#include <QPointer>
#include <QScopedValueRollback>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "ui/theme/projected.h"

namespace lab::theme {
namespace {

Kind kindInForce = Kind::Light;
bool projectedInForce = false;
int textSizeInForce = 13, pointsChosen = 0;
constexpr int kSmallestText = 9, kSmallestOfItself = 13, kLargestText = 48;
constexpr double kLinesPerWindow = 72, kProjectorLines = 45;
constexpr double kPixelsPerPoint = 96.0 / 72;  // logical pixels: the screen's scale factor comes on top
constexpr int kTarget = 24;

// The acts that run after each apply().
std::vector<std::pair<QPointer<QObject>, std::function<void()>>>& followers() {
  static std::vector<std::pair<QPointer<QObject>, std::function<void()>>> list;
  return list;
}
bool isTelling = false;  // in tellFollowers()

}  // namespace

Kind kind() {
  return kindInForce;
}

const Colours& colours() {
  return coloursOf(kindInForce);
}

void setKind(Kind kind) {
  kindInForce = kind;
}

bool isProjected() {
  return projectedInForce || kindInForce == Kind::Projector;
}

void setProjected(bool projected) {
  projectedInForce = projected;
}

QColor replicaColour(int replica) {
  return replicaColour(replica, kindInForce);
}

QColor replicaInk(int replica) {
  static std::array<std::array<QColor, 8>, kKinds.size()> inks;  // invalid: not made yet
  const auto hue = static_cast<std::size_t>(std::max(0, replica)) % 8;
  QColor& ink = at(inks, kindInForce)[hue];
  if (!ink.isValid()) ink = asText(replicaColour(replica), colours());
  return ink;
}

namespace {

using Weaken = QColor (*)(const QColor&, double);

// Contrasts are expensive, and every frame asks for the same few colours.
QColor remembered(QHash<quint64, QRgb>& known, const QColor& colour, double share, Weaken weaken) {
  const auto part = static_cast<quint64>(std::lround(share * 1000));
  const quint64 key = (quint64{colour.rgb()} << 32) | (part << 8) | static_cast<quint64>(kindInForce);
  const auto found = known.constFind(key);
  if (found != known.constEnd()) return QColor::fromRgb(*found);
  if (known.size() > 4096) known.clear();
  return QColor::fromRgb(*known.insert(key, weaken(colour, share).rgb()));
}

}  // namespace

QColor tint(const QColor& colour, double share) {
  static QHash<quint64, QRgb> known;
  return remembered(known, colour, share,
                    [](const QColor& c, double part) { return tint(c, part, colours().panel, colours().ink); });
}

QColor faint(const QColor& colour, double share) {
  static QHash<quint64, QRgb> known;
  return remembered(known, colour, share, [](const QColor& c, double part) { return faint(c, part, colours().panel); });
}

Qt::BrushStyle replicaPattern(int replica) {
  constexpr std::array kPatterns{Qt::SolidPattern, Qt::BDiagPattern, Qt::Dense5Pattern, Qt::DiagCrossPattern,
                                 Qt::FDiagPattern, Qt::HorPattern,   Qt::VerPattern,    Qt::CrossPattern};
  return kPatterns[static_cast<std::size_t>((replica < 0 ? 0 : replica) / 8) % kPatterns.size()];
}

int textSizeFor(int windowHeight) {
  const int fitting = isProjected() ? static_cast<int>(std::ceil(windowHeight / kProjectorLines))
                                    : static_cast<int>(windowHeight / kLinesPerWindow);
  const int own = std::clamp(fitting, kSmallestOfItself, kLargestText);
  if (pointsChosen == 0) return own;
  const int chosen = static_cast<int>(std::lround(pointsChosen * kPixelsPerPoint));
  return isProjected() ? std::max(own, chosen) : chosen;
}

void setChosenPoints(int points) {
  pointsChosen = points == 0 ? 0 : std::clamp(points, kLeastPoints, kMostPoints);
}

int chosenPoints() {
  return pointsChosen;
}

void setTextSize(int pixels) {
  textSizeInForce = std::clamp(pixels, kSmallestText, kLargestText);
}

int textSize() {
  return textSizeInForce;
}

int leastLetters() {
  return isProjected() ? textSizeInForce : kSmallestText;
}

double paintedLetters(double asked) {
  return isProjected() ? std::max(asked, std::min<double>(textSizeInForce, kMostLarger * asked)) : asked;
}

int smallText(double share) {
  return isProjected() ? textSizeInForce
                       : std::max(kSmallestText, static_cast<int>(std::lround(share * textSizeInForce)));
}

QFont smallFont(const QFont& font) {
  QFont small = font;
  small.setPixelSize(smallText(kSmallShare));
  return small;
}

int em(double count) {
  return static_cast<int>(std::lround(count * textSizeInForce));
}

int target() {
  return std::max(kTarget, em(1.8));
}

void follow(QObject* context, const std::function<void()>& act) {
  act();
  // While acts run, the places of those that are still to run must not change.
  if (!isTelling) std::erase_if(followers(), [](const auto& follower) { return follower.first.isNull(); });
  followers().emplace_back(context, act);
}

void tellFollowers() {
  const QScopedValueRollback telling(isTelling, true);
  // An act may add followers, so no iterators.
  for (std::size_t i = 0; i < followers().size(); ++i) {
    const auto [context, act] = followers()[i];
    if (context) act();
  }
}

}  // namespace lab::theme

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_equations.h"

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLabel = 1.15, kLeastPicture = 0.8, kMargin = 0.25, kHeading = 1.3,
                 kCorner = 0.15;  // px; the last: below a buffer, whose corners would show beside round ones

}  // namespace

// The area of an equation, over what is hidden meanwhile: down to the loss, to the buffer, or over the buffer too.
// Empty if it is too small, or a tile of a group.
QRectF SceneEquations::ground(int endpoint, Reach reach) const {
  const double margin = kMargin * px_;
  const auto reaching = [&](const QRectF& strip, double top) {
    const double bottom = reach == Reach::OverBuffer ? strip.bottom() : strip.top() - margin;
    return QRectF(strip.left(), top, strip.width(), bottom - top);
  };
  if (at_.isServer(endpoint)) {
    if (at_.asynchronous || layout_.servers.empty()) return {};
    return reaching(servers_.roomIn(layout_.servers.front()), layout_.servers.front().top() - 1.9 * px_);
  }
  const StageColumn& column = layout_.columnOf(endpoint);
  const QRectF& strip = column.strips.front();
  if (column.brief || column.count > 1 || strip.width() < 5 * px_) return {};
  const bool zoomed = endpoint == layout_.zoomed;
  QRectF ground = reaching(strip, zoomed ? strip.top() - 11 * px_ : std::min(column.badge.top(), column.layers.top()));
  if (reach == Reach::ToLoss && !zoomed) ground.setBottom(column.loss.top());
  return ground;
}

// The room below the names that the ground repeats.
QRectF SceneEquations::room(int endpoint, Reach reach) const {
  const QRectF whole = ground(endpoint, reach);
  return whole.isEmpty() || endpoint == layout_.zoomed ? whole : whole.adjusted(0, kHeading * px_, 0, 0);
}

QRectF SceneEquations::stripOf(int endpoint) const {
  return at_.isServer(endpoint) ? servers_.roomIn(layout_.servers.front()) : layout_.strip(endpoint);
}

// `count` lines at the bottom of the room, each with its words above it if there is room; `closing`: a line of words
// alone comes last.
std::vector<EquationLine> SceneEquations::linesIn(const QRectF& room, std::size_t count, double most,
                                                  bool closing) const {
  const auto n = static_cast<double>(count);
  double label = kLabel * px_;
  const double labels = (n + (closing ? 1 : 0)) * label;
  double height = (room.height() - labels) / n;
  if (height < kLeastPicture * px_) {
    label = 0;
    height = (room.height() - 0.15 * px_ * n) / n;
  }
  height = std::min(height, most);
  const double each = label + height + (label > 0 ? 0 : 0.15 * px_), tail = closing ? label : 0;
  double top = room.bottom() - tail - n * each;
  std::vector<EquationLine> lines;
  for (std::size_t i = 0; i < count; ++i, top += each)
    lines.push_back(
        {QRectF(room.left(), top, room.width(), label), QRectF(room.left(), top + label, room.width(), height)});
  if (closing) lines.push_back({QRectF(room.left(), room.bottom() - tail, room.width(), tail), {}});
  return lines;
}

// Hides the layers' rows and the buffer's name. The name of the weights, the loss and a server's name move up into the
// first line.
void SceneEquations::addGround(int endpoint, const Object& object, double opacity, Reach reach, bool named) {
  QRectF box = ground(endpoint, reach);
  const bool overNames = reach == Reach::OverBuffer && !at_.isServer(endpoint);
  const double names = overNames ? layout_.columnOf(endpoint).names.height() / px_ : 0;
  const double below = reach == Reach::ToBuffer ? kMargin : reach == Reach::OverBuffer ? std::max(kCorner, names) : 0;
  Item& ground = canvas_.add(Item::Shape::Panel, box.adjusted(-0.2 * px_, -0.15 * px_, 0.2 * px_, below * px_), object);
  ground.covers = true;
  ground.opacity = opacity;
  if (endpoint == layout_.zoomed) return;  // the zoomed replica shows both elsewhere
  const QRectF line(box.left(), box.top(), box.width(), kHeading * px_);
  const std::size_t first = canvas_.items().size();
  if (at_.isServer(endpoint)) {
    servers_.nameCentral(line);
  } else {
    const StageColumn& column = layout_.columnOf(endpoint);
    columns_.addBadge(column, line.adjusted(0, 0, std::min(4.2 * px_, 0.45 * line.width()) - line.width(), -0.1 * px_));
    if (overNames && named) buffers_.nameVariables(column);  // the variables of the coming lines
    if (reach != Reach::ToLoss) columns_.addLoss(column, line.adjusted(0.5 * line.width(), 0, 0, 0), kAtRight);
  }
  // Hidden while what lies below still shows through.
  for (std::size_t i = first; i < canvas_.items().size(); ++i)
    canvas_.items()[i].opacity = std::max(0.0, 2 * opacity - 1);
}

std::pair<Qt::Alignment, Qt::Alignment> sidesOf(const QRectF& label, const QRectF& picture) {
  const bool leftwards = label.left() < picture.left() - 1;
  return leftwards ? std::pair(kAtRight, kAtLeft) : std::pair(kAtLeft, kAtRight);
}

// Names a term above its picture, with the end of its colour scale at the far side; if there is no room above it, a few
// words over the picture.
void SceneEquations::nameTerm(std::size_t term, const QRectF& label, const QStringList& forms, double opacity) {
  constexpr double kFont = 0.85, kGap = 1;
  // The texts at the two ends must not meet where a projector's letters are larger.
  const double font = theme::paintedLetters(kFont * px_);
  Item& item = canvas_.items()[term];
  if (label.height() <= 0) {
    if (item.box.height() < item.fontPx) return;  // words would run into those of the next line
    const QString few = longestThatFits(forms, 0.5 * item.box.width(), kFont * px_);
    const QString sign = few.startsWith(QLatin1Char('+')) ? QStringLiteral("+") : QString();
    item.text = longestThatFits({few, sign, {}}, item.box.width() - 0.5 * px_, item.fontPx);
    return;
  }
  const double scale = item.values != nullptr ? item.values->scale : 0;
  const QString whole = SceneCanvas::colourScaleText(scale), end = QStringLiteral("±") + numberText(scale);
  QString words = longestThatFits(forms, label.width(), font), range;
  if (widthOf(words, font) > label.width()) return;
  // Prefer fewer words to leaving out the scale.
  const auto fits = [&](const QString& form, const QString& scaled) {
    return widthOf(form, font) + widthOf(scaled, font) + kGap * px_ <= label.width();
  };
  for (const QString& form : forms) {
    if (scale <= 0 || !range.isEmpty() || !fits(form, end)) continue;
    words = form;
    range = fits(form, whole) ? whole : end;
  }
  const auto [near, far] = sidesOf(label, item.box);
  canvas_.text(label, words, kFont, near).opacity = opacity;
  if (range.isEmpty()) return;
  const double used = widthOf(words, font);
  const QRectF rest = near.testFlag(Qt::AlignRight) ? label.adjusted(0, 0, -used, 0) : label.adjusted(used, 0, 0, 0);
  Item& colours = canvas_.text(rest, range, kFont, far);
  colours.quiet = true;
  colours.opacity = opacity;
}

// A line about all variables: their picture, the edges between them, and its name.
Item& SceneEquations::addVariables(const EquationLine& line, const Values& values, const Object& object,
                                   const QStringList& forms, double opacity, bool edged) {
  const std::size_t at = canvas_.items().size();
  Item& term = canvas_.term(line.picture, values, object);
  term.opacity = opacity;
  if (edged) buffers_.addEdges(line.picture, {0, at_.info.parameters}, opacity);
  nameTerm(at, line.label, forms, opacity);
  return canvas_.items()[at];
}

}  // namespace lab

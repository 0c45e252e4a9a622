// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/theme.h"

#include <QApplication>
#include <QFont>
#include <QHash>
#include <QPalette>
#include <QPointer>
#include <QRegularExpression>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/look/style.h"

namespace lab::theme {
namespace {

Kind kindInForce = Kind::Light;
int textSizeInForce = 13, pointsChosen = 0;
constexpr int kSmallestText = 9, kSmallestOfItself = 13, kLargestText = 48;
constexpr double kLinesPerWindow = 72, kProjectorLines = 45;
constexpr double kPixelsPerPoint = 96.0 / 72;  // logical pixels: the screen's scale comes on top
constexpr int kTarget = 24;
constexpr double kSmallShare = 0.85;

// What runs after each apply().
std::vector<std::pair<QPointer<QObject>, std::function<void()>>>& followers() {
  static std::vector<std::pair<QPointer<QObject>, std::function<void()>>> list;
  return list;
}

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

QColor replicaColour(int replica) {
  return replicaColour(replica, kindInForce);
}

QColor replicaInk(int replica) {
  static std::array<std::array<QColor, 8>, kKinds.size()> inks;  // invalid: not made yet
  const auto hue = static_cast<std::size_t>(std::max(0, replica)) % 8;
  QColor& ink = inks[static_cast<std::size_t>(kindInForce)][hue];
  if (!ink.isValid()) ink = asText(replicaColour(replica), colours());
  return ink;
}

namespace {

using Weaken = QColor (*)(const QColor&, double);

// Contrasts are dear and the same few colours are asked for in every frame.
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
  const bool projector = kindInForce == Kind::Projector;
  const int fitting = projector ? static_cast<int>(std::ceil(windowHeight / kProjectorLines))
                                : static_cast<int>(windowHeight / kLinesPerWindow);
  const int own = std::clamp(fitting, kSmallestOfItself, kLargestText);
  if (pointsChosen == 0) return own;
  const int chosen = static_cast<int>(std::lround(pointsChosen * kPixelsPerPoint));
  return projector ? std::max(own, chosen) : chosen;
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

int smallText(double share) {
  return kindInForce == Kind::Projector
             ? textSizeInForce
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
  std::erase_if(followers(), [](const auto& follower) { return follower.first.isNull(); });
  followers().emplace_back(context, act);
}

namespace {

// What a palette cannot say. {ink} is a colour, {0.5em} a length; labels have a property `role`.
constexpr const char* kSheet = R"(
QMainWindow::separator { background: {line}; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: {accent}; }
QMenuBar { background: {panel}; padding: {0.1em} {0.4em}; }
QMenuBar::item { padding: {pad} {0.6em}; border-radius: {0.3em}; }
QMenuBar::item:selected { background: {line}; }
QToolBar { background: {panel}; border: none; border-bottom: 1px solid {line}; padding: {0.3em} {0.6em};
           spacing: {0.35em}; }
QToolBar::separator { background: {line}; width: 1px; margin: {0.4em} {0.3em}; }
QToolBarExtension { padding: 0; border: none; background: {line}; }
QStatusBar { background: {panel}; border-top: 1px solid {line}; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: {quietInk}; padding: {0.1em} {0.5em}; }
QToolButton { border: 1px solid transparent; border-radius: {0.4em}; padding: {0.25em} {0.3em}; color: {ink};
              min-height: {tool}; min-width: {tool}; }
QToolButton:hover { background: {window}; border-color: {line}; }
QToolButton:pressed { background: {line}; }
QToolButton:checked { background: {window}; border-color: {edge}; font-weight: 600; }
QToolButton:focus { border-color: {accent}; }
QToolButton:disabled { color: {edge}; }
QToolButton[framed="true"] { border-color: {edge}; background: {panel}; padding: {0.3em} {0.7em}; }
QToolButton[framed="true"]:hover, QToolButton[framed="true"]:focus { border-color: {accent}; }
QToolButton[section="true"] { font-weight: 600; text-align: left; padding: {0.3em} {0.1em}; }
QToolButton::menu-indicator { image: none; }
QDockWidget { font-weight: 600; }
QDockWidget::title { background: {panel}; padding: {0.35em} {0.8em}; border-bottom: 1px solid {line}; }
QDockWidget::close-button, QDockWidget::float-button { subcontrol-origin: margin; subcontrol-position: right center;
    position: absolute; top: 0px; bottom: 0px; right: {0.2em}; width: {target}; height: {target}; }
QDockWidget::float-button { right: {title}; }
QTabBar { font-weight: 400; }
QAbstractSpinBox, QToolBar QComboBox { min-height: {target}; }
QScrollArea { border: none; }
QPlainTextEdit, QTextBrowser, QTableView, QListView, lab--TraceView { border: 2px solid transparent; }
QPlainTextEdit:focus, QTextBrowser:focus, QScrollArea:focus, QTableView:focus, QListView:focus, lab--TraceView:focus { border: 2px solid {accent}; }
QToolTip { color: {panel}; background: {ink}; border: 1px solid {edge}; padding: {0.35em}; }
QLabel[role="title"] { font-size: {1.35em}; font-weight: 600; color: {ink}; }
QLabel[role="strong"] { font-weight: 600; color: {ink}; }
QLabel[role="quiet"] { color: {quietInk}; }
QLabel[role="caption"] { font-size: {small}; color: {quietInk}; }
QLabel[role="picture"] { border: 1px solid {edge}; }
QLabel[role="error"] { color: {errorInk}; background: {errorGround}; border: 1px solid {errorInk};
                       border-radius: {0.4em}; padding: {0.5em}; }
QFrame[role="error"] { background: {errorGround}; border-bottom: 1px solid {errorInk}; }
QFrame[role="error"] QLabel { color: {errorInk}; }
QFrame[role="warning"] { background: {warningGround}; border-bottom: 1px solid {warningInk}; }
QFrame[role="warning"] QLabel { color: {warningInk}; }
QFrame[role="hint"] { background: {panel}; border-bottom: 1px solid {edge}; }
QFrame[role="hint"] QLabel { color: {ink}; }
QFrame[role="popup"] { background: {panel}; border: 1px solid {edge}; }
QWidget[role="panel"] { background: {panel}; }
)";

QString colourNamed(const QString& name) {
  const Colours& c = colours();
  const std::pair<const char*, QColor> names[] = {{"window", c.window},
                                                  {"panel", c.panel},
                                                  {"ink", c.ink},
                                                  {"quietInk", c.quietInk},
                                                  {"line", c.line},
                                                  {"edge", c.edge},
                                                  {"accent", c.accent},
                                                  {"onAccent", c.onAccent},
                                                  {"errorInk", c.errorInk},
                                                  {"errorGround", c.errorGround},
                                                  {"warningInk", c.warningInk},
                                                  {"warningGround", c.warningGround}};
  for (const auto& [key, colour] : names) {
    if (name == QLatin1String(key)) return colour.name();
  }
  return name;
}

QString styleSheet() {
  QString text = QLatin1String(kSheet);
  static const QRegularExpression hole(QStringLiteral("\\{([A-Za-z]+|[0-9.]+em)\\}"));
  QString filled;
  qsizetype end = 0;
  for (auto matches = hole.globalMatch(text); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    const QString what = match.captured(1);
    filled += text.mid(end, match.capturedStart() - end);
    const bool length = what.front().isDigit();
    filled += length                             ? QStringLiteral("%1px").arg(em(what.chopped(2).toDouble()))
              : what == QStringLiteral("small")  ? QStringLiteral("%1px").arg(smallText(kSmallShare))
              : what == QStringLiteral("tool")   ? QStringLiteral("%1px").arg(target() - 2 * em(0.25) - 2)
              : what == QStringLiteral("target") ? QStringLiteral("%1px").arg(target())
              : what == QStringLiteral("title")  ? QStringLiteral("%1px").arg(target() + em(0.3))
              : what == QStringLiteral("pad")    ? QStringLiteral("%1px").arg((target() - em(1.15) + 1) / 2)
                                                 : colourNamed(what);
    end = match.capturedEnd();
  }
  return filled + text.mid(end);
}

}  // namespace

void applyColours(QApplication& app) {
  const Colours& c = colours();
  if (app.styleSheet().isEmpty() && qobject_cast<WindowStyle*>(QApplication::style()) == nullptr)
    QApplication::setStyle(new WindowStyle);
  QPalette palette;
  palette.setColor(QPalette::Window, c.window);
  palette.setColor(QPalette::Base, c.panel);
  palette.setColor(QPalette::AlternateBase, c.window);
  palette.setColor(QPalette::Button, c.panel);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(role, c.ink);
    palette.setColor(QPalette::Disabled, role, c.edge);
  }
  palette.setColor(QPalette::PlaceholderText, c.quietInk);
  palette.setColor(QPalette::ToolTipBase, c.ink);
  palette.setColor(QPalette::ToolTipText, c.panel);
  palette.setColor(QPalette::Highlight, c.accent);
  palette.setColor(QPalette::HighlightedText, c.onAccent);
  palette.setColor(QPalette::Link, c.accent);
  palette.setColor(QPalette::Light, c.panel);
  palette.setColor(QPalette::Midlight, c.line);
  palette.setColor(QPalette::Mid, c.line);
  palette.setColor(QPalette::Dark, c.edge);
  palette.setColor(QPalette::Shadow, c.edge);
  app.setPalette(palette);
  QToolTip::setPalette(palette);  // the application's does not reach them
  QFont font = app.font();
  font.setPixelSize(textSizeInForce);
  app.setFont(font);
}

void apply(QApplication& app) {
  const QString sheet = QStringLiteral("/* %1 */\n").arg(QLatin1String(keyOf(kindInForce))) + styleSheet();
  if (sheet == app.styleSheet() && app.font().pixelSize() == textSizeInForce) return;
  applyColours(app);
  app.setStyleSheet(sheet);
  // An act may make what follows as well.
  for (std::size_t i = 0; i < followers().size(); ++i) {
    const auto [context, act] = followers()[i];
    if (context) act();
  }
}

}  // namespace lab::theme

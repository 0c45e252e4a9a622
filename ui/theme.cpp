// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include <QApplication>
#include <QFont>
#include <QPalette>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/style.h"

namespace lab::theme {
namespace {

constexpr QColor rgb(int value) {
  return {(value >> 16) & 0xFF, (value >> 8) & 0xFF, value & 0xFF};
}

constexpr Colours kLight{.dark = false,
                         .window = rgb(0xF3F5F8),
                         .panel = rgb(0xFFFFFF),
                         .stage = rgb(0xFBFCFD),
                         .stagePaused = rgb(0xEFF1F4),
                         .ink = rgb(0x1B2430),
                         .quietInk = rgb(0x55606F),
                         .line = rgb(0xDCE1E8),
                         .edge = rgb(0x7F8A99),
                         .accent = rgb(0x1D5FBF),
                         .onAccent = rgb(0xFFFFFF),
                         .batchLine = rgb(0x7D93B2),
                         .errorInk = rgb(0x8C1D18),
                         .errorGround = rgb(0xFDECEA),
                         .warningInk = rgb(0x6B4600),
                         .warningGround = rgb(0xFFF4DB),
                         .positive = rgb(0xC25A00),
                         .negative = rgb(0x0062A8)};

constexpr Colours kDark{.dark = true,
                        .window = rgb(0x15181D),
                        .panel = rgb(0x1F242B),
                        .stage = rgb(0x191D23),
                        .stagePaused = rgb(0x22262D),
                        .ink = rgb(0xE9EDF2),
                        .quietInk = rgb(0xA9B3C0),
                        .line = rgb(0x343B45),
                        .edge = rgb(0x7C8796),
                        .accent = rgb(0x6FA8F5),
                        .onAccent = rgb(0x10141A),
                        .batchLine = rgb(0x7890B0),
                        .errorInk = rgb(0xFFB4AB),
                        .errorGround = rgb(0x3D1B19),
                        .warningInk = rgb(0xF4CF8B),
                        .warningGround = rgb(0x382B12),
                        .positive = rgb(0xFFA658),
                        .negative = rgb(0x6DBBF5)};

bool darkInForce = false;
int textSizeInForce = 13;
constexpr int kSmallestText = 13, kLargestText = 48, kLinesPerWindow = 72;

// Blue, orange, green, vermillion, sky, purple, yellow, black: Okabe–Ito, with the hues that would vanish on a ground
// darkened or lightened until they stand at 3:1 on it.
constexpr std::array<QColor, 8> kReplicaLight{rgb(0x0072B2), rgb(0xB87F00), rgb(0x008F69), rgb(0xD55E00),
                                              rgb(0x3F8FBC), rgb(0xC4659C), rgb(0x8F8722), rgb(0x3A3F46)};
constexpr std::array<QColor, 8> kReplicaDark{rgb(0x3D9FD9), rgb(0xE69F00), rgb(0x14B98B), rgb(0xEA7A2C),
                                             rgb(0x7CC6F0), rgb(0xD68DB5), rgb(0xE6DA4E), rgb(0xC9CED6)};

}  // namespace

const Colours& coloursOf(bool dark) {
  return dark ? kDark : kLight;
}

const Colours& colours() {
  return coloursOf(darkInForce);
}

void setDark(bool dark) {
  darkInForce = dark;
}

QColor replicaColour(int replica) {
  const auto& hues = darkInForce ? kReplicaDark : kReplicaLight;
  return hues[static_cast<std::size_t>(replica < 0 ? 0 : replica) % hues.size()];
}

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto channel = [share](int x, int y) { return static_cast<int>(std::lround(x * share + y * (1 - share))); };
  return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

Qt::BrushStyle replicaPattern(int replica) {
  constexpr std::array kPatterns{Qt::SolidPattern, Qt::BDiagPattern, Qt::Dense5Pattern, Qt::DiagCrossPattern,
                                 Qt::FDiagPattern, Qt::HorPattern,   Qt::VerPattern,    Qt::CrossPattern};
  return kPatterns[static_cast<std::size_t>((replica < 0 ? 0 : replica) / 8) % kPatterns.size()];
}

int textSizeFor(int windowHeight) {
  return std::clamp(windowHeight / kLinesPerWindow, kSmallestText, kLargestText);
}

void setTextSize(int pixels) {
  textSizeInForce = std::clamp(pixels, kSmallestText, kLargestText);
}

int textSize() {
  return textSizeInForce;
}

int em(double count) {
  return static_cast<int>(std::lround(count * textSizeInForce));
}

namespace {

// What a palette cannot say. {ink} is a colour, {0.5em} a length; labels have a property `role`.
constexpr const char* kSheet = R"(
QMainWindow::separator { background: {line}; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: {accent}; }
QMenuBar { background: {panel}; padding: {0.1em} {0.4em}; }
QMenuBar::item { padding: {0.25em} {0.6em}; border-radius: {0.3em}; }
QMenuBar::item:selected { background: {line}; }
QToolBar { background: {panel}; border: none; border-bottom: 1px solid {line}; padding: {0.3em} {0.6em};
           spacing: {0.35em}; }
QToolBar::separator { background: {line}; width: 1px; margin: {0.4em} {0.3em}; }
QToolBarExtension { padding: 0; border: none; background: {line}; }
QStatusBar { background: {panel}; border-top: 1px solid {line}; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: {quietInk}; padding: {0.1em} {0.5em}; }
QToolButton { border: 1px solid transparent; border-radius: {0.4em}; padding: {0.25em} {0.3em}; color: {ink}; }
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
QTabBar { font-weight: 400; }
QScrollArea, QPlainTextEdit, QTableView { border: none; }
QToolTip { border: none; padding: {0.35em}; }
QLabel[role="title"] { font-size: {1.35em}; font-weight: 600; color: {ink}; }
QLabel[role="strong"] { font-weight: 600; color: {ink}; }
QLabel[role="quiet"] { color: {quietInk}; }
QLabel[role="caption"] { font-size: {0.85em}; color: {quietInk}; }
QLabel[role="picture"] { border: 1px solid {edge}; }
QLabel[role="error"] { color: {errorInk}; background: {errorGround}; border: 1px solid {errorInk};
                       border-radius: {0.4em}; padding: {0.5em}; }
QFrame[role="error"] { background: {errorGround}; border-bottom: 1px solid {errorInk}; }
QFrame[role="error"] QLabel { color: {errorInk}; }
QFrame[role="warning"] { background: {warningGround}; border-bottom: 1px solid {warningInk}; }
QFrame[role="warning"] QLabel { color: {warningInk}; }
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
    filled += what.endsWith(QStringLiteral("em")) ? QStringLiteral("%1px").arg(em(what.chopped(2).toDouble()))
                                                  : colourNamed(what);
    end = match.capturedEnd();
  }
  return filled + text.mid(end);
}

}  // namespace

void apply(QApplication& app) {
  const Colours& c = colours();
  if (app.styleSheet().isEmpty()) QApplication::setStyle(new WindowStyle);
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
  QFont font = app.font();
  font.setPixelSize(textSizeInForce);
  app.setFont(font);
  app.setStyleSheet(styleSheet());
}

}  // namespace lab::theme

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/apply_theme.h"

#include <QApplication>
#include <QEvent>
#include <QFont>
#include <QPalette>
#include <QRegularExpression>
#include <QToolTip>

#include <utility>

#include "ui/theme/style.h"
#include "ui/theme/theme.h"

namespace lab::theme {
namespace {

// The style sheet, for what a palette cannot express. {ink} is a colour, {0.5em} a length; labels have a property
// `role`.
constexpr const char* kSheet = R"(
QMainWindow::separator { background: {line}; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: {accent}; }
QMenuBar { background: {panel}; padding: {0.1em} {0.4em}; }
QMenuBar::item { padding: {pad} {0.6em}; border-radius: {0.3em}; }
QMenuBar::item:selected { background: {line}; }
QToolBar { background: {panel}; border: none; border-bottom: 1px solid {line}; padding: {0.3em} {0.6em};
           spacing: {0.35em}; }
QToolBar#workspaceRow { padding: {0.12em}; }
QToolBar::separator { background: {line}; width: 1px; margin: {0.4em} {0.3em}; }
QToolBarExtension { padding: 0; border: none; background: {line}; }
QStatusBar { background: {panel}; border-top: 1px solid {line}; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: {quietInk}; padding: {0.1em} {0.5em}; }
QToolButton { border: 1px solid transparent; border-radius: {0.4em}; padding: {0.25em} {0.3em}; color: {ink};
              min-height: {tool}; min-width: {tool}; }
QToolBar#workspaceRow QToolButton { min-height: {target}; padding: 0 {0.4em}; }
QToolButton:hover { background: {window}; border-color: {line}; }
QToolButton:pressed { background: {line}; }
QToolButton:checked { background: {window}; border-color: {edge}; font-weight: 600; }
QToolButton:focus { border-color: {accent}; }
QToolButton:disabled { color: {disabled}; }
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
QTableView { gridline-color: {line}; }
QAbstractSpinBox, QToolBar QComboBox { min-height: {target}; }
QScrollArea { border: none; }
QPlainTextEdit, QTextBrowser, QScrollArea[read="true"], QTableView, QListView, lab--TraceView { border: 2px solid transparent; }
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
                                                  {"disabled", disabledInk()},
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

// In high contrast, edges are as white as words, so disabled controls would look like enabled ones.
QColor disabledInk() {
  const Colours& c = colours();
  return c.edge == c.ink ? c.line : c.edge;
}

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
    palette.setColor(QPalette::Disabled, role, disabledInk());
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
  QToolTip::setPalette(palette);  // the application's palette does not reach tool tips
  QFont font = app.font();
  font.setPixelSize(textSize());
  app.setFont(font);
}

void apply(QApplication& app) {
  const QString sheet = QStringLiteral("/* %1 */\n").arg(QLatin1String(keyOf(kind()))) + styleSheet();
  if (sheet == app.styleSheet() && app.font().pixelSize() == textSize()) return;
  // If one sheet replaces another, Qt polishes each widget once for each of its ancestors
  // (QStyleSheetStyle::updateObjects): with all panels open that takes four times as long as removing the old sheet
  // first.
  app.setStyleSheet({});
  applyColours(app);
  // Widgets take palette and font now, while no rules have to be matched.
  for (const QEvent::Type change : {QEvent::ApplicationPaletteChange, QEvent::ApplicationFontChange})
    QCoreApplication::sendPostedEvents(nullptr, change);
  app.setStyleSheet(sheet);
  tellFollowers();
}

}  // namespace lab::theme

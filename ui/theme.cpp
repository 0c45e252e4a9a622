// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>

namespace lab::theme {

void apply(QApplication& app) {
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QPalette palette;
  palette.setColor(QPalette::Window, kWindow);
  palette.setColor(QPalette::Base, kPanel);
  palette.setColor(QPalette::AlternateBase, kWindow);
  palette.setColor(QPalette::Button, kPanel);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(role, kInk);
    palette.setColor(QPalette::Disabled, role, QColor(0x9A, 0xA3, 0xAF));
  }
  palette.setColor(QPalette::PlaceholderText, kQuietInk);
  palette.setColor(QPalette::ToolTipBase, kInk);
  palette.setColor(QPalette::ToolTipText, kPanel);
  palette.setColor(QPalette::Highlight, kAccent);
  palette.setColor(QPalette::HighlightedText, kPanel);
  palette.setColor(QPalette::Mid, kLine);
  app.setPalette(palette);
}

}  // namespace lab::theme

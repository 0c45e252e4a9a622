// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_icon.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include <memory>

#include "resources/resources.h"

namespace lab {
namespace {

class Engine final : public QIconEngine {
 public:
  QIconEngine* clone() const override { return new Engine(*this); }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
    drawing_->render(painter, QRectF(rect));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, picture.rect(), mode, state);
    return picture;
  }

 private:
  std::shared_ptr<QSvgRenderer> drawing_ = std::make_shared<QSvgRenderer>(
      QByteArray(reinterpret_cast<const char*>(resources::applicationIcon), resources::applicationIconSize));
};

}  // namespace

QIcon windowIcon() {
  return QIcon(new Engine);
}

}  // namespace lab

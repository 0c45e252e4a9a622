// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/invitation.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/base/ceil_divide.h"
#include "ui/i18n/words.h"
#include "ui/serving/qr_view.h"
#include "ui/serving/served_class.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kMostTimes = 4;  // the link's largest letters, in text sizes
constexpr int kNamed = 6;         // names at most this many of those that joined, the latest

}  // namespace

// A link in letters as large as the room allows. It stands in two lines, broken before the key, or has its key split
// into halves or quarters, depending on what makes the letters largest.
class LinkLines final : public QWidget {
 public:
  LinkLines() {
    setObjectName(QStringLiteral("classLinkLarge"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  }

  void setLink(const QString& link) {
    if (std::exchange(link_, link) == link) return;
    setAccessibleName(lab::tr("Link of the class: %1").arg(link));
    update();
  }
  QSize minimumSizeHint() const override { return {theme::em(10), theme::em(2.5)}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(theme::textSize());
    const QFontMetrics metrics(font);
    QStringList best;
    double most = 0;
    for (const int pieces : {1, 2, 4}) {
      const QStringList lines = linesOf(pieces);
      int widest = 1;
      for (const QString& line : lines) widest = std::max(widest, metrics.horizontalAdvance(line));
      const double high = static_cast<double>(lines.size()) * metrics.lineSpacing();
      const double times = std::min((width() - 2.0) / widest, height() / high);
      if (times <= most) continue;
      most = times;
      best = lines;
    }
    font.setPixelSize(std::max(1, static_cast<int>(std::min(most, kMostTimes) * theme::textSize())));
    QPainter painter(this);
    painter.setFont(font);
    painter.setPen(theme::colours().ink);
    const int high = QFontMetrics(font).lineSpacing();
    for (int i = 0; i < best.size(); ++i)
      painter.drawText(QRect(0, i * high, width(), high), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, best[i]);
  }

 private:
  QStringList linesOf(int pieces) const {
    const qsizetype key = link_.indexOf(QLatin1Char('#'));
    if (key < 0) return {link_};
    QStringList lines{link_.left(key)};
    const qsizetype each = ceilDivide(link_.size() - key, pieces);
    for (qsizetype at = key; at < link_.size(); at += each) lines << link_.mid(at, each);
    return lines;
  }

  QString link_;
};

Invitation::Invitation(ServedClass& served, QWidget* parent)
    : QWidget(parent), served_(served), code_(new QrView), link_(new LinkLines) {
  setObjectName(QStringLiteral("invitation"));
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  title_ = makeLabel({.text = tr("Join the class"), .name = "invitationTitle", .role = "title", .wraps = true});
  joined_ = makeLabel({.name = "invitationJoined", .role = "title", .wraps = true, .plain = true});
  code_->setObjectName(QStringLiteral("classCode"));
  code_->setAccessibleName(tr("QR code of the class"));
  code_->setParent(this);
  words_ = new QWidget(this);
  auto* column = new QVBoxLayout(words_);
  column->addWidget(title_);
  column->addWidget(link_, 1);
  column->addWidget(joined_);
  theme::follow(this, [column] {
    const int gap = theme::em(0.8);
    column->setContentsMargins(gap, gap, gap, gap);
  });
  connect(&served_, &ServedClass::changed, this, &Invitation::refresh);
  refresh();
}

void Invitation::refresh() {
  const QString& link = served_.link();
  code_->setVisible(!link.isEmpty());
  if (!link.isEmpty() && link != code_->property("link").toString()) {
    code_->setProperty("link", link);
    code_->setCode(qrCode(link));
  }
  link_->setLink(link);
  QStringList names;
  for (const ClassMember& member : served_.members())
    if (isThere(member)) names.prepend(served_.nameOf(member));
  const int count = static_cast<int>(names.size());
  QString words = link.isEmpty() ? tr("The class is being prepared…")
                  : names.empty()
                      ? (served_.members().empty() ? tr("Nobody has joined yet") : tr("All who joined have left"))
                      : tr("%Ln have joined: %1", nullptr, count).arg(names.mid(0, kNamed).join(QStringLiteral(", ")));
  if (count > kNamed) words += QStringLiteral(" …");
  joined_->setText(words);
}

QSize Invitation::minimumSizeHint() const {
  return {theme::em(24), theme::em(12)};
}

// The code is a square, so it stands beside the words in a wide widget, and above them in a high one.
void Invitation::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  constexpr double kMostOfWidth = 0.6, kMostOfHeight = 0.7;
  const bool beside = width() > height();
  const int side = beside ? std::min(height(), static_cast<int>(kMostOfWidth * width()))
                          : std::min(width(), static_cast<int>(kMostOfHeight * height()));
  const QRect code(0, 0, side, side);
  const QRect words = beside ? QRect(side, 0, width() - side, height()) : QRect(0, side, width(), height() - side);
  code_->setGeometry(QStyle::visualRect(layoutDirection(), rect(), code));
  words_->setGeometry(QStyle::visualRect(layoutDirection(), rect(), words));
}

}  // namespace lab

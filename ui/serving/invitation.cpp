// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/invitation.h"

#include <QBoxLayout>
#include <QFontDatabase>
#include <QLabel>
#include <QPainter>

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/serving/qr_view.h"
#include "ui/serving/served_class.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kMostEm = 4, kLeastEm = 0.6;  // of the link's letters
constexpr int kNamed = 6;                      // of those that joined, the latest

}  // namespace

// A link in letters as large as its width allows, broken before the key.
class LinkLines final : public QWidget {
 public:
  LinkLines() {
    setObjectName(QStringLiteral("classLinkLarge"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  }

  void setLink(const QString& link) {
    const qsizetype key = link.indexOf(QLatin1Char('#'));
    const QStringList lines = key < 0 ? QStringList{link} : QStringList{link.left(key), link.mid(key)};
    if (lines == lines_) return;
    lines_ = lines;
    setAccessibleName(lab::tr("Link of the class: %1").arg(link));
    update();
  }
  QSize minimumSizeHint() const override { return {theme::em(10), theme::em(2.5)}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(theme::textSize());
    int widest = 1;
    for (const QString& line : lines_) widest = std::max(widest, QFontMetrics(font).horizontalAdvance(line));
    const double byWidth = static_cast<double>(width() - 2) / widest,
                 byHeight =
                     static_cast<double>(height()) / std::max<int>(1, static_cast<int>(lines_.size()) * theme::em(1.3));
    font.setPixelSize(theme::em(std::clamp(std::min(byWidth, byHeight), kLeastEm, kMostEm)));
    QPainter painter(this);
    painter.setFont(font);
    painter.setPen(theme::colours().ink);
    const int high = QFontMetrics(font).lineSpacing();
    for (int i = 0; i < lines_.size(); ++i)
      painter.drawText(QRect(0, i * high, width(), high), Qt::AlignLeft | Qt::AlignVCenter, lines_[i]);
  }

 private:
  QStringList lines_;
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
  auto* words = new QVBoxLayout;
  words->addWidget(title_);
  words->addWidget(link_, 1);
  words->addWidget(joined_);
  box_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
  box_->addWidget(code_);
  box_->addLayout(words, 1);
  theme::follow(this, [this, words] {
    const int gap = theme::em(0.8);
    words->setContentsMargins(gap, gap, gap, gap);
    box_->setContentsMargins(0, 0, 0, 0);  // the code has its own
    box_->setSpacing(0);
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
                      ? tr("Nobody has joined yet")
                      : tr("%Ln have joined: %1", nullptr, count).arg(names.mid(0, kNamed).join(QStringLiteral(", ")));
  if (count > kNamed) words += QStringLiteral(" …");
  joined_->setText(words);
}

// The code is a square: beside the words where that is wide, above them where it is high.
void Invitation::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool beside = width() > height();
  box_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  constexpr double kMostOfWidth = 0.6, kMostOfHeight = 0.7;
  const int side = beside ? std::min(height(), static_cast<int>(kMostOfWidth * width()))
                          : std::min(width(), static_cast<int>(kMostOfHeight * height()));
  code_->setFixedSize(std::max(side, code_->minimumSizeHint().width()),
                      std::max(side, code_->minimumSizeHint().width()));
}

}  // namespace lab

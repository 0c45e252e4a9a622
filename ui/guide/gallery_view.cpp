// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/gallery_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>

#include "core/base/at.h"
#include "ui/guide/gallery_pictures.h"
#include "ui/i18n/written_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kSentenceRole = Qt::UserRole + 1;
constexpr double kWide = 36, kLargest = 26, kLeast = 12;  // in text sizes: least width for words beside the picture; a
                                                          // picture

// A picture above its words, or beside them if there is room.
class GalleryRow final : public QStyledItemDelegate {
 public:
  GalleryRow(const std::vector<GalleryEntry>& entries, GalleryPictures& pictures, QListView& view)
      : QStyledItemDelegate(&view), entries_(entries), pictures_(pictures), view_(view) {}

  struct Places {
    QRect picture, title, sentence;
    int height = 0;
  };
  Places places(const QModelIndex& index, const QPoint& at) const {
    const int margin = theme::em(0.5), width = view_.viewport()->width() - 2 * margin;
    const bool wide = width > theme::em(kWide);
    const int picture =
        wide ? std::min(width / 2, theme::em(kLargest)) : std::max(width, theme::em(kLeast / 2.0));  // so that it is
                                                                                                     // not cut
    const int high = static_cast<int>(picture * GalleryPictures::kHigh);
    Places all;
    all.picture = QRect(at.x() + margin, at.y() + margin, picture, high);
    QRect words = wide ? QRect(all.picture.right() + margin, all.picture.top(), width - picture - margin, 10'000)
                       : QRect(all.picture.left(), all.picture.bottom() + margin / 2, width, 10'000);
    all.title = boundsOf(words, index.data().toString(), titleFont());
    words.setTop(all.title.bottom() + 1);
    all.sentence = boundsOf(words, index.data(kSentenceRole).toString(), view_.font());
    if (view_.isRightToLeft())
      for (QRect* each : {&all.picture, &all.title, &all.sentence})
        each->moveRight(2 * at.x() + view_.viewport()->width() - each->left());
    all.height = std::max(all.picture.bottom(), all.sentence.bottom()) + margin - at.y();
    return all;
  }
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    return {theme::em(kLeast), places(index, {0, 0}).height};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const theme::Colours& colours = theme::colours();
    const Places all = places(index, option.rect.topLeft());
    const bool marked = (option.state & QStyle::State_Selected) != 0 || (option.state & QStyle::State_HasFocus) != 0;
    painter->save();
    painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    painter->fillRect(option.rect, (option.state & QStyle::State_MouseOver) != 0 ? colours.window : colours.panel);
    const QImage image = pictures_.picture(at(entries_, index.row()), all.picture.width());
    if (image.isNull())
      painter->fillRect(all.picture, colours.stage);
    else
      painter->drawImage(all.picture, image);
    const bool focus = (option.state & QStyle::State_HasFocus) != 0;
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(marked ? colours.accent : colours.edge, focus ? 3 : 1));
    painter->drawRect(all.picture);
    painter->setPen(colours.ink);
    painter->setFont(titleFont());
    painter->drawText(all.title, kWrapped, index.data().toString());
    painter->setFont(view_.font());
    painter->setPen(colours.quietInk);
    painter->drawText(all.sentence, kWrapped, index.data(kSentenceRole).toString());
    painter->restore();
  }

 private:
  static constexpr int kWrapped =
      static_cast<int>(Qt::AlignLeading) | static_cast<int>(Qt::AlignTop) | Qt::TextWordWrap;

  QFont titleFont() const {
    QFont font = view_.font();
    font.setWeight(QFont::DemiBold);
    return font;
  }
  // As wide as the room, and as high as the words need then.
  static QRect boundsOf(QRect room, const QString& words, const QFont& font) {
    room.setHeight(QFontMetrics(font).boundingRect(room, kWrapped, words).height());
    return room;
  }

  const std::vector<GalleryEntry>& entries_;
  GalleryPictures& pictures_;
  QListView& view_;
};

}  // namespace

GalleryView::GalleryView(const std::vector<GalleryEntry>& entries, QWidget* parent)
    : QListView(parent), entries_(entries), pictures_(new GalleryPictures(this)), model_(new QStandardItemModel(this)) {
  setObjectName(QStringLiteral("gallery"));
  setAccessibleName(tr("Gallery of experiments"));
  setWhatsThis(
      tr("Prepared experiments, each with what it shows. A click starts it; Undo brings your own experiment back."));
  for (const GalleryEntry& entry : entries_) {
    const QString title = writtenWords(entry.title), sentence = writtenWords(entry.shows);
    auto* item = new QStandardItem(title);
    item->setEditable(false);
    item->setData(sentence, kSentenceRole);
    item->setData(QStringLiteral("%1. %2").arg(title, sentence), Qt::AccessibleTextRole);
    model_->appendRow(item);
  }
  setModel(model_);
  setItemDelegate(new GalleryRow(entries_, *pictures_, *this));
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // otherwise rows' heights and the scroll bar would depend on each
                                                      // other
  setTabKeyNavigation(false);
  connect(this, &QListView::clicked, this, &GalleryView::open);
  connect(pictures_, &GalleryPictures::made, viewport(), qOverload<>(&QWidget::update));
  theme::follow(this, [this] { scheduleDelayedItemsLayout(); });
}

QImage GalleryView::pictureOf(int row) const {
  return pictures_->picture(at(entries_, row), theme::em(kLeast));
}

QString GalleryView::sentence() const {
  return currentIndex().data(kSentenceRole).toString();
}

QSize GalleryView::minimumSizeHint() const {
  return {theme::em(kLeast - 2), theme::em(kLeast)};  // with room for a scroll bar
}

void GalleryView::open(const QModelIndex& index) {
  if (index.isValid()) Q_EMIT wanted(at(entries_, index.row()).moment);
}

void GalleryView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return open(currentIndex());
  QListView::keyPressEvent(event);
}

// The wheel scrolls a few lines, not three pictures.
void GalleryView::updateGeometries() {
  QListView::updateGeometries();
  verticalScrollBar()->setSingleStep(theme::em(3));
}

// Heights of rows depend on the width.
void GalleryView::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) scheduleDelayedItemsLayout();
}

}  // namespace lab

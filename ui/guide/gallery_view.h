// SPDX-License-Identifier: GPL-3.0-or-later
// The gallery: prepared experiments, each with a picture and its sentence. A click, or Enter, starts one.
#pragma once

#include <QListView>

#include "ui/guide/gallery.h"

class QStandardItemModel;

namespace lab {

class GalleryPictures;

class GalleryView final : public QListView {
  Q_OBJECT

 public:
  explicit GalleryView(const std::vector<GalleryEntry>& entries, QWidget* parent = nullptr);

  QImage pictureOf(int row) const;  // null: not made yet
  QString sentence() const;         // of the chosen experiment: what it shows

 Q_SIGNALS:
  void wanted(const lab::Moment& moment);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void updateGeometries() override;
  QSize minimumSizeHint() const override;

 private:
  void open(const QModelIndex& index);

  const std::vector<GalleryEntry>& entries_;
  GalleryPictures* pictures_;
  QStandardItemModel* model_;
};

}  // namespace lab

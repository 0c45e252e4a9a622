// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/drag_out.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDir>
#include <QDrag>
#include <QFile>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QUrl>

#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/files/experiment_file.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/metric_chart.h"
#include "ui/files/run_files.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_table.h"
#include "ui/runview/run_summary.h"

namespace lab {
namespace {

constexpr int kThumbnail = 160;  // width beside the pointer, in pixels

// Other formats are provided at once; files are written when they are first requested.
class FilesWhenTaken final : public QMimeData {
 public:
  using Write = std::function<QStringList()>;  // returns their paths; empty on failure
  explicit FilesWhenTaken(Write write) : write_(std::move(write)) {}

  QStringList formats() const override { return QStringList{kUris} + QMimeData::formats(); }
  bool hasFormat(const QString& type) const override { return type == kUris || QMimeData::hasFormat(type); }

 protected:
  QVariant retrieveData(const QString& type, QMetaType wanted) const override {
    if (type != kUris) return QMimeData::retrieveData(type, wanted);
    if (write_) paths_ = std::exchange(write_, nullptr)();
    QByteArray uris;
    for (const QString& path : paths_) uris += QUrl::fromLocalFile(path).toEncoded() + "\r\n";
    return uris;
  }

 private:
  const QString kUris = QStringLiteral("text/uri-list");
  mutable Write write_;  // reset after its call
  mutable QStringList paths_;
};

// A readable summary of a run, and the line that starts it again.
QString textOf(const KeptRun& run, const QString& name) {
  QStringList figures{DragOut::tr("%Ln steps", nullptr, plural(static_cast<std::int64_t>(run.metrics->steps.size())))};
  if (!run.metrics->steps.empty())
    figures << DragOut::tr("last loss %1").arg(lossText(run.metrics->steps.back().loss, 4));
  if (!run.metrics->evaluations.empty())
    figures << DragOut::tr("test accuracy %1 %").arg(percentNumber(run.metrics->evaluations.back().testAccuracy, 1));
  QString text = QStringLiteral("%1: %2").arg(name, figures.join(QStringLiteral(", ")));
  if (!run.note.isEmpty()) text += QLatin1Char('\n') + run.note;
  try {
    if (run.settingsKnown) text += QLatin1Char('\n') + QString::fromStdString(experimentLink(run.asked));
  } catch (const UserError&) {  // no link can hold the settings
  }
  return text;
}

}  // namespace

DragOut::DragOut(RunLibrary& library, QObject* parent) : QObject(parent), library_(library) {}

void DragOut::follow(ChartPanel& charts) {
  connect(&charts, &ChartPanel::dragWanted, this,
          [this](MetricChart* chart) { drag(*chart, dataOf(*chart), chart->grab()); });
}

void DragOut::follow(QAbstractItemView& view) {
  view.viewport()->installEventFilter(this);
}

// A name that every file system accepts.
QString DragOut::placeOf(const QString& name, const QString& ending, const QString& within) {
  static const QRegularExpression forbidden(QStringLiteral("[/\\\\:*?\"<>|\\x00-\\x1f]|^\\.+"));
  constexpr qsizetype kMostBytes = 200;  // a file's name has at most 255 with its ending
  QString plain = QString(name).replace(forbidden, QStringLiteral("_")).simplified().left(kMostBytes);
  while (plain.toUtf8().size() > kMostBytes || (!plain.isEmpty() && plain.back().isHighSurrogate())) plain.chop(1);
  return QDir(folder_.filePath(within)).filePath((plain.isEmpty() ? QStringLiteral("strategylab") : plain) + ending);
}

std::unique_ptr<QMimeData> DragOut::dataOf(int id) {
  const KeptRun* run = library_.find(id);
  if (run == nullptr || run->metrics->steps.empty()) return nullptr;
  // Two runs may have one name; each has a folder of its own.
  const QString own = QString::number(id);
  QDir(folder_.path()).mkpath(own);
  const QString path = placeOf(library_.nameOf(*run), QStringLiteral(".run"), own);
  auto data = std::make_unique<FilesWhenTaken>([this, id, path]() -> QStringList {
    const KeptRun* kept = library_.find(id);
    if (kept == nullptr) return {};
    // For a curve read from a file, give that file; for a recording, too, because it may have spans.
    if (!kept->header) return kept->source.isEmpty() ? QStringList() : QStringList{kept->source};
    const bool unchanged = kept->name.toStdString() == kept->header->name &&
                           kept->note.toStdString() == kept->header->note && QFile::exists(kept->source);
    if (unchanged) return {kept->source};
    try {
      RunFiles::write(*kept, library_.nameOf(*kept), path);
      return {path};
    } catch (const std::exception& error) {
      Q_EMIT failed(coreSentence(error));
      return {};
    }
  });
  data->setText(textOf(*run, library_.nameOf(*run)));
  return data;
}

std::unique_ptr<QMimeData> DragOut::dataOf(MetricChart& chart) {
  std::unique_ptr<QMimeData> copied = copyOf(chart, library_);
  const QString picture = placeOf(wordsOf(chart.lines().quantity()).name, QStringLiteral(".png"));
  const QString values = placeOf(wordsOf(chart.lines().quantity()).name, QStringLiteral(".csv"));
  const QByteArray csv = copied->data(QStringLiteral("text/csv"));
  auto data = std::make_unique<FilesWhenTaken>([this, &chart, picture, values, csv]() -> QStringList {
    try {
      savePicture(chart, picture);
      writeFileAtomically(values.toStdString(),
                          std::string_view(csv.constData(), static_cast<std::size_t>(csv.size())));
      return {picture, values};
    } catch (const std::exception& error) {
      Q_EMIT failed(coreSentence(error));
    }
    return {};
  });
  for (const QString& format : {QStringLiteral("text/csv"), QStringLiteral("text/plain")})
    data->setData(format, copied->data(format));
  data->setImageData(copied->imageData());
  return data;
}

void DragOut::drag(QWidget& from, std::unique_ptr<QMimeData> data, const QPixmap& picture) {
  if (data == nullptr) return;
  auto* drag = new QDrag(&from);  // Qt deletes it
  drag->setMimeData(data.release());
  if (!picture.isNull()) drag->setPixmap(picture.scaledToWidth(kThumbnail, Qt::SmoothTransformation));
  drag->exec(Qt::CopyAction);
}

bool DragOut::eventFilter(QObject* watched, QEvent* event) {
  const bool ofMouse = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseMove ||
                       event->type() == QEvent::MouseButtonRelease;
  if (!ofMouse) return false;
  auto* viewport = static_cast<QWidget*>(watched);
  auto* view = static_cast<QAbstractItemView*>(viewport->parentWidget());
  const auto* mouse = static_cast<QMouseEvent*>(event);
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      run_ = 0;
      if (mouse->button() != Qt::LeftButton) return false;
      pressed_ = mouse->pos();
      if (const QModelIndex index = view->indexAt(pressed_); index.isValid())
        run_ = static_cast<const RunTable*>(view->model())->idAt(index.row());
      return false;
    case QEvent::MouseMove:
      if (run_ == 0 || !mouse->buttons().testFlag(Qt::LeftButton)) return false;
      if ((mouse->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance())
        drag(*view, dataOf(std::exchange(run_, 0)), {});
      return true;  // a row is dragged, so no rubber-band selection
    case QEvent::MouseButtonRelease:
      run_ = 0;
      return false;
    default:
      return false;
  }
}

}  // namespace lab

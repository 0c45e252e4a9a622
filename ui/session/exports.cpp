// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/exports.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPixmap>

#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/messages.h"
#include "ui/movie/movie_dialog.h"
#include "ui/playback/playback.h"
#include "ui/poster/poster.h"
#include "ui/runview/run_controller.h"
#include "ui/session/desk_parts.h"
#include "ui/theme/file_dialog.h"
#include "ui/transport/scrubber.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

// Saves a widget for slides and handouts, by the path's ending: PNG as on the screen, or PDF with sharp text and lines.
void writePicture(QWidget& widget, const QString& path) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
    constexpr double kPointsPerPixel = 0.75;  // 96 pixels and 72 points an inch
    QPdfWriter pdf(&buffer);
    pdf.setTitle(widget.windowTitle().remove(QStringLiteral("[*]")));
    pdf.setCreator(QCoreApplication::applicationName());
    pdf.setPageSize(QPageSize(QSizeF(widget.size()) * kPointsPerPixel, QPageSize::Point));
    pdf.setPageMargins(QMarginsF());
    QPainter painter(&pdf);
    const double scale = painter.viewport().width() / static_cast<double>(widget.width());
    painter.scale(scale, scale);
    painter.setRenderHint(QPainter::LosslessImageRendering);  // colours stand for values
    // At the paper's resolution, hatching of device pixels would be plain grey.
    painter.setRenderHint(QPainter::NonCosmeticBrushPatterns);
    widget.render(&painter);
    painter.end();
  } else {
    widget.grab().save(&buffer, "PNG");
  }
  writeFileAtomically(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace

Exports::Exports(DeskParts& desk) : QObject(&desk), desk_(desk) {}

void Exports::ask(const QString& title, const QString& name, const QString& filter, const Write& write) {
  QFileDialog& dialog =
      askForPath(&desk_.window, this, {FileQuestion::Kind::Save, title, filter, name, "exportDialog"}, {});
  connect(&dialog, &QFileDialog::fileSelected, this, [this, write, &dialog](const QString& path) {
    try {
      write(path, dialog.selectedNameFilter());
      desk_.say(Notices::Cause::Export, tr("Saved: %1").arg(path), false);
    } catch (const UserError& error) {
      desk_.say(Notices::Cause::Export, coreSentence(error), true);
    }
  });
}

void Exports::fillMenu(QMenu& file) {
  QMenu* exports = file.addMenu(tr("&Export"));
  exports->setObjectName(QStringLiteral("exportMenu"));
  const auto picture = [this](const QString& filter, const QString& name) {
    ask(tr("Export the window"), name, filter,
        [this](const QString& path, const QString&) { writePicture(desk_.window, path); });
  };
  desk_.add(*exports, "exportPng", tr("The window as a &picture…"), {},
            [picture] { picture(tr("Pictures (*.png)"), QStringLiteral("strategylab.png")); });
  desk_.add(*exports, "exportPdf", tr("The window as PDF, to p&rint…"), {},
            [picture] { picture(tr("PDF (*.pdf)"), QStringLiteral("strategylab.pdf")); });
  desk_.add(*exports, "exportPoster", tr("This step as a p&oster…"), {}, [this] { askForPoster(); });
  desk_.add(*exports, "exportMovie", tr("A beat as a &movie…"), {}, [this] { showMovie(); });
  desk_.add(*exports, "exportRuns", tr("The table of &runs…"), {}, [this] { askForRuns(); });
  connect(&desk_.window.runTable(), &RunTable::exportWanted, this, &Exports::askForRuns);
}

void Exports::askForPoster() {
  const MovieStep step = stepOnStage(desk_.window.controller(), desk_.window.playback());
  if (!step.record) return desk_.say(Notices::Cause::Export, coreSentence(UserError(say::noStepForPoster)), true);
  const QStringList pages{tr("PDF, A3 (*.pdf)"), tr("PDF, 16:9 (*.pdf)"), tr("SVG, A3 (*.svg)"),
                          tr("SVG, 16:9 (*.svg)")};
  // Writes what was on the stage when the user asked, whatever is there by now.
  const auto write = [this, step, pages](const QString& path, const QString& filter) {
    const bool wide = pages.indexOf(filter) % 2 == 1;
    writePoster(step, wide ? PosterPage::Wide : PosterPage::A3, desk_.window.font(), path);
  };
  ask(tr("Export the poster"), tr("poster") + QStringLiteral(".pdf"), pages.join(QStringLiteral(";;")), write);
}

void Exports::askForRuns() {
  ask(tr("Export the table of runs"), QStringLiteral("runs.csv"), tr("Comma-separated values (*.csv)"),
      [this](const QString& path, const QString&) {
        writeFileAtomically(path.toStdString(), desk_.window.runTable().csv());
      });
}

void Exports::showMovie() {
  if (auto* open = desk_.window.findChild<MovieDialog*>()) return open->raise();
  std::optional<Stretch> chosen;
  if (const auto marked = desk_.window.findChild<Scrubber*>()->marked())
    chosen = Stretch{marked->first, marked->second};
  auto* dialog = new MovieDialog(
      desk_.window.controller(), desk_.window.playback(), chosen,
      [this](theme::Kind kind) { return desk_.window.looks().nameOf(kind); }, &desk_.window);
  connect(dialog, &MovieDialog::said, this,
          [this](const QString& text, bool failure) { desk_.say(Notices::Cause::Export, text, failure); });
  dialog->show();
}

}  // namespace lab

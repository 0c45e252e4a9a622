// SPDX-License-Identifier: GPL-3.0-or-later
// The report on disk. Qt's documents know neither curves nor bars, so that a PDF has pictures of them, drawn from the
// same HTML.
#include <QBuffer>
#include <QImage>
#include <QMarginsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>

#include <cmath>

#include "core/base/file.h"
#include "ui/compare/lane_report.h"

namespace lab {
namespace {

constexpr int kPictureScale = 4;  // finer than a page's points
constexpr int kBarWidth = 420, kBarHeight = 12, kChartWidth = 560, kLegendWidth = 30, kSwatch = 9;
constexpr const char* kPdfStyle =
    "body{font-family:sans-serif;font-size:8pt;color:#111}h1{font-size:15pt}h2{font-size:11pt}h3{font-size:9pt}"
    "th,td{padding:2px;font-size:7pt}th{text-align:left}pre{font-size:7pt}";

QImage pictureOf(const QString& svg, int width) {
  QSvgRenderer renderer(
      QString(svg).replace(QStringLiteral("<svg "), QStringLiteral("<svg font-size=\"11\" ")).toUtf8());
  const QSize whole = renderer.defaultSize();
  QImage image(QSize(width, whole.width() > 0 ? width * whole.height() / whole.width() : width) * kPictureScale,
               QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  renderer.render(&painter);
  return image;
}

// A row of coloured pieces, each of its share; one without a share is a mark of a legend.
QImage barOf(const QString& html, bool mark) {
  static const QRegularExpression kPiece(QStringLiteral("background:(#[0-9a-f]+)(?:;width:([0-9.]+)%)?"));
  QImage image(QSize(mark ? kSwatch : kBarWidth, mark ? kSwatch : kBarHeight) * kPictureScale, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  double x = 0;
  for (auto pieces = kPiece.globalMatch(html); pieces.hasNext();) {
    const QRegularExpressionMatch piece = pieces.next();
    const double width = mark ? image.width() : piece.captured(2).toDouble() / 100 * image.width();
    painter.fillRect(QRectF(x, 0, width, image.height()), QColor(piece.captured(1)));
    x += width;
  }
  return image;
}

class PdfPages {
 public:
  explicit PdfPages(QString html) {
    html.remove(0, html.indexOf(QStringLiteral("<body>")));
    replaceAll(html, QStringLiteral("<svg [^>]*viewBox.*?</svg>"),
               [](const QString& svg) { return pictureOf(svg, kChartWidth); });
    replaceAll(html, QStringLiteral("<svg .*?</svg>"), [](const QString& svg) { return pictureOf(svg, kLegendWidth); });
    replaceAll(html, QStringLiteral("(?<=<td class=\"bar\">).*?(?=</td>)"),
               [](const QString& bar) { return barOf(bar, false); });
    replaceAll(html, QStringLiteral("<i .*?</i>"), [](const QString& mark) { return barOf(mark, true); });
    html.replace(QStringLiteral("<summary>"), QStringLiteral("<h3>"))
        .replace(QStringLiteral("</summary>"), QStringLiteral("</h3>"));
    html.remove(QStringLiteral("<details>")).remove(QStringLiteral("</details>"));
    html.replace(QStringLiteral("</span> "), QStringLiteral("</span> &nbsp; "));
    document_.setDefaultStyleSheet(QLatin1String(kPdfStyle));
    document_.setHtml(html);
  }

  QByteArray bytes() {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Landscape, QMarginsF(12, 12, 12, 12),
                                     QPageLayout::Millimeter));
    writer.setTitle(document_.metaInformation(QTextDocument::DocumentTitle));
    document_.print(&writer);
    return bytes;
  }

 private:
  template <typename Draw>
  void replaceAll(QString& html, const QString& what, Draw draw) {
    const QRegularExpression find(what, QRegularExpression::DotMatchesEverythingOption);
    for (QRegularExpressionMatch found = find.match(html); found.hasMatch();) {
      const QImage image = draw(found.captured());
      const QString name = QStringLiteral("picture:%1").arg(++pictures_);
      document_.addResource(QTextDocument::ImageResource, QUrl(name), image);
      const QString tag = QStringLiteral("<img src=\"%1\" width=\"%2\" height=\"%3\"/>")
                              .arg(name)
                              .arg(image.width() / kPictureScale)
                              .arg(image.height() / kPictureScale);
      html.replace(found.capturedStart(), found.capturedLength(), tag);
      found = find.match(html, found.capturedStart() + tag.size());  // never what was just put there
    }
  }

  QTextDocument document_;
  int pictures_ = 0;
};

}  // namespace

void saveReport(const Report& report, const QString& path) {
  const std::string html = report.html(windowReportLanguage());
  if (!path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
    writeFileAtomically(path.toStdString(), html);
    return;
  }
  const QByteArray bytes = PdfPages(QString::fromStdString(html)).bytes();
  writeFileAtomically(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

}  // namespace lab

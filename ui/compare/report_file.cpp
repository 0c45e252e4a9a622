// SPDX-License-Identifier: GPL-3.0-or-later
// The report on disk. Qt's documents know neither curves nor bars, so a PDF gets pictures of them, drawn from the same
// HTML.
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QImage>
#include <QMarginsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <QUrl>

#include <cmath>
#include <vector>

#include "core/base/file.h"
#include "ui/compare/lane_report.h"

namespace lab {
namespace {

constexpr int kPictureScale = 4;                     // finer than the screen's points, in which a page is laid out
constexpr QSize kPage(1032, 703), kBody(1032, 680);  // A4 without its margins; and also without the line at the bottom
constexpr int kBarWidth = 640, kBarHeight = 14, kChartWidth = 590, kTraceWidth = 1000, kLegendWidth = 30, kSwatch = 10;
constexpr const char* kPdfStyle =
    "body{font-family:sans-serif;font-size:12px;color:#111}th,td{font-size:11px}th{text-align:left}"
    ".h1{font-size:22px;font-weight:bold}.h2{font-size:16px;font-weight:bold;margin-top:14px}"
    ".h3{font-size:12px;font-weight:bold;margin-top:8px}.newpage{page-break-before:always}pre{font-size:9px}";

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

// A row of coloured pieces, each with its share of the width; a piece without a share is a mark of a legend.
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
    replaceAll(
        html, QStringLiteral("<svg class=\"trace\".*?</svg>"),
        [](const QString& svg) { return pictureOf(svg, kTraceWidth); }, true);
    replaceAll(
        html, QStringLiteral("<svg [^>]*viewBox.*?</svg>"),
        [](const QString& svg) { return pictureOf(svg, kChartWidth); }, true);
    replaceAll(html, QStringLiteral("<svg .*?</svg>"), [](const QString& svg) { return pictureOf(svg, kLegendWidth); });
    replaceAll(html, QStringLiteral("(?<=<td class=\"bar\">).*?(?=</td>)"),
               [](const QString& bar) { return barOf(bar, false); });
    replaceAll(html, QStringLiteral("<i .*?</i>"), [](const QString& mark) { return barOf(mark, true); });
    // Qt's own headings have fixed sizes. The second program begins a page, as does each one after it.
    html.replace(QRegularExpression(QStringLiteral("<h([123])>(.*?)</h\\1>")),
                 QStringLiteral("<p class=\"h\\1\">\\2</p>"));
    html.replace(QRegularExpression(QStringLiteral("<h([123]) class=\"(\\w+)\">(.*?)</h\\1>")),
                 QStringLiteral("<p class=\"h\\1 \\2\">\\3</p>"));
    html.replace(QRegularExpression(QStringLiteral("</pre></details>\\s*<details><summary>")),
                 QStringLiteral("</pre><p class=\"h3 newpage\">"));
    html.replace(QStringLiteral("<summary>"), QStringLiteral("<p class=\"h3\">"))
        .replace(QStringLiteral("</summary>"), QStringLiteral("</p>"));
    html.remove(QStringLiteral("<details>")).remove(QStringLiteral("</details>"));
    html.replace(QStringLiteral("<table"), QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\""));
    html.replace(QStringLiteral("</span> "), QStringLiteral("</span> &nbsp; "));
    document_.setDefaultStyleSheet(QLatin1String(kPdfStyle));
    document_.setDocumentMargin(0);
    document_.setPageSize(kBody);
    layOut(html);
    // A heading goes to the next page with its picture. From the first on, since each move shifts those after it.
    for (int apart = headingApart(); apart >= 0; apart = headingApart()) {
      if (!beginPage(html, apart)) break;
      layOut(html);
    }
  }

  QByteArray bytes() {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Landscape, QMarginsF(12, 12, 12, 12),
                                     QPageLayout::Millimeter));
    writer.setTitle(document_.metaInformation(QTextDocument::DocumentTitle));
    drawPages(writer);
    return bytes;
  }

 private:
  // Lays out a new document each time: one that was changed leaves out blocks when it is drawn.
  void layOut(const QString& html) {
    for (std::size_t i = 0; i < pictures_.size(); ++i)
      document_.addResource(QTextDocument::ImageResource, QUrl(pictureName(i)), pictures_[i]);
    document_.setHtml(html);
  }

  static QString pictureName(std::size_t picture) { return QStringLiteral("picture:%1").arg(picture); }

  int pageOf(const QTextBlock& block) const {
    return static_cast<int>(document_.documentLayout()->blockBoundingRect(block).bottom()) / kBody.height();
  }

  // True for the marks and words below a larger heading, which say what the pictures' lines are.
  static bool isLegend(const QTextBlock& block) {
    return block.text().size() > 1 && block.text().contains(QChar::ObjectReplacementCharacter) &&
           QTextCursor(block).currentTable() == nullptr;
  }

  // The first heading right above a picture that is on another page, or whose legend is; -1: none.
  int headingApart() const {
    int heading = 0;
    for (QTextBlock block = document_.begin(); block.next().isValid(); block = block.next()) {
      const QTextBlock next = block.next();
      const bool picture =
          next.text() == QString(QChar::ObjectReplacementCharacter) && QTextCursor(next).currentTable() == nullptr;
      if (!picture || block.text().isEmpty()) continue;
      const QTextBlock above = block.previous();
      if (pageOf(block) != pageOf(next) || (isLegend(above) && pageOf(above) != pageOf(next))) return heading;
      ++heading;
    }
    return -1;
  }

  // Begins a page with the heading, or with the larger one and the legend right above it. Returns false if that is so
  // already.
  static bool beginPage(QString& html, int heading) {
    static const QRegularExpression kHeading(
        QStringLiteral("<p class=\"h2( newpage)?\">[^<]*</p>\\s*<p class=\"legend\">(?:(?!</p>).)*</p>\\s*"
                       "<p class=\"h3\">(?=[^<]*</p>\\s*<p><img)|<p class=\"h3( newpage)?\">(?=[^<]*</p>\\s*<p><img)"),
        QRegularExpression::DotMatchesEverythingOption);
    static const QString kClass = QStringLiteral("<p class=\"h2");  // as long as that of h3
    auto found = kHeading.globalMatch(html);
    while (found.hasNext()) {
      const QRegularExpressionMatch match = found.next();
      if (heading-- > 0) continue;
      if (!match.captured(1).isEmpty() || !match.captured(2).isEmpty()) return false;
      html.insert(match.capturedStart() + kClass.size(), QStringLiteral(" newpage"));
      return true;
    }
    return false;
  }

  // QTextDocument::print() is not used, because it adds wide margins of its own.
  void drawPages(QPdfWriter& writer) {
    QPainter painter(&writer);
    const int pages = document_.pageCount();
    for (int page = 0; page < pages; ++page) {
      if (page > 0) writer.newPage();
      painter.save();
      painter.scale(static_cast<double>(writer.width()) / kPage.width(),
                    static_cast<double>(writer.height()) / kPage.height());
      QFont small = document_.defaultFont();
      small.setPixelSize(10);
      painter.setFont(small);
      painter.drawText(QRect(QPoint(0, kBody.height()), QSize(kPage.width(), kPage.height() - kBody.height())),
                       Qt::AlignRight | Qt::AlignBottom, QStringLiteral("%1 / %2").arg(page + 1).arg(pages));
      painter.translate(0, -page * kBody.height());
      document_.drawContents(&painter, QRectF(QPointF(0, page * kBody.height()), kBody));
      painter.restore();
    }
  }

  template <typename Draw>
  void replaceAll(QString& html, const QString& what, Draw draw, bool ownLine = false) {
    const QRegularExpression find(what, QRegularExpression::DotMatchesEverythingOption);
    for (QRegularExpressionMatch found = find.match(html); found.hasMatch();) {
      const QImage image = draw(found.captured());
      const QString name = pictureName(pictures_.size());
      pictures_.push_back(image);
      QString tag = QStringLiteral("<img src=\"%1\" width=\"%2\" height=\"%3\"/>")
                        .arg(name)
                        .arg(image.width() / kPictureScale)
                        .arg(image.height() / kPictureScale);
      if (ownLine) tag = QStringLiteral("<p>") + tag + QStringLiteral("</p>");
      html.replace(found.capturedStart(), found.capturedLength(), tag);
      found = find.match(html, found.capturedStart() + tag.size());  // continue after the text just inserted
    }
  }

  QTextDocument document_;
  std::vector<QImage> pictures_;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/classroom/shared_page.h"

#include <QBuffer>
#include <QLocale>

#include "ui/i18n/words.h"

namespace lab {
namespace {

constexpr int kPictureWide = 1280;  // pixels; no phone shows more

// Readable on a phone, in light and dark mode.
constexpr const char* kStyle =
    "body{font:1.05em/1.5 system-ui,sans-serif;margin:0 auto;padding:1em;max-width:50em;color:#1b1b1f;background:#fff}"
    "img{width:100%;height:auto;border:1px solid #888}dl{display:grid;grid-template-columns:auto 1fr;gap:.2em 1em}"
    "dt{color:#555}dd{margin:0;overflow-wrap:anywhere}textarea{width:100%;box-sizing:border-box;font:1em monospace}"
    "a{color:#0b57a4}@media(prefers-color-scheme:dark){body{color:#eee;background:#17171a}dt{color:#bbb}a{color:#"
    "8ec5ff}"
    "textarea{color:#eee;background:#222}}";

QString pictureUrl(const QImage& picture) {
  QByteArray png;
  QBuffer buffer(&png);
  buffer.open(QIODevice::WriteOnly);
  const QImage fitted =
      picture.width() > kPictureWide ? picture.scaledToWidth(kPictureWide, Qt::SmoothTransformation) : picture;
  fitted.save(&buffer, "PNG");
  return QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64());
}

}  // namespace

QByteArray sharedPage(const SharedExperiment& experiment, const QString& fileUrl) {
  const QString title = experiment.title.toHtmlEscaped();
  QString html = QStringLiteral(
                     "<!DOCTYPE html>\n<html lang=\"%1\"><head><meta charset=\"utf-8\">"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                     "<title>%2 · StrategyLab</title><style>%3</style></head><body>\n<h1>%2</h1>\n")
                     .arg(QLocale().bcp47Name(), title, QLatin1String(kStyle));
  const auto paragraph = [&html](const QString& text) {
    html += QStringLiteral("<p>") + text + QStringLiteral("</p>\n");
  };
  paragraph(tr("An experiment of StrategyLab, which trains a network under a strategy of "
               "TensorFlow's tf.distribute and shows what happens on the way. This is what its window shows now.")
                .toHtmlEscaped());
  if (!experiment.picture.isNull())
    html += QStringLiteral("<img alt=\"%1\" src=\"%2\">\n").arg(title, pictureUrl(experiment.picture));
  html += QStringLiteral("<h2>%1</h2>\n<dl>").arg(tr("Its settings").toHtmlEscaped());
  for (const auto& [name, value] : experiment.settings)
    html += QStringLiteral("<dt>%1</dt><dd>%2</dd>").arg(name.toHtmlEscaped(), value.toHtmlEscaped());
  html += QStringLiteral("</dl>\n<h2>%1</h2>\n").arg(tr("Open it in StrategyLab").toHtmlEscaped());
  paragraph(QStringLiteral("<a href=\"%1\" download=\"%2\">%2</a>: ")
                .arg(fileUrl.toHtmlEscaped(), experiment.fileName.toHtmlEscaped()) +
            tr("open this file with File ▸ Open, on a computer that has the program.").toHtmlEscaped());
  if (!experiment.link.isEmpty()) {
    paragraph(tr("Or copy this line, and choose File ▸ Paste experiment link there:").toHtmlEscaped());
    html += QStringLiteral("<textarea readonly rows=\"4\">%1</textarea>\n").arg(experiment.link.toHtmlEscaped());
  }
  return (html + QStringLiteral("</body></html>\n")).toUtf8();
}

}  // namespace lab

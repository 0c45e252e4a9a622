// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes the written movies, WebM with libvpx and GIF with giflib, and checks their size, pictures and times, and that
// picture k is the stage at that second. A movie that is refused or fails leaves no file.
#include <gif_lib.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <latch>
#include <memory>
#include <optional>
#include <thread>

#include "tests/support/bad_disk.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/movie/movie_dialog.h"
#include "ui/movie/movie_estimate.h"
#include "ui/movie/movie_job.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/theme/fitting.h"
#include "ui/theme/theme.h"
#include "ui/transport/scrubber.h"

using namespace lab;

namespace {

struct Movie {
  QSize size;
  double seconds = 0;
  std::vector<QImage> frames;
};

std::uint64_t bigEndian(const QByteArray& bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

int clamped(double value) {
  return static_cast<int>(std::clamp(std::lround(value), 0L, 255L));
}

QImage pictureOf(const vpx_image_t& image) {
  QImage out(static_cast<int>(image.d_w), static_cast<int>(image.d_h), QImage::Format_RGB32);
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      const double luma = 1.164 * (image.planes[0][y * image.stride[0] + x] - 16);
      const double u = image.planes[1][y / 2 * image.stride[1] + x / 2] - 128.0;
      const double v = image.planes[2][y / 2 * image.stride[2] + x / 2] - 128.0;
      out.setPixel(x, y,
                   qRgb(clamped(luma + 1.793 * v), clamped(luma - 0.213 * u - 0.533 * v), clamped(luma + 2.112 * u)));
    }
  return out;
}

// Reads the EBML elements, which are nested.
void readWebm(const QByteArray& bytes, Movie& movie, vpx_codec_ctx_t& codec, qsizetype& cues, int& clusters) {
  qsizetype at = 0;
  const auto width = [](unsigned char first) { return std::countl_zero(first) + 1; };
  while (at < bytes.size()) {
    const int idBytes = width(static_cast<unsigned char>(bytes[at]));
    const std::uint64_t id = bigEndian(bytes.mid(at, idBytes));
    at += idBytes;
    const int sizeBytes = width(static_cast<unsigned char>(bytes[at]));
    const auto size = static_cast<qsizetype>(bigEndian(bytes.mid(at, sizeBytes)) & ((1ULL << (7 * sizeBytes)) - 1));
    at += sizeBytes;
    QVERIFY(at + size <= bytes.size());
    const QByteArray content = bytes.mid(at, size);
    at += size;
    if (id == 0x4489) movie.seconds = std::bit_cast<double>(bigEndian(content)) / 1000;
    if (id == 0xB0) movie.size.setWidth(static_cast<int>(bigEndian(content)));
    if (id == 0xBA) movie.size.setHeight(static_cast<int>(bigEndian(content)));
    if (id == 0xBB) ++cues;
    if (id == 0x1F43B675) ++clusters;
    if (id == 0xA3) {
      const QByteArray packet = content.mid(4);
      QCOMPARE(vpx_codec_decode(&codec, reinterpret_cast<const std::uint8_t*>(packet.constData()),
                                static_cast<unsigned>(packet.size()), nullptr, 0),
               VPX_CODEC_OK);
      vpx_codec_iter_t next = nullptr;
      while (const vpx_image_t* image = vpx_codec_get_frame(&codec, &next)) movie.frames.push_back(pictureOf(*image));
    }
    const bool deeper = id == 0x18538067 || id == 0x1549A966 || id == 0x1654AE6B || id == 0xAE || id == 0xE0 ||
                        id == 0x1F43B675 || id == 0x1C53BB6B;
    if (deeper) readWebm(content, movie, codec, cues, clusters);
  }
}

Movie readWebm(const QString& path) {
  QFile file(path);
  Movie movie;
  if (!file.open(QIODevice::ReadOnly)) return movie;
  vpx_codec_ctx_t codec{};
  vpx_codec_dec_init(&codec, vpx_codec_vp9_dx(), nullptr, 0);
  qsizetype cues = 0;
  int clusters = 0;
  readWebm(file.readAll(), movie, codec, cues, clusters);
  vpx_codec_destroy(&codec);
  if (cues == 0 || cues != clusters) return {};
  return movie;
}

Movie readGif(const QString& path) {
  Movie movie;
  GifFileType* gif = DGifOpenFileName(path.toUtf8().constData(), nullptr);
  if (gif == nullptr || DGifSlurp(gif) != GIF_OK) return movie;
  movie.size = {gif->SWidth, gif->SHeight};
  QImage now(movie.size, QImage::Format_RGB32);
  for (int k = 0; k < gif->ImageCount; ++k) {
    const SavedImage& saved = gif->SavedImages[k];
    GraphicsControlBlock control{};
    DGifSavedExtensionToGCB(gif, k, &control);
    movie.seconds += control.DelayTime / 100.0;
    const GifImageDesc& part = saved.ImageDesc;
    for (int y = 0; y < part.Height; ++y)
      for (int x = 0; x < part.Width; ++x) {
        const int index = saved.RasterBits[y * part.Width + x];
        if (index == control.TransparentColor) continue;
        const GifColorType& colour = gif->SColorMap->Colors[index];
        now.setPixel(part.Left + x, part.Top + y, qRgb(colour.Red, colour.Green, colour.Blue));
      }
    movie.frames.push_back(now.copy());
  }
  DGifCloseFile(gif, nullptr);
  return movie;
}

// Returns the mean difference of the colours over all pixels, from 0 to 255.
double difference(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return 255;
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb one = a.pixel(x, y), two = b.pixel(x, y);
      sum +=
          (std::abs(qRed(one) - qRed(two)) + std::abs(qGreen(one) - qGreen(two)) + std::abs(qBlue(one) - qBlue(two))) /
          3.0;
    }
  return sum / (1.0 * a.width() * a.height());
}

struct Shown {
  RunController controller;
  Playback playback{controller};
  Shown() {
    controller.start(test::smallConfig());
    (void)QTest::qWaitFor([this] { return playback.record() != nullptr; }, kPatienceMs);
  }
  MovieRequest request(const QString& path, MovieFormat format) const {
    MovieRequest request;
    request.step = stepOnStage(controller, playback);
    const Beat* beat = request.step.story.find(BeatKind::Aggregate);
    request.stretch = {beat->endS - 1, beat->endS};
    request.size = {640, 480};
    request.framesPerSecond = 10;
    request.format = format;
    request.path = path;
    return request;
  }
};

std::unique_ptr<MovieDialog> dialogOf(Shown& shown, std::optional<Stretch> chosen = {}) {
  auto dialog = std::make_unique<MovieDialog>(
      shown.controller, shown.playback, chosen,
      [](theme::Kind kind) { return QString::fromLatin1(theme::keyOf(kind)); }, nullptr);
  dialog->setAttribute(Qt::WA_DeleteOnClose, false);
  return dialog;
}

QString made(const MovieRequest& request) {
  MovieJob job(request);
  QSignalSpy over(&job, &MovieJob::finished);
  if (!over.wait(kPatienceMs)) return QStringLiteral("not over");
  return over.front().front().toString();
}

}  // namespace

class TestMovie : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void picturesAreTheStage_data() {
    QTest::addColumn<bool>("gif");
    QTest::addColumn<QSize>("size");
    QTest::newRow("WebM") << false << QSize(640, 480);
    QTest::newRow("WebM, odd") << false << QSize(641, 483);
    QTest::newRow("GIF") << true << QSize(640, 480);
  }
  void picturesAreTheStage() {
    QFETCH(bool, gif);
    QFETCH(QSize, size);
    const QTemporaryDir folder;
    Shown shown;
    MovieRequest request =
        shown.request(folder.filePath(QStringLiteral("a.movie")), gif ? MovieFormat::Gif : MovieFormat::WebM);
    request.size = size;
    QCOMPARE(made(request), QString());
    const Movie movie = gif ? readGif(request.path) : readWebm(request.path);
    QCOMPARE(movie.size, size);
    QCOMPARE(movie.frames.size(), std::size_t{10});
    QVERIFY(std::abs(movie.seconds - 1) < 1e-9);
    MovieFrames stage(request.step, size, request.theme, request.font);
    double moved = 0;
    for (int k = 0; k < 10; ++k) {
      const double off =
          difference(movie.frames[static_cast<std::size_t>(k)], stage.at(request.stretch.beginS + k / 10.0));
      // WebM keeps one colour for four pixels, and pictures of values have another colour every few pixels.
      QVERIFY2(off < (gif ? 1 : 3), qPrintable(QStringLiteral("picture %1: %2").arg(k).arg(off)));
      moved += difference(movie.frames[static_cast<std::size_t>(k)], movie.frames.front());
    }
    QVERIFY(moved > 0);  // the pictures change
  }

  void theSameStretchGivesTheSameBytes() {
    const QTemporaryDir folder;
    Shown shown;
    for (const MovieFormat format : {MovieFormat::WebM, MovieFormat::Gif}) {
      QByteArray bytes[2];
      for (QByteArray& one : bytes) {
        MovieRequest request = shown.request(folder.filePath(QStringLiteral("a")), format);
        request.stretch.beginS = request.stretch.endS - 0.3;
        QCOMPARE(made(request), QString());
        QFile file(request.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        one = file.readAll();
      }
      QVERIFY(!bytes[0].isEmpty());
      QCOMPARE(bytes[0], bytes[1]);
    }
  }

  // The window keeps its theme, whatever the movie's theme is.
  void themesAreApart() {
    Shown shown;
    const MovieRequest request = shown.request({}, MovieFormat::WebM);
    const theme::Kind before = theme::kind();
    const int text = theme::textSize();
    MovieFrames dark(request.step, request.size, theme::Kind::Dark, request.font);
    MovieFrames light(request.step, request.size, theme::Kind::Light, request.font);
    QVERIFY(qGray(dark.at(0).pixel(1, 1)) < 100);
    QVERIFY(qGray(light.at(0).pixel(1, 1)) > 150);
    QCOMPARE(theme::kind(), before);
    QCOMPARE(theme::textSize(), text);
  }

  void whatCannotBeIsSaid() {
    Shown shown;
    MovieRequest request = shown.request({}, MovieFormat::Gif);
    QCOMPARE(refusalOf(request), QString());
    request.size = {20, 480};
    QVERIFY(refusalOf(request).contains(QStringLiteral("160")));
    request.size = {1920, 1080};
    request.stretch = {0, 100};
    QVERIFY(refusalOf(request).contains(QStringLiteral("GIF")));
    request.stretch = {0, 1000};
    QVERIFY(refusalOf(request).contains(QStringLiteral("3,000")));
    request.step = {};
    QVERIFY(!refusalOf(request).isEmpty());
    // A folder that does not exist, and a path below a device.
    for (const char* path : {"/nowhere/at/all.webm", "/dev/full/a.webm"}) {
      const MovieRequest bad = shown.request(QLatin1String(path), MovieFormat::WebM);
      QVERIFY(made(bad).contains(QLatin1String(path)));
    }
  }

  // The estimate, made from some of the pictures, is less than 1.5 times the real size and more than two thirds of it.
  void aGifsSizeIsEstimated_data() {
    QTest::addColumn<BeatKind>("kind");
    QTest::newRow("forward") << BeatKind::Forward;
    QTest::newRow("aggregate") << BeatKind::Aggregate;
    QTest::newRow("start-up, which stands") << BeatKind::Startup;
  }
  void aGifsSizeIsEstimated() {
    QFETCH(BeatKind, kind);
    const QTemporaryDir folder;
    Shown shown;
    MovieRequest request = shown.request(folder.filePath(QStringLiteral("a.gif")), MovieFormat::Gif);
    const Beat* beat = request.step.story.find(kind);
    QVERIFY(beat != nullptr);
    request.stretch = {beat->beginS, beat->endS};
    MovieEstimate estimate(request);
    QSignalSpy found(&estimate, &MovieEstimate::found);
    QVERIFY(found.wait(kPatienceMs));
    const double bytes = found.front()[0].toDouble();
    QVERIFY(found.front()[1].toInt() < request.stretch.frames(request.framesPerSecond) + 1);
    QCOMPARE(made(request), QString());
    const double real = static_cast<double>(QFileInfo(request.path).size());
    QVERIFY2(bytes > real / 1.5 && bytes < real * 1.5, qPrintable(QStringLiteral("%1 of %2").arg(bytes).arg(real)));
  }

  void theDialogSaysTheEstimate() {
    Shown shown;
    const std::unique_ptr<MovieDialog> owner = dialogOf(shown);
    MovieDialog& dialog = *owner;
    dialog.findChild<QComboBox*>(QStringLiteral("movieSize"))->setCurrentIndex(4);
    auto* words = dialog.findChild<QLabel*>(QStringLiteral("movieWords"));
    dialog.findChild<QComboBox*>(QStringLiteral("movieFormat"))->setCurrentIndex(1);
    QTRY_VERIFY_WITH_TIMEOUT(words->text().contains(QStringLiteral("estimate")), kPatienceMs);
    dialog.findChild<QComboBox*>(QStringLiteral("movieFormat"))->setCurrentIndex(0);
    QVERIFY(!words->text().contains(QStringLiteral("estimate")));
  }

  void secondsAreTakenInEitherOrder() {
    Shown shown;
    const std::unique_ptr<MovieDialog> owner = dialogOf(shown);
    MovieDialog& dialog = *owner;
    auto* part = dialog.findChild<QComboBox*>(QStringLiteral("moviePart"));
    part->setCurrentIndex(part->count() - 1);  // other seconds
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("movieFrom"))->setValue(0.5);
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("movieTo"))->setValue(0.25);
    QCOMPARE(dialog.request().stretch.beginS, 0.25);
    QCOMPARE(dialog.request().stretch.endS, 0.5);
  }

  // After a movie the button reads Close. While the next is made, it cancels; so does Escape, and says it.
  void theButtonSaysWhatItDoes() {
    const QTemporaryDir folder;
    Shown shown;
    const std::unique_ptr<MovieDialog> owner = dialogOf(shown);
    MovieDialog& dialog = *owner;
    dialog.show();
    QSignalSpy said(&dialog, &MovieDialog::said);
    const auto make = [&](const QString& name) {
      dialog.findChild<QPushButton*>(QStringLiteral("movieSave"))->click();
      auto* file = dialog.findChild<QFileDialog*>(QStringLiteral("movieFile"));
      Q_EMIT file->fileSelected(folder.filePath(name));
      delete file;
    };
    auto* button = dialog.findChild<QPushButton*>(QStringLiteral("movieCancel"));
    const QString cancel = button->text();
    make(QStringLiteral("none/a.webm"));
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), 1, kPatienceMs);
    QVERIFY(button->text() != cancel);
    make(QStringLiteral("a.webm"));
    QCOMPARE(button->text(), cancel);
    dialog.reject();
    QCOMPARE(said.size(), 2);
    QVERIFY2(said[1][0].toString().contains(QStringLiteral("Cancelled")), qPrintable(said[1][0].toString()));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("a.webm"))));
  }

  // Each key leads to one field or button, and where the screen has room, nothing scrolls.
  void theDialogHasRoomAndAKeyForEach() {
    Shown shown;
    const std::unique_ptr<MovieDialog> owner = dialogOf(shown);
    MovieDialog& dialog = *owner;
    QSet<QString> keys;
    int named = 0;
    const auto take = [&](const QString& text) {
      const QKeySequence key = QKeySequence::mnemonic(text);
      if (key.isEmpty()) return;
      ++named;
      keys << key.toString();
    };
    for (const QLabel* label : dialog.findChildren<QLabel*>()) take(label->text());
    for (const QPushButton* button : dialog.findChildren<QPushButton*>()) take(button->text());
    QVERIFY(named >= 7);
    QCOMPARE(keys.size(), named);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QVERIFY(!dialog.findChild<FittingArea*>()->verticalScrollBar()->isVisible());
  }

  void aDiskThatIsFullIsSaid() {
    test::BadDisk disk(test::BadDisk::Kind::SizeLimit);
    if (!disk.whyNot().isEmpty()) QSKIP(qPrintable(disk.whyNot()));
    Shown shown;
    const MovieRequest request = shown.request(disk.path("a.gif"), MovieFormat::Gif);
    QVERIFY(disk.breakIt());
    const QString failure = made(request);
    disk.mendIt();
    QVERIFY2(failure.contains(request.path) && failure.contains(QLatin1String(disk.words())), qPrintable(failure));
    QVERIFY(!QFile::exists(request.path));
  }

  void cancellingLeavesNothing() {
    const QTemporaryDir folder;
    Shown shown;
    MovieRequest request = shown.request(folder.filePath(QStringLiteral("a.webm")), MovieFormat::WebM);
    {
      MovieJob job(request);
      QSignalSpy drawn(&job, &MovieJob::drawn);
      QVERIFY(drawn.wait(kPatienceMs));
    }
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  // The job is cancelled while a picture is encoded: its thread ends by itself, and nothing is written.
  void cancellingDoesNotWait() {
    const QTemporaryDir folder;
    Shown shown;
    MovieRequest request = shown.request(folder.filePath(QStringLiteral("a.gif")), MovieFormat::Gif);
    auto job = std::make_unique<MovieJob>(request);
    QSignalSpy drawn(job.get(), &MovieJob::drawn), over(job.get(), &MovieJob::finished);
    QVERIFY(drawn.wait(kPatienceMs));
    QVERIFY(job->cancel());
    QTest::qWait(0);
    QCOMPARE(over.size(), 0);
    job.reset();
    // A finished job is not cancelled any more, and its file stays.
    QCOMPARE(made(request), QString());
    QVERIFY(QFile::exists(request.path));
  }

  // The file is there, and the window has not heard of it yet: nobody may say that there is none.
  void aMovieThatIsThereIsNotCancelled() {
    const QTemporaryDir folder;
    Shown shown;
    const MovieRequest request = shown.request(folder.filePath(QStringLiteral("a.gif")), MovieFormat::Gif);
    MovieJob job(request);
    QSignalSpy drawn(&job, &MovieJob::drawn), over(&job, &MovieJob::finished);
    // Whatever the window hears comes through the event loop, which only goes on while there is something to draw.
    while (drawn.isEmpty() || drawn.last()[0].toInt() < job.frames()) QVERIFY(drawn.wait(kPatienceMs));
    while (over.isEmpty() && !QFile::exists(request.path)) std::this_thread::yield();
    for (int i = 0; i < 1000; ++i) {
      QVERIFY(!job.cancel());
      std::this_thread::yield();
    }
    QTRY_COMPARE_WITH_TIMEOUT(over.size(), 1, kPatienceMs);
    QCOMPARE(over[0][0].toString(), QString());
    QVERIFY(QFile::exists(request.path));
  }

  void stretchIsMarkedOnTheScrubber() {
    Shown shown;
    Scrubber scrubber(shown.playback);
    scrubber.resize(600, scrubber.sizeHint().height());
    scrubber.show();
    const auto place = [&](double part) {
      return QPoint(static_cast<int>(scrubber.strip().left() + part * scrubber.strip().width()), 20);
    };
    QVERIFY(!scrubber.marked());
    QTest::mousePress(&scrubber, Qt::LeftButton, Qt::ShiftModifier, place(0.75));
    QTest::mouseMove(&scrubber, place(0.25));
    QTest::mouseRelease(&scrubber, Qt::LeftButton, Qt::ShiftModifier, place(0.25));
    QVERIFY(scrubber.marked());
    const double whole = shown.playback.story().seconds;
    QVERIFY(std::abs(scrubber.marked()->first / whole - 0.25) < 0.01);
    QVERIFY(std::abs(scrubber.marked()->second / whole - 0.75) < 0.01);
    const Stretch chosen{scrubber.marked()->first, scrubber.marked()->second};
    const std::unique_ptr<MovieDialog> owner = dialogOf(shown, chosen);
    MovieDialog& dialog = *owner;
    QCOMPARE(dialog.request().stretch.beginS, chosen.beginS);
    dialog.findChild<QComboBox*>(QStringLiteral("moviePart"))->setCurrentIndex(0);
    QCOMPARE(dialog.request().stretch.endS, whole);
    QTest::mouseClick(&scrubber, Qt::LeftButton, {}, place(0.5));
    QVERIFY(!scrubber.marked());
  }

  // As when a person cancels one large movie after the other, each of which still encodes a picture.
  void nobodyWaitsForManyThatEnd() {
    constexpr int kMany = 20;
    std::latch gate(1);
    std::atomic<int> ended = 0;
    for (int i = 0; i < kMany; ++i)
      letEnd(std::jthread([&] {
        gate.wait();
        ++ended;
      }));
    const int early = ended;
    gate.count_down();
    QTRY_COMPARE_WITH_TIMEOUT(ended.load(), kMany, kPatienceMs);
    QCOMPARE(early, 0);
  }
};

QTEST_MAIN(TestMovie)
#include "tst_movie.moc"

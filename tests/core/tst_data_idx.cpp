// SPDX-License-Identifier: GPL-3.0-or-later
// The IDX reader: valid files are read exactly, and every invalid one is refused in a sentence that names the file and
// ends with what to do.
#include <QTest>

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/data/gzip.h"
#include "core/data/idx.h"
#include "tests/core/data_files.h"

using namespace lab;
using namespace lab::test;

namespace {

const QByteArray kZeros(30 * 1000 * 1000, '\0');

QByteArray headerOnly(int count) {
  return imagesFile(0).left(4) + bigEndian(static_cast<std::uint32_t>(count)) + imagesFile(0).mid(8);
}

QByteArray flipped(QByteArray bytes, qsizetype at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
  return bytes;
}

}  // namespace

class TestDataIdx : public QObject {
  Q_OBJECT

 private slots:
  void readsPlainAndGzipAlike_data() {
    QTest::addColumn<bool>("gzip");
    QTest::newRow("plain") << false;
    QTest::newRow("gzip") << true;
  }
  void readsPlainAndGzipAlike() {
    QFETCH(bool, gzip);
    const QByteArray images = gzip ? gzipped(imagesFile(300)) : imagesFile(300);
    const QByteArray labels = gzip ? gzipped(labelsFile(300)) : labelsFile(300);
    const Examples examples = joinExamples(parseIdx(asBytes(images), IdxKind::Images, "i"),
                                           parseIdx(asBytes(labels), IdxKind::Labels, "l"), "i", "l");
    QCOMPARE(examples.count, 300);
    QCOMPARE(examples.pixels.size(), std::size_t{300 * 784});
    QCOMPARE(int{examples.image(123)[45]}, (123 * 7 + 45) % 256);
    QCOMPARE(int{examples.image(299)[783]}, (299 * 7 + 783) % 256);
    QCOMPARE(int{examples.labels[288]}, 8);
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("labels");
    QTest::addColumn<QString>("says");
    const QByteArray images = imagesFile(5), labels = labelsFile(5);
    const auto row = [](const char* name, const QByteArray& bytes, bool isLabels, const char* says) {
      QTest::newRow(name) << bytes << isLabels << QString::fromUtf8(says);
    };
    row("empty", "", false, "shorter than its header");
    row("one byte", images.left(1), false, "shorter than its header");
    row("header cut", images.left(15), false, "shorter than its header");
    row("labels' header cut", labels.left(7), true, "shorter than its header");
    row("images cut", images.left(images.size() - 1), false, "it has bytes for only 4");
    row("labels cut", labels.left(labels.size() - 1), true, "it has bytes for only 4");
    row("images with a byte too many", images + 'x', false, "bytes follow the 5 examples");
    row("labels with a byte too many", labels + 'x', true, "bytes follow the 5 examples");
    row("labels for images", labels + QByteArray(100, '\0'), false, "it holds labels");
    row("images for labels", images, true, "it holds images");
    row("wrong magic", imagesFile(5, 0x804), false, "starts with 2052 instead of 2051");
    row("little-endian", imagesFile(5, 0x03080000), false, "instead of 2051");
    row("text", "<html>404 not found, and some more text</html>", false, "instead of 2051");
    row("27 rows", imagesFile(5, 0x803, 27, 28), false, "images are 27×28");
    row("32 columns", imagesFile(5, 0x803, 28, 32), false, "images are 28×32");
    row("no images", imagesFile(0), false, "no examples");
    row("no labels", labelsFile(0), true, "no examples");
    row("more than a file may hold", headerOnly(300'001), false, "300,001 examples, but at most 300,000");
    row("four thousand million", headerOnly(-1), false, "4,294,967,295 examples");
    row("many promised, few there", headerOnly(300'000), false, "it has bytes for only 0");
    row("label 10", flipped(labels, 8 + 3).replace(8 + 3, 1, QByteArray(1, 10)), true, "label 3 is 10");
    row("label 255", QByteArray(labels).replace(8 + 4, 1, QByteArray(1, '\xff')), true, "label 4 is 255");

    const QByteArray packed = gzipped(images);
    row("gzip: only the magic", packed.left(2), false, "cut short");
    row("gzip: cut", packed.left(packed.size() / 2), false, "cut short");
    row("gzip: end cut", packed.left(packed.size() - 1), false, "cut short");
    row("gzip: checksum cut", packed.left(packed.size() - 8), false, "cut short");
    row("gzip: wrong checksum", flipped(packed, packed.size() - 7), false, "damaged");
    row("gzip: wrong length", flipped(packed, packed.size() - 2), false, "damaged");
    row("gzip: garbage", QByteArray("\x1f\x8b") + QByteArray(100, 'g'), false, "damaged");
    row("gzip: bytes after it", packed + "x", false, "bytes after the end of its gzip stream");
    row("gzip: content cut", gzipped(images.left(images.size() - 1)), false, "it has bytes for only 4");
    row("gzip: content too long", gzipped(images + 'x'), false, "bytes follow the 5 examples");
    row("gzip: empty content", gzipped(""), false, "shorter than its header");
    row("gzip: bomb", gzipped(images + kZeros), false, "bytes follow the 5 examples");
    row("gzip: few bytes, many promised", gzipped(headerOnly(300'000)), false, "bytes for only");
  }
  void refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(bool, labels);
    QFETCH(QString, says);
    try {
      parseIdx(asBytes(bytes), labels ? IdxKind::Labels : IdxKind::Images, "folder/some-file");
      QFAIL("accepted");
    } catch (const UserError& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY2(text.contains("'folder/some-file'"), error.what());
      QVERIFY2(text.contains(says), error.what());
      QVERIFY2(text.endsWith("Fetch or copy the file again."), error.what());
    }
  }

  void everyCutIsRefused() {
    const QByteArray images = imagesFile(2), packed = gzipped(images);
    for (const QByteArray& whole : {images, packed})
      for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY_THROWS_EXCEPTION(UserError, parseIdx(asBytes(whole.left(size)), IdxKind::Images, "cut"));
  }

  void everyFlippedByteOfGzipIsRefusedOrHarmless() {
    const QByteArray images = imagesFile(3), packed = gzipped(images);
    int refused = 0;
    for (qsizetype at = 0; at < packed.size(); ++at) {
      try {
        const auto pixels = parseIdx(asBytes(flipped(packed, at)), IdxKind::Images, "flipped");
        QVERIFY(std::equal(pixels.begin(), pixels.end(), asBytes(images).begin() + 16, asBytes(images).end()));
      } catch (const UserError&) {
        ++refused;
      }
    }
    QVERIFY(refused > packed.size() - 12);  // a few bytes of a gzip header (time, system) have no effect
  }

  void countsMustMatch() {
    const std::vector<std::uint8_t> pixels(3 * 784), labels(4);
    try {
      joinExamples(pixels, labels, "the-images", "the-labels");
      QFAIL("accepted");
    } catch (const UserError& error) {
      QCOMPARE(QString(error.what()),
               QString("'the-images' holds 3 images and 'the-labels' holds 4 labels. Put two files of one set there."));
    }
  }

  void gunzipStopsAtItsLimit() {
    const QByteArray packed = gzipped(QByteArray(100'000, 'a'));
    QCOMPARE(gunzip(asBytes(packed), 100'000, "f").size(), std::size_t{100'000});
    QVERIFY_THROWS_EXCEPTION(UserError, gunzip(asBytes(packed), 99'999, "f"));
  }

  void mnistReads() {
    if (sharedMnist().empty()) QSKIP("MNIST is not on this machine (STRATEGYLAB_REFERENCE_DIR)");
    const auto labels = readIdx(sharedMnist() / "t10k-labels-idx1-ubyte.gz", IdxKind::Labels);
    QCOMPARE(labels.size(), std::size_t{10'000});
    QCOMPARE(std::count(labels.begin(), labels.end(), std::uint8_t{1}),
             1135);  // published class counts of the test set
    QCOMPARE(std::count(labels.begin(), labels.end(), std::uint8_t{5}), 892);
    QCOMPARE(readIdx(sharedMnist() / "t10k-images-idx3-ubyte.gz", IdxKind::Images).size(), std::size_t{7'840'000});
  }
};

QTEST_APPLESS_MAIN(TestDataIdx)
#include "tst_data_idx.moc"

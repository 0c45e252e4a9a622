// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own IDX files: recognised by their contents, refused with what is wrong, and found again by the loader.
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <vector>

#include "core/base/error.h"
#include "core/data/custom_files.h"
#include "tests/core/data_files.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

class TestCustomFiles : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  fs::path folder_;
  int number_ = 0;

  std::vector<fs::path> four(const QByteArray& trainImages, const QByteArray& trainLabels, const QByteArray& testImages,
                             const QByteArray& testLabels, const QStringList& names = {"a", "b", "c", "d"}) {
    std::vector<fs::path> paths;
    const QByteArray contents[] = {trainImages, trainLabels, testImages, testLabels};
    for (int i = 0; i < 4; ++i) {
      paths.push_back(folder_ / names[i].toStdString());
      write(paths.back(), contents[i]);
    }
    return paths;
  }
  QString refusal(const std::vector<fs::path>& paths) {
    try {
      readCustomFiles(paths);
      return "read";
    } catch (const UserError& error) {
      return QString::fromUtf8(error.what());
    }
  }

 private slots:
  void init() { folder_ = fs::path(temporary_.path().toStdString()) / std::to_string(++number_); }

  void anyOrderAndAnyNames() {
    const auto paths = four(labelsFile(30), gzipped(imagesFile(20)), labelsFile(20), imagesFile(30));
    const CustomFiles files = readCustomFiles(paths);
    QCOMPARE(files.train.count, 30);
    QCOMPARE(files.test.count, 20);
    QCOMPARE(files.paths[0], paths[3]);
    QCOMPARE(files.paths[1], paths[0]);
    QCOMPARE(files.paths[2], paths[1]);
    QVERIFY(files.folder.empty());
    QCOMPARE(classCounts(files.train, 10)[4], 3);
    QCOMPARE(classCounts(files.test, 10)[9], 2);
    // Kept, the loader finds them, and knows that they are not MNIST.
    const fs::path kept = folder_ / "kept" / "here";
    keepCustomFiles(files, kept);
    const auto set = loadDataset("mnist", kept);
    QCOMPARE(set->train.count, 30);
    QVERIFY(set->train.pixels == files.train.pixels && set->test.labels == files.test.labels);
    QVERIFY(set->own);
  }

  void namesTellWhereNumbersDoNot() {
    const QStringList names{"test-a", "test-b", "train-a", "train-b"};
    const auto paths = four(imagesFile(20), labelsFile(20), imagesFile(10), labelsFile(10), names);
    QCOMPARE(readCustomFiles(paths).train.count, 10);  // names before numbers
    const auto same = four(imagesFile(20), labelsFile(20), imagesFile(20), labelsFile(20), names);
    QCOMPARE(readCustomFiles(same).paths[0], same[2]);
    QCOMPARE(readCustomFiles(same).paths[3], same[1]);
    const QString text = refusal(four(imagesFile(20), labelsFile(20), imagesFile(20), labelsFile(20)));
    QVERIFY2(text.contains("which ones are for training") && text.endsWith("into the file names."), qPrintable(text));
  }

  void aFolderOrOneOfItsFilesIsEnough() {
    writeSet(folder_, 40, 10, ".gz");
    for (const fs::path& given : {folder_, folder_ / "t10k-labels-idx1-ubyte.gz"}) {
      const CustomFiles files = readCustomFiles(std::vector{given});
      QCOMPARE(files.train.count, 40);
      QCOMPARE(files.folder, folder_);
    }
  }

  void refused_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("three") << 0 << "these are 3 files";
    QTest::newRow("three images") << 1 << "3 of these files hold images and 1 hold labels";
    QTest::newRow("text") << 2 << "is not a valid IDX file";
    QTest::newRow("not there") << 3 << "cannot open";
    QTest::newRow("other size") << 4 << "only 28×28 can be read";
    QTest::newRow("no pair") << 5 << "Put two files of one set there";
    QTest::newRow("cut short") << 6 << "it has bytes for only";
    QTest::newRow("label 10") << 7 << "not one of 0 to 9";
    QTest::newRow("empty folder") << 8 << "lacks train-images-idx3-ubyte, train-labels";
    QTest::newRow("one alone") << 9 << "lacks train-images-idx3-ubyte";
    QTest::newRow("one, not IDX") << 10 << "is not a valid IDX file";
  }
  void refused() {
    QFETCH(int, which);
    QFETCH(QString, says);
    auto paths = four(imagesFile(30), labelsFile(30), imagesFile(20), labelsFile(20));
    const auto at = [&](std::size_t i, const QByteArray& content) { write(paths[i], content); };
    if (which == 0) paths.pop_back();
    if (which == 1) at(3, imagesFile(20));
    if (which == 2) at(3, "hello");
    if (which == 3) paths[2] = folder_ / "none";
    if (which == 4) at(2, imagesFile(20, 0x803, 32, 32));
    if (which == 5) at(3, labelsFile(21));
    if (which == 6) at(0, imagesFile(30).chopped(1));
    if (which == 7) {
      QByteArray labels = labelsFile(30);
      labels[20] = 10;
      at(1, labels);
    }
    if (which == 8) {
      fs::create_directories(folder_ / "empty");
      paths = {folder_ / "empty"};
    }
    if (which == 9) paths = {paths[0]};
    if (which == 10) {
      at(0, "hello");
      paths = {paths[0]};
    }
    const QString text = refusal(paths);
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY2(text.endsWith('.'), qPrintable(text));
  }

  void keepingLeavesNothingHalf() {
    const auto paths = four(imagesFile(30), labelsFile(30), imagesFile(20), labelsFile(20));
    const CustomFiles files = readCustomFiles(paths);
    write(folder_ / "file", "in the way");
    QVERIFY_THROWS_EXCEPTION(UserError, keepCustomFiles(files, folder_ / "file" / "below"));
    fs::remove(paths[2]);  // deleted after the check
    QVERIFY_THROWS_EXCEPTION(UserError, keepCustomFiles(files, folder_ / "kept"));
    QVERIFY(!fs::exists(folder_ / "kept"));
  }

  void mnistItselfIsNotOnesOwn() {
    if (sharedMnist().empty()) QSKIP("MNIST is not on this machine (STRATEGYLAB_REFERENCE_DIR)");
    QVERIFY(!loadDataset("mnist", sharedMnist())->own);
  }
};

QTEST_APPLESS_MAIN(TestCustomFiles)
#include "tst_custom_files.moc"

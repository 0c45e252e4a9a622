// SPDX-License-Identifier: GPL-3.0-or-later
// Finding and loading a data set: which place takes precedence, what is refused, and what the embedded digits are.
#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/data/dataset.h"
#include "core/data/idx.h"
#include "tests/core/data_files.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

namespace {

QString refusalOf(const std::string& name, const fs::path& dataDir) {
  try {
    loadDataset(name, dataDir);
    return "accepted";
  } catch (const UserError& error) {
    return QString::fromUtf8(error.what());
  }
}

}  // namespace

class TestData : public QObject {
  Q_OBJECT

  // Every test gets a home of its own, so that the machine's own files do not matter.
  std::unique_ptr<QTemporaryDir> folder_;
  fs::path root_;

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    root_ = folder_->path().toStdString();
    for (const char* variable : {"STRATEGYLAB_DATA", "XDG_DATA_HOME", "KERAS_HOME"}) qunsetenv(variable);
    qputenv("HOME", folder_->filePath("home").toUtf8());
    fs::create_directories(root_ / "work");
    fs::current_path(root_ / "work");
  }
  void cleanup() { fs::current_path("/"); }

  void findsTheUsualNames_data() {
    QTest::addColumn<QString>("separator");
    QTest::addColumn<QString>("ending");
    for (const char* separator : {"-", "."})
      for (const char* ending : {"", ".gz"}) QTest::addRow("%sidx%s", separator, ending) << separator << ending;
  }
  void findsTheUsualNames() {
    QFETCH(QString, separator);
    QFETCH(QString, ending);
    writeSet(root_ / "made", 20, 10, ending.toStdString());
    for (const auto& entry : fs::directory_iterator(root_ / "made")) {
      const QString name = QString::fromStdString(entry.path().filename().string()).replace("-idx", separator + "idx");
      fs::create_directories(root_ / "d");
      fs::copy_file(entry.path(), root_ / "d" / name.toStdString());
    }
    const auto dataset = loadDataset("mnist", root_ / "d");
    QCOMPARE(dataset->name, std::string("mnist"));
    QCOMPARE(dataset->source, (root_ / "d").string());
    QCOMPARE(dataset->train.count, 20);
    QCOMPARE(dataset->test.count, 10);
    QCOMPARE(dataset->train.pixels.size(), std::size_t{20 * 784});
  }

  // Progress over both image files: bytes read and unpacked, of the total. The receiver of a report can end the
  // reading.
  void readingIsCounted_data() {
    QTest::addColumn<QString>("ending");
    QTest::newRow("plain") << "";
    QTest::newRow("packed") << ".gz";
  }
  void readingIsCounted() {
    QFETCH(QString, ending);
    writeSet(root_ / "d", 2500, 1200, ending.toStdString());
    QVERIFY_THROWS_EXCEPTION(Stopped, loadDataset("mnist", root_ / "d", [](std::int64_t done, std::int64_t) {
                               if (done > 0) throw Stopped();
                             }));
    std::mutex mutex;
    std::vector<std::int64_t> reported;  // relative to the known total
    std::set<std::int64_t> totals;
    const auto dataset = loadDataset("mnist", root_ / "d", [&](std::int64_t done, std::int64_t total) {
      const std::lock_guard lock(mutex);
      if (total == 0) return;
      reported.push_back(done);
      totals.insert(total);
    });
    QCOMPARE(dataset->train.count, 2500);
    std::int64_t bytes = ending.isEmpty() ? 0 : 3700 * 784;  // unpacked
    for (const auto& entry : fs::directory_iterator(root_ / "d"))
      if (entry.path().string().find("images") != std::string::npos)
        bytes += static_cast<std::int64_t>(entry.file_size());
    QCOMPARE(totals, std::set<std::int64_t>{bytes});
    QVERIFY(reported.size() >= 3);
    QCOMPARE(*std::max_element(reported.begin(), reported.end()), bytes);
    // A data set that is kept is returned at once.
    QCOMPARE(loadDataset("mnist", root_ / "d", [](std::int64_t, std::int64_t) { throw Stopped(); }), dataset);
  }

  void gzipIsToldByContent() {
    writeSet(root_ / "d", 20, 10);
    write(root_ / "d" / "train-images-idx3-ubyte", gzipped(imagesFile(20)));                        // gzip without .gz
    fs::rename(root_ / "d" / "t10k-labels-idx1-ubyte", root_ / "d" / "t10k-labels-idx1-ubyte.gz");  // and the reverse
    QCOMPARE(loadDataset("mnist", root_ / "d")->train.count, 20);
  }

  void standardPlaces_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* place, const char* variable, const char* value, const char* name) {
      QTest::addRow("%s: %s", name, place) << place << variable << value << name;
    };
    row("lab", "STRATEGYLAB_DATA", "lab", "mnist");
    row("lab/mnist", "STRATEGYLAB_DATA", "lab", "mnist");
    row("lab/fashion-mnist", "STRATEGYLAB_DATA", "lab", "fashion-mnist");
    row("xdg/strategylab/mnist", "XDG_DATA_HOME", "xdg", "mnist");
    row("xdg/strategylab/fashion-mnist", "XDG_DATA_HOME", "xdg", "fashion-mnist");
    row("home/.local/share/strategylab/mnist", "", "", "mnist");
    row("home/.local/share/strategylab/fashion-mnist", "", "", "fashion-mnist");
    row("home/.keras/datasets/mnist", "", "", "mnist");
    row("home/.keras/datasets/fashion-mnist", "", "", "fashion-mnist");
    row("keras/datasets/fashion-mnist", "KERAS_HOME", "keras", "fashion-mnist");
    row("work/data/MNIST/raw", "", "", "mnist");
    row("work/data/FashionMNIST/raw", "", "", "fashion-mnist");
    row("home/data/MNIST/raw", "", "", "mnist");
    row("home/data/FashionMNIST/raw", "", "", "fashion-mnist");
  }
  void standardPlaces() {
    QFETCH(QString, place);
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QString, name);
    if (!variable.isEmpty()) qputenv(variable.toUtf8(), folder_->filePath(value).toUtf8());
    QVERIFY(refusalOf(name.toStdString(), "").contains("is not on this machine"));
    writeSet(root_ / place.toStdString(), 20, 10, ".gz");
    const auto dataset = loadDataset(name.toStdString(), "");
    QCOMPARE(dataset->name, name.toStdString());
    QVERIFY(fs::equivalent(dataset->source, root_ / place.toStdString()));
    // The other set is not mistaken for this one, unless the user's own folder does not say which set it holds.
    if (place != "lab") {
      QVERIFY(refusalOf(name == "mnist" ? "fashion-mnist" : "mnist", "").contains("is not on this machine"));
    }
  }

  void earlierPlacesWin() {
    qputenv("STRATEGYLAB_DATA", folder_->filePath("lab").toUtf8());
    writeSet(root_ / "home/.keras/datasets/mnist", 13, 10);
    QCOMPARE(loadDataset("mnist", "")->train.count, 13);
    writeSet(root_ / "home/.local/share/strategylab/mnist", 12, 10);
    QCOMPARE(loadDataset("mnist", "")->train.count, 12);
    writeSet(root_ / "lab/mnist", 11, 10);
    QCOMPARE(loadDataset("mnist", "")->train.count, 11);
    writeSet(root_ / "given", 10, 10);
    QCOMPARE(loadDataset("mnist", root_ / "given")->train.count, 10);
  }

  void dataDirMayBeTorchvisions() {
    writeSet(root_ / "tv/MNIST/raw", 20, 10);
    writeSet(root_ / "tv/FashionMNIST/raw", 30, 10);
    QCOMPARE(loadDataset("mnist", root_ / "tv")->train.count, 20);
    QCOMPARE(loadDataset("auto", root_ / "tv")->train.count, 20);
    QCOMPARE(loadDataset("fashion-mnist", root_ / "tv")->train.count, 30);
  }

  void autoTakesMnistElseDigits() {
    QCOMPARE(loadDataset("auto", "")->name, std::string("digits"));
    writeSet(root_ / "home/.keras/datasets/fashion-mnist", 20, 10);
    QCOMPARE(loadDataset("auto", "")->name, std::string("digits"));
    writeSet(root_ / "home/.keras/datasets/mnist", 20, 10);
    QCOMPARE(loadDataset("auto", "")->name, std::string("mnist"));
  }

  void missingIsToldInFull() {
    qputenv("STRATEGYLAB_DATA", folder_->filePath("lab").toUtf8());
    fs::create_directories(root_ / "lab");
    const QString text = refusalOf("mnist", "");
    for (const char* place :
         {"/lab\n", "/home/.local/share/strategylab/mnist", "/home/.keras/datasets", "data/MNIST/raw"})
      QVERIFY2(text.contains(place), qPrintable(text));
    QVERIFY2(text.contains("data fetch mnist"), qPrintable(text));
    QVERIFY2(text.endsWith("with --data-dir."), qPrintable(text));
  }

  void dataDirNeverFallsBack() {
    writeSet(root_ / "home/.keras/datasets/mnist", 20, 10);
    fs::create_directories(root_ / "given");
    for (const char* name : {"mnist", "auto", "fashion-mnist"}) {
      const QString text = refusalOf(name, root_ / "given");
      QVERIFY2(text.contains("given' does not hold"), qPrintable(text));
      QVERIFY2(text.contains("t10k-labels-idx1-ubyte"), qPrintable(text));
      QVERIFY2(text.endsWith("with --data-dir."), qPrintable(text));
    }
    writeSet(root_ / "given", 20, 10);
    fs::remove(root_ / "given" / "t10k-labels-idx1-ubyte");
    const QString text = refusalOf("mnist", root_ / "given");
    QVERIFY2(text.contains("given (lacks t10k-labels-idx1-ubyte)"), qPrintable(text));
    QVERIFY2(refusalOf("mnist", root_ / "nowhere").contains("nowhere (no such folder)"), "nowhere");
  }

  void damagedIsNotMissing() {
    const fs::path folder = root_ / "home/.keras/datasets/mnist";
    writeSet(folder, 20, 10);
    write(folder / "t10k-images-idx3-ubyte", "garbage");
    for (const char* name : {"auto", "mnist"}) {
      const QString text = refusalOf(name, "");
      QVERIFY2(text.contains("t10k-images-idx3-ubyte' is not a valid IDX file"), qPrintable(text));
    }
    writeSet(folder, 20, 10);
    write(folder / "train-labels-idx1-ubyte", labelsFile(19));
    QVERIFY2(refusalOf("mnist", "").contains("holds 20 images and"), "counts");
    fs::remove(folder / "train-labels-idx1-ubyte");
    fs::create_directories(folder / "train-labels-idx1-ubyte");
    QVERIFY2(refusalOf("mnist", "").contains("is a folder, not a file"), "folder");
  }

  // Two threads read the files; the result must not depend on which finishes first.
  void theFirstDamagedFileIsToldOf() {
    const std::array<const char*, 4> files = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                              "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
    for (std::size_t first = 0; first < files.size(); ++first) {
      writeSet(root_ / "d", 200, 10);
      for (std::size_t i = first; i < files.size(); ++i) write(root_ / "d" / files.at(i), "garbage");
      const QString text = refusalOf("mnist", root_ / "d");
      QVERIFY2(text.contains(QString(files.at(first)) + "' is not a valid IDX file"), qPrintable(text));
    }
  }

  void namesAreChecked() {
    QVERIFY(refusalOf("mnits", "").contains("did you mean 'mnist'"));
    QVERIFY(refusalOf("digits", root_).contains("has no meaning for digits"));
  }

  void firstExamplesKeepsTheFirst() {
    const auto whole = embeddedDigits();
    const auto part = firstExamples(whole, 7, 3);
    QCOMPARE(part->train.count, 7);
    QCOMPARE(part->test.count, 3);
    QCOMPARE(part->train.pixels.size(), std::size_t{7 * 784});
    QVERIFY(std::equal(part->train.pixels.begin(), part->train.pixels.end(), whole->train.pixels.begin()));
    QVERIFY(std::equal(part->test.labels.begin(), part->test.labels.end(), whole->test.labels.begin()));
    QCOMPARE(firstExamples(whole, std::nullopt, std::nullopt), whole);
    QCOMPARE(firstExamples(whole, std::nullopt, 3)->train.count, 4000);
    QCOMPARE(firstExamples(whole, 4000, 1000)->train.count, 4000);
  }

  // A kept digest is not taken for that of another set.
  void trainDigestIsOfItsSet() {
    const auto whole = embeddedDigits(), part = firstExamples(whole, 7, 3);
    QVERIFY(digestOf(whole->train) != digestOf(part->train));
    for (int twice = 0; twice < 2; ++twice)
      for (const auto& set : {whole, part}) QCOMPARE(trainDigestOf(set), digestOf(set->train));
  }

  void firstExamplesRefuses_data() {
    QTest::addColumn<bool>("ofTrain");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("says");
    QTest::newRow("train") << true << 4001 << "--train-examples 4001 is too many: digits has 4,000 training examples";
    QTest::newRow("test") << false << 1001 << "--test-examples 1001";
    QTest::newRow("none") << true << 0 << "--train-examples 0";
    QTest::newRow("negative") << true << -2 << "--train-examples -2";
  }
  void firstExamplesRefuses() {
    QFETCH(bool, ofTrain);
    QFETCH(int, count);
    QFETCH(QString, says);
    const std::optional<std::int64_t> all, few = count;
    try {
      firstExamples(embeddedDigits(), ofTrain ? few : all, ofTrain ? all : few);
      QFAIL("accepted");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains(says), error.what());
      QVERIFY2(QString(error.what()).endsWith("leave the option out for all."), error.what());
    }
  }

  void digitsAreStratified() {
    const auto digits = embeddedDigits();
    QCOMPARE(digits->name, std::string("digits"));
    QCOMPARE(digits->source, std::string("embedded"));
    QCOMPARE(digits->train.count, 4000);
    QCOMPARE(digits->test.count, 1000);
    for (const auto& [examples, each] : {std::pair(&digits->train, 400), std::pair(&digits->test, 100)}) {
      std::array<int, 10> counts{};
      for (const std::uint8_t label : examples->labels) ++counts.at(label);
      for (const int count : counts) QCOMPARE(count, each);
    }
    // The digits are mixed: every hundred has at least eight of the ten classes, while sorted ones would have one.
    for (std::size_t start = 0; start < 4000; start += 100) {
      std::array<bool, 10> seen{};
      for (std::size_t i = start; i < start + 100; ++i) seen.at(digits->train.labels[i]) = true;
      QVERIFY(std::count(seen.begin(), seen.end(), true) >= 8);
    }
    QCOMPARE(embeddedDigits(), digits);
  }

  void digitsAreCentredAsMnistIs() {
    for (const Examples* examples : {&embeddedDigits()->train, &embeddedDigits()->test}) {
      for (std::int64_t i = 0; i < examples->count; ++i) {
        double mass = 0, x = 0, y = 0;
        for (int pixel = 0; pixel < 784; ++pixel) {
          const int grey = examples->image(i)[pixel];
          mass += grey;
          x += grey * (pixel % 28);
          y += grey * (pixel / 28);
        }
        QVERIFY(mass > 255 * 10);
        QVERIFY2(std::abs(x / mass - 14) < 0.53 && std::abs(y / mass - 14) < 0.53,
                 qPrintable(QString("%1: %2 %3").arg(i).arg(x / mass).arg(y / mass)));
      }
    }
  }

  void digitsDifferFromOneAnother() {
    std::set<QByteArray> seen;
    for (const Examples* examples : {&embeddedDigits()->train, &embeddedDigits()->test})
      for (std::int64_t i = 0; i < examples->count; ++i)
        seen.insert(QByteArray(reinterpret_cast<const char*>(examples->image(i)), 784));
    QCOMPARE(seen.size(), std::size_t{5000});
  }

  // The content is what the maker makes according to resources/digits/README.md.
  void digitsAreTheOnesStated() {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const Examples* examples : {&embeddedDigits()->train, &embeddedDigits()->test}) {
      const auto count = static_cast<std::uint32_t>(examples->count);
      hash.addData(bigEndian(0x803) + bigEndian(count) + bigEndian(28) + bigEndian(28));
      hash.addData(QByteArray(reinterpret_cast<const char*>(examples->pixels.data()), examples->count * 784));
      hash.addData(bigEndian(0x801) + bigEndian(count));
      hash.addData(QByteArray(reinterpret_cast<const char*>(examples->labels.data()), examples->count));
    }
    const QByteArray readme = contentOf(STRATEGYLAB_SOURCE_DIR "/resources/digits/README.md");
    QVERIFY2(readme.contains("3925048 | `" + hash.result().toHex() + "`"), hash.result().toHex());
    const QByteArray archive = contentOf(STRATEGYLAB_SOURCE_DIR "/resources/digits/digits.idx.gz");
    QVERIFY(readme.contains(QCryptographicHash::hash(archive, QCryptographicHash::Sha256).toHex()));
  }

  void mnistLoads() {
    if (sharedMnist().empty()) QSKIP("MNIST is not on this machine (STRATEGYLAB_REFERENCE_DIR)");
    const auto mnist = loadDataset("auto", sharedMnist());
    QCOMPARE(mnist->name, std::string("mnist"));
    QCOMPARE(mnist->train.count, 60'000);
    QCOMPARE(mnist->test.count, 10'000);
    const std::array<int, 10> firstLabels = {5, 0, 4, 1, 9, 2, 1, 3, 1, 4};
    QVERIFY(std::equal(firstLabels.begin(), firstLabels.end(), mnist->train.labels.begin()));
    QVERIFY(refusalOf("fashion-mnist", sharedMnist()).contains("(holds mnist)"));
  }
};

QTEST_APPLESS_MAIN(TestData)
#include "tst_data.moc"

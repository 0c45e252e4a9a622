// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10's binary files, written here, and every way of damaging them; the colour digits against their formula; which
// network is trained on which examples.
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/config/run_settings.h"
#include "core/data/cifar10.h"
#include "core/data/class_names.h"
#include "core/data/colour.h"
#include "core/data/idx.h"
#include "core/model/neural_network.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "tests/support/refusal.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

namespace {

using Content = std::vector<std::uint8_t>;

// Record i of file `file`: the label is i % 10, red encodes the file, green the row, blue the column.
Content records(int file, int count) {
  Content bytes;
  for (int i = 0; i < count; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i % 10));
    for (int plane = 0; plane < 3; ++plane)
      for (int at = 0; at < 1024; ++at)
        bytes.push_back(static_cast<std::uint8_t>(plane == 0 ? file : plane == 1 ? at / 32 : at % 32));
  }
  return bytes;
}

void write(const fs::path& path, const Content& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

RunSettings on(const Settings& settings) {
  return resolve(configOf(settings)).asked();
}

}  // namespace

class TestCifar10 : public QObject {
  Q_OBJECT

 private slots:
  void readsAllFilesInOrder() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    write(folder / "data_batch_2.bin", records(2, 7));
    write(folder / "data_batch_10.bin", records(10, 1));
    write(folder / "data_batch_1.bin", records(1, 12));
    write(folder / "test_batch.bin", records(99, 5));
    write(folder / "data_batch_x.bin", {1, 2, 3});  // not a file of the set
    const auto set = loadDataset("cifar10", folder);
    QCOMPARE(set->name, std::string("cifar10"));
    QCOMPARE(set->train.count, std::int64_t{20});
    QCOMPARE(set->test.count, std::int64_t{5});
    QCOMPARE(set->train.imageSize(), std::int64_t{3072});
    QCOMPARE(int{set->train.labels[11]}, 1);
    QCOMPARE(int{set->train.labels[12]}, 0);
    for (const auto& [example, file] : {std::pair{0, 1}, {12, 2}, {19, 10}}) {
      const std::uint8_t* pixel = set->train.image(example) + (5 * 32 + 7) * 3;
      QCOMPARE(int{pixel[0]}, file);
      QCOMPARE(int{pixel[1]}, 5);
      QCOMPARE(int{pixel[2]}, 7);
    }
    QCOMPARE(firstExamples(set, 3, 2)->train.pixels.size(), std::size_t{3 * 3072});
    // The folder that the archive unpacks into. A loaded set is kept until a file changes.
    fs::create_directory(folder / "cifar-10-batches-bin");
    QVERIFY(loadDataset("cifar10", folder) == set);
    write(folder / "test_batch.bin", records(98, 6));
    QCOMPARE(loadDataset("cifar10", folder)->test.count, std::int64_t{6});
    fs::rename(folder / "test_batch.bin", folder / "cifar-10-batches-bin" / "test_batch.bin");
    for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_10.bin"})
      fs::rename(folder / name, folder / "cifar-10-batches-bin" / name);
    QCOMPARE(loadDataset("cifar10", folder)->train.count, std::int64_t{20});
  }

  void broken_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* file, const Content& bytes, const char* says) {
      QTest::addRow("%s", name) << file << QByteArray(reinterpret_cast<const char*>(bytes.data()), bytes.size())
                                << says;
    };
    Content cut = records(1, 3), longer = cut, label = cut;
    cut.pop_back();
    longer.push_back(0);
    label[3073] = 10;
    row("empty", "data_batch_1.bin", {}, "has 0 bytes");
    row("one byte less", "data_batch_1.bin", cut, "has 9218 bytes");
    row("one byte more", "data_batch_1.bin", longer, "has 9220 bytes");
    row("a label of 10", "data_batch_1.bin", label, "the label of record 1 is 10");
    row("the tests cut", "test_batch.bin", cut, "test_batch.bin' has 9218 bytes");
    row("the tests' label", "test_batch.bin", label, "the label of record 1 is 10");
  }
  void broken() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    write(folder / "data_batch_1.bin", records(1, 3));
    write(folder / "test_batch.bin", records(9, 3));
    write(folder / file.toStdString(), {content.begin(), content.end()});
    const QString said = refusal([&] { (void)loadDataset("cifar10", folder); });
    QVERIFY2(said.contains(says), qPrintable(said));
  }

  void missing() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    QVERIFY(refusal([&] { (void)loadDataset("cifar10", folder); }).contains("cifar10 is not on this machine"));
    QVERIFY(refusal([&] { (void)loadDataset("cifar10", folder / "none"); }).contains("no such folder"));
    write(folder / "test_batch.bin", records(9, 3));
    QVERIFY(refusal([&] { (void)loadDataset("cifar10", folder); }).contains("lacks data_batch_1.bin"));
    fs::rename(folder / "test_batch.bin", folder / "data_batch_1.bin");
    QVERIFY(refusal([&] { (void)loadDataset("cifar10", folder); }).contains("lacks test_batch.bin"));
    fs::create_directory(folder / "test_batch.bin");
    QVERIFY(!refusal([&] { (void)loadDataset("cifar10", folder); }).isEmpty());
  }

  void colourIsItsFormula() {
    const auto digits = embeddedDigits(), colour = loadDataset("colour", "");
    QCOMPARE(colour->train.count, digits->train.count);
    QVERIFY(colour->train.labels == digits->train.labels && colour->test.labels == digits->test.labels);
    QCOMPARE(colour->train.shape[2], std::int64_t{3});
    // splitmix64 of 0 is 0xe220a8397b1dcdaf: bytes af cd 1d 7b 39 a8 20, an even one last.
    const int paper[3] = {0xaf / 2, 0xcd / 2, 0x1d / 2}, ink[3] = {128 + 0x7b / 2, 128 + 0x39 / 2, 128 + 0xa8 / 2};
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x)
        for (int c = 0; c < 3; ++c) {
          const bool inside = y >= 2 && y < 30 && x >= 2 && x < 30;
          const int grey = inside ? digits->train.image(0)[(y - 2) * 28 + x - 2] : 0;
          QCOMPARE(int{colour->train.image(0)[(y * 32 + x) * 3 + c]},
                   (paper[c] * (255 - grey) + ink[c] * grey + 127) / 255);
        }
    // Test digits are numbered on from the last training digit.
    QVERIFY(inColour(digits->test, 4000).pixels == colour->test.pixels);
    const QTemporaryDir empty;
    QVERIFY(!refusal([&] { (void)loadDataset("colour", empty.path().toStdString()); }).isEmpty());
  }

  void setsNameTheirClasses() {
    Dataset set{"cifar10", "", {}, {}};
    QCOMPARE(className(set, 0), std::string("airplane"));
    QCOMPARE(className(set, 9), std::string("truck"));
    QVERIFY(namesAreWords(set));
    set.name = "fashion-mnist";
    QCOMPARE(className(set, 9), std::string("ankle boot"));
    set.own = true;  // has the form and names of Fashion-MNIST, but is another set
    QCOMPARE(className(set, 9), std::string("9"));
    set.classNames = {"cats", "dogs"};
    QCOMPARE(className(set, 1), std::string("dogs"));
    QCOMPARE(className(set, 2), std::string("2"));
    QVERIFY(!namesAreWords(set));
    QCOMPARE(className(*colourDigits(), 7), std::string("7"));
  }

  void networksFollowTheExamples() {
    QVERIFY(isCourseNetwork(*networkOf(on({{"dataset", "digits"}}))));
    QVERIFY(*networkOf(on({{"dataset", "colour"}})) == cifar10Network());
    QVERIFY(*networkOf(on({{"dataset", "digits"}, {"network", "mlp"}})) == mlpNetwork());
    const QString said = refusal([] { (void)on({{"dataset", "digits"}, {"network", "cifar10"}}); });
    QVERIFY2(said.contains("(32, 32, 3)") && said.contains("(28, 28, 1)") && said.contains("--network"),
             qPrintable(said));
    QVERIFY(refusal([] { (void)on({{"network", "cfar10"}}); }).contains("cifar10"));
    QVERIFY(!refusal([] { (void)on({{"network", "some.keras"}}); }).isEmpty());
  }

  // Every strategy works with any network, and gives the same bits on one thread and two.
  void everyStrategyTrainsOnColour_data() { addStrategyRows(); }
  void everyStrategyTrainsOnColour() {
    const Settings small{{"dataset", "colour"}, {"steps", "2"}, {"train-examples", "96"}, {"test-examples", "20"}};
    Outcome outcomes[2];
    for (int i = 0; i < 2; ++i) {
      const RunSettings config = rowConfig(QTest::currentDataTag(), with(small, {{"threads", std::to_string(i + 1)}}));
      outcomes[i] = train(config, openDataset(config));
    }
    QVERIFY(sameBits(outcomes[0].weights, outcomes[1].weights));
    QCOMPARE(outcomes[0].info.parameters, std::int64_t{122570});
    QVERIFY(outcomes[0].end.mirrorsIdentical.value_or(true));
    for (const StepMetric& step : outcomes[0].steps) QVERIFY(step.loss > 1 && step.loss < 4);
  }
};

QTEST_GUILESS_MAIN(TestCifar10)
#include "tst_cifar10.moc"

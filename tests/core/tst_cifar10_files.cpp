// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10 in other forms (Python's batches, written as the published files are), and downloading it: an archive that
// is checked, unpacked and checked again.
#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/error.h"
#include "core/data/data_folders.h"
#include "core/data/dataset.h"
#include "core/data/fetch.h"
#include "core/data/pickle_batch.h"
#include "core/data/tar.h"
#include "tests/core/data_files.h"
#include "tests/core/http_server.h"
#include "tests/support/refusal.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

namespace {

QByteArray published() {
  return contentOf(fs::path(STRATEGYLAB_SOURCE_DIR) / "tests/fuzz/corpus/pickle/published");
}

QByteArray record(int label, int value) {
  return QByteArray(1, static_cast<char>(label)) + QByteArray(3072, static_cast<char>(value));
}

QByteArray tarEntry(const QByteArray& name, const QByteArray& content, char kind = '0') {
  QByteArray block(512, '\0');
  const auto put = [&block](qsizetype at, const QByteArray& text) { block.replace(at, text.size(), text); };
  put(0, name);
  put(100, "0000644");
  put(124, QByteArray::number(content.size(), 8).rightJustified(11, '0'));
  put(148, "        ");
  block[156] = kind;
  put(257, QByteArray("ustar\0"
                      "00",
                      8));
  int sum = 0;
  for (const char byte : block) sum += static_cast<unsigned char>(byte);
  put(148, QByteArray::number(sum, 8).rightJustified(6, '0') + QByteArray("\0 ", 2));
  return block + content + QByteArray((512 - content.size() % 512) % 512, '\0');
}

std::string md5(const QByteArray& content) {
  return QCryptographicHash::hash(content, QCryptographicHash::Md5).toHex().toStdString();
}

// A small set in the published form, with its true checksums.
struct SmallArchive {
  QByteArray archive;
  RemoteDataset set{"cifar10", {}, {}};
  SmallArchive() {
    RemoteArchive published{"cifar-10-binary.tar.gz", 0, "", {}};
    QByteArray tar = tarEntry("cifar-10-batches-bin/", "", '5') + tarEntry("cifar-10-batches-bin/readme.html", "hello");
    for (int i = 0; i < 6; ++i) {
      const std::string name = i == 5 ? "test_batch.bin" : "data_batch_" + std::to_string(i + 1) + ".bin";
      const QByteArray content = record(i, 10 * i) + record(9 - i, 7);
      tar += tarEntry("cifar-10-batches-bin/" + QByteArray::fromStdString(name), content);
      published.members.push_back({name, content.size(), md5(content)});
    }
    archive = gzipped(tar + QByteArray(1024, '\0'));
    published.bytes = archive.size();
    published.md5 = md5(archive);
    set.archive = published;
  }
};

}  // namespace

class TestCifar10Files : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  fs::path out_;

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    out_ = fs::path(folder_->path().toStdString()) / "cifar10";
    qputenv("no_proxy", "127.0.0.1");
  }

  void readsPythonsBatches() {
    const PickledBatch batch = parsePickledBatch(asBytes(published()), "b");
    QVERIFY(batch.labels == (std::vector<std::uint8_t>{6, 9}));
    QCOMPARE(batch.data.size(), std::size_t{6144});
  }

  void brokenBatches_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const QByteArray whole = published();
    const auto changed = [&whole](const QByteArray& from, const QByteArray& to) {
      QByteArray bytes = whole;
      bytes.replace(bytes.indexOf(from), from.size(), to);
      return bytes;
    };
    QTest::newRow("empty") << QByteArray() << "it ends too early";
    QTest::newRow("cut") << whole.left(3000) << "it ends too early";
    QTest::newRow("another protocol") << changed("\x80\x02", "\x80\x04") << "at byte 0 it has an operation";
    QTest::newRow("a program") << changed("numpy\nndarray\n", "posix\nsystem\n") << "'posix system', but programs";
    QTest::newRow("a module of numpy's") << changed("cnumpy\ndtype\n", "cnumpy\nsave\n")
                                         << "programs in files are not run";
    QTest::newRow("other elements") << changed("u1", "f8") << "are not 3,072 bytes";
    QTest::newRow("other shape") << changed("M\x0c", "M\x0d") << "";
    QTest::newRow("fewer labels") << changed("(K\x06K\x09", "(K\x06") << "as many 'labels'";
    QTest::newRow("a label of 10") << changed("K\x06K\x09", "K\x06K\x0a") << "label 1 is 10";
    QTest::newRow("no labels") << changed("labels", "lebals") << "as many 'labels'";
    QTest::newRow("no data") << changed(
                                    "U\x04"
                                    "data",
                                    "U\x04"
                                    "atad")
                             << "its 'data'";
    QTest::newRow("no dict") << QByteArray("\x80\x02K\x01.", 5) << "it does not hold a dict";
    QTest::newRow("nothing") << QByteArray("\x80\x02.", 3) << "it does not hold a dict";
    QTest::newRow("taken from nothing") << QByteArray("\x80\x02R.", 4) << "at byte 2 it has an operation";
    QTest::newRow("no such value kept") << QByteArray("\x80\x02h\x07.", 5) << "at byte 2 it has an operation";
    QTest::newRow("nothing marked") << QByteArray("\x80\x02}u.", 5) << "at byte 3 it has an operation";
    QTest::newRow("another operation") << QByteArray("\x80\x02i.", 4) << "at byte 2 it has an operation";
    QTest::newRow("no pickle") << QByteArray("\x1f\x8b garbage") << "at byte 0 it has an operation";
  }
  void brokenBatches() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const QString why = refusal([&] { (void)parsePickledBatch(asBytes(content), "data_batch_1"); });
    QVERIFY2(why.contains(says) && why.contains("'data_batch_1'"), qPrintable(why));
  }
  // Changes every byte: loading must refuse and name the file, or give a batch with an image and a class for each
  // label.
  void everyByteChanged() {
    const QByteArray whole = published();
    for (qsizetype at = 0; at < whole.size(); at += at < 300 || at > 6400 ? 1 : 97)
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        QByteArray bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ flip);
        PickledBatch batch;
        const QString why = refusal([&] { batch = parsePickledBatch(asBytes(bytes), "batch"); });
        const bool complete = batch.data.size() == 3072 * batch.labels.size() &&
                              std::ranges::all_of(batch.labels, [](int label) { return label < 10; });
        QVERIFY2(why.isEmpty() ? complete : why.contains("'batch'"),
                 qPrintable(QString("byte %1: %2").arg(at).arg(why)));
      }
  }

  void foundWhereOthersKeepIt_data() {
    QTest::addColumn<QString>("place");
    QTest::newRow("Keras 3") << "home/.keras/datasets/cifar-10-batches-py-target/cifar-10-batches-py";
    QTest::newRow("Keras 2") << "home/.keras/datasets/cifar-10-batches-py";
    QTest::newRow("torchvision, at home") << "home/data/cifar-10-batches-py";
    QTest::newRow("our own") << "home/.local/share/strategylab/cifar10";
    QTest::newRow("named") << "lab/cifar-10-batches-py";
  }
  void foundWhereOthersKeepIt() {
    QFETCH(QString, place);
    const fs::path root = folder_->path().toStdString();
    const fs::path folder = root / place.toStdString();
    write(folder / "data_batch_1", published());
    write(folder / "data_batch_2", published());
    write(folder / "test_batch", published());
    qputenv("HOME", (root / "home").c_str());
    qputenv("STRATEGYLAB_DATA", (root / "lab").c_str());
    for (const char* name : {"XDG_DATA_HOME", "KERAS_HOME"}) qunsetenv(name);
    const auto set = loadDataset("cifar10", "");
    QCOMPARE(set->train.count, std::int64_t{4});
    QCOMPARE(set->test.count, std::int64_t{2});
    QCOMPARE(int{set->train.labels[3]}, 9);
    const std::uint8_t* pixel = set->train.image(1) + (2 * 32 + 5) * 3;  // read from an array of planes
    for (int plane = 0; plane < 3; ++plane)
      QCOMPARE(int{pixel[plane]}, ((3072 + plane * 1024 + 2 * 32 + 5) * 7 + 50) % 256);
    const FolderReport report = verifyFolder(folder);
    QCOMPARE(report.dataset, std::string("cifar10"));
    QCOMPARE(report.files.size(), std::size_t{6});
    QVERIFY(!report.ok() && report.files[0].state == FileState::Wrong && report.files[2].state == FileState::Missing);
    // The binary version takes precedence if both are there.
    write(folder / "data_batch_1.bin", record(3, 1));
    write(folder / "test_batch.bin", record(3, 1));
    QCOMPARE(loadDataset("cifar10", folder)->train.count, std::int64_t{1});
  }

  void fetches() {
    SmallArchive small;
    HttpServer server;
    server.put(small.set.archive->name, small.archive);
    small.set.mirrors = {server.url()};
    std::vector<FetchProgress> seen;
    QVERIFY(fetchDataset(small.set, out_, [&](const FetchProgress& p) { seen.push_back(p); }, {}));
    QCOMPARE(seen.back().file, small.set.archive->name);
    QCOMPARE(seen.back().received, small.archive.size());
    QCOMPARE(seen.back().files, 1);
    for (const RemoteArchive::Member& member : small.set.archive->members)
      QCOMPARE(md5(contentOf(out_ / member.name)), member.md5);
    QVERIFY(!fs::exists(out_ / small.set.archive->name) && !fs::exists(out_ / "readme.html"));
    QCOMPARE(loadDataset("cifar10", out_)->train.count, std::int64_t{10});
    // A file that is there and correct is not fetched again; a wrong one is.
    QVERIFY(fetchDataset(small.set, out_, nullptr, {}));
    QCOMPARE(server.requests().size(), std::size_t{1});
    write(out_ / "data_batch_3.bin", record(1, 1));
    QVERIFY(fetchDataset(small.set, out_, nullptr, {}));
    QCOMPARE(server.requests().size(), std::size_t{2});
    QCOMPARE(md5(contentOf(out_ / "data_batch_3.bin")), small.set.archive->members[2].md5);
  }

  void aWrongArchiveLeavesNothing() {
    SmallArchive small;
    const fs::path mirror = fs::path(folder_->path().toStdString()) / "mirror";
    QByteArray wrong = small.archive;
    wrong[200] = static_cast<char>(wrong[200] ^ 1);
    write(mirror / small.set.archive->name, wrong);
    small.set.mirrors = {"file://" + mirror.string()};
    const QString why = refusal([&] { (void)fetchDataset(small.set, out_, nullptr, {}); });
    QVERIFY2(why.contains("its MD5 is"), qPrintable(why));
    QVERIFY(fs::is_empty(out_));
    // A partial download of the correct file is continued.
    write(mirror / small.set.archive->name, small.archive);
    write(out_ / (small.set.archive->name + ".part"), small.archive.left(100));
    QVERIFY(fetchDataset(small.set, out_, nullptr, {}));
    QVERIFY(fs::exists(out_ / "test_batch.bin"));
    std::stop_source stop;
    stop.request_stop();
    fs::remove(out_ / "test_batch.bin");
    QVERIFY(!fetchDataset(small.set, out_, nullptr, stop.get_token()));
  }

  void brokenArchives() {
    const QByteArray content = record(1, 2), entry = tarEntry("a/data_batch_1.bin", content);
    const auto read = [](const QByteArray& tar, bool pack = true) {
      std::vector<std::string> files;
      const QByteArray bytes = pack ? gzipped(tar) : tar;
      const QString why = refusal([&] {
        readTarGz(
            asBytes(bytes), "a.tar.gz", [](const std::string&, std::int64_t size) { return size < 10'000; },
            [&files](const std::string& file, const std::vector<std::uint8_t>&) { files.push_back(file); });
      });
      return std::pair(why, files);
    };
    const QByteArray end(1024, '\0');
    QCOMPARE(read(entry + end).second, std::vector<std::string>{"data_batch_1.bin"});
    QCOMPARE(read(tarEntry("link", "", '2') + tarEntry("big", QByteArray(20'000, 'x')) + entry + end).second.size(),
             std::size_t{1});
    QByteArray sum = entry, size = entry;
    sum[10] = 'y';
    size.replace(124, 11, "7777777777x");
    for (const QByteArray& tar : {sum + end, size + end, entry, entry.left(700), entry.left(300), QByteArray()})
      QVERIFY2(read(tar).first.contains("is not a complete tar archive"), qPrintable(read(tar).first));
    QVERIFY(!read("no gzip at all", false).first.isEmpty());
    QVERIFY(!read(gzipped(entry + end).left(80), false).first.isEmpty());
  }

  void publishedSums() {
    const RemoteDataset& set = remoteDataset("cifar10");
    QVERIFY(set.archive && set.archive->members.size() == 6);
    QCOMPARE(set.mirrors.front() + set.archive->name,
             std::string("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"));
    for (const RemoteArchive::Member& member : set.archive->members) {
      QCOMPARE(member.bytes, std::int64_t{30'730'000});
      QCOMPARE(member.md5.size(), std::size_t{32});
    }
  }
};

QTEST_GUILESS_MAIN(TestCifar10Files)
#include "tst_cifar10_files.moc"

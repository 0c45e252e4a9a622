// SPDX-License-Identifier: GPL-3.0-or-later
// Checking files against their publishers' statements: right, missing, wrong, or undecidable.
#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/data/verify.h"
#include "tests/core/data_files.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

class TestDataVerify : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  fs::path out_;

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    out_ = folder_->path().toStdString();
  }

  void publishedSets() {
    for (const char* name : {"mnist", "fashion-mnist"}) {
      const RemoteDataset& set = remoteDataset(name);
      QCOMPARE(set.name, std::string(name));
      QVERIFY(!set.mirrors.empty());
      QCOMPARE(set.files[0].contentBytes, 47'040'016);
      QCOMPARE(set.files[3].contentBytes, 10'008);
      for (std::size_t i = 0; i < 4; ++i) {
        QCOMPARE(std::string(set.files[i].file.stem), std::string(kIdxFiles[i].stem));
        QVERIFY(set.files[i].sha256OfContent.size() == 64 || set.files[i].md5OfArchive.size() == 32);
      }
    }
    QVERIFY_THROWS_EXCEPTION(UserError, remoteDataset("cifar"));
  }

  void verifiesMissingAndWrong() {
    fs::create_directories(out_);
    QVERIFY(!verifyFolder(out_).ok());
    writeSet(out_, 20, 10, ".gz");
    fs::remove(out_ / "t10k-labels-idx1-ubyte.gz");
    const FolderReport report = verifyFolder(out_);
    QVERIFY(!report.ok());
    QCOMPARE(report.dataset, std::string());
    QCOMPARE(report.files.size(), std::size_t{4});
    QCOMPARE(report.files[0].file, std::string("train-images-idx3-ubyte.gz"));
    QCOMPARE(report.files[0].state, FileState::Wrong);
    QVERIFY(!report.files[0].detail.empty());
    QCOMPARE(report.files[3].state, FileState::Missing);
    QVERIFY_THROWS_EXCEPTION(UserError, verifyFolder(out_ / "nowhere"));
  }

  void unpackedFashionIsJudgedByItsArchive() {
    RemoteFile file;
    file.file = kIdxFiles[1];
    file.contentBytes = labelsFile(200).size();
    file.md5OfArchive =
        QCryptographicHash::hash(gzipped(labelsFile(200)), QCryptographicHash::Md5).toHex().toStdString();
    const fs::path path = out_ / "train-labels-idx1-ubyte";
    write(path, labelsFile(200));
    QCOMPARE(checkFile(path, file).state, FileState::Unchecked);
    write(out_ / "train-labels-idx1-ubyte.gz", gzipped(labelsFile(200)));
    QCOMPARE(checkFile(path, file).state, FileState::Ok);
    write(path, labelsFile(200).replace(20, 1, "\x09"));
    QCOMPARE(checkFile(path, file).state, FileState::Wrong);
    write(path, labelsFile(199));
    QCOMPARE(checkFile(path, file).state, FileState::Wrong);
    write(path, "garbage");
    QCOMPARE(checkFile(path, file).state, FileState::Wrong);
  }

  void mnistIsRight() {
    if (sharedMnist().empty()) QSKIP("MNIST is not on this machine (STRATEGYLAB_REFERENCE_DIR)");
    const FolderReport report = verifyFolder(sharedMnist());
    QVERIFY(report.ok());
    QCOMPARE(report.dataset, std::string("mnist"));
  }
};

QTEST_APPLESS_MAIN(TestDataVerify)
#include "tst_data_verify.moc"

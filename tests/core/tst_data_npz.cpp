// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of Keras's mnist.npz: files written by NumPy are read exactly, everything else is refused in a sentence
// that names the file and ends with what to do.
#include <QTemporaryDir>
#include <QTest>

#include <zip.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/data/npz.h"
#include "core/data/verify.h"
#include "tests/core/data_files.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

namespace {

using Arrays = std::map<std::string, QByteArray>;

QByteArray npy(const QByteArray& header, const QByteArray& content, int version = 1) {
  QByteArray text = header;
  while ((text.size() + (version == 1 ? 11 : 13)) % 64 != 0) text += ' ';
  text += '\n';
  QByteArray bytes = QByteArray("\x93NUMPY") + static_cast<char>(version) + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return bytes + text + content;
}

QByteArray header(const QByteArray& type, const QByteArray& shape, const QByteArray& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': (" + shape + "), }";
}

QByteArray images(int count) {
  return npy(header("|u1", QByteArray::number(count) + ", 28, 28"), imagesFile(count).mid(16));
}
QByteArray labels(int count) {
  return npy(header("|u1", QByteArray::number(count) + ","), labelsFile(count).mid(8));
}
QByteArray wideLabels(int count, int last) {
  QByteArray content(8 * count, '\0');
  for (int i = 0; i < count; ++i) content[8 * i] = static_cast<char>(i % 10);
  content[8 * (count - 1)] = static_cast<char>(last & 0xff);
  content[8 * count - 3] = static_cast<char>(last >> 8);
  return npy(header("<i8", QByteArray::number(count) + ","), content);
}

Arrays goodArrays() {
  return {
      {"x_train.npy", images(30)}, {"y_train.npy", labels(30)}, {"x_test.npy", images(10)}, {"y_test.npy", labels(10)}};
}

QByteArray zipped(const Arrays& arrays, bool compress = true) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  if (archive == nullptr) std::abort();
  for (const auto& [name, content] : arrays) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), static_cast<zip_uint64_t>(content.size()), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, 0);
    if (index < 0 || zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                                              compress ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) != 0)
      std::abort();
  }
  if (zip_close(archive) != 0 || zip_source_open(target) != 0) std::abort();
  zip_source_seek(target, 0, SEEK_END);
  QByteArray bytes(static_cast<qsizetype>(zip_source_tell(target)), '\0');
  zip_source_seek(target, 0, SEEK_SET);
  if (zip_source_read(target, bytes.data(), static_cast<zip_uint64_t>(bytes.size())) != bytes.size()) std::abort();
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

Arrays with(const std::string& name, const QByteArray& content) {
  Arrays arrays = goodArrays();
  arrays[name] = content;
  return arrays;
}

}  // namespace

class TestDataNpz : public QObject {
  Q_OBJECT

 private slots:
  void reads_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray content = imagesFile(30).mid(16);
    QTest::newRow("compressed") << zipped(goodArrays());
    QTest::newRow("stored, as np.savez does") << zipped(goodArrays(), false);
    for (const int version : {2, 3})
      QTest::addRow("version %d", version)
          << zipped(with("x_train.npy", npy(header("|u1", "30, 28, 28"), content, version)));
    QTest::newRow("64-bit labels") << zipped(with("y_train.npy", wideLabels(30, 9)));
    QTest::newRow("keys in another order")
        << zipped(with("x_train.npy", npy("{'shape':(30,28,28),'descr':'|u1','fortran_order':False}", content)));
    QTest::newRow("another array beside them") << zipped(with("more.npy", "whatever"));
  }
  void reads() {
    QFETCH(QByteArray, bytes);
    const TrainAndTest both = parseNpz(asBytes(bytes), "f");
    QCOMPARE(both.train.count, 30);
    QCOMPARE(both.test.count, 10);
    QCOMPARE(int{both.train.image(29)[783]}, (29 * 7 + 783) % 256);
    QCOMPARE(int{both.test.image(4)[0]}, 28);
    QCOMPARE(both.train.labels.size(), std::size_t{30});
    for (std::size_t i = 0; i < 30; ++i) QCOMPARE(both.train.labels[i], i % 10);
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const QByteArray good = zipped(goodArrays());
    const auto row = [](const char* name, const QByteArray& bytes, const char* says) {
      QTest::newRow(name) << bytes << QString::fromUtf8(says);
    };
    row("empty", "", "it has no array x_train");
    row("text", "<html>404</html>", "cannot be opened as a zip file");
    row("cut", good.left(good.size() - 30), "cannot be opened as a zip file");
    row("no arrays", zipped({{"a", "b"}}), "it has no array x_train");
    Arrays three = goodArrays();
    three.erase("y_test.npy");
    row("three arrays", zipped(three), "it has no array y_test");
    const auto train = [&](const char* name, const QByteArray& array, const char* says) {
      row(name, zipped(with("x_train.npy", array)), says);
    };
    const QByteArray content = imagesFile(30).mid(16);
    train("empty array", "", "x_train is shorter than its header");
    train("not .npy", QByteArray(200, 'x'), "x_train is not an .npy array");
    train("version 0", npy(header("|u1", "30, 28, 28"), content, 1).replace(6, 1, QByteArray(1, '\0')),
          "version 1 to 3");
    train("version 4", npy(header("|u1", "30, 28, 28"), content, 4), "version 1 to 3");
    train("header cut", images(30).left(60), "shorter than its header");
    train("header of 4 GB", npy(header("|u1", "30, 28, 28"), content, 2).replace(8, 4, "\xff\xff\xff\xff"),
          "header of 4,294,967,295 bytes");
    train("floats", npy(header("<f4", "30, 28, 28"), content + content + content + content), "type '<f4'");
    train("big-endian", npy(header(">i8", "30, 28, 28"), content), "type '>i8'");
    train("pickled", npy(header("|O", "30, 28, 28"), content), "type '|O'");
    train("Fortran order", npy(header("|u1", "30, 28, 28", "True"), content), "not in C order");
    train("32×32", npy(header("|u1", "30, 32, 32"), QByteArray(30 * 1024, '\0')),
          "does not have the shape (count, 28, 28)");
    train("channels", npy(header("|u1", "30, 28, 28, 1"), content), "does not have the shape");
    train("flat", npy(header("|u1", "30, 784"), content), "does not have the shape");
    train("no shape", npy("{'descr': '|u1', 'fortran_order': False, }", content), "header that cannot be read");
    train("shape ()", npy(header("|u1", ""), content), "header that cannot be read");
    train("negative", npy(header("|u1", "-30, 28, 28"), content), "header that cannot be read");
    train("beyond 64 bits", npy(header("|u1", "99999999999999999999, 28, 28"), content), "header that cannot be read");
    train("nine dimensions", npy(header("|u1", "1,1,1,1,1,1,1,1,1"), content), "header that cannot be read");
    train("key twice", npy("{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (30, 28, 28)}", content),
          "header that cannot be read");
    train("unknown key", npy("{'other': '|u1', 'fortran_order': False, 'shape': (30, 28, 28)}", content),
          "header that cannot be read");
    train("text after header", npy(header("|u1", "30, 28, 28") + " x", content), "header that cannot be read");
    train("brace open", npy(header("|u1", "30, 28, 28").chopped(1), content), "header that cannot be read");
    train("quote open", npy("{'descr", content), "header that cannot be read");
    train("no examples", npy(header("|u1", "0, 28, 28"), ""), "has 0 examples");
    train("too many", npy(header("|u1", "300001, 28, 28"), content), "has 300,001 examples");
    train("many promised", npy(header("|u1", "300000, 28, 28"), content), "x_train is shorter than its shape says");
    train("a byte missing", npy(header("|u1", "30, 28, 28"), content.chopped(1)), "shorter than its shape says");
    train("a byte too many", npy(header("|u1", "30, 28, 28"), content + 'x'), "longer than its shape says");
    train("bomb", npy(header("|u1", "30, 28, 28"), content + QByteArray(50'000'000, '\0')),
          "longer than its shape says");
    row("label 10", zipped(with("y_train.npy", wideLabels(30, 10))),
        "y_train has a label that is not one of 0 to 9, at 29");
    row("label 256", zipped(with("y_train.npy", wideLabels(30, 256))), "a label that is not one of 0 to 9");
    row("byte label 10", zipped(with("y_test.npy", npy(header("|u1", "10,"), QByteArray(10, '\x0a')))), "at 0");
    row("label floats", zipped(with("y_test.npy", npy(header("<f8", "10,"), QByteArray(80, '\0')))), "or '<i8'");
    row("square labels", zipped(with("y_test.npy", npy(header("|u1", "5, 2"), QByteArray(10, '\0')))), "shape (count)");
    QByteArray stored = zipped(goodArrays(), false);
    const qsizetype pixel = stored.indexOf(imagesFile(10).mid(16, 100)) + 50;
    stored[pixel] = static_cast<char>(stored[pixel] ^ 1);
    row("wrong checksum", stored, "is damaged");
  }
  void refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    try {
      parseNpz(asBytes(bytes), "folder/mnist.npz");
      QFAIL("accepted");
    } catch (const UserError& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY2(text.contains("'folder/mnist.npz'"), error.what());
      QVERIFY2(text.contains(says), error.what());
      QVERIFY2(text.endsWith("Fetch or copy the file again."), error.what());
    }
  }

  void countsMustMatch() {
    try {
      parseNpz(asBytes(zipped(with("y_train.npy", labels(29)))), "f");
      QFAIL("accepted");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).startsWith("'f: x_train' holds 30 images and 'f: y_train' holds 29"),
               error.what());
    }
  }

  void isFoundWhereKerasKeepsIt() {
    QTemporaryDir home;
    for (const char* variable : {"STRATEGYLAB_DATA", "XDG_DATA_HOME", "KERAS_HOME"}) qunsetenv(variable);
    qputenv("HOME", home.path().toUtf8());
    const fs::path datasets = fs::path(home.path().toStdString()) / ".keras" / "datasets";
    write(datasets / "mnist.npz", zipped(goodArrays()));
    const auto dataset = loadDataset("auto", "");
    QCOMPARE(dataset->name, std::string("mnist"));
    QCOMPARE(dataset->source, (datasets / "mnist.npz").string());
    QCOMPARE(dataset->train.count, 30);
    std::pair<std::int64_t, std::int64_t> read;
    ReadCount count(2, [&read](std::int64_t done, std::int64_t total) { read = {done, total}; });
    (void)readNpz(datasets / "mnist.npz", &count);
    QVERIFY(read.first == 40 * 784 && read.second >= read.first && read.second < read.first + 512);  // headers included
    QVERIFY_THROWS_EXCEPTION(UserError, loadDataset("fashion-mnist", ""));
    QCOMPARE(loadDataset("mnist", datasets)->test.count, 10);
    write(datasets / "mnist.npz", "garbage");
    QVERIFY_THROWS_EXCEPTION(UserError, loadDataset("auto", ""));
  }

  void mnistAsNpzIsVerified() {
    if (sharedMnist().empty()) QSKIP("MNIST is not on this machine (STRATEGYLAB_REFERENCE_DIR)");
    const auto mnist = loadDataset("mnist", sharedMnist());
    Arrays arrays;
    for (const auto& [name, part] : {std::pair("train", &mnist->train), std::pair("test", &mnist->test)}) {
      const QByteArray count = QByteArray::number(static_cast<qlonglong>(part->count));
      const auto bytes = [](const std::vector<std::uint8_t>& v) {
        return QByteArray(reinterpret_cast<const char*>(v.data()), static_cast<qsizetype>(v.size()));
      };
      arrays["x_" + std::string(name) + ".npy"] = npy(header("|u1", count + ", 28, 28"), bytes(part->pixels));
      arrays["y_" + std::string(name) + ".npy"] = npy(header("|u1", count + ","), bytes(part->labels));
    }
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "mnist.npz";
    write(path, zipped(arrays, false));
    QVERIFY(loadDataset("mnist", path.parent_path())->train.pixels == mnist->train.pixels);
    FolderReport report = verifyFolder(path.parent_path());
    QVERIFY(report.ok());
    QCOMPARE(report.dataset, std::string("mnist"));

    QByteArray& labelArray = arrays["y_test.npy"];
    labelArray.back() = static_cast<char>(labelArray.back() == 1 ? 2 : 1);
    write(path, zipped(arrays, false));
    report = verifyFolder(path.parent_path());
    QVERIFY(!report.ok());
    QCOMPARE(QString::fromStdString(format(report.files[0].detail)), QString("its t10k-labels are not MNIST's."));
  }
};

QTEST_APPLESS_MAIN(TestDataNpz)
#include "tst_data_npz.moc"

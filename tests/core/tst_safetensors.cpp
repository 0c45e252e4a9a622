// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors: written files are read back exactly, and everything the format forbids is refused before use.
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/safetensors.h"

using namespace lab;

namespace {

std::filesystem::path referenceFolder() {
  const char* named = std::getenv("STRATEGYLAB_REFERENCE_DIR");
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named)
                       : std::filesystem::path(QT_TESTCASE_SOURCEDIR).parent_path().parent_path() / "shared";
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

std::vector<std::uint8_t> bytesOf(const std::string& header, std::size_t dataBytes) {
  const std::uint64_t length = header.size();
  std::vector<std::uint8_t> bytes(8 + header.size() + dataBytes);
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  return bytes;
}

std::string messageOf(const std::vector<std::uint8_t>& bytes) {
  try {
    parseSafetensors(bytes, "w.safetensors");
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

Layout smallLayout() {
  return Layout({{"conv/kernel", {2, 3}, 0, 0}, {"conv/bias", {3}, 0, 0}});
}

}  // namespace

class TestSafetensors : public QObject {
  Q_OBJECT

 private slots:
  void knownBytes() {
    TensorFile file;
    file.tensors["b"] = {{2}, {1.0F, -2.0F}};
    file.tensors["a"] = {{}, {0.5F}};
    file.metadata["k"] = "v";
    // Written out by hand from the format's description.
    std::string header = R"({"__metadata__":{"k":"v"},"a":{"data_offsets":[0,4],"dtype":"F32","shape":[]},)"
                         R"("b":{"data_offsets":[4,12],"dtype":"F32","shape":[2]}})";
    while (header.size() % 8 != 0) header += ' ';
    std::vector<std::uint8_t> expected = bytesOf(header, 0);
    for (const int byte : {0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0})
      expected.push_back(static_cast<std::uint8_t>(byte));
    QVERIFY(serializeSafetensors(file) == expected);
  }

  void roundTrip() {
    TensorFile file;
    file.tensors["x"] = {{2, 2}, {1.5F, -0.0F, std::numeric_limits<float>::infinity(), 1e-42F}};
    file.tensors["empty"] = {{0, 7}, {}};
    file.tensors["scalar ü \"quoted\""] = {{}, {3.0F}};
    file.metadata = {{"step", "12"}, {"rng", "a\nb"}};
    const QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "f.safetensors";
    writeSafetensors(path, file);
    const TensorFile read = readSafetensors(path);
    QVERIFY(read.metadata == file.metadata);
    QCOMPARE(read.tensors.size(), file.tensors.size());
    for (const auto& [name, tensor] : file.tensors) {
      QVERIFY(read.tensors.at(name).shape == tensor.shape);
      const auto& values = read.tensors.at(name).values;
      QCOMPARE(values.size(), tensor.values.size());
      QVERIFY(values.empty() || std::memcmp(values.data(), tensor.values.data(), values.size() * sizeof(float)) == 0);
    }
    const std::vector<std::uint8_t> bytes = serializeSafetensors(file);
    QVERIFY(bytes == serializeSafetensors(read));
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    QCOMPARE(length % 8, std::uint64_t{0});
  }

  void nothingAtAllIsAFile() {
    QVERIFY(parseSafetensors(bytesOf("{}", 0), "w").tensors.empty());
    QVERIFY(serializeSafetensors({}) == bytesOf("{}      ", 0));
  }

  void orderOfTheHeaderIsFree() {
    const TensorFile file = parseSafetensors(
        bytesOf(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"a":{"shape":[1],"dtype":"F32",)"
                R"("data_offsets":[0,4]}}  )",
                8),
        "w");
    QCOMPARE(file.tensors.size(), std::size_t{2});
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("dataBytes");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* what, const char* header, int dataBytes, const char* part) {
      QTest::newRow(what) << QByteArray(header) << dataBytes << part;
    };
    row("empty header", "", 0, "does not begin with '{'");
    row("space first", " {}", 0, "does not begin with '{'");
    row("an array", "[]", 0, "does not begin with '{'");
    row("not JSON", "{\"a\":}", 0, "not valid JSON at byte 6");
    row("two values", "{}{}", 0, "not valid JSON");
    row("bad UTF-8", "{\"\xff\":1}", 0, "not valid JSON");
    row("lone surrogate", "{\"\\ud800\":1}", 0, "not valid JSON");
    row("deep", "{\"a\":[[[[[[1]]]]]]}", 0, "nested deeper");
    row("same tensor twice",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        4, "the key 'a' appears twice");
    row("dtype twice", R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4,
        "the key 'dtype' appears twice");
    row("not an object", R"({"a":1})", 0, "not described by an object");
    row("no dtype", R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, "not dtype, shape and data_offsets");
    row("an unknown key", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":0}})", 4,
        "not dtype, shape and data_offsets");
    row("dtype a number", R"({"a":{"dtype":1,"shape":[1],"data_offsets":[0,4]}})", 4, "dtype is not a string");
    row("another dtype", R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", 2, "dtype F16");
    row("shape no list", R"({"a":{"dtype":"F32","shape":1,"data_offsets":[0,4]}})", 4, "shape is not a list");
    row("negative extent", R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "whole numbers");
    row("broken extent", R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "whole numbers");
    row("extents that overflow", R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0,
        "too large");
    row("product that overflows", R"({"a":{"dtype":"F32","shape":[65536,65536,65536,65536],"data_offsets":[0,0]}})", 0,
        "too large");
    row("many dimensions", R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})",
        4, "at most 16 extents");
    row("one offset", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4]}})", 4, "two ascending");
    row("offsets turned round", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "two ascending");
    row("negative offset", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}})", 4, "two ascending");
    row("shape and offsets at odds", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
        "of 8 bytes by its shape and 4 by its offsets");
    row("hole in front", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8, "byte 0 comes next");
    row("hole between",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
        12, "byte 4 comes next");
    row("overlap",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
        8, "byte 8 comes next");
    row("the same bytes",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        4, "byte 4 comes next");
    row("too little data", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 7, "7 bytes of data");
    row("too much data", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 9, "9 bytes of data");
    row("data without a tensor", "{}", 4, "4 bytes of data");
    row("metadata no object", R"({"__metadata__":1})", 0, "__metadata__ that is not an object");
    row("metadata no string", R"({"__metadata__":{"a":1}})", 0, "'a' that is not a string");
  }
  void refuses() {
    QFETCH(QByteArray, header);
    QFETCH(int, dataBytes);
    QFETCH(QString, part);
    const std::string message = messageOf(bytesOf(header.toStdString(), static_cast<std::size_t>(dataBytes)));
    QVERIFY2(QString::fromStdString(message).contains(part), message.c_str());
    QVERIFY2(message.starts_with("'w.safetensors'") && message.ends_with('.'), message.c_str());
  }

  void lengthIsNotTrusted() {
    std::vector<std::uint8_t> bytes = bytesOf("{}", 0);
    bytes[0] = 3;
    QVERIFY(messageOf(bytes).find("ends inside its header") != std::string::npos);
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = 0xff;
    QVERIFY(messageOf(bytes).find("18446744073709551615 bytes") != std::string::npos);
    bytes.resize(7);
    QVERIFY(messageOf(bytes).find("too short") != std::string::npos);
    // A header beyond our limit is refused even when it is complete.
    const std::string padding((std::size_t{1} << 20) - 1, ' ');
    QVERIFY(messageOf(bytesOf("{}" + padding, 0)).find("at most 1 MiB") != std::string::npos);
  }

  void weightsRoundTrip() {
    const Layout layout = smallLayout();
    std::vector<float> weights;
    for (int i = 0; i < 9; ++i) weights.push_back(static_cast<float>(i));
    const TensorFile file = weightsToTensors(layout, weights);
    // Memory order is the reverse of creation order: the bias lies first.
    QVERIFY(file.tensors.at("conv/bias").values == (std::vector<float>{0, 1, 2}));
    QVERIFY(file.tensors.at("conv/kernel").values == (std::vector<float>{3, 4, 5, 6, 7, 8}));
    std::vector<float> back(9, -1);
    tensorsToWeights(file, layout, "w", back);
    QVERIFY(back == weights);
  }

  void wrongWeightsAreNamed_data() {
    QTest::addColumn<int>("fault");
    QTest::addColumn<QString>("part");
    QTest::newRow("missing") << 0 << "'w' has no tensor 'conv/bias' of shape (3)";
    QTest::newRow("extra") << 1 << "'w' has a tensor 'dense/bias' that this network does not have";
    QTest::newRow("another shape") << 2 << "'conv/kernel' of shape (3, 2) where this network's is (2, 3)";
    QTest::newRow("infinite") << 3 << "'conv/bias' whose element 1 is not a finite number";
    QTest::newRow("not a number") << 4 << "'conv/bias' whose element 2 is not a finite number";
  }
  void wrongWeightsAreNamed() {
    QFETCH(int, fault);
    QFETCH(QString, part);
    TensorFile file = weightsToTensors(smallLayout(), std::vector<float>(9, 1));
    if (fault == 0) file.tensors.erase("conv/bias");
    if (fault == 1) file.tensors["dense/bias"] = {{1}, {1}};
    if (fault == 2) file.tensors["conv/kernel"].shape = {3, 2};
    if (fault == 3) file.tensors["conv/bias"].values[1] = -std::numeric_limits<float>::infinity();
    if (fault == 4) file.tensors["conv/bias"].values[2] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> weights(9, 7);
    try {
      tensorsToWeights(file, smallLayout(), "w", weights);
      QFAIL("accepted");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains(part), error.what());
    }
    QVERIFY(weights == std::vector<float>(9, 7));
  }

  void goldenWeights() {
    const std::filesystem::path folder = referenceFolder();
    if (folder.empty()) QSKIP("the reference folder is not there (STRATEGYLAB_REFERENCE_DIR)");
    const TensorFile file = readSafetensors(folder / "golden" / "init-11.safetensors");
    std::multiset<std::vector<std::int64_t>> shapes;
    std::size_t parameters = 0;
    for (const auto& [name, tensor] : file.tensors) {
      shapes.insert(tensor.shape);
      parameters += tensor.values.size();
    }
    const std::multiset<std::vector<std::int64_t>> expected{{3, 3, 1, 32}, {32}, {5408, 64}, {64}, {64, 10}, {10}};
    QVERIFY(shapes == expected);
    QCOMPARE(parameters, std::size_t{347146});
  }
};

QTEST_GUILESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"

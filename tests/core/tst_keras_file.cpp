// SPDX-License-Identifier: GPL-3.0-or-later
// Keras's own files: what Keras has saved, a small file of each kind of layer with the predictions that Keras makes
// (tests/tensorflow/keras_files.py keep), and what is saved here; every way of breaking them; the program that reads
// HDF5, whose end is a sentence.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <zip.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/data/colour.h"
#include "core/keras/keras_file.h"
#include "core/keras/keras_json.h"
#include "core/keras/keras_order.h"
#include "core/model/cnn.h"
#include "core/model/layer_pass.h"
#include "core/options/keras_notes.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/selftest/reference.h"
#include "core/training/build.h"
#include "tests/support/refusal.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

namespace {

const fs::path kKeptFiles = fs::path(STRATEGYLAB_SOURCE_DIR) / "tests/core/keras";
constexpr std::int64_t kExamples = 3, kMost = 1 << 20;

using Content = std::vector<std::uint8_t>;

void write(const fs::path& path, const Content& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct Model {
  NeuralNetwork network;
  std::vector<float> weights, statistics;
};

Model read(const fs::path& path) {
  NeuralNetwork network = parseKerasJson(readKerasConfig(path), "kept", path.string());
  std::vector<float> weights(static_cast<std::size_t>(network.layout().size()));
  std::vector<float> statistics(static_cast<std::size_t>(network.statistics().size()));
  const TensorFile file = readKerasWeights(path, network);
  tensorsToWeights(file, network.layout(), path.string(), weights, network.statistics());
  tensorsToWeights(file, network.statistics(), path.string(), statistics, network.layout());
  return {std::move(network), std::move(weights), std::move(statistics)};
}

TensorFile tensorsOf(const Model& model) {
  TensorFile file = weightsToTensors(model.network.layout(), model.weights);
  file.tensors.merge(weightsToTensors(model.network.statistics(), model.statistics).tensors);
  return file;
}

// The model's output for the pixels that keras_files.py makes by the same formula: softmax probabilities, or logits.
std::vector<double> predictions(Model& model) {
  const std::unique_ptr<Backend> backend = makeReferenceBackend();
  Activations activations;
  activations.reserve(model.network, kExamples, Precision::Float32);
  const std::int64_t size = model.network.inputSize();
  for (std::int64_t i = 0; i < kExamples; ++i)
    for (std::int64_t j = 0; j < size; ++j)
      activations.images[i * size + j] = static_cast<float>((131 * i + 37 * j + 11 * (j / 7)) % 256) / 255.0F;
  for (std::uint8_t& label : activations.labels.span()) label = 0;
  std::vector<float> gradients(model.weights.size());
  LayerPass pass(*backend, model.network, Precision::Float32,
                 {.examples = kExamples,
                  .weights = model.weights.data(),
                  .statistics = model.statistics.data(),
                  .training = false},
                 activations, gradients.data());
  while (!pass.run()) {
  }
  std::vector<double> all;
  for (std::int64_t i = 0; i < kExamples; ++i) {
    std::vector<double> row(activations.logits.data() + i * 10, activations.logits.data() + (i + 1) * 10);
    double sum = 0;
    for (const double value : row) sum += std::exp(value);
    for (const double value : row) all.push_back(model.network.layers().back().softmax ? std::exp(value) / sum : value);
  }
  return all;
}

}  // namespace

class TestKerasFile : public QObject {
  Q_OBJECT

 private slots:
  void keptFilesPredictAsInKeras_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QJsonArray>("wanted");
    QFile kept(QString::fromStdString((kKeptFiles / "predictions.json").string()));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QJsonObject all = QJsonDocument::fromJson(kept.readAll()).object();
    QCOMPARE(all.size(), qsizetype{23});
    for (const QString& name : all.keys()) QTest::addRow("%s", qPrintable(name)) << name << all[name].toArray();
  }
  void keptFilesPredictAsInKeras() {
    QFETCH(QString, file);
    QFETCH(QJsonArray, wanted);
    Model model = read(kKeptFiles / (file.toStdString() + ".keras"));
    const auto check = [&wanted](Model& which) {
      const std::vector<double> ours = predictions(which);
      for (int i = 0; i < kExamples; ++i)
        for (int c = 0; c < 10; ++c) {
          const double value = wanted[i].toArray()[c].toDouble();
          const double apart = std::abs(ours[static_cast<std::size_t>(10 * i + c)] - value);
          QVERIFY2(apart <= 1e-5 * std::max(1.0, std::abs(value)), qPrintable(QString::number(apart)));
        }
    };
    check(model);
    // A model saved here and opened again has the same network and the same bits, and saving gives the same bytes each
    // time.
    const QTemporaryDir dir;
    const fs::path once = dir.filePath("once.keras").toStdString(), again = dir.filePath("again.keras").toStdString();
    writeKerasFile(once, model.network, tensorsOf(model), {OptimizerKind::Sgd, 0.01, 0.9});
    Model saved = read(once);
    const NeuralNetwork ordered = inKerasOrder(model.network).network;
    QVERIFY(saved.network == ordered);
    if (ordered == model.network)
      QVERIFY(sameBits(saved.weights, model.weights) && sameBits(saved.statistics, model.statistics));
    else
      QCOMPARE(file, QString("graph-parallel"));
    check(saved);
    writeKerasFile(again, saved.network, tensorsOf(saved), {OptimizerKind::Sgd, 0.01, 0.9});
    QVERIFY(readFile(once, kMost) == readFile(again, kMost));
  }

  // A file of Keras's lists parallel convolutions in another order than a file that is saved of it here.
  void weightsGoToTheirLayersWhateverTheOrder() {
    const fs::path kept = kKeptFiles / "graph-parallel.keras";
    const Model model = read(kept);
    const QTemporaryDir dir;
    const fs::path path = dir.filePath("saved.keras").toStdString();
    writeKerasFile(path, model.network, tensorsOf(model), {OptimizerKind::Sgd, 0.01, 0.9});
    const Model saved = read(path);
    QVERIFY(!(saved.network == model.network));
    QVERIFY(!sameBits(saved.weights, model.weights));
    const auto weightsFor = [](const NeuralNetwork& network, const fs::path& file) {
      std::vector<float> weights(static_cast<std::size_t>(network.layout().size()));
      tensorsToWeights(readKerasWeights(file, network), network.layout(), file.string(), weights);
      return weights;
    };
    QVERIFY(sameBits(weightsFor(model.network, path), model.weights));
    QVERIFY(sameBits(weightsFor(saved.network, kept), saved.weights));
  }

  // Nearly as many layers as a network may have: what can be saved can be opened again.
  void aLongChainComesBack() {
    std::vector<NetworkLayer> layers;
    for (int i = 0; i < 1010; ++i)
      layers.push_back({.name = i == 0 ? "dense" : "dense_" + std::to_string(i), .units = 2});
    Model model{NeuralNetwork("long", {2}, layers), {}, {}};
    model.weights.resize(static_cast<std::size_t>(model.network.layout().size()));
    model.network.initialize(1, model.weights);
    const QTemporaryDir dir;
    const fs::path path = dir.filePath("long.keras").toStdString();
    writeKerasFile(path, model.network, tensorsOf(model), {OptimizerKind::Sgd, 0.01, 0.9});
    const Model again = read(path);
    QVERIFY(again.network == model.network);
    QVERIFY(sameBits(again.weights, model.weights));
  }

  void broken_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const Content whole = readFile(kKeptFiles / "dense.keras", kMost);
    const auto row = [](const char* name, const Content& bytes, const char* says) {
      QTest::addRow("%s", name) << QByteArray(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes)) << says;
    };
    const auto renamed = [&whole](std::string_view part) {
      Content bytes = whole;
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) bytes[at] = 'x';
      return bytes;
    };
    Content config = whole;
    const std::string_view text(reinterpret_cast<const char*>(whole.data()), whole.size());
    config[text.find("Sequential")] ^= 1;
    Content weights = whole;
    weights[text.find("\x89HDF") + 5000] ^= 1;
    row("empty", {}, "it has no config.json");
    row("another kind", Content(2000, 'x'), "it cannot be opened as a zip file");
    row("cut", Content(whole.begin(), whole.begin() + std::ssize(whole) / 2), "it cannot be opened as a zip file");
    row("no config", renamed("config.json"), "it has no config.json");
    row("no weights", renamed("model.weights.h5"), "it has no model.weights.h5");
    row("config damaged", config, "its config.json cannot be read");
    row("weights damaged", weights, "its model.weights.h5 cannot be read");
  }
  void broken() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const Content bytes(content.begin(), content.end());
    const QString why = refusal([&] { (void)kerasPartsOf(bytes, "broken.keras"); });
    QVERIFY2(why.contains(says) && why.contains("'broken.keras'"), qPrintable(why));
    const QTemporaryDir dir;
    const fs::path path = dir.filePath("broken.keras").toStdString();
    write(path, bytes);
    QVERIFY(!refusal([&] { (void)read(path); }).isEmpty());
  }

  // Damage that the zip's checksum would find is given directly to the program that reads HDF5.
  void brokenWeights() {
    const Content weights = kerasPartsOf(readFile(kKeptFiles / "dense.keras", kMost), "dense").weights;
    QCOMPARE(tensorsOfHdf5(weights, "w").tensors.size(), std::size_t{2});
    QVERIFY(refusal([] { (void)tensorsOfHdf5({}, "w"); }).contains("not an HDF5 file"));
    QVERIFY(refusal([] { (void)tensorsOfHdf5(Content(5000, 'x'), "w"); }).contains("not an HDF5 file"));
    QVERIFY(refusal([] { (void)tensorsOfHdf5(hdf5OfTensors({}, {}), "w"); }).isEmpty());
    Content other = weights;
    for (std::size_t at = 0; at + 6 < other.size(); ++at)
      if (std::memcmp(other.data() + at, "layers", 6) == 0) other[at + 5] = 'z';
    QVERIFY(refusal([&] { (void)tensorsOfHdf5(other, "w"); }).contains("no group 'layers'"));
    // Whatever the damage, the result is tensors or a message.
    for (std::size_t at = 0; at < weights.size(); at += weights.size() / 40 + 1) {
      Content cut(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(at));
      QVERIFY(!refusal([&] { (void)tensorsOfHdf5(cut, "w"); }).isEmpty());
      Content flipped = weights;
      flipped[at] ^= 0xff;
      (void)refusal([&] { (void)tensorsOfHdf5(flipped, "w"); });
    }
  }

  // A few hundred kilobytes that unpack to much: no more is unpacked than a file of this network may have, and HDF5's
  // library does not see what is not of its kind.
  void weightsThatUnpackToMuchAreRefused() {
    const QTemporaryDir dir;
    const fs::path path = dir.filePath("much.keras").toStdString();
    const std::string config = kerasJson(mlpNetwork());
    const auto refused = [&](const Content& weights) {
      fs::remove(path);
      zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
      if (archive == nullptr) return QString();
      const auto add = [archive](const char* name, const void* bytes, std::size_t size) {
        const zip_int64_t at = zip_file_add(archive, name, zip_source_buffer(archive, bytes, size, 0), 0);
        return at >= 0 && zip_set_file_compression(archive, static_cast<zip_uint64_t>(at), ZIP_CM_DEFLATE, 1) == 0;
      };
      const bool added =
          add("config.json", config.data(), config.size()) && add("model.weights.h5", weights.data(), weights.size());
      if (zip_close(archive) != 0 || !added) return QString();
      return refusal([&] { (void)read(path); });
    };
    QVERIFY2(refused(Content(1 << 20, 0)).contains("not an HDF5 file"), qPrintable(refused(Content(1 << 20, 0))));
    QVERIFY(refused({}).contains("not an HDF5 file"));
    Content much(std::size_t{80} << 20, 0);
    std::memcpy(much.data(), "\x89HDF\r\n\x1a\n", 8);
    const QString why = refused(much);
    QVERIFY2(why.contains("the weights of the chosen network"), qPrintable(why));
  }

  // Made with h5py: links and data in other files, and a dataset of a terabyte that takes no space.
  void hostileWeights() {
    int files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(kKeptFiles / "hostile")) {
      const QString why = refusal([&] { (void)tensorsOfHdf5(readFile(entry.path(), kMost), "w"); });
      const bool foreign = entry.path().filename().string().starts_with("foreign");
      QVERIFY2(why.contains(foreign ? "point to other files" : "more memory"), entry.path().c_str());
      ++files;
    }
    QCOMPARE(files, 7);
  }

  void whatEndsTheProgramIsASentence() {
    const QTemporaryDir dir;
    const fs::path program = dir.filePath("program").toStdString();
    const auto saying = [&program](const std::string& script) {
      std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
      fs::permissions(program, fs::perms::owner_all);
      qputenv("STRATEGYLAB_HDF5", program.c_str());
      const QString why = refusal([] { (void)tensorsOfHdf5(Content(100, 'x'), "w"); });
      qunsetenv("STRATEGYLAB_HDF5");
      return why;
    };
    QVERIFY(saying("kill -SEGV $$").contains("crashed while it read the weights (signal 11)"));
    QVERIFY(saying("kill -KILL $$").contains("took longer than 60 s"));
    QVERIFY(saying("exit 5").contains("more memory"));
    QVERIFY(saying("exit 6").contains("point to other files"));
    QVERIFY(saying("exit 99").contains("cannot read its weights"));
    QVERIFY(!saying("echo nothing of the kind").isEmpty());
    fs::remove(program);
    qputenv("STRATEGYLAB_HDF5", program.c_str());
    QVERIFY(refusal([] { (void)tensorsOfHdf5(Content(100, 'x'), "w"); }).contains("is missing"));
    qunsetenv("STRATEGYLAB_HDF5");
  }

  void limitsHold() {
    const ProcessLimits limits{.memoryBytes = 64 << 20, .outputBytes = 1000, .seconds = 1};
    const auto shell = [&limits](const char* script, const Content& input = {}) {
      return runLimited({"/bin/sh", "-c", script}, input, limits);
    };
    const Content text{'a', 'b', 'c'};
    const LimitedRun echoed = shell("cat; exit 3", text);
    QVERIFY(echoed.end == LimitedRun::End::Exited && echoed.code == 3 && echoed.output == text);
    QVERIFY(shell("while :; do :; done").end == LimitedRun::End::TooLong);
    QVERIFY(shell("exec sleep 1000").end == LimitedRun::End::TooLong);
    const LimitedRun much = shell("exec cat /dev/zero");
    QVERIFY(much.end == LimitedRun::End::Crashed && much.code == SIGXFSZ);
    const LimitedRun memory = shell("exec tail -c 200000000 /dev/zero");  // tail keeps these bytes in memory
    QVERIFY(memory.end != LimitedRun::End::Exited || memory.code != 0);
    QVERIFY(!refusal([&] { (void)runLimited({"/no/such/program"}, {}, limits); }).isEmpty());
  }

  void aRunTakesItsNetworkAndWeightsFromOneFile() {
    const QTemporaryDir dir;
    const std::string first = dir.filePath("first.keras").toStdString(), last = dir.filePath("l.keras").toStdString();
    const Settings settings{{"dataset", "colour"}, {"network", "cifar10"},     {"strategy", "mirrored"},
                            {"replicas", "2"},     {"batch-per-replica", "8"}, {"steps", "2"},
                            {"eval-every", "0"}};
    const std::shared_ptr<const Dataset> examples = firstExamples(colourDigits(), 64, 16);
    const Outcome outcome = train(configOf(with(settings, {{"save", first}})), examples);
    const RunSettings config = configOf(with(settings, {{"network", first}, {"save", last}}));
    const ResolvedSettings resolved = resolve(config);
    QCOMPARE(resolved.init, first);
    QVERIFY(*networkOf(resolved) == cifar10Network());
    QVERIFY(sameBits(initialWeights(resolved), outcome.weights));
    const Outcome more = train(config, examples);
    QVERIFY(sameBits(read(last).weights, more.weights));
    // Resolving again gives the same; if another network is chosen, this file's weights are not taken along.
    QCOMPARE(resolve(resolved.asked()).init, first);
    RunSettings other = resolved.asked();
    other.network = "auto";
    QCOMPARE(resolve(other).init, std::string());
    // The data that was read stays, even after the file is gone.
    fs::remove(first);
    QVERIFY(*networkOf(resolved) == cifar10Network());
    QVERIFY(refusal([&] { (void)initialWeights(resolved); }).contains("first.keras"));
    QVERIFY(!refusal([&] { (void)resolve(config); }).isEmpty());
    // Weights of another network are refused.
    const RunSettings wrong = configOf({{"network", "mlp"}, {"init", (kKeptFiles / "dense.keras").string()}});
    const QString why = refusal([&] { (void)initialWeights(resolve(wrong)); });
    QVERIFY2(why.contains("dense"), qPrintable(why));
  }

  void aPipeIsNotWaitedFor() {
    const QTemporaryDir folder;
    const fs::path pipe = folder.filePath("pipe.keras").toStdString();
    if (::mkfifo(pipe.c_str(), 0600) != 0) QSKIP("no pipes here");
    QVERIFY(refusal([&] { (void)readKerasConfig(pipe); }).contains("not a regular file"));
  }

  // Neither by a setting that a link may contain.
  void noSettingWaitsForAPipe() {
    const QTemporaryDir folder;
    const fs::path pipe = folder.filePath("pipe").toStdString();
    if (::mkfifo(pipe.c_str(), 0600) != 0) QSKIP("no pipes here");
    for (const char* setting : {"network", "catalogue", "init"})
      for (const std::string& file : {pipe.string(), std::string("/dev/zero")}) {
        const auto use = [&] { (void)initialWeights(resolve(configOf({{setting, file}}))); };
        QVERIFY2(isRefused(use, say::fileIsSpecial), setting);
        QVERIFY(refusal(use).contains(QString::fromStdString(file)));
      }
  }

  void olderFormsAreNamed() {
    const QTemporaryDir folder;
    const fs::path model = folder.filePath("model.h5").toStdString(), saved = folder.filePath("saved").toStdString();
    write(model, {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 0});
    fs::create_directory(saved);
    write(saved / "saved_model.pb", {8, 1});
    const auto opened = [](const char* setting, const fs::path& path) {
      return refusal([&] { (void)initialWeights(resolve(configOf({{setting, path.string()}}))); });
    };
    for (const char* setting : {"network", "init"}) {
      QVERIFY2(opened(setting, model).contains("an HDF5 file"), qPrintable(opened(setting, model)));
      QVERIFY2(opened(setting, saved).contains("a SavedModel"), qPrintable(opened(setting, saved)));
      QVERIFY(opened(setting, saved / "saved_model.pb").contains("model.save('NAME.keras')"));
    }
  }

  void whatIsNotTakenIsSaid() {
    const auto notes = [](const Settings& settings) {
      std::string all;
      for (const Message& note : notTakenOfKeras(configOf(settings))) all += format(note) + "|";
      return QString::fromStdString(all);
    };
    const QTemporaryDir dir;
    const std::string saved = dir.filePath("saved.keras").toStdString();
    const Model model = read(kKeptFiles / "dense.keras");
    writeKerasFile(saved, model.network, tensorsOf(model), {OptimizerKind::Sgd, 0.5, 0.9});
    const Settings same{{"network", saved}, {"optimizer", "sgd"}, {"learning-rate", "0.5"}, {"momentum", "0.9"}};
    QCOMPARE(notes(same), QString());
    QVERIFY(notes(with(same, {{"learning-rate", "0.1"}})).contains("optimizer SGD and the loss SparseCategorical"));
    QVERIFY(notes(with(same, {{"optimizer", "adam"}, {"momentum", "0"}})).contains("saved.keras"));
    QVERIFY(notes({{"network", (kKeptFiles / "rescaling.keras").string()}}).contains("pixels from 0 to 1"));
    QCOMPARE(notes({{"network", (kKeptFiles / "dense.keras").string()}}), QString());
  }

  void unknownLayersAreNamed() {
    const std::string config = readKerasConfig(kKeptFiles / "rescaling.keras");
    const auto with = [&config](const std::string& from, const std::string& to) {
      std::string text = config;
      const std::size_t at = text.rfind(from);
      if (at != std::string::npos) text.replace(at, from.size(), to);
      return refusal([&] { (void)parseKerasJson(text, "n", "model.keras"); });
    };
    QCOMPARE(with("nothing", "to replace"), QString());
    const QString unknown = with("\"class_name\": \"Dense\"", "\"class_name\": \"LSTM\"");
    QVERIFY2(unknown.contains("layer 4") && unknown.contains("(LSTM)"), qPrintable(unknown));
    QVERIFY(with("0.00392156862745098", "0.5").contains("scale 1/255"));
    const std::string pooling = readKerasConfig(kKeptFiles / "max-pooling.keras");
    for (const char* key : {"\"strides\": [", "\"pool_size\": ["}) {
      std::string text = pooling;
      const std::size_t at = text.find(key);
      QVERIFY(at != std::string::npos);
      text.replace(at + std::strlen(key), 1, "0");
      const QString zero = refusal([&] { (void)parseKerasJson(text, "n", "model.keras"); });
      QVERIFY2(zero.contains("(MaxPooling2D)") && zero.contains("is [0,2]"), qPrintable(zero));
    }
    // Two of them are 1 / 65025; and what is rescaled in another type is rounded.
    const std::size_t begin = config.rfind('{', config.find("\"Rescaling\""));
    const std::size_t end = config.find("\"Flatten\"");
    const std::string layer = config.substr(begin, config.rfind('{', end) - begin);
    QVERIFY(with(layer, layer + layer).contains("only once"));
    QVERIFY(with(layer, QString::fromStdString(layer).replace("float32", "float16").toStdString()).contains("float16"));
    QVERIFY(with("\"name\": \"float32\"}", "\"name\": \"mixed_bfloat16\"}").contains("bfloat16"));
  }
};

QTEST_GUILESS_MAIN(TestKerasFile)
#include "tst_keras_file.moc"

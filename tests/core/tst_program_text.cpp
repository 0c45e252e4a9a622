// SPDX-License-Identifier: GPL-3.0-or-later
// The TensorFlow programs of `code`: each is a Python program, is the stored copy in tests/core/programs, tells every
// setting, and says of its lines what they do. That they train as we do is shown with TensorFlow by
// tests/tensorflow/check_programs.py. Stored whole is each strategy's loop (of tf.distribute's), and its `fit` where
// Keras runs it; every other program is stored as a diff against the nearest of the programs before it.
// STRATEGYLAB_UPDATE_PROGRAMS=1 writes the stored copies anew.
#include <QTest>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/codegen/messages.h"
#include "core/codegen/program.h"
#include "core/config/run_settings.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "tests/support/line_diff.h"
#include "tests/support/patience.h"
#include "tests/support/refusal.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

// Independent of this machine: neither its GPUs nor its number of cores.
ResolvedSettings resolved(const Settings& settings) {
  RunSettings config = configOf(settings);
  if (config.devices == DeviceChoice::Auto) config.devices = DeviceChoice::Simulated;
  return resolve(config);
}

struct Case {
  Settings settings;
  ProgramOptions options;
};

const Settings kManySettings{{"replicas", "3"},
                             {"reducer", "one-device"},
                             {"global-batch", "100"},
                             {"shuffle-buffer", "0"},
                             {"train-examples", "5000"},
                             {"optimizer", "sgd"},
                             {"learning-rate", "0.05"},
                             {"momentum", "0.9"},
                             {"lr-scaling", "sqrt"},
                             {"warmup-epochs", "0.5"},
                             {"checkpoint-dir", "backup"},
                             {"checkpoint-every", "50"},
                             {"save", "w.safetensors"},
                             {"eval-every", "20"},
                             {"init", "init.safetensors"},
                             {"loss-scaling", "loop"},
                             {"seed", "7"},
                             {"epochs", "3"},
                             {"test-examples", "100"}};

std::map<std::string, Case> makeCases() {
  std::map<std::string, Case> all;
  const auto addFour = [&all](const std::string& name, const Settings& settings) {
    for (const bool loop : {false, true})
      for (const bool check : {false, true}) {
        Settings each = settings;
        if (check) each.emplace_back("data-dir", "mnist");
        all[name + (loop ? "-loop" : "-fit") + (check ? "-check" : "")] = {each, {loop, check}};
      }
  };
  for (const StrategyInfo& info : strategies()) addFour(info.key, {{"strategy", info.key}});
  addFour("mirrored-many-settings", with(kManySettings, {{"strategy", "mirrored"}}));
  addFour("multi-worker-mirrored-four-files", {{"strategy", "multi-worker-mirrored"},
                                               {"replicas", "4"},
                                               {"reducer", "ring"},
                                               {"bytes-per-pack", "1048576"},
                                               {"split", "file"},
                                               {"files", "4"},
                                               {"steps", "100"},
                                               {"checkpoint-dir", "backup"},
                                               {"resume", "true"}});
  addFour("parameter-server-three-workers", {{"strategy", "parameter-server"},
                                             {"replicas", "3"},
                                             {"parameter-servers", "2"},
                                             {"partitioner", "min-size:1024"},
                                             {"steps", "100"},
                                             {"dataset", "fashion-mnist"}});
  return all;
}

const std::map<std::string, Case>& cases() {
  static const std::map<std::string, Case> all = makeCases();
  return all;
}

QString folderOfCopies() {
  return QStringLiteral(STRATEGYLAB_SOURCE_DIR) + "/tests/core/programs";
}

Program programOf(const Case& each) {
  return makeProgram(resolved(each.settings), each.options);
}

QByteArray textOf(const Case& each) {
  return QByteArray::fromStdString(programOf(each).text());
}

using Kind = NetworkLayer::Kind;

// Returns the program of a network from a file in Keras's JSON.
QByteArray textOfNetwork(const std::string& json, const Settings& more, bool check) {
  const QTemporaryDir dir;
  const std::string path = dir.filePath("model.json").toStdString();
  std::ofstream(path) << json;
  return textOf({with({{"dataset", "mnist"}, {"network", path}}, more), {false, check}});
}

bool isBeyondTensorFlow(const Case& each) {
  return strategyInfo(resolved(each.settings).strategy).beyondTensorFlow;
}

bool isStoredWhole(const Case& each) {
  if (each.settings.size() > 1 || each.options.check) return false;  // a variant
  if (isBeyondTensorFlow(each)) return false;                        // only the nearest strategy, with a note
  return each.options.loop || !programOf(each).loop;
}

// Names in an order in which a diff's base comes before the diff.
std::vector<std::string> inOrder() {
  std::vector<std::string> names;
  const std::map<std::string, Case>& all = cases();
  for (const auto& [name, each] : all) names.push_back(name);
  std::ranges::stable_sort(names, {}, [&all](const std::string& name) {
    const Case& each = all.at(name);
    return std::tuple(isBeyondTensorFlow(each), !isStoredWhole(each), each.options.check);
  });
  return names;
}

QString storedName(const std::string& name) {
  return QString::fromStdString(name) + (isStoredWhole(cases().at(name)) ? ".py" : ".diff");
}

// The text as a file of programs/ stores it. A diff's first line names its base.
QByteArray storedForm(const std::string& name) {
  const std::map<std::string, Case>& all = cases();
  const QByteArray text = textOf(all.at(name));
  if (isStoredWhole(all.at(name))) return text;
  std::optional<QByteArray> nearest;
  for (const std::string& base : inOrder()) {
    if (base == name) break;
    const QByteArray diff = "--- " + QByteArray::fromStdString(base) + "\n" + lineDiff(textOf(all.at(base)), text);
    if (!nearest || differingLines(diff) < differingLines(*nearest)) nearest = diff;
  }
  return nearest.value_or(QByteArray());
}

QByteArray contentOf(const QString& name) {
  QFile file(folderOfCopies() + "/" + name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The stored copy, restored from its bases; nullopt if that is impossible.
std::optional<QByteArray> storedText(const std::string& name) {
  const std::map<std::string, Case>& all = cases();
  if (all.count(name) == 0) return std::nullopt;
  const QByteArray content = contentOf(storedName(name));
  if (content.isEmpty()) return std::nullopt;
  if (isStoredWhole(all.at(name))) return content;
  const qsizetype head = content.indexOf('\n');
  const std::string base = content.mid(4, head - 4).toStdString();
  const std::vector<std::string> names = inOrder();
  if (!content.startsWith("--- ") || std::ranges::find(names, base) >= std::ranges::find(names, name))
    return std::nullopt;
  const std::optional<QByteArray> text = storedText(base);
  return text ? patched(*text, content.mid(head + 1)) : std::nullopt;
}

bool has(const Program& program, ProgramBeat beat) {
  return std::ranges::any_of(program.lines, [beat](const ProgramLine& line) {
    return std::ranges::find(line.beats, beat) != line.beats.end();
  });
}

// For each field, a value other than its default.
std::map<std::string, std::string> otherValues() {
  std::map<std::string, std::string> values{{"strategy", "central-storage"},
                                            {"replicas", "4"},
                                            {"hosts", "4"},
                                            {"partitioner", "fixed:2"},
                                            {"wire", "bfloat16"},
                                            {"reducer", "nccl"},
                                            {"worker-devices", "cuda"},
                                            {"device-model", "a100"},
                                            {"link", "pcie3_x16"},
                                            {"matmul", "bfloat16"},
                                            {"slow", "1:2"},
                                            {"slow-link", "1:2"},
                                            {"host-link", "ib_edr"},
                                            {"network", "mlp"},
                                            {"dataset", "digits"},
                                            {"network", "mlp"},
                                            {"data-dir", "/data"},
                                            {"split", "file"},
                                            {"auto-shard", "off"},
                                            {"optimizer", "sgd"},
                                            {"lr-scaling", "linear"},
                                            {"loss-scaling", "loop"},
                                            {"devices", "cpu"},
                                            {"seed", "2"},
                                            {"learning-rate", "0.5"},
                                            {"warmup-epochs", "2"},
                                            {"global-batch", "100"},
                                            {"threads", "731"},
                                            {"shuffle-buffer", "9"}};
  for (const StrategyInfo& info : strategies())
    for (const OwnSetting& own : info.settings) values.emplace(own.name, anotherValueOf(own));
  return values;
}

}  // namespace

class TestProgramText : public QObject {
  Q_OBJECT

 private slots:
  void programsAreTheStoredCopies_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, each] : cases()) QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
  }
  void programsAreTheStoredCopies() {
    QFETCH(QString, name);
    const QByteArray text = textOf(cases().at(name.toStdString()));
    if (qEnvironmentVariableIsSet("STRATEGYLAB_UPDATE_PROGRAMS")) {
      QFile file(folderOfCopies() + "/" + storedName(name.toStdString()));
      const QByteArray form = storedForm(name.toStdString());
      QVERIFY(QDir(folderOfCopies()).exists() && file.open(QIODevice::WriteOnly));
      QCOMPARE(file.write(form), form.size());
      return;
    }
    const std::optional<QByteArray> copy = storedText(name.toStdString());
    QVERIFY2(copy,
             qPrintable(storedName(name.toStdString()) + " is missing, or it or a base of it does not fit its base"));
    const QList<QByteArray> stored = copy->split('\n'), now = text.split('\n');
    for (qsizetype i = 0; i < std::min(stored.size(), now.size()); ++i)
      QVERIFY2(stored[i] == now[i],
               "line " + QByteArray::number(i + 1) + " was:\n" + stored[i] + "\nand is:\n" + now[i]);
    QCOMPARE(now.size(), stored.size());
  }

  // Keras's optimizers do not accept whole numbers as rates.
  void ratesAreFloats() {
    for (const auto& [rate, line] : {std::pair{"100", "LEARNING_RATE = 100.0\n"},
                                     {"0", "LEARNING_RATE = 0.0\n"},
                                     {"1e-5", "LEARNING_RATE = 1e-05\n"},
                                     {"0.5", "LEARNING_RATE = 0.5\n"}}) {
      const QByteArray text = textOf({{{"learning-rate", rate}}, {}});
      QVERIFY2(text.contains(line), rate);
    }
  }

  void noStoredCopyIsLeftOver() {
    QStringList names;
    for (const auto& [name, each] : cases()) names << storedName(name);
    names.sort();
    QStringList stored = QDir(folderOfCopies()).entryList(QDir::Files);
    stored.sort();
    QCOMPARE(stored, names);
  }

  // A diff restores its text, and fits no other base.
  void diffsAreWhole() {
    const QByteArray base = "a\nb\nc\nd\n";
    for (const QByteArray& text :
         {base, QByteArray(), QByteArray("x"), QByteArray("a\nb\nd\n"), QByteArray("\n-a\nb\n"),
          QByteArray("x\na\nb\nc\nd\ny\n"), QByteArray("d\nc\nb\na\n")}) {
      const QByteArray diff = lineDiff(base, text);
      QCOMPARE(patched(base, diff), std::optional(text));
      QCOMPARE(diff.isEmpty(), text == base);
      if (diff.contains("\n-")) QVERIFY(!patched("1\n2\n3\n4\n", diff));
    }
    QCOMPARE(lineDiff(base, "a\nx\nc\nd\n"), QByteArray("@@ -2,1 +2,1 @@\n-b\n+x\n"));
    for (const char* damaged : {"nonsense\n", "@@ -2,2 +2,1 @@\n-b\n+x\n", "@@ -9,1 +9,0 @@\n-b\n", "-b\n"})
      QVERIFY(!patched(base, damaged));
  }

  // Python's own parser accepts each program; no line is over 120 columns, and no called function is left undefined.
  void pythonParsesEveryProgram() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("python3 is missing: the programs were not parsed");
    const QTemporaryDir folder;
    int index = 0;
    const auto write = [&](const Program& program) {
      QFile file(folder.filePath(QString::number(index++) + ".py"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray::fromStdString(program.text()));
    };
    for (const auto& [name, each] : cases()) write(programOf(each));
    for (const std::string& odd : {std::string("a\"b\\c\nd'"), std::string("\xff\xfe/ä"), std::string("{x}%1'''")})
      write(programOf({{{"checkpoint-dir", odd}, {"data-dir", odd}, {"init", odd}, {"save", odd}}, {true, false}}));
    for (const char* name :
         {"W\xfc.keras", "\xf0\x9f\x99\x82.keras", "\xf4\x90\x80\x80.keras", "\xf0\x80\x80\x80.keras"})
      for (const char* field : {"init", "save"}) write(programOf({{{field, name}}, {}}));
    for (const char* colours : {"cifar10", "colour"}) write(programOf({{{"dataset", colours}, {"data-dir", "d"}}, {}}));
    QProcess process;
    process.start(python, {"-c", R"(
import ast, builtins, pathlib, sys
for path in pathlib.Path(sys.argv[1]).iterdir():
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    known = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.alias): known.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)): known.add(node.name)
        elif isinstance(node, ast.arg): known.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load): known.add(node.id)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known: sys.exit(f"{node.id} is not defined in:\n{text}")
    for line in text.splitlines():
        if len(line) > 120: sys.exit("a line of more than 120 columns: " + line)
print("parsed", len(list(pathlib.Path(sys.argv[1]).iterdir())))
)",
                           folder.path()});
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.readAllStandardOutput(), "parsed " + QByteArray::number(index) + "\n");
  }

  // Every setting appears in the program: in a line, or in the comment on a setting without a counterpart.
  void everySettingIsTold() {
    const std::map<std::string, std::string> others = otherValues();
    for (const ConfigField& field : configFields()) {
      const std::string name = field.name;
      // Output files are not the program's matter; a catalogue's rows appear as the names of devices and links.
      if (name == "catalogue") continue;
      Settings base{{"strategy", field.strategies.empty() ? "mirrored" : field.strategies.front()}};
      if (name == "files") base.emplace_back("split", "file");
      if (name == "momentum") base.emplace_back("optimizer", "sgd");
      if (name == "hosts" || name == "host-link") base = {{"strategy", "multi-worker-mirrored"}, {"replicas", "4"}};
      if (name == "checkpoint-every" || name == "resume") base.emplace_back("checkpoint-dir", "backup");
      std::string value = "20";
      if (others.count(name) > 0) value = others.at(name);
      if (field.kind == ConfigField::Kind::Real && others.count(name) == 0) value = "0.25";
      if (field.kind == ConfigField::Kind::Flag) value = "true";
      if (field.kind == ConfigField::Kind::File && others.count(name) == 0) value = "file";
      Settings changed = base;
      if (name == "strategy") changed.clear();
      changed.emplace_back(name, value);
      bool told = false;
      for (const bool loop : {false, true})
        told = told || programOf({base, {loop, false}}).text() != programOf({changed, {loop, false}}).text();
      QVERIFY2(told, ("--" + name + " " + value).c_str());
    }
  }

  // Settings without effect under a strategy are mentioned too.
  void packsAreToldUnderEveryStrategy() {
    for (const StrategyInfo& info : strategies()) {
      const Settings base{{"strategy", info.key}};
      const std::string without = programOf({base, {true, false}}).text();
      QVERIFY2(programOf({with(base, {{"bytes-per-pack", "4096"}}), {true, false}}).text() != without,
               info.key.c_str());
    }
  }

  void linesSayWhatTheyDo() {
    using enum ProgramBeat;
    for (const auto& [name, each] : cases()) {
      const Program program = programOf(each);
      const bool server = !strategyInfo(resolved(each.settings).strategy).synchronous;
      for (const ProgramBeat beat : {Startup, Variables, Batch, Distribute, Pull, Forward, Backward, Aggregate, Update})
        QVERIFY2(has(program, beat), (name + " has no line of beat " + std::to_string(static_cast<int>(beat))).c_str());
      QVERIFY2(has(program, Losses), name.c_str());
      QCOMPARE(has(program, Evaluate), !each.options.check);
      QCOMPARE(has(program, Flow), server);
      for (const ProgramLine& line : program.lines) QVERIFY(line.text.find('\n') == std::string::npos);
    }
  }

  // fit is used where Keras 3 runs it; elsewhere the program says why it is a loop.
  void fitIsOnlyWhereItRuns() {
    const std::set<std::string> loops{"central-storage", "multi-worker-mirrored", "parameter-server"};
    for (const StrategyInfo& info : strategies()) {
      const Program fit = programOf({{{"strategy", info.key}}, {false, false}});
      const Program loop = programOf({{{"strategy", info.key}}, {true, false}});
      // Without a program of its own in TensorFlow a strategy has the nearest one, on several hosts that of workers.
      const std::string nearest = !info.synchronous       ? "parameter-server"
                                  : info.defaultHosts > 1 ? "multi-worker-mirrored"
                                                          : "mirrored";
      QCOMPARE(fit.loop, loops.contains(info.beyondTensorFlow ? nearest : info.key));
      QCOMPARE(fit.text().find("So this is the custom loop") != std::string::npos, fit.loop);
      QCOMPARE(fit.text().find("model.fit(") != std::string::npos, !fit.loop);
      QVERIFY(loop.loop && loop.text().find("strategy.run(train_step") != std::string::npos);
    }
  }

  // Parameter servers' workers are waited for at the end of an epoch: only there the program evaluates and saves.
  void whatEpochsOnlyCountIsTold() {
    const QByteArray text = textOf({{{"strategy", "parameter-server"},
                                     {"steps", "37"},
                                     {"eval-every", "10"},
                                     {"checkpoint-dir", "backup"},
                                     {"checkpoint-every", "5"}},
                                    {true, false}});
    QVERIFY2(!text.contains("_EVERY") && text.contains("--eval-every 10 has no counterpart") &&
                 text.contains("--checkpoint-every 5 has no counterpart"),
             text.constData());
    QVERIFY2(text.contains("\n    evaluate()\n") && text.contains("\n    manager.save()\n"), text.constData());
  }

  // Keras 3 counts batches across epochs; after a backup inside an epoch it begins the epoch again.
  void backupsAreToldAsKerasMakesThem() {
    const auto noteOf = [](const Settings& more) {
      QByteArray text = textOf({with({{"strategy", "default"}, {"checkpoint-dir", "backup"}}, more), {}});
      return text.replace("\n# ", " ");
    };
    const QByteArray counted = noteOf({{"checkpoint-every", "50"}}), epochs = noteOf({}),
                     one = noteOf({{"steps", "9"}});
    QVERIFY2(counted.contains("save_freq=CHECKPOINT_EVERY") && counted.contains("after every CHECKPOINT_EVERY of them"),
             counted.constData());
    QVERIFY2(counted.contains("begins the backup's epoch again"), counted.constData());
    for (const QByteArray& text : {epochs, one}) {
      QVERIFY2(text.contains("save_freq=\"epoch\"") && text.contains("goes on with the next epoch"), text.constData());
      QVERIFY2(!text.contains("epoch again"), text.constData());
    }
    QVERIFY(one.contains("steps_per_epoch=STEPS") && one.contains("so it saves once"));
    QVERIFY(!epochs.contains("so it saves once"));
  }

  void namesInFourByteSequencesAreText() {
    const QByteArray text = textOf({{{"save", "\xf0\x9f\x99\x82.keras"}}, {}});
    QVERIFY2(text.contains("model.save(\"\xf0\x9f\x99\x82.keras\")"), text.constData());
  }

  // A folder may have so few pictures that a first batch, of the test pictures too, is not full.
  void ownPicturesOfSeveralReplicasNeedTheLoop() {
    const Settings pictures{{"dataset", "colour"}, {"data-dir", "pets"}, {"strategy", "mirrored"}};
    QVERIFY(programOf({with(pictures, {{"replicas", "2"}}), {false, false}}).loop);
    QVERIFY(!programOf({with(pictures, {{"replicas", "1"}}), {false, false}}).loop);
  }

  void fewLinesChangeWithTheStrategy() {
    const auto telling = [](const char* strategy) {
      std::multiset<std::string> texts;
      for (const ProgramLine& line : programOf({{{"strategy", strategy}}, {true, false}}).lines)
        if (!line.aside && !line.text.starts_with('#')) texts.insert(line.text);
      return texts;
    };
    const std::multiset<std::string> before = telling("one-device"), after = telling("mirrored");
    std::vector<std::string> changed;
    std::ranges::set_difference(after, before, std::back_inserter(changed));
    QVERIFY2(changed.size() <= 3, std::to_string(changed.size()).c_str());
  }

  void seedsAreThoseThatNumPyTakes() {
    const Settings pictures{{"dataset", "colour"}, {"data-dir", "pets"}};
    for (const auto& [seed, told] : {std::pair{"4294967295", "SEED"}, {"5000000000", "SEED % 2**32"}}) {
      const QByteArray text = textOf({with(pictures, {{"seed", seed}}), {}});
      QVERIFY2(text.contains(QByteArray("SEED = ") + seed + ' '), text.constData());
      QVERIFY2(text.contains(QByteArray("set_random_seed(") + told + ")\n"), text.constData());
      QVERIFY2(text.contains(QByteArray("batch_size=None, seed=") + told + ','), text.constData());
    }
  }

  // Keras's own files too; its Fashion-MNIST is four IDX files.
  void programsReadWhatTrainReads() {
    const auto textWith = [](const char* dataset) {
      return textOf({{{"dataset", dataset}, {"data-dir", "/home/me/.keras/datasets"}}, {}});
    };
    QVERIFY(textWith("mnist").contains("mnist.npz") && textWith("auto").contains("mnist.npz"));
    QVERIFY(!textWith("fashion-mnist").contains("npz"));
    const QByteArray colours = textWith("cifar10");
    for (const char* part :
         {"\"cifar-10-batches-bin\"", "\"cifar-10-batches-py\"", "import pickle\n", "len(file.name)"})
      QVERIFY2(colours.contains(part), part);
  }

  // Own pictures are scaled to the network's input, whatever the data set's name.
  void ownPicturesHaveTheNetworksShape() {
    const Settings pictures{{"dataset", "colour"}, {"data-dir", "pets"}, {"split", "file"}, {"files", "2"}};
    const QByteArray newAxis = "[..., tf.newaxis]";
    const QByteArray grey = textOf({with(pictures, {{"network", "course"}}), {}});
    QVERIFY2(grey.contains("tf.reshape(content[:-1], (28, 28))") && grey.contains(newAxis), grey.constData());
    const QByteArray colour = textOf({with(pictures, {{"network", "cifar10"}}), {}});
    QVERIFY2(colour.contains("tf.reshape(content[:-1], (32, 32, 3))") && !colour.contains(newAxis), colour.constData());
    RunSettings large = configOf(with(pictures, {{"network", "large.json"}, {"devices", "simulated"}}));
    const NeuralNetwork network("large.json", {64, 48, 3},
                                {{.kind = NetworkLayer::Kind::Flatten, .name = "flatten"},
                                 {.kind = NetworkLayer::Kind::Dense, .name = "dense", .units = 2}});
    large.networkFile = {"large.json", kerasJson(network)};
    const std::string text = makeProgram(resolve(large), {}).text();
    QVERIFY2(text.find("tf.reshape(content[:-1], (64, 48, 3))") != std::string::npos, text.c_str());
  }

  // As the core's do, a normalisation's scale begins at 1.
  void aComparisonScalesByOne() {
    const NeuralNetwork network("n", {28, 28, 1},
                                {{.kind = Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3},
                                 {.kind = Kind::LayerNorm, .name = "layer_normalization"},
                                 {.kind = Kind::Flatten, .name = "flatten"},
                                 {.kind = Kind::Dense, .name = "dense", .units = 10}});
    const QByteArray text = textOfNetwork(kerasJson(network), {{"data-dir", "mnist"}}, true);
    QVERIFY2(text.contains("if i in [2] else initial_weights(i, shape) for i, shape in enumerate(shapes)"),
             text.constData());
  }

  // The program's gelu is a layer, so Keras lists the second convolution first.
  void weightsGoToTheirLayersInAnyOrder() {
    const NeuralNetwork network(
        "n", {28, 28, 1},
        {{.kind = Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3, .inputs = {-1}},
         {.kind = Kind::Conv2D, .name = "conv2d_1", .units = 4, .side = 3, .relu = true, .inputs = {-1}},
         {.kind = Kind::Add, .name = "add", .inputs = {0, 1}},
         {.kind = Kind::Flatten, .name = "flatten"},
         {.kind = Kind::Dense, .name = "dense", .units = 10}});
    std::string text = kerasJson(network);
    const auto program = [&text](const Settings& more, bool check) { return textOfNetwork(text, more, check); };
    QVERIFY(program({{"data-dir", "mnist"}}, true).contains("for i, shape in enumerate(shapes)"));
    QVERIFY(program({{"init", "w.keras"}}, false).contains("model.load_weights(INIT)"));
    text.replace(text.find("\"relu\""), 6, "\"gelu\"");
    QVERIFY(program({{"data-dir", "mnist"}}, true).contains("in zip([2, 3, 0, 1, 4, 5], shapes)"));
    QVERIFY(program({{"init", "w.safetensors"}}, false)
                .contains("names = [\"conv2d_1/kernel\", \"conv2d_1/bias\", \"conv2d/kernel\""));
    const QByteArray own = program({{"init", "w.keras"}}, false);
    QVERIFY(own.contains("given[i] for i in [2, 3, 0, 1, 4, 5]") && !own.contains("load_weights"));
  }

  // Keras shuffles the pictures anew for each pass: a second one has other labels.
  void ownPicturesAreReadOnce() {
    const QByteArray text = textOf({{{"dataset", "colour"}, {"data-dir", "pets"}}, {}});
    QVERIFY2(text.contains("= zip(*pictures)") && !text.contains("in pictures"), text.constData());
  }

  // evaluate() adds up all workers' answers; the test examples are in memory, where FILE finds nothing.
  void testExamplesAreSharedAmongTheWorkers() {
    const Settings workers{{"strategy", "multi-worker-mirrored"}, {"hosts", "2"}};
    const Settings files = with(workers, {{"split", "file"}, {"files", "4"}});
    const QByteArray test = "\ntest = test.map(scale).batch(GLOBAL_BATCH_SIZE)", own = ".with_options(options)";
    for (const Settings& of : {with(workers, {{"auto-shard", "off"}}), with(files, {{"auto-shard", "file"}})}) {
      const QByteArray text = textOf({of, {true, false}});
      QVERIFY2(text.contains(own + '\n') && text.contains(test + '\n'), text.constData());
    }
    for (const char* data : {"auto", "data"}) {
      const QByteArray text = textOf({with(workers, {{"auto-shard", data}}), {true, false}});
      QVERIFY2(text.contains(test + own + '\n'), text.constData());
    }
  }

  // A loop over the layers hands out the file's values, moving statistics among them; a value that it leaves would be
  // the next variable's.
  void aPartitionedNetworkTakesEveryValue() {
    const QByteArray text = textOf({{{"strategy", "parameter-server"},
                                     {"partitioner", "fixed:2"},
                                     {"network", "resnet20"},
                                     {"dataset", "cifar10"},
                                     {"init", "w.safetensors"}},
                                    {}});
    const auto listAfter = [&text](const char* before) {
      const qsizetype begin = text.indexOf(before);
      return begin < 0 ? QList<QByteArray>() : text.mid(begin, text.indexOf(']', begin) - begin).split('"');
    };
    const QList<QByteArray> taken = listAfter("for name in ["), values = listAfter("    names = [");
    QVERIFY2(values.size() > 3 && taken.contains("depthwise_kernel"), text.constData());
    for (qsizetype i = 1; i < values.size(); i += 2) {
      const QByteArray name = values[i].mid(values[i].lastIndexOf('/') + 1);
      QVERIFY2(taken.contains(name), name.constData());
    }
  }

  // StrategyLab numbers the folders that have pictures; Keras would number all, and take bmp and gif for pictures.
  void foldersWithoutPicturesAreNoClasses() {
    const QByteArray text = textOf({{{"dataset", "colour"}, {"data-dir", "pets"}}, {}});
    QVERIFY2(text.contains("class_names=classes,"), text.constData());
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("python3 is missing: the classes were not listed");
    const QTemporaryDir folder;
    for (const char* name :
         {"cats/a.png", "dogs/b.bmp", "empty/more/c.png", ".hidden/d.png", "zebras/E.JPG", "f.png"}) {
      QFile file(folder.filePath(name));
      QVERIFY(QDir().mkpath(QFileInfo(file).path()) && file.open(QIODevice::WriteOnly));
    }
    const qsizetype begin = text.indexOf("classes = sorted("), end = text.indexOf("\n#", begin);
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(python,
                  {"-c", "import pathlib\nDATA_DIR = '.'\n" + text.mid(begin, end - begin) + "\nprint(classes)"});
    QVERIFY(process.waitForFinished(kPatienceMs));
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("['cats', 'zebras']"));
  }

  // Sharded variables need Keras 2, whose fused kernel estimates the variance without bias.
  void keras2sMovingVarianceIsTold() {
    const Settings servers{{"strategy", "parameter-server"}, {"dataset", "cifar10"}};
    for (const auto& [partitioner, network, told] :
         {std::tuple{"fixed:2", "resnet20", true}, {"fixed:2", "cifar10", false}, {"none", "resnet20", false}}) {
      const QByteArray text = textOf({with(servers, {{"partitioner", partitioner}, {"network", network}}), {}});
      QVERIFY2(text.contains("BatchNormalization moves its variance") == told, text.constData());
    }
  }

  void aComparisonNeedsExamples() {
    try {
      (void)programOf({{{"dataset", "digits"}}, {false, true}});
      QFAIL("nothing was refused");
    } catch (const UserError& error) {
      QVERIFY2(std::string(error.what()).find("--data-dir") != std::string::npos, error.what());
    }
  }

  // TensorFlow takes others of them for testing.
  void aComparisonRefusesOwnPictures() {
    const Case pictures{{{"dataset", "colour"}, {"data-dir", "pets"}}, {false, true}};
    QVERIFY(isRefused([&] { (void)programOf(pictures); }, say::checkNotOnPictures));
  }
};

QTEST_APPLESS_MAIN(TestProgramText)
#include "tst_program_text.moc"

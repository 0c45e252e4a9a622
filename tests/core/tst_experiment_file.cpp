// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment files and links: saved files can be read again, unknown entries are kept, damaged files are refused in a
// sentence, and opening a file can never make the program write one.
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/files/experiment_file.h"
#include "core/files/messages.h"
#include "core/files/metric_json.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"

using namespace lab;

namespace {

std::string with(const std::string& config, const std::string& more = "", int version = 1) {
  return R"({"format":"strategylab-experiment","version":)" + std::to_string(version) + more + R"(,"config":)" +
         config + "}";
}

std::string failureOf(const std::string& text) {
  try {
    (void)parseExperiment(text, "a.slab");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

class TestExperimentFile : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everySettingComesBack() {
    RunSettings config;
    // Gives each setting an unusual value, as far as that is valid by itself.
    configField("strategy").set(config, "parameter-server");
    configField("replicas").set(config, "3");
    configField("learning-rate").set(config, "0.1");
    configField("slow").set(config, "1:2.5");
    configField("data-dir").set(config, "/tmp/a folder/ä");
    configField("seed").set(config, "77");
    ExperimentFile file;
    file.config = config;
    file.name = "a name";
    const ExperimentFile again = parseExperiment(experimentText(file, "1.2.3"), "x");
    QVERIFY(configToJson(again.config) == configToJson(config));
    QCOMPARE(again.name, file.name);
    QCOMPARE(again.program, std::string("1.2.3"));
    QVERIFY(configToJson(parseExperimentLink("look: " + experimentLink(config) + " !")) == configToJson(config));
    QVERIFY(experimentLink(config).find(' ') == std::string::npos);
    QCOMPARE(experimentLink({}), std::string("strategylab:?"));
  }

  void whatIsNotKnownIsKept() {
    const std::string text = with(R"({"replicas":4,"soon":{"a":[1,2]}})", R"(,"later":"kept")");
    const ExperimentFile file = parseExperiment(text, "x");
    QCOMPARE(file.unknown(), std::string("soon"));
    const auto again = nlohmann::json::parse(experimentText(file, "1"));
    QVERIFY(again.at("later") == "kept");
    QCOMPARE(again.at("config").at("soon").at("a").size(), std::size_t{2});
    QVERIFY(again.at("config").at("replicas") == 4);
  }

  // "my-network" would be a file that nobody has.
  void aLinkRefusesANetworkThatWasEdited() {
    RunSettings config;
    config.network = kEditedNetwork;
    config.networkFile = {kEditedNetwork, kerasJson(mlpNetwork())};
    try {
      (void)experimentLink(config);
      QFAIL("accepted");
    } catch (const UserError& error) {
      QVERIFY2(error.message().is(say::linkNoOwnNetwork), error.what());
    }
    config.network = "mlp";  // what was edited is not in use
    QCOMPARE(experimentLink(config), std::string("strategylab:?network=mlp"));
  }

  // The contents of a network's file come back, even if the file has been moved since.
  void aNetworksFileComesBack() {
    ExperimentFile file;
    file.config.network = "mine.json";
    file.config.networkFile = {"mine.json", kerasJson(mlpNetwork())};
    const ExperimentFile again = parseExperiment(experimentText(file, "1"), "x");
    QVERIFY(again.unknown().empty());
    QCOMPARE(again.config.networkFile.name, std::string("mine.json"));
    QCOMPARE(again.config.networkFile.layers, file.config.networkFile.layers);
  }

  // The window's view when the file was saved; unknown entries of it are kept too.
  void theViewComesBack() {
    ExperimentFile file;
    SavedView view;
    view.step = 200;
    view.beat = "aggregate";
    view.part = 0.25;
    view.layout = "explore";
    view.theme = "dark";
    view.mode = "live";
    view.others = {{"camera", {1, 2}}};
    file.view = view;
    const std::string text = experimentText(file, "1");
    const ExperimentFile again = parseExperiment(text, "x");
    QVERIFY(again.view.has_value());
    QCOMPARE(again.view->step, std::int64_t{200});
    QCOMPARE(again.view->beat, std::string("aggregate"));
    QCOMPARE(again.view->part, 0.25);
    QCOMPARE(again.view->layout, std::string("explore"));
    QCOMPARE(again.view->theme, std::string("dark"));
    QCOMPARE(again.view->mode, std::string("live"));
    QCOMPARE(experimentText(again, "1"), text);
    // A file of an earlier version has no view, and stays without one; a file may also have a part of a view.
    QVERIFY(!parseExperiment(with("{}"), "x").view.has_value());
    QVERIFY(experimentText(parseExperiment(with("{}"), "x"), "1").find("view") == std::string::npos);
    QCOMPARE(parseExperiment(with("{}", R"(,"view":{"theme":"dark"})"), "x").view->step, std::int64_t{0});
  }

  void nothingIsWrittenForWhoSentIt() {
    const ExperimentFile file = parseExperiment(with(R"({"metrics":"/etc/passwd","save":"x","run":"y"})"), "x");
    QVERIFY(!hasOutputs(file.config));
    QVERIFY(!hasOutputs(parseExperimentLink("strategylab:?metrics=/etc/passwd&checkpoint-dir=/tmp")));
  }

  void brokenOnesAreSentences_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("nothing") << QByteArray() << QByteArray("a.slab");
    QTest::newRow("no JSON") << QByteArray("hello") << QByteArray("a.slab");
    QTest::newRow("cut off") << QByteArray::fromStdString(with("{\"replicas\":4}")).chopped(3) << QByteArray("a.slab");
    const StepMetric step;
    QTest::newRow("metrics") << QByteArray::fromStdString(toJsonLine(step) + "\n" + toJsonLine(step) + "\n")
                             << QByteArray("train again with --run");
    QTest::newRow("a list") << QByteArray("[]") << QByteArray("not a StrategyLab experiment");
    QTest::newRow("of another kind") << QByteArray(R"({"format":"strategylab-run","version":1})")
                                     << QByteArray("not a StrategyLab experiment");
    QTest::newRow("newer") << QByteArray::fromStdString(with("{}", "", 2)) << QByteArray("newer StrategyLab");
    QTest::newRow("no version") << QByteArray(R"({"format":"strategylab-experiment","config":{}})")
                                << QByteArray("'version'");
    QTest::newRow("no settings") << QByteArray(R"({"format":"strategylab-experiment","version":1})")
                                 << QByteArray("'config'");
    QTest::newRow("bad value") << QByteArray::fromStdString(with(R"({"replicas":"many"})")) << QByteArray("replicas");
    QTest::newRow("out of range") << QByteArray::fromStdString(with(R"({"replicas":-1})")) << QByteArray("replicas");
    QTest::newRow("name is no text") << QByteArray::fromStdString(with("{}", R"(,"name":3)")) << QByteArray("'name'");
    const auto view = [](const std::string& text) {
      return QByteArray::fromStdString(with("{}", ",\"view\":" + text));
    };
    QTest::newRow("view is a list") << view("[]") << QByteArray("'view'");
    QTest::newRow("step below 0") << view(R"({"step":-1})") << QByteArray("'step'");
    QTest::newRow("half a step") << view(R"({"step":1.5})") << QByteArray("'step'");
    QTest::newRow("step too large") << view(R"({"step":18446744073709551615})") << QByteArray("'step'");
    QTest::newRow("part above 1") << view(R"({"part":1.01})") << QByteArray("'part'");
    QTest::newRow("layout is no name") << view(R"({"layout":"a/b"})") << QByteArray("'layout'");
    QTest::newRow("mode is no text") << view(R"({"mode":3})") << QByteArray("'mode'");
    QTest::newRow("theme is a book") << view("{\"theme\":\"" + std::string(2000, 'a') + "\"}") << QByteArray("'theme'");
    QTest::newRow("a key twice") << QByteArray::fromStdString(with(R"({"seed":1,"seed":2})")) << QByteArray("a.slab");
    QTest::newRow("too deep") << QByteArray::fromStdString(
                                     with("{}", ",\"x\":" + std::string(100, '[') + std::string(100, ']')))
                              << QByteArray("a.slab");
  }
  void brokenOnesAreSentences() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, said);
    const std::string failure = failureOf(text.toStdString());
    QVERIFY2(failure.find(said.toStdString()) != std::string::npos, failure.c_str());
  }

  void brokenLinksAreSentences() {
    for (const char* text :
         {"", "hello", "strategylab:?replicas", "strategylab:?replicas=no", "strategylab:?replica=2"})
      QVERIFY_THROWS_EXCEPTION(UserError, (void)parseExperimentLink(text));
    QVERIFY_THROWS_EXCEPTION(UserError, (void)parseExperimentLink("strategylab:?data-dir=" + std::string(9000, 'x')));
  }

  void aFullDiskLeavesTheFileAsItWas() {
    if (!std::filesystem::exists("/dev/full")) QSKIP("no /dev/full here");
    QVERIFY_THROWS_EXCEPTION(UserError, writeFileAtomically("/dev/full", experimentText({}, "1")));
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("a.slab")).toStdString();
    writeFileAtomically(path, experimentText({}, "1"));
    const auto before = readFile(path, kMaxExperimentBytes);
    // A folder stands in place of the temporary file, so the write fails and the old content stays.
    QVERIFY_THROWS_EXCEPTION(UserError, writeFileAtomically(path / "below.slab", std::string_view("x")));
    QCOMPARE(readFile(path, kMaxExperimentBytes), before);
    QCOMPARE(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), std::ptrdiff_t{1});
  }
};

QTEST_GUILESS_MAIN(TestExperimentFile)
#include "tst_experiment_file.moc"

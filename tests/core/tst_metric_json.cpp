// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The JSON keys that others rely on, letter by letter, and reading them back without a lost bit.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <clocale>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/files/messages.h"
#include "core/files/metric_json.h"
#include "core/files/metrics_csv.h"

using namespace lab;

namespace {

StepMetric someStep() {
  StepMetric step;
  step.step = 3;
  step.epoch = 0.1;
  step.examples = 256;
  step.shards = {64, 64, 64, 0};
  step.loss = 2.3125;
  step.accuracy = 1.0 / 3;
  step.learningRate = 0.001;
  step.bytesSent = 8331504;
  step.wallNs = 123456789;
  step.clock = TimeSource::Modelled;
  step.stepNs = 1000001;
  step.computeNs = 600000;
  step.communicationNs = 400001;
  step.imagesPerSecond = 255999.744;
  step.mirrorsIdentical = true;
  return step;
}

std::set<std::string> keysOf(const Metric& metric) {
  std::set<std::string> keys;
  const auto object = nlohmann::json::parse(toJsonLine(metric));
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

Metric back(const Metric& metric) {
  return metricFromJson(nlohmann::json::parse(toJsonLine(metric)), {say::inLine, File{"m"}, 1});
}

bool same(const StepMetric& a, const StepMetric& b) {
  return a.step == b.step && a.epoch == b.epoch && a.examples == b.examples && a.shards == b.shards &&
         a.leftOut == b.leftOut && a.loss == b.loss && a.accuracy == b.accuracy && a.learningRate == b.learningRate &&
         a.bytesSent == b.bytesSent && a.wallNs == b.wallNs && a.clock == b.clock && a.stepNs == b.stepNs &&
         a.computeNs == b.computeNs && a.communicationNs == b.communicationNs && a.inputNs == b.inputNs &&
         a.queueNs == b.queueNs && a.stragglerNs == b.stragglerNs && a.launchNs == b.launchNs &&
         a.noiseScale == b.noiseScale && a.imagesPerSecond == b.imagesPerSecond && a.worker == b.worker &&
         a.staleness == b.staleness && a.mirrorsIdentical == b.mirrorsIdentical;
}

const std::set<std::string> kStepKeys{"event",    "step",         "epoch",     "examples", "shards",          "loss",
                                      "accuracy", "learningRate", "bytesSent", "wallNs",   "mirrorsIdentical"};

std::set<std::string> with(std::set<std::string> keys, const std::set<std::string>& more) {
  keys.insert(more.begin(), more.end());
  return keys;
}

}  // namespace

class TestMetricJson : public QObject {
  Q_OBJECT

 private slots:
  void modelledStepHasItsKeys() {
    QCOMPARE(keysOf(someStep()), with(kStepKeys, {"modelledStepNs", "modelledComputeNs", "modelledCommunicationNs",
                                                  "modelledImagesPerSecond"}));
  }

  // The window takes over the user's language, and in Turkish the C library does not turn "i" into "I".
  void keysAreTheSameInTurkish() {
    const QTemporaryDir folder;
    if (QProcess::execute(QStringLiteral("localedef"), {QStringLiteral("-itr_TR"), QStringLiteral("-fUTF-8"),
                                                        folder.filePath(QStringLiteral("tr_TR.UTF-8"))}) < 0)
      QSKIP("there is no localedef");
    qputenv("LOCPATH", folder.path().toLocal8Bit());
    const std::string before = std::setlocale(LC_CTYPE, nullptr);
    const bool turkish = std::setlocale(LC_CTYPE, "tr_TR.UTF-8") != nullptr;
    StepMetric step = someStep();
    step.inputNs = 1;
    const auto keys = keysOf(step);
    std::setlocale(LC_CTYPE, before.c_str());
    qunsetenv("LOCPATH");
    if (!turkish) QSKIP("localedef has no source of Turkish");
    QVERIFY(keys.contains("modelledImagesPerSecond") && keys.contains("modelledInputNs"));
  }

  // Other parts of a step's time are present if they are not zero, and can be read back.
  void partsOfTheStepHaveKeysOfTheirOwn() {
    StepMetric step = someStep();
    step.computeNs = 600000 - 10;
    step.inputNs = 1;
    step.queueNs = 2;
    step.stragglerNs = 3;
    step.launchNs = 4;
    for (const TimeSource clock : {TimeSource::Modelled, TimeSource::Measured}) {
      step.clock = clock;
      const auto object = nlohmann::json::parse(toJsonLine(step));
      std::int64_t sum = 0;
      for (const char* key : {"computeNs", "communicationNs", "inputNs", "queueNs", "stragglerNs", "launchNs"}) {
        std::string name = key;
        if (clock == TimeSource::Modelled)
          name = "modelled" + std::string(1, static_cast<char>(name[0] - 32)) + name.substr(1);
        QVERIFY2(object.contains(name), name.c_str());
        sum += object.at(name).get<std::int64_t>();
      }
      QCOMPARE(sum, step.stepNs);
      const auto again = std::get<StepMetric>(back(step));
      QVERIFY(same(again, step));
      const CsvRun run{"run", {step}};
      const std::string csv = metricsCsv(std::span(&run, 1));
      QVERIFY(csv.find(clock == TimeSource::Modelled
                           ? ",modelledInputNs,modelledQueueNs,modelledStragglerNs,modelledLaunchNs,"
                           : ",inputNs,queueNs,stragglerNs,launchNs,") != std::string::npos);
      QVERIFY(again.inputNs == 1 && again.queueNs == 2 && again.stragglerNs == 3 && again.launchNs == 4);
    }
  }

  void measuredStepHasItsKeys() {
    StepMetric step = someStep();
    step.clock = TimeSource::Measured;
    QCOMPARE(keysOf(step), with(kStepKeys, {"stepNs", "computeNs", "communicationNs", "imagesPerSecond"}));
  }

  // With one copy of the variables, nothing was compared.
  void withOneCopyNothingIsIdentical() {
    StepMetric step = someStep();
    step.mirrorsIdentical.reset();
    QVERIFY(toJsonLine(step).find(R"("mirrorsIdentical":null)") != std::string::npos);
    QVERIFY(!std::get<StepMetric>(back(step)).mirrorsIdentical.has_value());
    step.copiesShared = true;
    QVERIFY(toJsonLine(step).find(R"("mirrorsIdentical":"shared")") != std::string::npos);
    QVERIFY(std::get<StepMetric>(back(step)).copiesShared && !std::get<StepMetric>(back(step)).mirrorsIdentical);
  }

  void workersStepHasTwoMore() {
    StepMetric step = someStep();
    step.worker = 2;
    step.staleness = 0;
    const auto keys = keysOf(step);
    QVERIFY(keys.contains("worker") && keys.contains("staleness"));
  }

  void linesAreAsDocumented() {
    QCOMPARE(toJsonLine(someStep()),
             std::string(R"({"event":"step","step":3,"epoch":0.1,"examples":256,"shards":[64,64,64,0],"loss":2.3125,)"
                         R"("accuracy":0.3333333333333333,"learningRate":0.001,"bytesSent":8331504,)"
                         R"("wallNs":123456789,"modelledStepNs":1000001,"modelledComputeNs":600000,)"
                         R"("modelledCommunicationNs":400001,"modelledImagesPerSecond":255999.744,)"
                         R"("mirrorsIdentical":true})"));
    QCOMPARE(toJsonLine(EvalMetric{235, 0.5, 0.25}),
             std::string(R"({"event":"eval","step":235,"testLoss":0.5,"testAccuracy":0.25})"));
    EndMetric end{10, 1.5, 100, 0.25, true, "mnist", 347146};
    QCOMPARE(toJsonLine(end), std::string(R"({"event":"end","steps":10,"seconds":1.5,"imagesPerSecond":100.0,)"
                                          R"("modelledSeconds":0.25,"mirrorsIdentical":true,"dataset":"mnist",)"
                                          R"("parameters":347146})"));
    end.modelledSeconds.reset();
    end.mirrorsIdentical.reset();
    QCOMPARE(toJsonLine(end), std::string(R"({"event":"end","steps":10,"seconds":1.5,"imagesPerSecond":100.0,)"
                                          R"("mirrorsIdentical":null,"dataset":"mnist","parameters":347146})"));
  }

  void stepsComeBackWithTheSameBits() {
    StepMetric step = someStep();
    QVERIFY(same(std::get<StepMetric>(back(step)), step));
    step.clock = TimeSource::Measured;
    step.worker = 7;
    step.staleness = 12;
    step.mirrorsIdentical = false;
    step.step = std::numeric_limits<std::int64_t>::max();
    step.wallNs = (std::int64_t{1} << 53) + 1;  // not a double
    step.loss = std::nextafter(0.1, 1);
    step.epoch = 5e-324;
    step.imagesPerSecond = std::numeric_limits<double>::max();
    step.accuracy = 1;
    step.shards.clear();
    QVERIFY(same(std::get<StepMetric>(back(step)), step));
  }

  // Older files have no such key, nor do steps that waited for all.
  void whoWasLeftOutComesBack() {
    StepMetric step = someStep();
    QVERIFY(!keysOf(step).contains("leftOut"));
    for (const std::vector<int>& replicas : {std::vector{1}, {0, 3}}) {
      step.leftOut = replicas;
      QCOMPARE(std::get<StepMetric>(back(step)).leftOut, replicas);
      const CsvRun run{"run", {step}};
      const std::vector<CsvRun> again = parseMetricsCsv(metricsCsv(std::span(&run, 1)), "table");
      QVERIFY(same(std::get<StepMetric>(again.front().metrics.front()), step));
    }
    QCOMPARE(step.distributed(), step.examples + 64);
    for (const std::vector<int>& wrong : {std::vector{4}, {-1}, {1, 1}, {2, 1}, {0, 1, 2, 3}}) {
      step.leftOut = wrong;
      QVERIFY(!faultOf(step).empty());
      auto object = nlohmann::json::parse(toJsonLine(someStep()));
      object["leftOut"] = wrong;
      QVERIFY_THROWS_EXCEPTION(UserError, metricFromJson(object, {say::inLine, File{"m"}, 1}));
    }
  }

  void othersComeBackToo() {
    const auto eval = std::get<EvalMetric>(back(EvalMetric{235, 0.1, 0.97}));
    QCOMPARE(eval.step, 235);
    QCOMPARE(eval.testLoss, 0.1);
    QCOMPARE(eval.testAccuracy, 0.97);
    EndMetric written{10, 1.5, 100.25, 0.125, false, "di\"gits ü", 347146};
    written.memory = {TimeSource::Modelled, "replica 0", {1, 2, 3, 4, 5, 6}};
    const auto end = std::get<EndMetric>(back(written));
    QCOMPARE(end.steps, written.steps);
    QCOMPARE(end.seconds, written.seconds);
    QCOMPARE(end.imagesPerSecond, written.imagesPerSecond);
    QVERIFY(end.modelledSeconds == written.modelledSeconds);
    QVERIFY(end.mirrorsIdentical == written.mirrorsIdentical);
    QCOMPARE(end.dataset, written.dataset);
    QCOMPARE(end.parameters, written.parameters);
    QVERIFY(end.memory && end.memory->clock == TimeSource::Modelled && end.memory->device == "replica 0");
    QVERIFY(end.memory->bytes == written.memory->bytes);
    QVERIFY(!std::get<EndMetric>(back(EndMetric{})).memory);
    QVERIFY(!std::get<EndMetric>(back(EndMetric{})).mirrorsIdentical);
    QVERIFY(!std::get<EndMetric>(back(EndMetric{})).modelledSeconds);
  }

  void aDivergedLossIsNull() {
    for (const double loss : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      StepMetric step = someStep();
      step.loss = loss;
      QVERIFY(toJsonLine(step).find("\"loss\":null") != std::string::npos);
      QVERIFY(std::isnan(std::get<StepMetric>(back(step)).loss));
    }
  }

  void whatCannotBeReadIsNotWritten() {
    StepMetric step = someStep();
    step.communicationNs = -5;
    QCOMPARE(format(faultOf(step)), std::string("'modelledCommunicationNs' must be a whole number, not negative"));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, toJsonLine(step));
    step = someStep();
    step.clock = TimeSource::Measured;
    step.computeNs = -5;
    QCOMPARE(format(faultOf(step)), std::string("'computeNs' must be a whole number, not negative"));
    step = someStep();
    step.shards = {3, -1};
    QVERIFY(!faultOf(step).empty());
    step = someStep();
    step.worker = -1;
    QVERIFY(!faultOf(step).empty());
    step = someStep();
    step.staleness = -1;
    QVERIFY(!faultOf(step).empty());
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, toJsonLine(EvalMetric{-1, 0, 0}));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, toJsonLine(EndMetric{.steps = -1}));
    QVERIFY(faultOf(someStep()).empty());
  }

  void textThatIsNotUtf8DoesNotBreakTheLine() {
    EndMetric end;
    end.dataset = "a\xff";
    QCOMPARE(std::get<EndMetric>(back(end)).dataset, std::string("a\xEF\xBF\xBD"));
  }

  void tablesComeBackWithTheSameBits() {
    StepMetric step = someStep(), worker = someStep(), none = someStep();
    step.loss = std::nextafter(0.1, 1);
    step.inputNs = 11;
    step.queueNs = 12;
    step.stragglerNs = 13;
    step.launchNs = 14;
    step.noiseScale = 15.5;
    worker.step = 4;
    worker.worker = 7;
    worker.staleness = 0;
    none.step = 5;
    none.clock = TimeSource::Measured;
    none.shards.clear();
    none.loss = std::numeric_limits<double>::quiet_NaN();
    none.imagesPerSecond = std::numeric_limits<double>::infinity();
    const std::vector<CsvRun> runs{{"a, \"b\"", {step, EvalMetric{3, 0.25, 0.5}, worker, none}},
                                   {"c", {someStep(), EndMetric{10, 1.5, 100, std::nullopt, std::nullopt, "x;y", 7}}}};
    const std::string text = metricsCsv(runs);
    QVERIFY(looksLikeMetricsCsv(text));
    const std::vector<CsvRun> read = parseMetricsCsv("\xEF\xBB\xBF" + text, "a.csv");
    QCOMPARE(metricsCsv(read), text);
    QCOMPARE(read.size(), std::size_t{2});
    QCOMPARE(read[0].name, runs[0].name);
    QVERIFY(same(std::get<StepMetric>(read[0].metrics[0]), step));
    QVERIFY(same(std::get<StepMetric>(read[0].metrics[2]), worker));
    QVERIFY(std::isnan(std::get<StepMetric>(read[0].metrics[3]).loss));
    QVERIFY(!std::get<EndMetric>(read[1].metrics[1]).mirrorsIdentical);
  }

  // A run's end has its memory as an object.
  void tableOfAFinishedRunComesBack() {
    EndMetric end{10, 1.5, 100, 0.25, true, "digits", 7};
    end.memory = {TimeSource::Modelled, "replica 0", {1, 2, 3, 4, 5, 6}};
    const CsvRun run{"r", {someStep(), end}};
    const std::string text = metricsCsv(std::span(&run, 1));
    QVERIFY2(text.find("emory") == std::string::npos, text.c_str());
    const std::vector<CsvRun> read = parseMetricsCsv(text, "a.csv");
    QCOMPARE(read.size(), std::size_t{1});
    QCOMPARE(read.front().metrics.size(), std::size_t{2});
    QCOMPARE(std::get<EndMetric>(read.front().metrics.back()).parameters, end.parameters);
    QCOMPARE(metricsCsv(read), text);
  }

  // With time that grows as the square, these would be thousands of millions of comparisons.
  void longTablesAreRead() {
    constexpr std::int64_t kRows = 50'000;
    CsvRun run{"r", {}};
    StepMetric step;
    for (std::int64_t i = 1; i <= kRows; ++i) run.metrics.emplace_back(EvalMetric{i, 0.5, 0.25});
    for (step.step = 1; step.step <= kRows; ++step.step) run.metrics.emplace_back(step);
    const std::vector<CsvRun> read = parseMetricsCsv(metricsCsv(std::span(&run, 1)), "a.csv");
    QCOMPARE(read.size(), std::size_t{1});
    QCOMPARE(read.front().metrics.size(), std::size_t{2 * kRows});
    QCOMPARE(std::get<StepMetric>(read.front().metrics.back()).step, kRows);
  }

  // Who reads in the background hears how far it is, and ends the reading by throwing.
  void aReadingIsWatched() {
    const CsvRun run{"r", {EvalMetric{1, 0.5, 0.25}, EvalMetric{2, 0.5, 0.25}, EvalMetric{3, 0.5, 0.25}}};
    const std::string text = metricsCsv(std::span(&run, 1));
    std::vector<double> shares;
    (void)parseMetricsCsv(text, "a.csv", [&](double share) { shares.push_back(share); });
    QCOMPARE(shares, (std::vector<double>{0.25, 0.5, 0.75}));  // of the four lines, the first names the columns
    struct Ended {};
    const auto end = [](double share) {
      if (share >= 0.5) throw Ended();
    };
    QVERIFY_THROWS_EXCEPTION(Ended, parseMetricsCsv(text, "a.csv", end));
  }

  // A second run of the same name begins where the first began.
  void runsOfOneNameAreTold() {
    StepMetric second = someStep();
    second.step = 4;
    const CsvRun run{"r", {EvalMetric{2, 0.5, 0.25}, someStep(), second, EvalMetric{4, 0.5, 0.25}}};
    const std::vector<CsvRun> read = parseMetricsCsv(metricsCsv(std::vector<CsvRun>{run, {"r", {someStep()}}}), "a");
    QCOMPARE(read.size(), std::size_t{2});
    QCOMPARE(read[0].metrics.size(), std::size_t{4});
    QCOMPARE(read[1].metrics.size(), std::size_t{1});
  }

  void aTableSavedByASpreadsheetIsRead() {
    StepMetric step = someStep();
    step.bytesSent = 123000000000;
    QString text = QString::fromStdString(metricsCsv(std::vector<CsvRun>{{"r", {step}}}));
    QCOMPARE(text.count(QStringLiteral("123000000000")), 1);
    text.replace(QStringLiteral("123000000000"), QStringLiteral("1.23E+11"));
    text.replace(QStringLiteral(",true"), QStringLiteral(",TRUE"));
    const std::vector<CsvRun> read = parseMetricsCsv(text.toStdString(), "a");
    QVERIFY(same(std::get<StepMetric>(read.front().metrics.front()), step));
    text.replace(QStringLiteral("1.23E+11"), QStringLiteral("1.5E+00"));
    QVERIFY_THROWS_EXCEPTION(UserError, parseMetricsCsv(text.toStdString(), "a"));
  }

  void badTablesAreRefusedWithTheirLine_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    QTest::newRow("another table") << "run,event"
                                   << "time,value"
                                   << "'a.csv', line 1: ";
    QTest::newRow("a word") << "2.3125"
                            << "high"
                            << "'a.csv', line 2: 'high' in the column 'loss' is not a number";
    QTest::newRow("too few") << "2.3125,"
                             << ""
                             << "'a.csv', line 2: ";
    QTest::newRow("a text") << "2.3125"
                            << "\"\"\"x\"\"\""
                            << "'a.csv', line 2: ";
    QTest::newRow("no such event") << "step,3"
                                   << "stop,3"
                                   << "'a.csv', line 2: 'event'";
    QTest::newRow("back in time") << "step,4"
                                  << "step,2"
                                  << "'a.csv', line 3: step 2 comes after step 3";
    QTest::newRow("a list that is none") << "64;64;64;0"
                                         << "64;;64"
                                         << "'a.csv', line 2: ";
    QTest::newRow("no values") << "*"
                               << ""
                               << "'a.csv', line 1: no values";
  }
  void badTablesAreRefusedWithTheirLine() {
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QFETCH(const QString, said);
    StepMetric second = someStep();
    second.step = 4;
    QString text = QString::fromStdString(metricsCsv(std::vector<CsvRun>{{"r", {someStep(), second}}}));
    const qsizetype at = text.indexOf(from);
    if (from == QStringLiteral("*"))
      text = text.section(QStringLiteral("\r\n"), 0, 0) + QStringLiteral("\r\n");
    else
      text.replace(at, from.size(), to);
    try {
      (void)parseMetricsCsv(text.toStdString(), "a.csv");
      QFAIL("accepted");
    } catch (const UserError& error) {
      const QString message = error.what();
      QVERIFY2(message.startsWith(said) && message.endsWith(QLatin1Char('.')), error.what());
    }
  }

  // A list of lists of lists, 500,000 deep, is not followed.
  void deepListsInATableAreRefused() {
    const std::string deep(500'000, '[');
    for (const char* list : {"64;64;64;0", "2.3125"})
      for (const std::string& end : {std::string(), std::string(deep.size(), ']')}) {
        std::string text = metricsCsv(std::vector<CsvRun>{{"r", {someStep()}}});
        text.replace(text.find(list), std::string_view(list).size(), deep + end);
        try {
          (void)parseMetricsCsv(text, "a.csv");
          QFAIL("accepted");
        } catch (const UserError& error) {
          QVERIFY2(error.message().is(say::csvNoNumber), error.what());
          QVERIFY(std::string_view(error.what()).size() < 200);
        }
      }
  }

  void unknownKeysAreIgnored() {
    auto object = nlohmann::json::parse(toJsonLine(someStep()));
    object["later"] = {1, 2};
    QVERIFY(same(std::get<StepMetric>(metricFromJson(object, {say::verbatim, "w"})), someStep()));
  }

  void refuses_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    for (const char* key : {"event", "step", "epoch", "examples", "shards", "loss", "accuracy", "learningRate",
                            "bytesSent", "wallNs", "modelledComputeNs", "mirrorsIdentical"}) {
      QTest::addRow("%s missing", key) << key << "";
      QTest::addRow("%s an object", key) << key << "{}";
    }
    QTest::newRow("unknown event") << "event"
                                   << "\"stop\"";
    QTest::newRow("negative step") << "step"
                                   << "-1";
    QTest::newRow("step beyond int64") << "step"
                                       << "9223372036854775808";
    QTest::newRow("broken step") << "step"
                                 << "1.5";
    QTest::newRow("negative shard") << "shards"
                                    << "[1,-1]";
    QTest::newRow("both clocks") << "stepNs"
                                 << "1";
    QTest::newRow("worker beyond int") << "worker"
                                       << "2147483648";
    QTest::newRow("staleness null") << "staleness"
                                    << "null";
  }
  void refuses() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    auto object = nlohmann::json::parse(toJsonLine(someStep()));
    if (value.isEmpty())
      object.erase(key.toStdString());
    else
      object[key.toStdString()] = nlohmann::json::parse(value.toStdString());
    try {
      metricFromJson(object, {say::inLine, File{"m"}, 7});
      QFAIL("accepted");
    } catch (const UserError& error) {
      const QString message = error.what();
      QVERIFY2(message.startsWith("'m', line 7: ") && message.contains("'" + key + "'") && message.endsWith('.'),
               error.what());
    }
    QVERIFY_THROWS_EXCEPTION(UserError, metricFromJson(nlohmann::json(1), say::verbatim));
  }
};

QTEST_GUILESS_MAIN(TestMetricJson)
#include "tst_metric_json.moc"

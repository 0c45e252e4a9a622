// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as saved in an experiment's file: reading and writing give the same text, and invalid ones are refused.
#include <QTest>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/experiments/comparison_file.h"
#include "core/experiments/report.h"
#include "core/options/resolve.h"

using namespace lab;
using nlohmann::json;

class TestComparisonFile : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Lanes of one strategy too: with itself, and with other settings.
  void whatIsReadIsWritten() {
    json wanted = json::parse(R"({"version": 1, "lanes": [{"strategy": "mirrored"},
      {"config": {"strategy": "mirrored", "learning-rate": 0.01}, "name": "faster"}, {"strategy": "mirrored"}]})");
    wanted["by"] = "images";
    wanted["baseline"] = 3;
    const ComparisonFile read = comparisonFromJson(wanted);
    QCOMPARE(read.lanes.size(), std::size_t{3});
    QCOMPARE(read.lanes[0].strategy, StrategyKind::Mirrored);
    QVERIFY(!read.lanes[1].strategy && read.lanes[1].name == "faster");
    QVERIFY(read.by == InStepBy::Images && read.baseline == 3);
    const json again = comparisonToJson(read);
    QVERIFY2(comparisonToJson(comparisonFromJson(again)) == again, again.dump().c_str());
    QCOMPARE(QByteArray::fromStdString(again["lanes"][1]["name"].get<std::string>()), QByteArray("faster"));
  }

  // A lane's network may be missing here, or its GPU: the other lanes are read, and that one is written again.
  void aLaneThatCannotRunHereIsKept() {
    const json wanted = json::parse(R"({"version": 1, "lanes": [
      {"config": {"strategy": "mirrored", "network": "elsewhere"}, "name": "from the other machine"},
      {"strategy": "tpu"}]})");
    const ComparisonFile read = comparisonFromJson(wanted);
    QCOMPARE(read.lanes.size(), std::size_t{2});
    QCOMPARE(QByteArray::fromStdString(read.lanes[0].config.network), QByteArray("elsewhere"));
    QVERIFY_EXCEPTION_THROWN(resolve(read.lanes[0].config), UserError);
    const json again = comparisonToJson(read);
    QVERIFY2(comparisonToJson(comparisonFromJson(again)) == again, again.dump().c_str());
  }

  // As in the experiment itself: a later version's setting loses no lanes.
  void aLaneKeepsTheSettingsThatAreKnown() {
    const json wanted = json::parse(R"({"version": 1, "lanes": [{"strategy": "tpu"},
      {"config": {"replicas": 3, "new-thing": 1}, "name": "later"}]})");
    const ComparisonFile read = comparisonFromJson(wanted);
    QCOMPARE(read.lanes.size(), std::size_t{2});
    const json config = comparisonToJson(read)["lanes"][1]["config"];
    QVERIFY(config["replicas"] == 3 && !config.contains("new-thing"));
  }

  // A comparison can be stopped before its first run has begun.
  void aReportWithoutRunsIsWritten() { QVERIFY(Report().html().ends_with("</html>\n")); }

  // Steps are given instead of epochs, so only one of the two is listed.
  void aReportListsWhatHolds() {
    for (const bool steps : {false, true}) {
      RunSettings config;
      config.dataset = "digits";
      if (steps) config.steps = 3;
      Report report;
      report.runs.emplace_back();
      report.runs.front().name = "mirrored";
      report.runs.front().config = resolve(config);
      const std::string html = report.html();
      QCOMPARE(html.find("<th>steps</th>") != std::string::npos, steps);
      QCOMPARE(html.find("<th>epochs</th>") != std::string::npos, !steps);
    }
  }

  void whatCannotBeIsRefused_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const std::string& text) {
      QTest::newRow(name) << QByteArray::fromStdString(text);
    };
    const std::string tpu = R"("lanes":[{"strategy":"tpu"}])";
    const auto lane = [](const std::string& one) { return R"({"version":1,"lanes":[)" + one + "]}"; };
    row("a newer version", R"({"version":2,)" + tpu + "}");
    row("no version", "{" + tpu + "}");
    row("another way in step", R"({"version":1,"by":"wall",)" + tpu + "}");
    row("a baseline below zero", R"({"version":1,"baseline":-1,)" + tpu + "}");
    row("half a baseline", R"({"version":1,"baseline":0.5,)" + tpu + "}");
    row("a baseline that is no lane", R"({"version":1,"baseline":2,)" + tpu + "}");
    row("lanes that are no list", R"({"version":1,"lanes":1})");
    row("too many lanes", lane(R"({"strategy":"tpu"},{"strategy":"tpu"},{"strategy":"tpu"},{"strategy":"tpu"})"));
    row("an unknown strategy", lane(R"({"strategy":"horovod"})"));
    row("neither strategy nor settings", lane(R"({"name":"x"})"));
    row("settings that cannot be", lane(R"({"config":{"replicas":-4}})"));
    row("settings that are no object", lane(R"({"config":[]})"));
    row("a name that is too long", lane(R"({"config":{},"name":")" + std::string(501, 'x') + R"("})"));
    row("a branch of what cannot be its parent",
        lane(R"({"config":{"replicas":2},"branches":[{"config":{"replicas":3,"seed":7},"step":2}]})"));
    row("no object", "7");
  }
  void whatCannotBeIsRefused() {
    QFETCH(QByteArray, text);
    try {
      (void)comparisonFromJson(json::parse(text.toStdString()));
      QFAIL("accepted");
    } catch (const UserError& error) {
      const QString said = QString::fromUtf8(error.what());
      QVERIFY2(said.startsWith(QStringLiteral("the file's comparison cannot be read")), error.what());
      QCOMPARE(said.contains(QStringLiteral("'horovod'")), text.contains("horovod"));
    }
  }
};

QTEST_APPLESS_MAIN(TestComparisonFile)
#include "tst_comparison_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The built program's commands about time: validate, sweep, collective.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "core/base/units.h"
#include "core/files/run_file.h"
#include "core/keras/keras_json.h"
#include "core/model/known_networks.h"
#include "tests/core/cli_program.h"
#include "tests/support/reference.h"

using namespace lab::test;

class TestCliTiming : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString file(const char* name, const QByteArray& content) {
    QFile file(folder_.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(content);
    return file.fileName();
  }
  // A catalogue with the user's own device and link.
  QString ownCatalogue(const char* name, const QByteArray& tflops, const QByteArray& memoryGb = "16") {
    return file(name,
                "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,"
                "mem_gb_per_s,mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,"
                "link_gb_per_s_per_dir,link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,"
                "latency_source,notes\n"
                "device,own_gpu,Own," +
                    tflops + ",s,,,," + memoryGb +
                    ",5000,s,0.1,s,0.4,s,,,,,,,\n"
                    "link,own_net,Own,,,,,,,,,,,,,2000,s,2000,s,0.1,s,\n");
  }

 private slots:
  void validateKeepsItsContract() {
    const std::filesystem::path reference = referenceDir();
    if (reference.empty()) QSKIP("the reference folder is not here: set STRATEGYLAB_REFERENCE_DIR");
    const QString rows = QString::fromStdString((reference / "reference" / "scaling-rows.csv").string());
    const Ran ran = runCli({"validate", "--rows", rows, "--json"});
    QCOMPARE(ran.code, 0);
    const QJsonObject answer = jsonDocument(ran.out);
    const QJsonArray points = answer["points"].toArray();
    QVERIFY(points.size() > 150);
    std::vector<double> errors;
    for (const QJsonValue& value : points) {
      const QJsonObject point = value.toObject();
      QVERIFY(point["id"].isString() && point["point"].isDouble());
      const double error = point["predicted"].toDouble() / point["measured"].toDouble() - 1;
      QVERIFY(std::abs(error - point["error"].toDouble()) < 1e-9);
      errors.push_back(std::abs(error));
    }
    std::ranges::sort(errors);
    const std::size_t middle = errors.size() / 2;
    const double median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
    QVERIFY(std::abs(median - answer["median"].toDouble()) < 1e-9);
    QVERIFY(answer["mean"].isDouble() && answer["p90"].isDouble());
    for (const QJsonValue& value : answer["skipped"].toArray())
      QVERIFY(!value.toObject()["reason"].toString().isEmpty());
    const Ran table = runCli({"validate", "--rows", rows});
    QVERIFY(table.out.contains("R082") && table.err.contains("skipped: R135"));
  }

  void sweepWithoutArithmetic() {
    const Ran ran = runCli({"sweep", "--timing-only", "--strategy", "multi-worker-mirrored", "--model", "resnet50",
                            "--replicas", "1,8,1024", "--batch-per-replica", "32,64", "--stages", "--json"});
    QCOMPARE(ran.code, 0);
    const QJsonArray runs = jsonDocument(ran.out)["runs"].toArray();
    QCOMPARE(runs.size(), 6);
    for (const QJsonValue& value : runs) {
      const QJsonObject run = value.toObject();
      for (const QJsonValue& track : run["modelledStages"].toArray()) {
        double sum = 0;
        for (const QJsonValue& stage : track.toObject()) sum += stage.toDouble();
        QCOMPARE(sum, run["modelledStepNs"].toDouble());
      }
      QCOMPARE(run["modelledLinks"].toArray().isEmpty(), run["replicas"].toInt() == 1);
    }
    QCOMPARE(runs[0].toObject()["scalingEfficiency"].toDouble(), 1.0);
    QVERIFY(runs[4].toObject()["scalingEfficiency"].toDouble() < 0.9);
  }

  // When one host is full, its curve goes on over several hosts, and the output says so; if the user keeps it on one
  // host, it is extrapolated.
  void theCurveGoesOnOverHosts() {
    const QStringList base{"sweep", "--timing-only", "--model",    "resnet50", "--batch-per-replica",
                           "64",    "--json",        "--replicas", "1,16,1024"};
    const Ran ran = runCli(base);
    QCOMPARE(ran.code, 0);
    const QJsonArray runs = jsonDocument(ran.out)["runs"].toArray();
    QCOMPARE(runs.size(), 3);
    for (int i = 0; i < 3; ++i) {
      QCOMPARE(runs[i].toObject()["hosts"].toInt(), (std::array{1, 1, 64})[static_cast<std::size_t>(i)]);
      QCOMPARE(runs[i].toObject()["extrapolated"].toBool(true), false);
    }
    const Ran one = runCli(base + QStringList{"--hosts", "1"});
    QCOMPARE(one.code, 0);
    const QJsonArray crowded = jsonDocument(one.out)["runs"].toArray();
    QVERIFY(!crowded[1].toObject()["extrapolated"].toBool(true) && crowded[2].toObject()["extrapolated"].toBool());
    QCOMPARE(crowded[2].toObject()["hosts"].toInt(), 1);
    QVERIFY2(one.err.contains("1,024 devices on one host") && one.err.contains("'nvlink2'"), one.err);
    QVERIFY(crowded[2].toObject()["modelledImagesPerSecond"].toDouble() >
            1.2 * runs[2].toObject()["modelledImagesPerSecond"].toDouble());
  }

  // The user decides how many devices a host has, under every strategy that may have several hosts.
  void hostsHaveAsManyDevicesAsAsked() {
    const auto hosts = [](const char* strategy, const char* replicas, const QStringList& more) {
      const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--strategy", strategy, "--replicas", replicas,
                                         "--batch-per-replica", "64", "--json"} +
                             more);
      return ran.code == 0 ? jsonDocument(ran.out)["runs"].toArray()[0].toObject()["hosts"].toInt() : -ran.code;
    };
    for (const char* strategy : {"mirrored", "multi-worker-mirrored"}) {
      QCOMPARE(hosts(strategy, "32", {"--devices-per-host", "8"}), 4);
      QCOMPARE(hosts(strategy, "8", {"--devices-per-host", "8"}), 1);
      QCOMPARE(hosts(strategy, "4", {"--devices-per-host", "8"}), 1);
      QCOMPARE(hosts(strategy, "12", {"--devices-per-host", "8"}), -2);
    }
    QCOMPARE(hosts("mirrored", "32", {}), 2);  // 16 on NVLink 2
    QCOMPARE(hosts("multi-worker-mirrored", "32", {}), 4);
    QCOMPARE(hosts("multi-worker-mirrored", "4", {}), 2);  // as in a run
  }

  // A step that needs more memory than a device has is reported, with the least memory that would do.
  void whatDoesNotFitSaysSo() {
    const Ran ran = runCli(
        {"sweep", "--timing-only", "--model", "vgg16", "--replicas", "1", "--batch-per-replica", "64,65536", "--json"});
    QCOMPARE(ran.code, 0);
    const QJsonArray runs = jsonDocument(ran.out)["runs"].toArray();
    const QJsonObject small = runs[0].toObject(), large = runs[1].toObject();
    QVERIFY(small["fits"].toBool(false) && !large["fits"].toBool(true));
    QCOMPARE(large["deviceMemoryBytes"].toDouble(), 16e9);
    // VGG-16: 138 million weights; 13.6 million numbers an image written by its convolutions alone.
    QVERIFY(small["modelledMemoryBytes"].toDouble() > 4e9 && small["modelledMemoryBytes"].toDouble() < 16e9);
    QVERIFY(large["modelledMemoryBytes"].toDouble() > 65'536 * 4 * 13.5e6);
    // The memory by kind at the peak, and where the memory was too small for the first time.
    const QJsonObject peak = small["modelledPeakMemory"].toObject();
    double sum = 0;
    for (const char* kind : {"variables", "gradients", "optimizer", "activations", "packs", "buffers"})
      sum += peak[QLatin1String(kind)].toDouble(-1);
    QVERIFY(sum > 0);
    QCOMPARE(sum, peak["bytes"].toDouble());
    QVERIFY(!small.contains("modelledFirstTooMuchIn"));
    QCOMPARE(large["modelledFirstTooMuchIn"].toString(), "input");  // 65,536 images of 224×224×3 are 39 GB
    QVERIFY2(ran.err.contains("replica 0") && ran.err.contains("\"input\""), ran.err);
    QVERIFY2(ran.err.contains("does not fit"), ran.err);
    // Training and comparing report it too.
    for (const bool fits : {false, true}) {
      const QString own = ownCatalogue(fits ? "large.csv" : "small.csv", "10", fits ? "16" : "0.005");
      const QStringList settings{"--dataset",   "digits", "--steps",        "1",       "--eval-every", "0",
                                 "--replicas",  "2",      "--device-model", "own_gpu", "--link",       "own_net",
                                 "--catalogue", own};
      const Ran trained = runCli(QStringList{"train", "--json"} + settings);
      QVERIFY2(trained.code == 0, trained.err);
      QCOMPARE(jsonLines(trained.out).back()["fits"].toBool(true), fits);
      QCOMPARE(trained.err.contains("does not fit"), !fits);
      QCOMPARE(runCli(QStringList{"train"} + settings).out.contains("does not fit the memory"), !fits);
      const Ran compared = runCli(QStringList{"compare", "--json", "--strategies", "mirrored"} + settings);
      QCOMPARE(jsonLines(compared.out).value(0)["fits"].toBool(!fits), fits);
      QCOMPARE(compared.err.contains("does not fit"), !fits);
    }
  }

  // A run or a comparison with more devices on a host than any such host has: still trained and timed, but called
  // extrapolated, and shown without a band.
  void moreThanAHostHoldsIsExtrapolated() {
    const QStringList run{"--dataset", "digits",  "--steps",        "1",    "--eval-every", "0", "--global-batch", "24",
                          "--link",    "nvlink1", "--device-model", "p100", "--json"};
    for (const bool full : {false, true}) {
      const QStringList replicas{"--replicas", full ? "8" : "12"};
      const Ran trained = runCli(QStringList{"train", "--strategy", "mirrored"} + run + replicas);
      QVERIFY2(trained.code == 0, trained.err);
      QCOMPARE(jsonLines(trained.out).back()["extrapolated"].toBool(), !full);
      QCOMPARE(trained.err.contains("12 devices on one host"), !full);
      QStringList words = QStringList{"train", "--strategy", "mirrored"} + run + replicas;
      words.removeAll("--json");
      QCOMPARE(runCli(words).out.count(", extrapolated"), full ? 0 : 2);
      const Ran compared = runCli(QStringList{"compare", "--strategies", "mirrored"} + run + replicas);
      QVERIFY2(compared.code == 0, compared.err);
      const QJsonObject line = jsonLines(compared.out).value(0);
      QCOMPARE(line["extrapolated"].toBool(full), !full);
      QCOMPARE(line.contains("modelledStepBand"), full);
    }
  }

  // A link that joins the devices of one host cannot join hosts: refused where it is named, and extrapolated in the
  // user's own cluster.
  void aLinkOfOneHostJoinsNoHosts() {
    const QStringList settings{"--strategy", "multi-worker-mirrored", "--replicas", "4"};
    const QStringList small{"--dataset", "digits", "--steps", "1", "--eval-every", "0"};
    for (const char* link : {"nvlink2", "pcie3_x16"}) {
      const Ran trained = runCli(QStringList{"train", "--host-link", link} + settings + small);
      QCOMPARE(trained.code, 2);
      QVERIFY2(trained.err.contains("--host-link") && trained.err.contains(link), trained.err);
      QCOMPARE(runCli(QStringList{"sweep", "--timing-only", "--hosts", "2", "--host-link", link} + settings).code, 2);
    }
    const QString cluster = file("joined.json", R"({"hostLink": "nvlink2", "hosts": [{"name": "a", "count": 2,
      "devices": {"v100": 2}, "link": "nvlink2"}]})");
    const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--strategy", "multi-worker-mirrored", "--replicas",
                                       "2,4", "--batch-per-replica", "64", "--json", "--cluster", cluster});
    QVERIFY2(ran.code == 0, ran.err);
    const QJsonArray runs = jsonDocument(ran.out)["runs"].toArray();
    QVERIFY(!runs[0].toObject()["extrapolated"].toBool(true) && runs[1].toObject()["extrapolated"].toBool());
  }

  // Several TPU cores under a strategy that does not run on them are extrapolated; a single core is not. A user's
  // device whose kind is only assumed may be either.
  void tpuCoresUnderOthersAreExtrapolated() {
    const QStringList settings{"sweep", "--timing-only", "--json", "--batch-per-replica", "64", "--replicas", "1,2"};
    const Ran ran = runCli(settings + QStringList{"--device-model", "tpu_v3_core"});
    QVERIFY2(ran.code == 0, ran.err);
    const QJsonArray runs = jsonDocument(ran.out)["runs"].toArray();
    QVERIFY(!runs[0].toObject()["extrapolated"].toBool(true) && runs[1].toObject()["extrapolated"].toBool());
    QVERIFY2(ran.err.contains("'tpu_v3_core' is a TPU core"), ran.err);
    const Ran trained = runCli({"train", "--json", "--dataset", "digits", "--steps", "1", "--eval-every", "0",
                                "--device-model", "tpu_v3_core"});
    QVERIFY2(jsonLines(trained.out).back()["extrapolated"].toBool(), trained.err);
    const QString cluster =
        file("not-tpu.json", R"({"hosts": [{"name": "a", "devices": {"v100": 8}, "link": "nvlink2"}]})");
    const Ran other = runCli({"sweep", "--timing-only", "--json", "--strategy", "tpu", "--replicas", "8",
                              "--batch-per-replica", "64", "--cluster", cluster});
    QVERIFY2(jsonDocument(other.out)["runs"].toArray()[0].toObject()["extrapolated"].toBool(), other.err);
    QVERIFY2(other.err.contains("runs only on TPU cores, and 'v100' is not one"), other.err);
    const Ran own = runCli({"train", "--strategy", "tpu", "--dataset", "digits", "--steps", "1", "--eval-every", "0",
                            "--device-model", "own_gpu", "--catalogue", ownCatalogue("assumed.csv", "10", "16")});
    QVERIFY2(own.code == 0 && !own.err.contains("only on TPU cores"), own.err);
  }

  // A sharding setting that has no effect is named, whichever command receives it.
  void shardingThatChangesNothingIsSaid() {
    const QStringList small{"--dataset", "digits", "--steps", "1", "--eval-every", "0"};
    const auto said = [&](const QStringList& words) {
      const Ran ran = runCli(words + small);
      if (ran.code != 0) qWarning("%s", ran.err.constData());
      return ran.err;
    };
    const QStringList data{"--auto-shard", "data"}, off{"--auto-shard", "off"};
    QVERIFY(said(QStringList{"train"} + data).contains("note: --auto-shard data changes nothing here"));
    QVERIFY(!said(QStringList{"train"} + off).contains("auto-shard"));
    QVERIFY(!said(QStringList{"train", "--split", "file"} + data).contains("auto-shard"));
    QVERIFY(said(QStringList{"train", "--strategy", "parameter-server"} + off)
                .contains("note: --auto-shard has no effect here: every asynchronous worker reads"));
    const QByteArray compared = said(QStringList{"compare", "--strategies", "mirrored,parameter-server"} + off);
    QVERIFY2(
        compared.contains("parameter-server: --auto-shard has no effect") && !compared.contains("mirrored: --auto"),
        compared);
  }

  void packsThatNobodySendsAreSaid() {
    const QStringList packs{"--dataset", "digits", "--steps", "1", "--eval-every", "0", "--bytes-per-pack", "4096"};
    const QByteArray no = "--bytes-per-pack has no effect here";
    for (const char* strategy : {"one-device", "tpu", "central-storage", "parameter-server"}) {
      const Ran ran = runCli(QStringList{"train", "--strategy", strategy} + packs);
      QVERIFY2(ran.code == 0 && ran.err.contains("note: " + no), ran.err);
    }
    const Ran mirrored = runCli(QStringList{"train"} + packs);
    QVERIFY2(mirrored.code == 0 && !mirrored.err.contains("bytes-per-pack"), mirrored.err);
    const Ran compared = runCli(QStringList{"compare", "--strategies", "mirrored,tpu"} + packs);
    QVERIFY2(compared.code == 0 && compared.err.contains("tpu: " + no) && !compared.err.contains("mirrored: " + no),
             compared.err);
  }

  // If no link is named, the program takes one that the device has.
  void theLinkFollowsTheDevice() {
    const auto stepOf = [](const QStringList& more) {
      const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--model", "resnet50", "--replicas", "8",
                                         "--batch-per-replica", "64", "--json", "--device-model", "h100"} +
                             more);
      return ran.code == 0 ? jsonDocument(ran.out)["runs"].toArray()[0].toObject()["modelledStepNs"].toDouble() : -1.0;
    };
    QVERIFY(stepOf({}) > 0);
    QCOMPARE(stepOf({}), stepOf({"--link", "nvlink4"}));
    QVERIFY(stepOf({"--link", "pcie3_x16"}) > stepOf({}));
  }

  // A run, a sweep without arithmetic and a comparison report the same time for the same step, to the nanosecond.
  void everyCommandHasTheSameStep_data() {
    QTest::addColumn<QStringList>("more");
    QTest::newRow("mirrored") << QStringList{"--replicas", "4"};
    QTest::newRow("central-storage") << QStringList{"--replicas", "3", "--slow", "1:2"};
    QTest::newRow("multi-worker-mirrored") << QStringList{"--replicas", "4", "--hosts", "2"};
    QTest::newRow("tpu") << QStringList{"--replicas", "8"};
  }
  void everyCommandHasTheSameStep() {
    QFETCH(QStringList, more);
    const QString strategy = QString::fromLatin1(QTest::currentDataTag());
    const Ran trained = runCli(QStringList{"train", "--strategy", strategy, "--batch-per-replica", "8", "--steps", "2",
                                           "--eval-every", "0", "--dataset", "digits", "--json"} +
                               more);
    QVERIFY2(trained.code == 0, trained.err);
    const double step = jsonLines(trained.out).front()["modelledStepNs"].toDouble();
    QVERIFY(step > 0);
    const Ran swept = runCli(
        QStringList{"sweep", "--timing-only", "--strategy", strategy, "--batch-per-replica", "8", "--json"} + more);
    QVERIFY2(swept.code == 0, swept.err);
    QCOMPARE(jsonDocument(swept.out)["runs"].toArray()[0].toObject()["modelledStepNs"].toDouble(), step);
    const Ran compared = runCli(QStringList{"compare", "--strategies", strategy, "--batch-per-replica", "8", "--steps",
                                            "2", "--eval-every", "0", "--dataset", "digits", "--json"} +
                                more);
    QVERIFY2(compared.code == 0, compared.err);
    const QJsonObject run = jsonLines(compared.out).value(0);
    QCOMPARE(run["modelledStepNs"].toDouble(), step);
    // The band beside it tells how far the model was off for published steps.
    const QJsonObject band = run["modelledStepBand"].toObject();
    QVERIFY2(band["low"].isDouble() && band["high"].isDouble() && band["points"].toInt() > 0, compared.out);
    QCOMPARE(band["bound"].toString(), QString(strategy == "multi-worker-mirrored" ? "network" : "one-host"));
  }

  // The band stands beside the steady step, the mean of a round: which of the round's steps came last changes nothing.
  void theBandIsOfTheSteadyStep() {
    for (const char* steps : {"3", "4"}) {
      const Ran ran = runCli({"compare", "--strategies", "local-sgd", "--replicas", "4", "--batch-per-replica", "64",
                              "--steps", steps, "--eval-every", "0", "--dataset", "digits", "--json"});
      QVERIFY2(ran.code == 0, ran.err);
      const QJsonObject band = jsonLines(ran.out).value(0)["modelledStepBand"].toObject();
      QCOMPARE(band["bound"].toString(), QString("compute"));  // it sends for 6 % of its time
    }
  }

  // Stragglers of every kind and the input pipeline can be set; the seed determines the draws.
  void sweepWithStragglersAndInput() {
    const auto stepOf = [](const QStringList& more) {
      const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--model", "resnet50", "--replicas", "8",
                                         "--batch-per-replica", "64", "--json"} +
                             more);
      return ran.code == 0 ? jsonDocument(ran.out)["runs"].toArray()[0].toObject()["modelledStepNs"].toDouble() : -1.0;
    };
    const double even = stepOf({});
    QVERIFY(even > 0);
    QVERIFY(stepOf({"--stall-probability", "1"}) > 3 * even && stepOf({"--slow", "2:2"}) > 1.5 * even);
    const double drawn = stepOf({"--jitter", "0.2", "--seed", "3"});
    QVERIFY(drawn > even);
    QCOMPARE(stepOf({"--jitter", "0.2", "--seed", "3"}), drawn);
    QVERIFY(stepOf({"--jitter", "0.2", "--seed", "4"}) != drawn);
    for (const QStringList& draws :
         QList<QStringList>{{}, {"--slow", "1:2"}, {"--jitter", "0.2"}, {"--stall-probability", "1"}}) {
      const Ran ran =
          runCli(QStringList{"sweep", "--timing-only", "--replicas", "2", "--batch-per-replica", "64"} + draws);
      QVERIFY2(ran.code == 0, ran.err);
      QCOMPARE(ran.err.contains("one draw, by --seed"), !draws.isEmpty() && draws.front() != "--slow");
    }
    const double fed = stepOf({"--decode-us", "20000"});
    QVERIFY(fed > even);
    // Without prefetching, images are copied too: a byte per element and the label, through host memory at 60 GB/s.
    const auto copied = static_cast<double>(std::llround(8 * 64 * (3.0 * 224 * 224 + 1) / 60));
    QCOMPARE(stepOf({"--decode-us", "20000", "--no-prefetch"}), fed + copied + even);
    QCOMPARE(stepOf({"--decode-us", "20000", "--no-prefetch=false"}), fed);
    QCOMPARE(stepOf({"--stall-probability", "2"}), -1.0);
  }

  // One device with the global batch would train for 69 days, which is not counted; the step itself takes half as long.
  void aStepIsTimedWithoutItsStrongEfficiency() {
    const QStringList arguments =
        QString(
            "sweep --timing-only --strategy multi-worker-mirrored --replicas 2 --devices-per-host 1 "
            "--batch-per-replica 3000000 --decode-us 1000000 --decode-threads 1")
            .split(QLatin1Char(' '));
    const Ran ran = runCli(arguments + QStringList{"--json"});
    QVERIFY2(ran.code == 0, ran.err);
    const QJsonObject run = jsonDocument(ran.out)["runs"].toArray()[0].toObject();
    QVERIFY(run["modelledStepNs"].toDouble() >= 3e15 && run["strongEfficiency"].isNull());
    QCOMPARE(run["scalingEfficiency"].toDouble(), 1.0);
    QCOMPARE(runCli(arguments).code, 0);
  }

  void aSlowLinkIsTimed() {
    const auto stepOf = [](const QStringList& more) {
      const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--strategy", "parameter-server", "--replicas", "3",
                                         "--batch-per-replica", "64", "--json"} +
                             more);
      return ran.code == 0 ? jsonDocument(ran.out)["runs"].toArray()[0].toObject()["modelledStepNs"].toDouble() : -1.0;
    };
    QVERIFY(stepOf({"--slow-link", "0:10"}) > stepOf({}));
    QCOMPARE(stepOf({"--slow-link", "3:10"}), -1.0);  // there are the replicas 0 to 2
  }

  // The parts of a fast asynchronous worker's step sum to it, in JSON and in the table.
  void theNextCycleIsAPartOfTheStep() {
    const QStringList arguments =
        QString(
            "sweep --timing-only --model resnet50 --strategy parameter-server --replicas 2 --slow 1:100 "
            "--batch-per-replica 64")
            .split(' ');
    const Ran ran = runCli(arguments + QStringList{"--json"}), table = runCli(arguments);
    QVERIFY2(ran.code == 0, ran.err);
    QVERIFY2(table.code == 0, table.err);
    const QJsonObject run = jsonDocument(ran.out)["runs"].toArray()[0].toObject();
    const QJsonObject parts = run["modelledStage"].toObject();
    double sum = 0;
    for (const QJsonValue& part : parts) sum += part.toDouble();
    QCOMPARE(sum, run["modelledStepNs"].toDouble());
    QVERIFY(parts["nextCycleNs"].toDouble() > 0);
    const std::string next = lab::formatDuration(std::llround(parts["nextCycleNs"].toDouble()));
    QVERIFY2(table.out.contains("next cycle") && table.out.trimmed().endsWith(next.c_str()), table.out);
  }

  // A precision that the device has no units for is modelled as float32, and every command says so.
  void whatAUnitDoesNotKnowIsFloat32() {
    const auto of = [](const char* device, const QStringList& more) {
      const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--model", "resnet50", "--replicas", "1",
                                         "--batch-per-replica", "64", "--json", "--device-model", device} +
                             more);
      if (ran.code != 0) qWarning("%s", ran.err.constData());
      return std::pair(jsonDocument(ran.out)["runs"].toArray()[0].toObject(), ran.err);
    };
    const auto step = [&](const char* device, const char* precision) {
      return of(device, {"--precision", precision}).first["modelledStepNs"].toDouble();
    };
    QVERIFY(step("h100", "bfloat16") > 0 && step("v100", "mixed") < step("v100", "float32"));
    QCOMPARE(step("h100", "bfloat16"), step("h100", "mixed"));
    QCOMPARE(step("tpu_v3_core", "bfloat16"), step("tpu_v3_core", "mixed"));
    QCOMPARE(step("v100", "bfloat16"), step("v100", "float32"));
    for (const QStringList& asked : {QStringList{"--precision", "bfloat16"}, QStringList{"--matmul", "bfloat16"}}) {
      const auto [run, said] = of("v100", asked);
      QVERIFY2(run["modelledAsFloat32"].toBool(false) &&
                   said.contains("note: 'v100' has no bfloat16 units: modelled at its float32 rate."),
               said);
      QVERIFY(!of("h100", asked).first["modelledAsFloat32"].toBool(true) && of("h100", asked).second.isEmpty());
    }
    QVERIFY(of("k80", {"--precision", "mixed"}).second.contains("no half-precision units"));
    for (const QJsonValue& device : jsonDocument(runCli({"catalogue", "--json"}).out)["devices"].toArray())
      QCOMPARE(device["matrixFormats"].toArray().contains("bf16"),
               of(qPrintable(device["id"].toString()), {"--precision", "bfloat16"}).second.isEmpty());
    // An explicit precision overrides the strategy's default; giving it twice is refused.
    const auto tpu = [](const char* precision) {
      const Ran ran = runCli({"sweep", "--timing-only", "--strategy", "tpu", "--model", "resnet50", "--replicas", "8",
                              "--batch-per-replica", "64", "--json", "--precision", precision});
      return jsonDocument(ran.out)["runs"].toArray()[0].toObject()["modelledStepNs"].toDouble();
    };
    QVERIFY(tpu("float32") > 2 * tpu("bfloat16"));
    QCOMPARE(runCli({"sweep", "--timing-only", "--precision", "mixed", "--matmul", "bfloat16"}).code, 2);
    for (const QString& device : {QStringLiteral("v100"), QStringLiteral("a100")}) {
      const bool lacks = device == "v100";
      const QStringList settings{"--dataset", "digits",   "--steps",        "1",   "--eval-every", "0",
                                 "--matmul",  "bfloat16", "--device-model", device};
      const Ran trained = runCli(QStringList{"train", "--json"} + settings);
      QCOMPARE(jsonLines(trained.out).back()["modelledAsFloat32"].toBool(false), lacks);
      QCOMPARE(trained.err.count("modelled at its float32 rate."), lacks ? 1 : 0);
      QCOMPARE(runCli(QStringList{"train"} + settings).out.count(", at the float32 rate"), lacks ? 2 : 0);
      const Ran compared = runCli(QStringList{"compare", "--json", "--strategies", "mirrored"} + settings);
      QCOMPARE(jsonLines(compared.out).value(0)["modelledAsFloat32"].toBool(!lacks), lacks);
      QCOMPARE(compared.err.count("modelled at its float32 rate."), lacks ? 1 : 0);
      const Ran swept =
          runCli(QStringList{"sweep", "--json", "--replicas", "1,2", "--batch-per-replica", "8"} + settings);
      QCOMPARE(jsonLines(swept.out).value(0)["modelledAsFloat32"].toBool(false), lacks);
      QCOMPARE(swept.err.count("modelled at its float32 rate."), lacks ? 1 : 0);
    }
  }

  void sweepTrains() {
    const QStringList command{
        "sweep",     "--replicas", "1,2", "--batch-per-replica", "16",  "--steps",         "20",  "--lr-scaling",
        "none,sqrt", "--seeds",    "2",   "--train-examples",    "640", "--test-examples", "100", "--target-accuracy",
        "0.2",       "--json"};
    const Ran ran = runCli(command + QStringList{"--out", folder_.filePath("cells")});
    QVERIFY2(ran.code == 0, ran.err);
    const QFileInfoList files = QDir(folder_.filePath("cells")).entryInfoList({"*.run"}, QDir::Files);
    QCOMPARE(files.size(), 2 * 2 * 2);
    for (const QFileInfo& cell : files)
      QCOMPARE(lab::readRunFile(cell.filePath().toStdString()).header.program, std::string(STRATEGYLAB_VERSION));
    QList<QJsonObject> lines = jsonLines(ran.out);
    QCOMPARE(lines.size(), 2 * 2 * 2 + 2);
    for (int i = 0; i < 2; ++i) {
      const QJsonObject fit = lines.takeLast();
      QCOMPARE(fit["event"].toString(), QString("fit"));
      for (const char* key : {"lrScaling", "minSteps", "minExamples", "criticalBatch"}) QVERIFY(fit.contains(key));
    }
    for (const QJsonObject& cell : lines) {
      QCOMPARE(cell["event"].toString(), QString("cell"));
      QCOMPARE(cell["steps"].toInt(), 20);
      QCOMPARE(cell["globalBatch"].toInt(), 16 * cell["replicas"].toInt());
      for (const char* key : {"modelledImagesPerSecond", "testAccuracy", "efficiency", "learningRate"})
        QVERIFY2(cell[key].toDouble() > 0, key);
      QCOMPARE(cell["stepsToTarget"].isNull(), cell["modelledSecondsToTarget"].isNull());
      if (!cell["stepsToTarget"].isNull())
        QCOMPARE(cell["examplesToTarget"].toInt(), cell["stepsToTarget"].toInt() * cell["globalBatch"].toInt());
      QVERIFY(cell["replicas"].toInt() == 2 || cell["efficiency"].toDouble() == 1.0);
    }
    // The same as `train` with these settings.
    const Ran trained =
        runCli({"train", "--replicas", "2", "--batch-per-replica", "16", "--steps", "20", "--lr-scaling", "sqrt",
                "--seed", "2", "--train-examples", "640", "--test-examples", "100", "--eval-every", "20", "--json"});
    QJsonObject alone;
    for (const QJsonObject& line : jsonLines(trained.out))
      if (line["event"] == "eval") alone = line;
    for (const QJsonObject& cell : lines)
      if (cell["replicas"] == 2 && cell["lrScaling"] == "sqrt" && cell["seed"] == 2)
        QCOMPARE(cell["testAccuracy"].toDouble(), alone["testAccuracy"].toDouble());
  }

  // A reader waits for one line a rule.
  void aRuleThatMissedTheTargetHasItsLine() {
    const Ran ran = runCli({"sweep", "--dataset", "digits", "--replicas", "1", "--batch-per-replica", "16", "--steps",
                            "1", "--lr-scaling", "none,sqrt", "--train-examples", "64", "--test-examples", "100",
                            "--target-accuracy", "1", "--json"});
    QVERIFY2(ran.code == 0, ran.err);
    QStringList rules;
    for (const QJsonObject& line : jsonLines(ran.out)) {
      if (line["event"] != "fit") continue;
      rules << line["lrScaling"].toString();
      QVERIFY2(line["minSteps"].isNull() && line["criticalBatch"].isNull(), ran.out);
    }
    QCOMPARE(rules, (QStringList{"none", "sqrt"}));
  }

  // Cells that fall behind stop, and the output says where; the others have the same bits as without halving.
  void sweepHalves() {
    const QStringList command{"sweep", "--replicas",       "1,2", "--batch-per-replica", "16,32", "--steps",
                              "12",    "--train-examples", "640", "--test-examples",     "50",    "--json"};
    const auto bySetting = [](const Ran& ran) {
      std::map<std::pair<int, int>, QJsonObject> cells;
      for (const QJsonObject& cell : jsonLines(ran.out))
        cells[{cell["replicas"].toInt(), cell["batchPerReplica"].toInt()}] = cell;
      return cells;
    };
    const auto whole = bySetting(runCli(command));
    const auto halved = bySetting(runCli(command + QStringList{"--halving", "2", "--jobs", "1"}));
    QVERIFY(halved == bySetting(runCli(command + QStringList{"--halving", "2", "--jobs", "3"})));
    QCOMPARE(halved.size(), std::size_t{4});
    std::map<int, int> stopped;
    for (const auto& [setting, cell] : halved) {
      ++stopped[cell["stopped"].toInt()];
      QCOMPARE(cell["steps"].toInt(), cell["stopped"].toInt(12));
      if (cell["stopped"].isNull()) QCOMPARE(cell, whole.at(setting));
    }
    QVERIFY(stopped == (std::map<int, int>{{3, 2}, {6, 1}, {0, 1}}));
  }

  // The same number of steps means more images with a larger batch; the program tells users who compare such runs, but
  // not if the batches or the images are equal.
  void halvingTellsOfUnequalImages() {
    const auto told = [](const QStringList& more) {
      const Ran ran =
          runCli(QStringList{"sweep", "--replicas", "1", "--train-examples", "64", "--test-examples", "50"} + more);
      return std::pair(ran.code, ran.err.contains("larger batches have seen more images"));
    };
    const QStringList batches{"--batch-per-replica", "4,8,16"}, halves{"--halving", "2"}, steps{"--steps", "4"};
    QCOMPARE(told(batches + halves + steps), std::pair(0, true));
    QCOMPARE(told(batches + halves + QStringList{"--epochs", "1"}), std::pair(0, false));
    QCOMPARE(told(batches + steps), std::pair(0, false));
    QCOMPARE(told(QStringList{"--batch-per-replica", "8", "--learning-rate", "0.1,0.01,0.001"} + halves + steps),
             std::pair(0, false));
  }

  // The same seed draws the same cells, and each is a run like any other.
  void sweepDraws() {
    const QStringList command{"sweep", "--random",        "5",    "--learning-rates", "0.001..0.1", "--batches",
                              "8..64", "--replicas",      "1..4", "--steps",          "3",          "--train-examples",
                              "640",   "--test-examples", "50",   "--jobs",           "1",          "--json"};
    const Ran first = runCli(command), again = runCli(command), other = runCli(command + QStringList{"--seed", "2"});
    QVERIFY2(first.code == 0, first.err);
    QCOMPARE(again.out, first.out);
    const QList<QJsonObject> cells = jsonLines(first.out);
    QCOMPARE(cells.size(), 5);
    QVERIFY(cells.front()["learningRate"] != jsonLines(other.out).front()["learningRate"]);
    const QJsonObject& cell = cells.front();
    const Ran trained = runCli({"train", "--replicas", QString::number(cell["replicas"].toInt()), "--batch-per-replica",
                                QString::number(cell["batchPerReplica"].toInt()), "--learning-rate",
                                QString::number(cell["learningRate"].toDouble()), "--steps", "3", "--train-examples",
                                "640", "--test-examples", "50", "--json"});
    QJsonObject last;
    for (const QJsonObject& line : jsonLines(trained.out))
      if (line["event"] == "eval") last = line;
    QVERIFY(last["step"] == 3 && last["testAccuracy"] == cell["testAccuracy"]);
  }

  // A diverged cell is kept as it is; it is run again only on request, and no other cell is.
  void sweepRetriesDiverged() {
    const QTemporaryDir folder;
    const QStringList command{
        "sweep",       "--replicas", "1",  "--batch-per-replica", "16",  "--learning-rate", "0.01,1000", "--optimizer",
        "sgd",         "--steps",    "20", "--train-examples",    "640", "--test-examples", "50",        "--out",
        folder.path(), "--json"};
    const auto cells = [](const Ran& ran) {
      std::map<double, bool> diverged;
      for (const QJsonObject& cell : jsonLines(ran.out))
        diverged[cell["learningRate"].toDouble()] = cell["diverged"].toBool();
      return diverged;
    };
    const std::map<double, bool> expected{{0.01, false}, {1000, true}};
    QVERIFY(cells(runCli(command)) == expected);
    const Ran again = runCli(command), retried = runCli(command + QStringList{"--retry-diverged"});
    QCOMPARE(again.err.count("there already"), 2);
    QCOMPARE(retried.err.count("there already"), 1);
    QVERIFY(cells(again) == expected && cells(retried) == expected);
  }

  // Killed and restarted again and again, the sweep ends like an undisturbed one, and trains no cell twice.
  void sweepGoesOn() {
    const QTemporaryDir folder;
    const QStringList command{"sweep",   "--replicas",      "1,2,4", "--batch-per-replica",
                              "8,16,32", "--steps",         "15",    "--train-examples",
                              "640",     "--test-examples", "50",    "--jobs",
                              "2",       "--json"};
    const auto sorted = [](QByteArray text) {
      QList<QByteArray> lines = text.trimmed().split('\n');
      std::sort(lines.begin(), lines.end());
      return lines;
    };
    const Ran through = runCli(command);
    QCOMPARE(sorted(through.out).size(), 9);
    int kills = 0;
    qsizetype there = 0;
    for (bool ended = false; !ended; ++kills) {
      QVERIFY(kills < 20);
      QProcess process;
      prepareCli(process);
      process.setArguments(command + QStringList{"--out", folder.path()});
      process.start();
      // Waits until one more cell than before is printed.
      QByteArray out;
      while (out.count('\n') <= there && process.waitForReadyRead(300'000)) out += process.readAllStandardOutput();
      if (out.count('\n') > there && there < 8) {
        process.kill();
        process.waitForFinished(300'000);
        out += process.readAllStandardOutput();
        const qsizetype now = QDir(folder.path()).entryList({"*.run"}).size();
        QVERIFY(now > there);
        there = now;
        continue;
      }
      // Also false if the program has ended already.
      QVERIFY(process.waitForFinished(300'000) || process.state() == QProcess::NotRunning);
      QCOMPARE(process.exitStatus(), QProcess::NormalExit);
      QCOMPARE(process.exitCode(), 0);
      QCOMPARE(sorted(out + process.readAllStandardOutput()), sorted(through.out));
      ended = true;
    }
    QVERIFY(kills > 2);
  }

  // One folder per cell, whether just trained or already there, and one file for the sweep itself.
  void sweepForTensorBoard() {
    const QTemporaryDir folder;
    for (const char* name : {"a", "b"}) {
      const QDir events(folder.filePath(name));
      const Ran ran = runCli({"sweep", "--replicas", "1,2", "--batch-per-replica", "8", "--steps", "3", "--dataset",
                              "digits", "--train-examples", "256", "--test-examples", "20", "--out",
                              folder.filePath("out"), "--tensorboard", events.path(), "--json"});
      QVERIFY2(ran.code == 0, ran.err);
      QCOMPARE(events.entryList(QDir::Files).size(), 1);
      const QStringList runs = events.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
      QCOMPARE(runs.size(), 2);
      for (const QString& run : runs) {
        QVERIFY2(QFile::exists(folder.filePath("out/" + run + ".run")), qPrintable(run));
        QVERIFY(QFile(events.filePath(run + "/events.out.tfevents.0000000001.strategylab")).size() > 500);
      }
    }
    const Ran ran = runCli({"train", "--steps", "3", "--dataset", "digits", "--train-examples", "256",
                            "--test-examples", "20", "--tensorboard", folder.filePath("one"), "--json"});
    QVERIFY2(ran.code == 0, ran.err);
    QVERIFY(QFile(folder.filePath("one/events.out.tfevents.0000000001.strategylab")).size() > 500);
    QCOMPARE(runCli({"train", "--steps", "1", "--tensorboard", "/dev/null/x"}).code, 2);
    // A run that is resumed at its end keeps what is there of its steps.
    const QStringList two{"train",
                          "--steps",
                          "4",
                          "--dataset",
                          "digits",
                          "--train-examples",
                          "256",
                          "--test-examples",
                          "20",
                          "--tensorboard",
                          folder.filePath("two"),
                          "--checkpoint-dir",
                          folder.filePath("checkpoints"),
                          "--json"};
    QCOMPARE(runCli(two).code, 0);
    const qint64 size = QFile(folder.filePath("two/events.out.tfevents.0000000001.strategylab")).size();
    QCOMPARE(runCli(two + QStringList{"--resume"}).code, 0);
    QVERIFY(size > 500);
    QCOMPARE(QFile(folder.filePath("two/events.out.tfevents.0000000001.strategylab")).size(), size);
  }

  // Three replicas on two hosts are impossible: reported and left out. Efficiency is relative to one device, which the
  // sweep has not.
  void sweepWithoutWhatCannotBe() {
    const Ran ran = runCli({"sweep",
                            "--strategy",
                            "multi-worker-mirrored",
                            "--hosts",
                            "2",
                            "--replicas",
                            "3,4,8",
                            "--batch-per-replica",
                            "8",
                            "--steps",
                            "2",
                            "--eval-every",
                            "0",
                            "--dataset",
                            "digits",
                            "--train-examples",
                            "256",
                            "--threads",
                            "1",
                            "--json"});
    QVERIFY2(ran.code == 0, ran.err);
    const QList<QJsonObject> lines = jsonLines(ran.out);
    QCOMPARE(lines.size(), 2);
    for (const QJsonObject& line : lines) {
      QVERIFY2(line["replicas"].toInt() == 4 || line["replicas"].toInt() == 8, ran.out);
      QVERIFY2(line["efficiency"].toDouble() > 0 && line["efficiency"].toDouble() < 1, ran.out);
    }
    QVERIFY2(ran.err.contains("3 replicas left out"), ran.err);
  }

  // The default counts are those that the strategy allows; a count that another setting rules out is left out, reported
  // once, and not counted.
  void countsThatCannotBeAreLeftOut() {
    const auto counts = [](const QStringList& more) {
      const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--batch-per-replica", "32,64", "--json"} + more);
      QList<int> replicas;
      for (const QJsonValue& run : jsonDocument(ran.out)["runs"].toArray())
        if (const int one = run.toObject()["replicas"].toInt(); replicas.isEmpty() || replicas.last() != one)
          replicas << one;
      return std::pair(replicas, ran.err);
    };
    QCOMPARE(counts({"--strategy", "one-device"}), std::pair(QList<int>{1}, QByteArray()));
    const auto [slow, said] = counts({"--slow", "3:2"});
    QCOMPARE(slow, (QList<int>{4, 8}));
    QVERIFY2(said.count("left out: --slow 3") == 2 && said.contains("note: 1 replica left out"), said);
    QCOMPARE(counts({"--strategy", "multi-worker-mirrored", "--hosts", "2"}).first, (QList<int>{2, 4, 8}));
    const QStringList small{"--dataset", "digits", "--steps", "1", "--eval-every", "0", "--train-examples", "64"};
    const Ran alone = runCli(QStringList{"sweep", "--strategy", "one-device", "--batch-per-replica", "8"} + small);
    QVERIFY2(alone.code == 0 && alone.err.contains("1 of 1 cell\n") && !alone.err.contains("left out"), alone.err);
    const Ran two = runCli(
        QStringList{"sweep", "--strategy", "one-device", "--replicas", "1,2", "--batch-per-replica", "8,16"} + small);
    QVERIFY2(two.err.count("2 replicas left out") == 1 && two.err.contains("2 of 2 cells\n"), two.err);
    // If other cells of a count are trained, only the impossible cell is left out.
    const Ran rules =
        runCli(QStringList{"sweep", "--replicas", "1,2", "--batch-per-replica", "8", "--lr-scaling", "none,staleness"} +
               small);
    QVERIFY2(rules.code == 0 && !rules.err.contains("replicas left out"), rules.err);
    QVERIFY2(rules.err.contains("2 replicas with --batch-per-replica 8, --lr-scaling staleness and"), rules.err);
  }

  // One batch that several splits share is a single draw of each seed: one seed has no interval, and splits narrow
  // none.
  void splitsAreNoDraws() {
    const auto fit = [](const char* replicas, const char* seeds) {
      const Ran ran = runCli({"sweep", "--replicas", replicas, "--global-batch", "16,32,64", "--dataset", "digits",
                              "--train-examples", "1000", "--test-examples", "100", "--target-accuracy", "0.3",
                              "--seeds", seeds, "--json"});
      return jsonLines(ran.out).value(jsonLines(ran.out).size() - 1);
    };
    const QJsonObject oneSeed = fit("1,2", "1"), alone = fit("1", "3"), split = fit("1,2,4", "3");
    QVERIFY(oneSeed["criticalBatch"].isDouble() && oneSeed["criticalBatchLow"].isNull());
    QVERIFY(alone["criticalBatchLow"].toDouble() < alone["criticalBatchHigh"].toDouble());
    for (const char* key : {"criticalBatch", "criticalBatchLow", "criticalBatchHigh"})
      QVERIFY2(qFuzzyCompare(split[key].toDouble(), alone[key].toDouble()), key);
  }

  // Updates of more workers are more stale, and more copies differ: no curve goes through runs of different numbers of
  // replicas, as in the window.
  void differentSplitsShareNoCurve_data() {
    QTest::addColumn<QString>("strategy");
    QTest::newRow("workers") << "parameter-server";
    QTest::newRow("copies") << "local-sgd";
  }
  void differentSplitsShareNoCurve() {
    QFETCH(QString, strategy);
    for (const bool several : {false, true}) {
      const Ran ran = runCli({"sweep", "--strategy", strategy, "--replicas", several ? "1,2" : "2",
                              "--batch-per-replica", "16,64", "--dataset", "digits", "--train-examples", "1000",
                              "--test-examples", "100", "--target-accuracy", "0.3", "--json"});
      QVERIFY2(ran.code == 0, ran.err);
      QCOMPARE(jsonLines(ran.out).last()["minSteps"].isNull(), several);
      QCOMPARE(ran.err.contains("note: no curve of steps over the batch"), several);
    }
  }

  // Where few steps are enough, the sentence has the fitted number as JSON does, not 1 or 0.
  void aFitOfFewStepsIsNotRounded() {
    const QStringList command{"sweep",  "--replicas",        "1,2", "--batch-per-replica", "32,64", "--dataset",
                              "digits", "--steps",           "12",  "--train-examples",    "1000",  "--test-examples",
                              "100",    "--target-accuracy", "0.3"};
    const double least = jsonLines(runCli(command + QStringList{"--json"}).out).last()["minSteps"].toDouble();
    QVERIFY2(least > 0 && least < 10, qPrintable(QString::number(least)));
    const Ran ran = runCli(command);
    QVERIFY2(ran.out.contains("about " + QByteArray::number(least, 'g', 2) + " x (1 + "), ran.out);
  }

  // As in a run, an all-reduce's cost is modelled only on links that are possible.
  void collectivesHaveTheDevicesLinks() {
    const auto answer = [](const QStringList& more) {
      return runCli(QStringList{"collective", "--schedule", "nccl", "--price-only", "--json"} + more);
    };
    const QStringList h100{"--device-model", "h100"};
    QCOMPARE(answer(h100).out, answer(h100 + QStringList{"--link", "nvlink4"}).out);
    QVERIFY(!jsonDocument(answer(h100).out)["extrapolated"].toBool(false));
    const Ran other = answer({"--link", "nvlink3"});
    QVERIFY(other.code == 0 && jsonDocument(other.out)["extrapolated"].toBool());
    QVERIFY2(other.err.contains("note: 'v100' has no ports for 'nvlink3'"), other.err);
    QVERIFY(answer({"--ranks", "64"}).err.contains("64 devices on one host"));
  }

  void ownClusterAndCatalogue() {
    const QString cluster = file("c.json", R"({"hostLink": "own_net", "hosts": [{"name": "a", "count": 2,
      "devices": {"v100": 4}, "link": "nvlink2"}]})");
    const QString catalogue = ownCatalogue("own.csv", "10");
    const QStringList base{
        "sweep", "--timing-only", "--strategy", "multi-worker-mirrored", "--replicas", "8", "--batch-per-replica",
        "64",    "--cluster",     cluster};
    QCOMPARE(runCli(base + QStringList{"--catalogue", catalogue}).code, 0);
    const Ran without = runCli(base);
    QCOMPARE(without.code, 2);
    QVERIFY(without.err.contains("own_net"));
  }

  // The commands that train, compare and list know the user's own devices too.
  void ownDevicesTrain() {
    const QString own = ownCatalogue("own.csv", "10"), faster = ownCatalogue("faster.csv", "100");
    const auto modelled = [&](const QString& catalogue) {
      const Ran ran =
          runCli({"train", "--json", "--dataset", "digits", "--steps", "2", "--eval-every", "0", "--batch-per-replica",
                  "256", "--device-model", "own_gpu", "--link", "own_net", "--catalogue", catalogue});
      if (ran.code != 0) qWarning("%s", qPrintable(ran.err));
      return jsonLines(ran.out)[1]["modelledComputeNs"].toDouble();  // without launches, which are the host's
    };
    QVERIFY(modelled(own) > 0);
    QVERIFY(modelled(own) > 1.5 * modelled(faster));
    const Ran compared = runCli({"compare", "--strategies", "mirrored,one-device", "--json", "--dataset", "digits",
                                 "--steps", "2", "--device-model", "own_gpu", "--catalogue", own});
    QVERIFY2(compared.code == 0, qPrintable(compared.err));
    QVERIFY(runCli({"catalogue", "--catalogue", own}).out.contains("own_gpu"));
    QVERIFY(!runCli({"catalogue"}).out.contains("own_gpu"));
    // Without the catalogue, or with a bad one, a message names what is wrong.
    const Ran unknown = runCli({"train", "--device-model", "own_gpu", "--dataset", "digits", "--steps", "1"});
    QCOMPARE(unknown.code, 2);
    QVERIFY(unknown.err.contains("own_gpu"));
    const Ran bad =
        runCli({"train", "--dataset", "digits", "--steps", "1", "--catalogue", ownCatalogue("bad.csv", "-3")});
    QCOMPARE(bad.code, 2);
    QVERIFY2(bad.err.contains("own_gpu") || bad.err.contains("fp32_peak_tflops"), qPrintable(bad.err));
    QCOMPARE(runCli({"train", "--steps", "1", "--catalogue", "/nowhere.csv"}).code, 2);
  }

  // There may be as many hosts as devices.
  void thereMayBeAsManyHostsAsDevices() {
    const Ran ran = runCli({"sweep", "--timing-only", "--json", "--strategy", "multi-worker-mirrored", "--replicas",
                            "4096", "--hosts", "4096", "--batch-per-replica", "64"});
    QVERIFY2(ran.code == 0, ran.err);
    QCOMPARE(jsonDocument(ran.out)["runs"].toArray().size(), 1);
  }

  // The catalogue's family column, not a name, decides which constants NCCL's model takes.
  void theFamilyDecides() {
    const auto own = [&](const char* name, const QString& family) {
      QString rows = ownCatalogue("family-base.csv", "60");
      QFile base(rows);
      if (!base.open(QIODevice::ReadOnly)) return QString();
      QStringList lines = QString::fromUtf8(base.readAll()).split('\n', Qt::SkipEmptyParts);
      lines[0] += ",family";
      for (qsizetype i = 1; i < lines.size(); ++i) lines[i] += lines[i].startsWith("device") ? "," + family : ",other";
      return file(name, (lines.join(QLatin1Char(10)) + QLatin1Char(10)).toUtf8());
    };
    const auto seconds = [&](const QString& catalogue) {
      const Ran ran = runCli({"collective", "--schedule", "nccl", "--json", "--price-only", "--device-model", "own_gpu",
                              "--link", "nvlink4", "--ranks", "8", "--catalogue", catalogue});
      if (ran.code != 0) qWarning("%s", ran.err.constData());
      return jsonDocument(ran.out)["modelledSeconds"].toDouble();
    };
    const double volta = seconds(own("volta.csv", "volta")), hopper = seconds(own("hopper.csv", "hopper"));
    QVERIFY(volta > 0 && hopper > 0 && volta != hopper);
    const Ran listed = runCli({"catalogue", "--json", "--catalogue", own("ampere.csv", "ampere")});
    bool found = false;
    for (const QJsonValue& device : jsonDocument(listed.out)["devices"].toArray()) {
      QVERIFY(device["family"].isString());
      if (device["id"] == "own_gpu") found = device["family"] == "ampere" && device["familyFrom"].isNull();
    }
    QVERIFY(found);
    // Without the column, the family is guessed from the figures, and the output says so.
    const Ran guessed = runCli({"collective", "--schedule", "nccl", "--json", "--price-only", "--device-model",
                                "own_gpu", "--catalogue", ownCatalogue("none.csv", "60")});
    QVERIFY2(guessed.err.contains("no family for 'own_gpu'") && guessed.err.contains("column 'family'"),
             guessed.err.constData());
    const Ran bad = runCli({"catalogue", "--catalogue", own("bad-family.csv", "quantum")});
    QCOMPARE(bad.code, 2);
    QVERIFY2(bad.err.contains("'quantum'") && bad.err.contains("hopper"), bad.err.constData());
  }

  // The user's own network, in a .keras file: with its training run's step, size and memory, on more devices than can
  // be trained.
  void ownNetworksAreModelled() {
    const std::filesystem::path reference = referenceDir();
    if (reference.empty()) QSKIP("the reference folder is not here: set STRATEGYLAB_REFERENCE_DIR");
    const auto own = [&](const char* name) {
      return QString::fromStdString((reference / "golden" / "networks" / name).string());
    };
    const auto modelled = [](const QStringList& settings) {
      const Ran ran = runCli(QStringList{"sweep", "--timing-only", "--batch-per-replica", "8", "--json"} + settings);
      return ran.code == 0 ? jsonDocument(ran.out) : QJsonObject{{"failed", QString::fromUtf8(ran.err)}};
    };
    const auto firstOf = [](const QJsonObject& sweep) { return sweep["runs"].toArray().first().toObject(); };
    for (const QString strategy : {"mirrored", "parameter-server", "sharded"}) {
      const QStringList settings{"--strategy", strategy, "--replicas", "3", "--network", own("same-11.keras")};
      const Ran trained = runCli(
          QStringList{"train", "--dataset", "digits", "--batch-per-replica", "8", "--steps", "2", "--json"} + settings);
      QVERIFY2(trained.code == 0, trained.err);
      const QJsonObject sweep = modelled(settings), end = jsonLines(trained.out).back();
      QCOMPARE(sweep["parameters"].toInt(), 20'746);
      QCOMPARE(sweep["model"].toString(), own("same-11.keras"));
      QVERIFY(!end["modelledMemory"].toObject().isEmpty());
      QCOMPARE(firstOf(sweep)["modelledPeakMemory"].toObject()["bytes"], end["modelledMemory"].toObject()["bytes"]);
      if (strategy != "parameter-server")  // the cycles of a worker differ
        QCOMPARE(firstOf(sweep)["modelledStepNs"], jsonLines(trained.out).front()["modelledStepNs"]);
    }
    // The file holds the same network as --network cifar10.
    for (const char* file : {"cifar10-11.keras", "cifar10.json"}) {
      const QStringList many{"--replicas", "65536", "--network"};
      QJsonObject sweep = modelled(many + QStringList{own(file)}), named = modelled(many + QStringList{"cifar10"});
      QVERIFY(sweep.contains("runs"));
      QCOMPARE(sweep["runs"], named["runs"]);
      QCOMPARE(sweep["parameters"], named["parameters"]);
    }
    const auto refused = [](const QStringList& settings) {
      return runCli(QStringList{"sweep", "--timing-only", "--replicas", "2"} + settings).err;
    };
    const QByteArray unfit = refused({"--network", own("cifar10-11.keras"), "--dataset", "mnist"});
    QVERIFY2(unfit.contains("the shape (32, 32, 3), but those of --dataset mnist have the shape (28, 28, 1)"), unfit);
    const QByteArray asModel = refused({"--model", own("mlp-11.keras")});
    QVERIFY2(asModel.contains("Give it as --network") && asModel.contains("mlp-11.keras"), asModel);
  }

  // A preset as a file of Keras takes what the preset takes, though such a network cannot be trained here.
  void networksTooLargeToTrain() {
    for (const char* key : {"resnet50", "resnext50", "inception3"}) {
      const auto known = std::ranges::find(lab::timedNetworks(), key, &lab::KnownNetwork::key);
      const QString large = file("large.json", QByteArray::fromStdString(lab::kerasJson(known->make())));
      const auto modelled = [](const QStringList& network) {
        const Ran ran =
            runCli(QStringList{"sweep", "--timing-only", "--replicas", "1,8", "--batch-per-replica", "32", "--json"} +
                   network);
        return ran.code == 0 ? jsonDocument(ran.out) : QJsonObject();
      };
      const QJsonObject sweep = modelled({"--network", large});
      QCOMPARE(sweep["runs"].toArray().size(), 2);
      QCOMPARE(sweep["runs"], modelled({"--model", key})["runs"]);
      QCOMPARE(sweep["model"].toString(), large);
      const Ran trained = runCli({"train", "--network", large, "--steps", "1"});
      QCOMPARE(trained.code, 2);
      QVERIFY2(trained.err.contains("sweep --timing-only") && trained.err.contains("at most 256 classes"), trained.err);
    }
  }

  void wrongRequests_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("no rows") << QStringList{"validate"} << "--rows";
    QTest::newRow("rows missing") << QStringList{"validate", "--rows", "/nowhere.csv"} << "/nowhere.csv";
    QTest::newRow("a million") << QStringList{"sweep", "--timing-only", "--replicas", "1000000"} << "65,536";
    // One limit for everything that is really carried out, and the same one in every message.
    for (const char* ranks : {"2049", "3000", "5000"})
      QTest::addRow("%s ranks", ranks) << QStringList{"collective", "--ranks", ranks} << "from 1 to 2,048";
    QTest::newRow("replicas") << QStringList{"train", "--replicas", "2049"} << "from 1 to 2,048";
    QTest::newRow("split") << QStringList{"split", "--global-batch", "8", "--replicas", "2049"} << "2,048";
    QTest::newRow("hosts") << QStringList{"sweep", "--timing-only", "--hosts", "65537"} << "from 1 to 65,536";
    QTest::newRow("hosts of ranks") << QStringList{"collective", "--hosts", "65537"} << "from 1 to 65,536";
    QTest::newRow("counts") << QStringList{"sweep", "--replicas", "1,x"} << "'x'";
    for (const char* command : {"train", "compare", "sweep", "sweep --timing-only"})
      QTest::addRow("link of others, %s", command)
          << QString::fromLatin1(command).split(' ') + QStringList{"--device-model", "h100", "--link", "nvlink1"}
          << "--link nvlink1: 'h100' has no ports for it. Give one of these, or leave --link out: nvlink4";
    QTest::newRow("model") << QStringList{"sweep", "--timing-only", "--model", "resnet5"} << "resnet50";
    QTest::newRow("network as model") << QStringList{"sweep", "--timing-only", "--model", "cifar10"}
                                      << "Give it as --network cifar10";
    QTest::newRow("model as network") << QStringList{"sweep", "--timing-only", "--network", "resnet50"}
                                      << "Give it as --model resnet50";
    QTest::newRow("no network") << QStringList{"sweep", "--timing-only", "--network", "/nowhere/my.keras"}
                                << "unknown network '/nowhere/my.keras'";
    QTest::newRow("belongs") << QStringList{"sweep", "--model", "resnet50"} << "--timing-only";
    QTest::newRow("target") << QStringList{"sweep", "--timing-only", "--target-accuracy", "0.9"} << "--target-accuracy";
    for (const char* command : {"sweep", "compare"})
      QTest::addRow("target without evaluations, %s", command)
          << QStringList{command, "--steps", "1", "--target-accuracy", "0.1", "--eval-every", "0"}
          << "--target-accuracy needs evaluations on the test images, and --eval-every 0 makes none";
    QTest::newRow("seeds") << QStringList{"sweep", "--timing-only", "--seeds", "3"} << "--seeds";
    QTest::newRow("halving without training")
        << QStringList{"sweep", "--timing-only", "--halving", "3"} << "--halving needs training";
    QTest::newRow("halving by nine") << QStringList{"sweep", "--halving", "9"} << "from 2 to 8";
    QTest::newRow("halving and diverged") << QStringList{"sweep", "--halving", "3", "--retry-diverged"}
                                          << "--retry-diverged has no meaning with --halving";
    QTest::newRow("halving of few") << QStringList{"sweep", "--halving", "3", "--replicas", "1", "--batch-per-replica",
                                                   "8,16",  "--steps",   "9"}
                                    << "needs at least 3 cells, but there are 2";
    const auto range = [](const char* name, const QStringList& more, const char* says) {
      QTest::newRow(name) << QStringList{"sweep", "--steps", "1"} + more << says;
    };
    range("range without random", {"--replicas", "1..8"}, "--replicas '1..8' is a range to draw from. Add --random");
    range("random without range", {"--random", "4", "--replicas", "1,2"},
          "--random draws from ranges, but there is none");
    range("reversed range", {"--random", "4", "--learning-rates", "0.1..0.001"}, "must be the smaller one");
    range("range of one", {"--random", "4", "--batches", "8..8"}, "must be the smaller one");
    range("range without an end", {"--random", "4", "--batches", "16.."}, "cannot be '16..'. Give a range LOW..HIGH");
    range("range from zero", {"--random", "4", "--learning-rates", "0..1"}, "cannot be '0..1'. Give a range LOW..HIGH");
    range("list of ranges", {"--random", "4", "--replicas", "1,2..4"}, "cannot be '1,2..4'. Give a range LOW..HIGH");
    range("range of timing", {"--timing-only", "--replicas", "1..8"}, "--replicas '1..8' is a range to draw from");
    range("random timing", {"--random", "4", "--timing-only"}, "needs training");
    QTest::newRow("two batches") << QStringList{"sweep", "--global-batch", "64", "--batch-per-replica", "8"}
                                 << "--global-batch";
    QTest::newRow("rule") << QStringList{"sweep", "--lr-scaling", "none,cubic"} << "cubic";
    QTest::newRow("rates") << QStringList{"sweep", "--learning-rate", "0.1,-1"} << "-1";
    QTest::newRow("jobs") << QStringList{"sweep", "--jobs", "0"} << "--jobs";
    QTest::newRow("out") << QStringList{"sweep", "--steps", "1", "--out", "/dev/null/x"} << "/dev/null/x";
    QTest::newRow("one host") << QStringList{"sweep", "--timing-only", "--replicas", "2", "--hosts", "2"} << "one host";
    QTest::newRow("strategy") << QStringList{"sweep", "--timing-only", "--strategy", "default", "--replicas", "2"}
                              << "--replicas 2";
    QTest::newRow("hosts and devices of a host")
        << QStringList{"sweep", "--timing-only",      "--strategy", "multi-worker-mirrored", "--hosts",
                       "2",     "--devices-per-host", "4"}
        << "--devices-per-host and --hosts say the same";
    QTest::newRow("devices of a server's host")
        << QStringList{"sweep", "--timing-only", "--strategy", "parameter-server", "--devices-per-host", "4"}
        << "--devices-per-host: each worker of ParameterServerStrategy is a host of its own";
    QTest::newRow("devices of the only host")
        << QStringList{"sweep", "--timing-only", "--strategy", "central-storage", "--devices-per-host", "4"}
        << "--devices-per-host: CentralStorageStrategy runs on one host";
    const QString cluster = file("two.json", R"({"hosts": [{"devices": {"v100": 2}, "link": "nvlink2"}]})");
    const auto timing = [](const char* name, const QStringList& more, const char* says) {
      QTest::newRow(name) << QStringList{"sweep", "--timing-only", "--replicas", "2"} + more << says;
    };
    for (const QStringList& of :
         {QStringList{"--steps", "10"}, QStringList{"--epochs", "1"}, QStringList{"--shuffle-buffer", "0"},
          QStringList{"--train-examples", "9"}, QStringList{"--seed", "3"}, QStringList{"--threads", "1"},
          QStringList{"--noise-scale"}})
      timing(qPrintable("timing: " + of.front()), of,
             qPrintable(of.front() + " needs training, and --timing-only trains nothing"));
    for (const char* device : {"cuda", "cpu", "processes"})
      timing(qPrintable(QStringLiteral("timing on %1").arg(device)), {"--devices", device},
             qPrintable(QStringLiteral("--devices %1: --timing-only models devices and uses none").arg(device)));
    timing("stages without JSON", {"--stages"}, "--stages has a meaning only with --json. Add --json, or leave");
    timing("threads of no decoding", {"--decode-threads", "4"}, "--decode-threads has a meaning only with --decode-us");
    timing("two networks", {"--model", "resnet50", "--network", "mlp"},
           "--network says which network is trained, and --model");
    timing("servers of others", {"--parameter-servers", "2"},
           "--parameter-servers belongs to --strategy parameter-server");
    timing("momentum of Adam", {"--momentum", "0.9"}, "--momentum belongs to --optimizer sgd");
    for (const QStringList& of :
         {QStringList{"--nics", "2"}, QStringList{"--transport", "tcp"}, QStringList{"--hosts", "1"},
          QStringList{"--devices-per-host", "2"}, QStringList{"--device-model", "v100"},
          QStringList{"--link", "nvlink2"}, QStringList{"--host-link", "eth_10g"}})
      timing(qPrintable("cluster and " + of.front()), QStringList{"--cluster", cluster} + of,
             qPrintable(of.front() + " is already in the file of --cluster"));
    QTest::newRow("collective on another's link")
        << QStringList{"collective", "--device-model", "v100", "--link", "nvlink3"} << "'v100' has no ports for it";
    QTest::newRow("collective over a host's link")
        << QStringList{"collective", "--hosts", "2", "--host-link", "nvlink2"}
        << "--host-link nvlink2: it joins only devices";
    for (const char* command : {"train --devices cpu", "compare --devices cpu", "sweep --devices cpu"})
      for (const char* option : {"--device-model", "--link", "--host-link"})
        QTest::addRow("%s %s", command, option)
            << QString::fromLatin1(command).split(' ') + QStringList{option, "v100"}
            << QString::fromLatin1(option) + " applies to simulated devices, but those of this run are real";
    for (const char* option : {"--device-model", "--link", "--host-link"})
      QTest::addRow("launch %s", option) << QStringList{"launch", option, "v100"}
                                         << QString("'%1' is an option of `train`").arg(option);
    for (const char* command : {"train", "sweep --timing-only --replicas 2"})
      QTest::addRow("slow twice, %s", command)
          << QString::fromLatin1(command).split(' ') + QStringList{"--slow", "1:2", "--slow", "1:3"}
          << "--slow names replica 1 twice";
    QTest::newRow("launch of one host") << QStringList{"launch", "--strategy", "mirrored"}
                                        << "--strategy mirrored: launch trains multi-worker-mirrored";
    QTest::newRow("launch of one process")
        << QStringList{"launch", "--strategy", "gossip"} << "--strategy gossip: launch trains multi-worker-mirrored";
    for (const QString option : {"--link", "--host-link"})
      QTest::newRow(qPrintable(option + " that is unknown"))
          << QStringList{"train", "--strategy", "multi-worker-mirrored", option, "x"} << option + ": unknown link 'x'";
    QTest::newRow("unknown device") << QStringList{"train", "--device-model", "h10"}
                                    << "--device-model: unknown device model 'h10'";
    QTest::newRow("constants") << QStringList{"sweep", "--timing-only", "--constants", "/nowhere.csv"}
                               << "/nowhere.csv";
  }
  void wrongRequests() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Ran ran = runCli(arguments);
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains(says.toUtf8()) && ran.err.count('\n') == 1 && ran.out.isEmpty(), ran.err);
  }

  void collectivesCostWhatNcclEstimates() {
    const Ran ran = runCli({"collective", "--schedule", "nccl", "--ranks", "8", "--bytes", "1073741824", "--link",
                            "nvlink3", "--device-model", "a100", "--price-only", "--json"});
    QCOMPARE(ran.code, 0);
    const QJsonObject answer = jsonDocument(ran.out);
    QCOMPARE(answer["result"].toString(), QString("not run"));
    // Measured: 8203.9 µs (collective row C01).
    QVERIFY(std::abs(answer["modelledSeconds"].toDouble() / 8203.9e-6 - 1) < 0.4);
    QCOMPARE(jsonDocument(runCli({"collective", "--schedule", "nccl", "--json"}).out)["result"].toString(),
             QString("exact"));
  }
};

QTEST_GUILESS_MAIN(TestCliTiming)
#include "tst_cli_timing.moc"

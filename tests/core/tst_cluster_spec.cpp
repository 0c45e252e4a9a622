// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters that users compose: mistakes are reported, and a correct cluster becomes a network.
#include <QTest>

#include <string>

#include "core/base/error.h"
#include "core/hardware/network.h"

using namespace lab;

class TestClusterSpec : public QObject {
  Q_OBJECT

  static QString complaint(const std::string& json) {
    try {
      (void)parseCluster(json, "c.json", Catalogue::builtIn());
    } catch (const UserError& error) {
      return error.what();
    }
    return "nothing";
  }

 private slots:
  void badClustersSayWhatToDo_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("says");
    const QString host = R"({"name": "a", "devices": {"v100": 2}, "link": "nvlink2"})";
    QTest::newRow("no hosts") << R"({"hosts": []})"
                              << "no hosts";
    QTest::newRow("no devices") << R"({"hosts": [{"name": "a", "devices": {}, "link": "nvlink2"}]})"
                                << "0 devices";
    QTest::newRow("device") << R"({"hosts": [{"devices": {"v10": 2}, "link": "nvlink2"}]})"
                            << "v100";
    QTest::newRow("link") << R"({"hosts": [{"devices": {"v100": 2}, "link": "nvlink"}]})"
                          << "nvlink2";
    QTest::newRow("million") << R"({"hosts": [{"count": 1000000, "devices": {"v100": 8}, "link": "nvlink2"}]})"
                             << "1000000";
    QTest::newRow("too many")
        << R"({"hostLink": "ib_edr", "hosts": [{"count": 65536, "devices": {"v100": 8}, "link": "nvlink2"}]})"
        << "too many";
    QTest::newRow("NaN") << R"({"hosts": [{"count": NaN, "devices": {"v100": 2}, "link": "nvlink2"}]})"
                         << "c.json";
    QTest::newRow("fraction") << R"({"hosts": [{"count": 1.5, "devices": {"v100": 2}, "link": "nvlink2"}]})"
                              << "1.5";
    QTest::newRow("negative") << R"({"hosts": [{"devices": {"v100": -2}, "link": "nvlink2"}]})"
                              << "-2";
    QTest::newRow("no path") << "{\"hosts\": [" + host +
                                    R"(, {"name": "b", "devices": {"v100": 2}, "link": "nvlink2"}]})"
                             << "no path";
    QTest::newRow("same name") << "{\"hostLink\": \"ib_edr\", \"hosts\": [" + host + "," + host + "]}"
                               << "two groups";
    QTest::newRow("duplicate key") << R"({"hosts": [], "hosts": []})"
                                   << "hosts";
    QTest::newRow("unknown key") << R"({"host": [], "hosts": []})"
                                 << "'host'";
    QTest::newRow("unknown switch")
        << R"({"hostLink": "ib_edr", "hosts": [{"name": "a", "devices": {"v100": 2}, "link": "nvlink2", "switch": "s"}]})"
        << "switch";
    QString chain = QStringLiteral("{\"name\": \"s0\", \"link\": \"ib_edr\"}");
    for (int level = 1; level < 7; ++level)
      chain +=
          QStringLiteral(", {\"name\": \"s%1\", \"link\": \"ib_edr\", \"switch\": \"s%2\"}").arg(level).arg(level - 1);
    QTest::newRow("deep") << "{\"hosts\": [" + host + "], \"switches\": [" + chain + "]}"
                          << "one above the other";
    QTest::newRow("cycle")
        << R"({"hostLink": "ib_edr", "hosts": [{"name": "a", "devices": {"v100": 2}, "link": "nvlink2", "switch": "s"}],
              "switches": [{"name": "s", "link": "ib_edr", "switch": "t"}, {"name": "t", "link": "ib_edr", "switch": "s"}]})"
        << "cycle";
    QTest::newRow("two islands")
        << R"({"hostLink": "ib_edr", "hosts": [{"name": "a", "devices": {"v100": 2}, "link": "nvlink2", "switch": "s"},
              {"name": "b", "devices": {"v100": 2}, "link": "nvlink2", "switch": "t"}],
              "switches": [{"name": "s", "link": "ib_edr"}, {"name": "t", "link": "ib_edr"}]})"
        << "no path";
    QTest::newRow("transport") << R"({"transport": "pigeon", "hosts": []})"
                               << "pigeon";
    QTest::newRow("not JSON") << "hosts"
                              << "c.json";
  }
  void badClustersSayWhatToDo() {
    QFETCH(QString, json);
    QFETCH(QString, says);
    const QString said = complaint(json.toStdString());
    QVERIFY2(said.contains(says) && said.contains("c.json"), qPrintable(said));
  }

  // Names are not repeated as often as the file says before all of it is read: that would be a million texts here.
  void tooManyDevicesAreRefusedEarly() {
    std::string names, groups;
    for (int i = 0; i < 1000; ++i) names += (i == 0 ? "\"no" : ", \"no") + std::to_string(i) + "\": 1024";
    for (int i = 0; i < 65; ++i)
      groups += std::string(i == 0 ? "" : ", ") + R"({"devices": {"v100": 1024}, "link": "nvlink2"})";
    const auto host = [](const std::string& devices) {
      return complaint(R"({"hosts": [{"name": "a", "devices": {)" + devices + R"(}, "link": "nvlink2"}]})");
    };
    QVERIFY2(host(names).contains("'no0'"), qPrintable(host(names)));
    const QString two = host(R"("a100": 1024, "v100": 1024)");
    QVERIFY2(two.contains("'a' has 2,048 devices"), qPrintable(two));
    const QString many = complaint(R"({"hostLink": "ib_edr", "hosts": [)" + groups + "]}");
    QVERIFY2(many.contains("too many to simulate"), qPrintable(many));
  }

  void zeroBandwidthIsRefusedByRow() {
    const std::string header =
        "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,"
        "mem_gb_per_s,mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,"
        "link_gb_per_s_per_dir,link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,latency_source,"
        "notes\n";
    for (const char* value : {"0", "nan", "-1", "inf", ""}) {
      try {
        (void)Catalogue::parse(header + "link,mine,Mine,,,,,,,,,,,,,1,s," + value + ",s,1,s,\n", "own.csv");
        QFAIL("accepted");
      } catch (const UserError& error) {
        QVERIFY2(QString(error.what()).contains("'mine'") && QString(error.what()).contains("link_effective_gb_per_s"),
                 error.what());
      }
    }
    const Catalogue merged = Catalogue::builtIn().mergedWith(Catalogue::parse(
        header + "link,mine,Mine,,,,,,,,,,,,,1,s,0.5,s,1,s,\nlink,ib_edr,Own,,,,,,,,,,,,,2,s,2,s,1,s,\n", "own.csv"));
    QCOMPARE(merged.link("mine").effectiveGbPerSec, 0.5);
    QCOMPARE(merged.link("ib_edr").effectiveGbPerSec, 2.0);
    QCOMPARE(merged.links().size(), Catalogue::builtIn().links().size() + 1);
  }

  void constantsAreReplacedByName() {
    const TimingConstants& own = TimingConstants::builtIn();
    for (const TimingConstant& row : own.rows()) QVERIFY2(!row.source.empty() && !row.unit.empty(), row.key.c_str());
    const auto merged =
        own.mergedWith(TimingConstants::parse("key,value,unit,source\nnccl.call_us,5,us,mine\n", "k"), "k");
    QCOMPARE(merged["nccl.call_us"], 5.0);
    QCOMPARE(own["nccl.call_us"], 28.0);
    for (const char* bad : {"key,value,unit,source\nnccl.call,5,us,mine\n"})
      QVERIFY_THROWS_EXCEPTION(UserError, own.mergedWith(TimingConstants::parse(bad, "k"), "k"));
    for (const char* bad : {"key,value,unit,source\na,nan,us,x\n", "key,value,unit,source\na,1,us,x\na,2,us,x\n",
                            "key,value,unit,source\na,1,us,\n", "key,value\na,1\n"})
      QVERIFY_THROWS_EXCEPTION(UserError, TimingConstants::parse(bad, "k"));
  }

  void mixedClusterBecomesANetwork() {
    const ClusterSpec cluster = parseCluster(
        R"({"hostLink": "ib_edr", "transport": "rdma",
            "hosts": [{"name": "new", "count": 2, "devices": {"a100": 4}, "link": "nvlink3", "nics": 2, "switch": "left"},
                      {"name": "old", "devices": {"v100": 2, "p100": 1}, "link": "pcie3_x16", "peerToPeer": false, "switch": "right"}],
            "switches": [{"name": "top", "link": "ib_edr"}, {"name": "left", "link": "ib_edr", "switch": "top", "uplinks": 2},
                         {"name": "right", "link": "ib_edr", "switch": "top"}]})",
        "c.json", Catalogue::builtIn());
    QCOMPARE(cluster.devices(), 11);
    const Network network(cluster, Catalogue::builtIn(), TimingConstants::builtIn());
    QCOMPARE(network.hosts(), 3);
    QCOMPARE(network.device(0).id, std::string("a100"));
    QCOMPARE(network.device(8).id, std::string("p100"));
    const auto names = [&](int from, int to) {
      QStringList list;
      const Network::Route route = network.route(from, to);
      for (const auto& crossing : route.span()) list += QString::fromStdString(network.name(crossing.resource));
      return list;
    };
    QCOMPARE(names(0, 1), QStringList({"device 0 out", "device 1 in"}));
    QCOMPARE(names(0, 5), QStringList({"device 0 out", "host 0 NICs out", "host 1 NICs in", "device 5 in"}));
    QCOMPARE(names(0, 9), QStringList({"device 0 out", "host 0 NICs out", "left up", "right down", "host 2 NICs in",
                                       "device 9 in"}));
    QVERIFY(names(8, 9).contains("host 2 memory"));  // no peer-to-peer
  }
};

QTEST_GUILESS_MAIN(TestClusterSpec)
#include "tst_cluster_spec.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped catalogue is complete; a bad one is refused with the row and the cell that are wrong.
#include <QTest>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/hardware/catalogue.h"

using namespace lab;

namespace {

const std::string kHeader =
    "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,mem_gb_per_s,"
    "mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,link_gb_per_s_per_dir,link_bw_source,"
    "link_effective_gb_per_s,link_eff_source,link_latency_us,latency_source,notes\n";
const std::string kDevice = "device,d1,Device One,10,s1,,,,16,500,s2,5,s3,0.5,s4,,,,,,,a note\n";
const std::string kLink = "link,l1,Link One,,,,,,,,,,,,,10,b,8,e,2.5,l,\n";

std::string messageOf(const std::string& csv) {
  try {
    Catalogue::parse(csv, "my.csv");
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

std::vector<std::vector<std::string>> cellsOf(const std::string& csv) {
  std::vector<std::vector<std::string>> cells;
  for (const CsvRow& row : parseCsv(csv, "my.csv")) cells.push_back(row.cells);
  return cells;
}

}  // namespace

class TestCatalogue : public QObject {
  Q_OBJECT

 private slots:
  void csvCells_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<QStringList>>("rows");
    QTest::newRow("plain") << "a,b\n1,2\n" << QList<QStringList>{{"a", "b"}, {"1", "2"}};
    QTest::newRow("no last line break") << "a,b\n1," << QList<QStringList>{{"a", "b"}, {"1", ""}};
    QTest::newRow("CR LF") << "a,b\r\n1,\"2\"\r\n" << QList<QStringList>{{"a", "b"}, {"1", "2"}};
    QTest::newRow("quoted") << "\"a,1\",\"b\"\"c\"\"\"\n\"x\ny\",\n"
                            << QList<QStringList>{{"a,1", "b\"c\""}, {"x\ny", ""}};
    QTest::newRow("empty lines") << "a,b\n\n1,2\n\r\n" << QList<QStringList>{{"a", "b"}, {"1", "2"}};
    QTest::newRow("nothing") << "" << QList<QStringList>{};
  }
  void csvCells() {
    QFETCH(QString, text);
    QFETCH(QList<QStringList>, rows);
    QList<QStringList> read;
    for (const auto& cells : cellsOf(text.toStdString())) {
      QStringList row;
      for (const std::string& cell : cells) row << QString::fromStdString(cell);
      read << row;
    }
    QCOMPARE(read, rows);
  }

  void csvSkipsTheByteOrderMark() {
    QCOMPARE(cellsOf("\xEF\xBB\xBF"
                     "a,b\n")[0][0],
             std::string("a"));
  }

  void csvRefuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("short row") << "a,b\n1,2\n3\n"
                               << "line 3: the row does not have as many cells as the header: 1 and not 2.";
    QTest::newRow("long row") << "a,b\n1,2,3\n"
                              << "line 2: the row does not have as many cells as the header: 3 and not 2.";
    QTest::newRow("open quote") << "a,b\n1,\"2\n3,4\n"
                                << "line 2: the row begins a quoted cell that never ends";
    QTest::newRow("quote inside") << "a,b\n1,2\"\n"
                                  << "line 2: the row has a quote inside";
    QTest::newRow("behind a quote") << "a,b\n\"1\"x,2\n"
                                    << "line 2: the row continues after a closing quote";
    QTest::newRow("lines counted through quotes")
        << "a,b\n\"1\n1\",2\n3\n"
        << "line 4: the row does not have as many cells as the header: 1 and not 2.";
  }
  void csvRefuses() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    try {
      parseCsv(text.toStdString(), "my.csv");
      QFAIL("accepted");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains(part), error.what());
    }
  }

  void csvIsBounded() { QVERIFY_THROWS_EXCEPTION(UserError, parseCsv(std::string(kMaxCsvBytes + 1, 'a'), "my.csv")); }

  void rowsAreRead() {
    const Catalogue catalogue = Catalogue::parse(kHeader + kDevice + kLink, "my.csv");
    QCOMPARE(catalogue.devices().size(), std::size_t{1});
    QCOMPARE(catalogue.links().size(), std::size_t{1});
    const DeviceModel& device = catalogue.device("d1");
    QCOMPARE(device.name, std::string("Device One"));
    QCOMPARE(device.fp32Tflops, 10.0);
    QCOMPARE(device.matrixTflops, 0.0);
    QCOMPARE(device.memoryGb, 16.0);
    QCOMPARE(device.memoryGbPerSec, 500.0);
    QCOMPARE(device.launchOverheadUs, 5.0);
    QCOMPARE(device.cnnEfficiency, 0.5);
    QVERIFY(!device.efficiencyIsDefault);
    QCOMPARE(device.sources, std::string("float32 peak: s1; memory: s2; launch overhead: s3; efficiency: s4"));
    QCOMPARE(device.notes, std::string("a note"));
    const LinkModel& link = catalogue.link("l1");
    QCOMPARE(link.gbPerSec, 10.0);
    QCOMPARE(link.effectiveGbPerSec, 8.0);
    QCOMPARE(link.latencyUs, 2.5);
    QCOMPARE(link.sources, std::string("bandwidth: b; effective bandwidth: e; latency: l"));
  }

  void missingEfficiencyHasADefault() {
    const Catalogue catalogue = Catalogue::parse(
        kHeader + "device,a,A,10,,,,,16,500,,5,,,,,,,,,,\n" + "device,b,B,10,,90,tf32 tensor,,16,500,,5,,,,,,,,,,\n",
        "my.csv");
    QVERIFY(catalogue.device("a").efficiencyIsDefault);
    QCOMPARE(catalogue.device("a").cnnEfficiency, kDefaultEfficiency);
    QCOMPARE(catalogue.device("b").cnnEfficiency, kDefaultTf32Efficiency);
  }

  // Only the column states the family; a catalogue without it takes the family from the built-in one, and says so.
  void familiesAreGivenOrFound() {
    std::string header = kHeader;
    header.insert(header.size() - 1, ",family");
    const auto withFamily = [](std::string row, const std::string& family) {
      row.insert(row.size() - 1, "," + family);
      return row;
    };
    const Catalogue given =
        Catalogue::parse(header + withFamily(kDevice, "hopper") + withFamily(kLink, "pcie"), "my.csv");
    QVERIFY(given.device("d1").family == DeviceFamily::Hopper && given.link("l1").family == LinkFamily::Pcie);
    QVERIFY(familyNote(given.device("d1")).empty());
    for (const char* bad : {"", "quantum"}) {
      const QString message = QString::fromStdString(messageOf(header + withFamily(kDevice, bad)));
      QVERIFY2(message.contains("the cell 'family' is") && message.contains("volta, turing"), qPrintable(message));
    }
    const std::string h100 = "device,h100,Mine,1,s,,,,16,100,s,1,s,0.5,s,,,,,,,\n";
    const std::string like = "device,b999,B,70,s,1100,\"tf32 tensor\",s,192,7900,s,3,s,,,,,,,,,\n";
    const Catalogue merged = Catalogue::builtIn().mergedWith(Catalogue::parse(kHeader + h100 + like + kLink, "my.csv"));
    QVERIFY(merged.device("h100").family == DeviceFamily::Hopper && familyNote(merged.device("h100")).empty());
    QVERIFY(merged.device("b999").family == DeviceFamily::Blackwell);
    QCOMPARE(merged.device("b999").familyFrom, std::string("b200"));
    QVERIFY(format(familyNote(merged.device("b999"))).find("blackwell") != std::string::npos);
    QVERIFY(merged.link("l1").family == LinkFamily::Other);
    for (const DeviceModel& device : Catalogue::builtIn().devices())
      QVERIFY(device.family && device.familyFrom.empty());
    for (const LinkModel& link : Catalogue::builtIn().links()) QVERIFY(link.familyIsKnown);
  }

  void badRowsAreNamed_data() {
    QTest::addColumn<QString>("csv");
    QTest::addColumn<QString>("part");
    const QString header = QString::fromStdString(kHeader), device = QString::fromStdString(kDevice);
    const auto with = [&](const char* from, const char* to) { return header + QString(device).replace(from, to); };
    QTest::newRow("not a number") << with(",10,s1", ",ten,s1")
                                  << "'my.csv', line 2 ('d1'): the cell 'fp32_peak_tflops' is 'ten'";
    QTest::newRow("trailing text") << with(",10,s1", ",10x,s1") << "'fp32_peak_tflops' is '10x'";
    QTest::newRow("negative") << with(",500,", ",-500,") << "'mem_gb_per_s' is '-500'";
    QTest::newRow("zero") << with(",16,", ",0,") << "'mem_gb' is '0'";
    QTest::newRow("infinite") << with(",500,", ",inf,") << "'mem_gb_per_s' is 'inf'";
    QTest::newRow("not a number at all") << with(",500,", ",nan,") << "'mem_gb_per_s' is 'nan'";
    QTest::newRow("out of range") << with(",0.5,s4", ",1e-300,s4") << "'cnn_train_eff_of_peak' is '1e-300'";
    QTest::newRow("percentage") << with(",0.5,s4", ",50,s4") << "'cnn_train_eff_of_peak' is '50', more than the peak";
    QTest::newRow("required and empty") << with(",5,s3", ",,s3") << "'launch_overhead_us' is empty";
    QTest::newRow("no id") << with(",d1,", ",,") << "'id' is empty";
    QTest::newRow("no name") << with(",Device One,", ",,") << "'name' is empty";
    QTest::newRow("peak without precision") << with(",s1,,,,", ",s1,50,,,") << "'matrix_precision' is empty";
    QTest::newRow("precision without peak") << with(",s1,,,,", ",s1,,fp16,,") << "'matrix_peak_tflops' is empty";
    QTest::newRow("unknown kind") << with("device,d1", "devise,d1") << "'kind' is 'devise'";
    QTest::newRow("twice") << header + device + device << "line 3 ('d1'): the cell 'id' is used by an earlier row";
    QTest::newRow("a device's cell in a link")
        << header + QString::fromStdString(kLink).replace("Link One,", "Link One,9")
        << "'fp32_peak_tflops' does not belong to a link";
    QTest::newRow("a link without latency")
        << header + QString::fromStdString(kLink).replace(",2.5,", ",,") << "'link_latency_us' is empty";
    QTest::newRow("a link that reaches more than its rate")
        << header + QString::fromStdString(kLink).replace(",8,e", ",10.1,e")
        << "'link_effective_gb_per_s' is '10.1', more than the link can carry";
    QTest::newRow("no rows") << header << "holds no devices and no links";
    QTest::newRow("a missing column") << QString(header + device).replace("mem_gb,", "memory,")
                                      << "has no column 'mem_gb'";
  }
  void badRowsAreNamed() {
    QFETCH(QString, csv);
    QFETCH(QString, part);
    const QString message = QString::fromStdString(messageOf(csv.toStdString()));
    QVERIFY2(message.contains(part), qPrintable("message: " + message));
    QVERIFY(message.endsWith('.'));
  }

  void builtInIsWhole() {
    const Catalogue& catalogue = Catalogue::builtIn();
    // Figures copied by hand from resources/hardware-catalog.csv.
    QCOMPARE(catalogue.devices().size(), std::size_t{25});
    QCOMPARE(catalogue.links().size(), std::size_t{27});
    QCOMPARE(catalogue.device("v100").fp32Tflops, 15.7);
    QCOMPARE(catalogue.device("v100").matrixTflops, 125.0);
    QCOMPARE(catalogue.device("v100").memoryGbPerSec, 900.0);
    QCOMPARE(catalogue.device("v100").cnnEfficiency, 0.60);
    QCOMPARE(catalogue.device("cpu_laptop_core").name, std::string("Laptop CPU, 1 core (AVX2, 3.5 GHz)"));
    QCOMPARE(catalogue.link("nvlink2").effectiveGbPerSec, 120.0);
    QCOMPARE(catalogue.link("nvlink2").latencyUs, 3.4);
    QVERIFY(catalogue.device("k80").notes.find("\"1 K80\"") != std::string::npos);
  }

  // core/timing/README.md, Device: if the efficiency was derived from a tf32 run, float32 uses the matrix peak.
  void float32PeakFollowsTheEfficiencysSource() {
    std::set<std::string> onMatrixUnit;
    for (const DeviceModel& device : Catalogue::builtIn().devices()) {
      if (device.float32OnMatrixUnit()) onMatrixUnit.insert(device.id);
      const std::size_t at = device.sources.find("efficiency: ");
      if (at != std::string::npos)
        QCOMPARE(device.sources.find("tf32", at) != std::string::npos, device.float32OnMatrixUnit());
    }
    QCOMPARE(onMatrixUnit, (std::set<std::string>{"a100", "b200", "h100", "h200"}));
  }

  // Volta and Turing multiply only fp16, TPUs bfloat16, GPUs from Ampere on tf32 and both; each with its source.
  void matrixUnitsKnowTheirFormats() {
    const auto formats = [](const DeviceModel& device) {
      std::string known;
      for (const MatrixFormat format : {MatrixFormat::Tf32, MatrixFormat::Fp16, MatrixFormat::Bf16})
        if (device.multiplies(format)) known += std::string(toString(format)) + " ";
      return known;
    };
    for (const DeviceModel& device : Catalogue::builtIn().devices()) {
      const auto generation = *device.family;
      const bool none = device.matrixTflops == 0;
      const std::string expected = none                                                                 ? ""
                                   : generation == DeviceFamily::Tpu || generation == DeviceFamily::Cpu ? "bf16 "
                                   : generation >= DeviceFamily::Ampere ? "tf32 fp16 bf16 "
                                                                        : "fp16 ";
      QCOMPARE(formats(device), expected);
      QCOMPARE(device.sources.find("matrix formats: ") == std::string::npos, none);
      // A catalogue without the column leads to the same formats.
      DeviceModel silent = device;
      silent.matrixFormats.reset();
      QCOMPARE(formats(silent), expected);
    }
  }

  // A row that replaces a known one takes its formats if its catalogue does not state them; a wrong cell is named.
  void ownCataloguesMaySayNothingOfFormats() {
    const std::string own = "device,h100,Mine,10,,90,mine,,16,500,,5,,,,,,,,,,\n";
    const Catalogue replaced = Catalogue::builtIn().mergedWith(Catalogue::parse(kHeader + own, "my.csv"));
    QVERIFY(replaced.device("h100").multiplies(MatrixFormat::Bf16));
    QVERIFY(!Catalogue::parse(kHeader + own, "my.csv").device("h100").multiplies(MatrixFormat::Bf16));
    std::string header = kHeader;
    header.insert(header.size() - 1, ",matrix_formats,matrix_formats_source");
    const auto with = [&](std::string row, const std::string& formats) {
      return header + row.insert(row.size() - 1, "," + formats + ",s");
    };
    QVERIFY(!Catalogue::parse(with(own, "fp16"), "my.csv").device("h100").multiplies(MatrixFormat::Bf16));
    const auto refuses = [&](const std::string& csv, const char* part) {
      QVERIFY2(QString::fromStdString(messageOf(csv)).contains(part), messageOf(csv).c_str());
    };
    refuses(with(own, "fp16 bf8"), "'matrix_formats' is 'bf8'. Write one of: tf32, fp16, bf16");
    refuses(with(own, ""), "'matrix_formats' is empty");
    refuses(with(kDevice, "fp16"), "'matrix_peak_tflops' is empty");
  }

  void defaultsSummariseTheCatalogue() {
    std::vector<double> plain, tf32;
    for (const DeviceModel& device : Catalogue::builtIn().devices()) {
      if (device.efficiencyIsDefault || device.id.starts_with("tpu")) continue;
      (device.float32OnMatrixUnit() ? tf32 : plain).push_back(device.cnnEfficiency);
    }
    std::ranges::sort(plain);
    QCOMPARE(plain.size(), std::size_t{8});
    QVERIFY(std::abs((plain[3] + plain[4]) / 2 - kDefaultEfficiency) < 0.005);
    QCOMPARE(tf32.size(), std::size_t{2});
    QVERIFY(std::abs((tf32[0] + tf32[1]) / 2 - kDefaultTf32Efficiency) < 0.005);
  }

  // Which links a device has ports for, and how many devices a link joins: NVLink and TPU cores' links are of one
  // generation.
  void linksAreOfTheirGeneration() {
    const Catalogue& catalogue = Catalogue::builtIn();
    const auto can = [&](const char* device, const char* link) {
      return catalogue.canHave(catalogue.device(device), catalogue.link(link));
    };
    QVERIFY(can("p100", "nvlink1") && can("v100", "nvlink2") && can("a100", "nvlink3") && can("h100", "nvlink4"));
    QVERIFY(!can("h100", "nvlink1") && !can("p100", "nvlink2") && !can("t4", "nvlink2") && !can("v100", "tpu_v3_ici"));
    QVERIFY(!can("cpu_laptop_core", "nvlink2"));
    for (const char* device : {"h100", "t4", "k80"}) QVERIFY(can(device, "pcie3_x16") && can(device, "pcie5_x16"));
    QCOMPARE(catalogue.link("nvlink1").largestDomain, std::int64_t{8});
    QCOMPARE(catalogue.link("nvlink2").largestDomain, std::int64_t{16});
    QCOMPARE(catalogue.link("eth_10g").largestDomain, std::int64_t{0});  // no limit
    // The link that joins them if none is named.
    QCOMPARE(catalogue.linkOf("v100", "nvlink2"), std::string("nvlink2"));
    QCOMPARE(catalogue.linkOf("h100", "nvlink2"), std::string("nvlink4"));
    QCOMPARE(catalogue.linkOf("t4", "nvlink2"), std::string("pcie3_x16"));
    QCOMPARE(catalogue.linkOf("h100", "pcie3_x16"), std::string("pcie3_x16"));
    for (const DeviceModel& device : catalogue.devices()) {
      QVERIFY2(!device.links.empty() && device.sources.find("links: ") != std::string::npos, device.id.c_str());
      for (const std::string& link : device.links) (void)catalogue.link(link);
      QVERIFY(device.memoryGb > 0);
    }
    for (const LinkModel& link : catalogue.links())
      QCOMPARE(link.largestDomain > 0, link.sources.find("largest domain: ") != std::string::npos);
  }

  // A user's catalogue may lack the columns: nothing is refused then, and a row that replaces a known one takes its
  // links.
  void ownCataloguesMaySayNothingOfLinks() {
    const Catalogue own = Catalogue::parse(kHeader + kDevice + kLink, "my.csv");
    QVERIFY(own.devices().front().links.empty() && own.links().front().largestDomain == 0);
    const Catalogue merged = Catalogue::builtIn().mergedWith(own);
    QVERIFY(merged.canHave(merged.device("d1"), merged.link("nvlink4")));
    QVERIFY(merged.canHave(merged.device("h100"), merged.link("l1")));
    QCOMPARE(merged.linkOf("d1", "nvlink2"), std::string("nvlink2"));
    std::string device = kDevice, link = kLink;
    device.replace(device.find("d1"), 2, "h100");
    link.replace(link.find("l1"), 2, "nvlink4");
    const Catalogue replaced = Catalogue::builtIn().mergedWith(Catalogue::parse(kHeader + device + link, "my.csv"));
    QCOMPARE(replaced.device("h100").fp32Tflops, 10.0);
    QVERIFY(!replaced.canHave(replaced.device("h100"), replaced.link("nvlink1")));
    QCOMPARE(replaced.link("nvlink4").largestDomain, std::int64_t{8});
    std::string header = kHeader;
    header.insert(header.size() - 1, ",link_domain");
    const std::string bad = link.substr(0, link.size() - 1) + ",many\n";
    QVERIFY2(QString::fromStdString(messageOf(header + bad)).contains("'many'"), messageOf(header + bad).c_str());
  }

  // A device's links are in its own file, wherever, or built in; another one is refused with its cell.
  void linksThatADeviceNamesAreThere() {
    std::string header = kHeader;
    header.insert(header.size() - 1, ",device_links");
    const auto with = [&](const std::string& links) {
      return header + kDevice.substr(0, kDevice.size() - 1) + "," + links + "\n" + kLink.substr(0, kLink.size() - 1) +
             ",\n";
    };
    QCOMPARE(Catalogue::parse(with("l1 nvlink4"), "my.csv").device("d1").links,
             (std::vector<std::string>{"l1", "nvlink4"}));
    const QString why = QString::fromStdString(messageOf(with("l1 nvlink9")));
    QVERIFY2(why.startsWith("'my.csv', line 2 ('d1'): the cell 'device_links' names 'nvlink9'"), qPrintable(why));
  }

  // Each row of a user's catalogue is compared with the built-in ones, and each is an entry of the window's lists.
  void longCataloguesAreRefused() {
    const auto of = [](int rows) {
      std::string csv = kHeader;
      for (int i = 0; i < rows; ++i) {
        std::string row = kDevice;
        csv += row.replace(row.find("d1"), 2, "d" + std::to_string(i));
      }
      return csv;
    };
    const std::string why = messageOf(of(20'000));
    QVERIFY2(QString::fromStdString(why).startsWith("'my.csv' has 20000 rows"), why.c_str());
    QVERIFY(!messageOf(of(2001)).empty());
    const Catalogue merged = Catalogue::builtIn().mergedWith(Catalogue::parse(of(2000), "my.csv"));
    QCOMPARE(merged.devices().size(), Catalogue::builtIn().devices().size() + 2000);
    // A built-in device completes each of them, not a row before it in the same file.
    QCOMPARE(merged.device("d1999").familyFrom, merged.device("d0").familyFrom);
    QVERIFY(merged.device("d1").familyFrom != "d0");
  }

  void unknownIdsGetTheNearest() {
    try {
      Catalogue::builtIn().device("v10");
      QFAIL("accepted");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains("did you mean 'v100'"), error.what());
    }
    QVERIFY_THROWS_EXCEPTION(UserError, Catalogue::builtIn().link("v100"));
  }
};

QTEST_GUILESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The two split rules against the worked tables of the reference (tf-distribute-semantics.md §5.3 and §5.4). The test
// contains the rows as lines of the document, and also reads them from the document if that is available.
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <QCoreApplication>
#include <QRegularExpression>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/data/input.h"
#include "core/data/split.h"

using namespace lab;

namespace {

using Sizes = QList<qint64>;

const QStringList kRuleRows{
    QStringLiteral("| G=5, N=4 | 2,2,1,0 | 2,1,1,1 |"),
    QStringLiteral("| G=7, N=4 | 2,2,2,1 | 2,2,2,1 |"),
    QStringLiteral("| G=10, N=4 | 3,3,3,1 | 3,3,2,2 |"),
    QStringLiteral("| G=100, N=8 | 13×7, 9 | 13×4, 12×4 |"),
    QStringLiteral("| G=100, N=3 | 34,34,32 | 34,33,33 |"),
    QStringLiteral("| G=3, N=4 | 1,1,1,0 | 1,1,1,0 |"),
    QStringLiteral("| G=4, N=3, B=4 vs G=8,N=3,B=4 | 2,2,0 | 2,1,1 (G=4) / 3,1,0 (G=8) |"),
};

const QStringList kMnistRows{
    QStringLiteral("| 1 | 64 | 937 | 32 | 32 | 32 | 156, 16 | 16 | 16 |"),
    QStringLiteral("| 2 | 128 | 468 | 96 | 48,48 | 64,32 | 78, 16 | 8,8 | 16,0 |"),
    QStringLiteral("| 3 | 192 | 312 | 96 | 32,32,32 | 64,32,0 | 52, 16 | 6,6,4 | 16,0,0 |"),
    QStringLiteral("| 4 | 256 | 234 | 96 | 24×4 | 64,32,0,0 | 39, 16 | 4×4 | 16,0,0,0 |"),
    QStringLiteral("| 8 | 512 | 117 | 96 | 12×8 | 64,32,0×6 | 19, 272 | 34×8 | 64,64,64,64,16,0,0,0 |"),
};

const QString kHostsExample = QStringLiteral("Example 2×2, G=4: w0 gets elements 0 and 2, w1 gets 1 and 3.");

// The folder that holds reference/ and golden/, or empty.
std::filesystem::path referenceDir() {
  if (const char* named = std::getenv("STRATEGYLAB_REFERENCE_DIR"); named != nullptr && *named != '\0')
    return std::filesystem::is_directory(named) ? std::filesystem::path(named) : std::filesystem::path();
  std::filesystem::path folder = QCoreApplication::applicationDirPath().toStdString();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (std::filesystem::exists(folder / "shared" / "DESIGN.md")) return folder / "shared";
  return {};
}

QString readText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return QString::fromStdString(std::string(std::istreambuf_iterator<char>(file), {}));
}

// The reference's §5, or "" if it is not available.
QString referenceText() {
  const std::filesystem::path folder = referenceDir();
  return folder.empty() ? QString() : readText(folder / "reference" / "tf-distribute-semantics.md");
}

QString section(const QString& text, const QString& from, const QString& to) {
  const qsizetype begin = text.indexOf(from);
  return begin < 0 ? QString() : text.mid(begin, text.indexOf(to, begin) - begin);
}

// The lines of §5.3 whose first cell matches.
QStringList referenceRows(const QString& firstCell) {
  const QString text = section(referenceText(), QStringLiteral("### 5.3"), QStringLiteral("### 5.4"));
  return text.split('\n').filter(QRegularExpression("^\\| " + firstCell));
}
QStringList referenceRuleRows() {
  return referenceRows(QStringLiteral("G="));
}
QStringList referenceMnistRows() {
  return referenceRows(QStringLiteral("\\d+ \\|"));
}

QStringList cellsOf(const QString& row) {
  QStringList cells = row.split('|');
  cells.removeFirst();
  cells.removeLast();
  for (QString& cell : cells) cell = cell.trimmed();
  return cells;
}

// "13×7, 9" and "64,32,0×6"; a note in brackets is dropped.
Sizes parseSizes(QString cell) {
  cell.remove(QRegularExpression(QStringLiteral("\\(.*\\)")));
  Sizes sizes;
  for (const QString& term : cell.split(',')) {
    const QStringList factors = term.trimmed().split(QStringLiteral("×"));
    bool isNumber = false;
    const qint64 size = factors[0].toLongLong(&isNumber);
    if (!isNumber) return {-1};  // compares unequal to whatever we compute
    const qint64 repeats = factors.size() > 1 ? factors[1].toLongLong() : 1;
    for (qint64 i = 0; i < repeats; ++i) sizes.append(size);
  }
  return sizes;
}

Sizes toList(const std::vector<std::int64_t>& sizes) {
  return {sizes.begin(), sizes.end()};
}

Sizes shardSizes(const DistributedBatch& batch) {
  Sizes sizes;
  for (const auto& shard : batch.shards) sizes.append(static_cast<qint64>(shard.size()));
  return sizes;
}

SplitSettings settingsOf(std::int64_t globalBatch, int replicas, SplitSource source) {
  SplitSettings settings;
  settings.globalBatch = globalBatch;
  settings.replicas = replicas;
  settings.source = source;
  return settings;
}

void addRows(const QString& origin, const QStringList& rows) {
  for (const QString& row : rows) QTest::addRow("%s %s", qPrintable(origin), row.toUtf8().data()) << row;
}

}  // namespace

class TestSplit : public QObject {
  Q_OBJECT

 private slots:
  void workedSizes_data() {
    QTest::addColumn<QString>("row");
    addRows("carried", kRuleRows);
    addRows("reference", referenceRuleRows());
  }
  void workedSizes() {
    QFETCH(QString, row);
    const QStringList cells = cellsOf(row);
    QCOMPARE(cells.size(), 3);
    const QStringList v2 = cells[2].split('/');
    static const QRegularExpression set(QStringLiteral("G=(\\d+), ?N=(\\d+)(?:, ?B=(\\d+))?"));
    qsizetype at = 0;
    for (auto match = set.globalMatch(cells[0]); match.hasNext(); ++at) {
      const QRegularExpressionMatch one = match.next();
      const qint64 globalBatch = one.captured(1).toLongLong();
      const int replicas = one.captured(2).toInt();
      const qint64 delivered = one.captured(3).isEmpty() ? globalBatch : one.captured(3).toLongLong();
      QVERIFY(at < v2.size());
      QCOMPARE(toList(legacyBatchSizes(delivered, replicas)), parseSizes(cells[1]));
      Input legacy(delivered, settingsOf(globalBatch, replicas, SplitSource::InMemory), 0, 0);
      QCOMPARE(shardSizes(legacy.next()), parseSizes(cells[1]));
      Input file(delivered, settingsOf(globalBatch, replicas, SplitSource::File), 0, 0);
      QCOMPARE(shardSizes(file.next()), parseSizes(v2[at]));
      if (delivered == globalBatch) QCOMPARE(toList(v2BatchSizes(globalBatch, replicas, 1, 0)), parseSizes(v2[at]));
    }
    QCOMPARE(at, v2.size());
  }

  void mnistWith64PerReplica_data() {
    QTest::addColumn<QString>("row");
    addRows("carried", kMnistRows);
    addRows("reference", referenceMnistRows());
  }
  void mnistWith64PerReplica() {
    QFETCH(QString, row);
    const QStringList cells = cellsOf(row);
    QCOMPARE(cells.size(), 9);
    const int replicas = cells[0].toInt();
    const qint64 globalBatch = cells[1].toLongLong();
    const QStringList test = cells[6].split(',');
    struct Expected {
      qint64 examples, fullSteps, last;
      SplitSource source;
      Sizes sizes;
    };
    const Expected expected[] = {
        {60000, cells[2].toLongLong(), cells[3].toLongLong(), SplitSource::InMemory, parseSizes(cells[4])},
        {60000, cells[2].toLongLong(), cells[3].toLongLong(), SplitSource::File, parseSizes(cells[5])},
        {10000, test[0].toLongLong(), test[1].trimmed().toLongLong(), SplitSource::InMemory, parseSizes(cells[7])},
        {10000, test[0].toLongLong(), test[1].trimmed().toLongLong(), SplitSource::File, parseSizes(cells[8])},
    };
    for (const Expected& e : expected) {
      Input input(e.examples, settingsOf(globalBatch, replicas, e.source), 0, 0);
      QCOMPARE(input.stepsPerEpoch(), e.fullSteps + 1);
      for (qint64 step = 0; step < e.fullSteps; ++step) QCOMPARE(shardSizes(input.next()), Sizes(replicas, 64));
      const DistributedBatch last = input.next();
      QCOMPARE(last.examples(), e.last);
      QCOMPARE(shardSizes(last), e.sizes);
    }
  }

  void severalHostsInterleave_data() {
    QTest::addColumn<QString>("text");
    QTest::addRow("carried") << kHostsExample;
    const QString reference = referenceText();
    if (!reference.isEmpty())
      QTest::addRow("reference") << section(reference, QStringLiteral("### 5.4"), QStringLiteral("### 5.5"));
  }
  void severalHostsInterleave() {
    QFETCH(QString, text);
    static const QRegularExpression example(QStringLiteral(
        "Example (\\d+)×(\\d+), G=(\\d+): w0 gets elements (\\d+) and (\\d+), w1 gets (\\d+) and (\\d+)"));
    const QRegularExpressionMatch match = example.match(text);
    QVERIFY(match.hasMatch());
    SplitSettings settings;
    settings.hosts = match.captured(1).toInt();
    settings.replicas = settings.hosts * match.captured(2).toInt();
    settings.globalBatch = match.captured(3).toLongLong();
    Input input(settings.globalBatch, settings, 0, 0);
    const DistributedBatch batch = input.next();
    QCOMPARE(batch.shards.size(), std::size_t{4});
    for (int i = 0; i < 4; ++i) {
      const std::vector<std::int64_t> expected{match.captured(4 + i).toLongLong()};
      QVERIFY(batch.shards[static_cast<std::size_t>(i)] == expected);
    }
  }

  void theReferenceSaysWhatIsCarriedHere() {
    const QString text = referenceText();
    if (text.isEmpty()) QSKIP("no reference folder here: set STRATEGYLAB_REFERENCE_DIR to compare the carried tables");
    QCOMPARE(referenceRuleRows(), kRuleRows);
    QCOMPARE(referenceMnistRows(), kMnistRows);
    QVERIFY(text.contains(kHostsExample.chopped(1)));
  }

  void v2ListsRotateByHost() {
    // 10 over 2 × 2: 3,3,2,2, and host 1 begins two further on.
    const std::vector<std::int64_t> host0{3, 3, 2, 2}, host1{2, 2, 3, 3};
    QVERIFY(v2BatchSizes(10, 4, 2, 0) == host0);
    QVERIFY(v2BatchSizes(10, 4, 2, 1) == host1);
    for (int replicas = 1; replicas <= 17; ++replicas)
      for (int hosts = 1; hosts <= replicas; ++hosts) {
        if (replicas % hosts != 0) continue;
        for (const std::int64_t globalBatch : {1, 2, 5, 16, 17, 100, 1000}) {
          // In every step the hosts together take the whole list: every full step has G examples.
          const auto perHost = static_cast<std::size_t>(replicas / hosts);
          for (std::size_t step = 0; step < static_cast<std::size_t>(hosts); ++step) {
            std::int64_t taken = 0;
            for (int host = 0; host < hosts; ++host) {
              const auto list = v2BatchSizes(globalBatch, replicas, hosts, host);
              const auto begin = list.begin() + static_cast<std::ptrdiff_t>(step * perHost);
              taken += std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(perHost), std::int64_t{0});
            }
            QCOMPARE(taken, globalBatch);
          }
        }
      }
  }

  void legacySizesAddUp() {
    for (int replicas = 1; replicas <= 17; ++replicas)
      for (std::int64_t delivered = 0; delivered <= 200; ++delivered) {
        const auto sizes = legacyBatchSizes(delivered, replicas);
        const std::int64_t share = (delivered + replicas - 1) / replicas;
        for (int s = 0; s < replicas; ++s) {
          const std::int64_t begin = std::min(share * s, delivered), end = std::min(share * (s + 1), delivered);
          QCOMPARE(sizes[static_cast<std::size_t>(s)], end - begin);
        }
      }
  }

  // core/strategy/README.md.
  void rulesAreResolved_data() {
    QTest::addColumn<int>("source");
    QTest::addColumn<int>("autoShard");
    QTest::addColumn<int>("hosts");
    QTest::addColumn<int>("files");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, SplitSource source, AutoShard autoShard, int hosts, int files,
                        const char* expected) {
      QTest::addRow("%s, %d host(s), %d file(s)", name, hosts, files)
          << int(source) << int(autoShard) << hosts << files << QString(expected);
    };
    for (const int hosts : {1, 2}) {
      row("in memory, auto", SplitSource::InMemory, AutoShard::Auto, hosts, 1, "legacy data");
      row("in memory, data", SplitSource::InMemory, AutoShard::Data, hosts, 1, "legacy data");
      row("in memory, off", SplitSource::InMemory, AutoShard::Off, hosts, 1, "v2 off");
      row("in memory, file", SplitSource::InMemory, AutoShard::File, hosts, 4,
          hosts == 1 ? "v2 file" : "NotFoundError");
      row("file, data", SplitSource::File, AutoShard::Data, hosts, 1, "legacy data");
      row("file, off", SplitSource::File, AutoShard::Off, hosts, 1, "v2 off");
      row("file, auto", SplitSource::File, AutoShard::Auto, hosts, 2, "v2 file");
      row("file, file", SplitSource::File, AutoShard::File, hosts, 3, "v2 file");
    }
    row("file, auto", SplitSource::File, AutoShard::Auto, 1, 1, "v2 file");
    row("file, auto", SplitSource::File, AutoShard::Auto, 2, 1, "InvalidArgumentError");
    row("file, file", SplitSource::File, AutoShard::File, 2, 1, "InvalidArgumentError");
    row("file, file", SplitSource::File, AutoShard::File, 4, 3, "InvalidArgumentError");
  }
  void rulesAreResolved() {
    QFETCH(int, source);
    QFETCH(int, autoShard);
    QFETCH(int, hosts);
    QFETCH(int, files);
    QFETCH(QString, expected);
    const SplitSettings settings{8, 4, hosts, SplitSource(source), AutoShard(autoShard), files};
    QString got;
    try {
      const ResolvedSplit resolved = resolveSplit(settings);
      got =
          QString(resolved.rule == SplitRule::V2 ? "v2 " : "legacy ") + (resolved.policy == AutoShard::Data   ? "data"
                                                                         : resolved.policy == AutoShard::File ? "file"
                                                                         : resolved.policy == AutoShard::Off  ? "off"
                                                                                                              : "auto");
    } catch (const UserError& error) {
      got = error.what();
      QVERIFY(got.contains("--auto-shard data"));
      QVERIFY2(got.contains(expected), error.what());
      return;
    }
    QCOMPARE(got, expected);
  }

  void badSettingsAreUserErrors_data() {
    QTest::addColumn<qint64>("globalBatch");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<int>("hosts");
    QTest::addColumn<int>("files");
    QTest::addColumn<QString>("mentions");
    QTest::addRow("batch 0") << qint64{0} << 1 << 1 << 1 << "global batch is 0";
    QTest::addRow("batch negative") << qint64{-5} << 1 << 1 << 1 << "global batch is -5";
    QTest::addRow("no replicas") << qint64{8} << 0 << 1 << 1 << "replicas is 0";
    QTest::addRow("no hosts") << qint64{8} << 4 << 0 << 1 << "hosts is 0";
    QTest::addRow("no files") << qint64{8} << 4 << 1 << 0 << "files is 0";
    QTest::addRow("too many") << qint64{8} << kMaxReplicas + 1 << 1 << 1 << "too many";
    QTest::addRow("4 over 3 hosts") << qint64{8} << 4 << 3 << 1 << "4 replicas cannot be shared equally by 3 hosts";
  }
  void badSettingsAreUserErrors() {
    QFETCH(qint64, globalBatch);
    QFETCH(int, replicas);
    QFETCH(int, hosts);
    QFETCH(int, files);
    QFETCH(QString, mentions);
    SplitSettings settings{globalBatch, replicas, hosts, SplitSource::InMemory, AutoShard::Auto, files};
    try {
      resolveSplit(settings);
      QFAIL("was accepted");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains(mentions), error.what());
    }
    QVERIFY_THROWS_EXCEPTION(UserError, Input(100, settings, 0, 0));
  }

  void goldenCasesAreDistributedAlike_data() {
    QTest::addColumn<QString>("path");
    const std::filesystem::path folder = referenceDir();
    if (folder.empty()) {
      QTest::addRow("absent") << QString();
      return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder / "golden"))
      if (entry.path().extension() == ".json")
        QTest::addRow("%s", entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
  }
  void goldenCasesAreDistributedAlike() {
    QFETCH(QString, path);
    if (path.isEmpty())
      QSKIP("no reference folder here: set STRATEGYLAB_REFERENCE_DIR to compare with its golden cases");
    std::ifstream file(path.toStdString());
    const nlohmann::json golden = nlohmann::json::parse(file);
    const auto source = golden["split"] == "file" ? SplitSource::File : SplitSource::InMemory;
    Input input(golden["examples"].get<std::int64_t>(),
                settingsOf(golden["global_batch"].get<std::int64_t>(), golden["replicas"].get<int>(), source), 0, 0);
    QVERIFY(!golden["shards"].empty());
    std::int64_t nextExample = 0;
    for (std::size_t step = 0; step < golden["shards"].size(); ++step) {
      const DistributedBatch batch = input.next();
      QCOMPARE(shardSizes(batch), toList(golden["shards"][step].get<std::vector<std::int64_t>>()));
      QCOMPARE(batch.examples(), golden["batch_sizes"][step].get<std::int64_t>());
      for (const auto& shard : batch.shards)
        for (const std::int64_t index : shard) {
          QCOMPARE(index, nextExample);
          nextExample = (nextExample + 1) % golden["examples"].get<std::int64_t>();
        }
    }
  }
};

QTEST_GUILESS_MAIN(TestSplit)
#include "tst_split.moc"

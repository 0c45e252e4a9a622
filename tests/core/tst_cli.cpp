// SPDX-License-Identifier: GPL-3.0-or-later
// The command line as scripts and people meet it: what is refused and how, the help, and the commands that do not
// train. Training is tested in tst_cli_train.cpp.
#include <QFile>
#include <QJsonArray>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "cli_program.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"

using namespace lab;
using namespace lab::test;

class TestCli : public QObject {
  Q_OBJECT

 private slots:
  void badRequestsAreSentences_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QStringList>("words");  // that the message contains
    const auto row = [](const char* name, const QString& line, const QStringList& words, int code = 2) {
      QTest::newRow(name) << line.split(' ', Qt::SkipEmptyParts) << code << words;
    };
    const QString train = "train --dataset digits --steps 1 --eval-every 0 ";
    const auto bad = [&](const QString& options, const QStringList& words, int code = 2) {
      row(qPrintable("train " + options), train + options, words, code);
    };

    row("nothing", "", {"no command", "--help"});
    row("unknown command", "trian", {"'trian'", "did you mean 'train'"});
    row("command far from all", "xyzzyxyzzy", {"'xyzzyxyzzy'", "One of:", "train"});
    row("option before the command", "--jsn train", {"--jsn", "--help"});
    row("two commands", "train compare", {"'compare'"});

    bad("--replcas 2", {"--replcas", "did you mean --replicas"});
    bad("--learningrate 0.1", {"--learningrate", "--learning-rate"});
    bad("--json=maybe", {"--json"});
    bad("-x", {"-x", "--help"});
    bad("something", {"'something'", "two dashes"});
    bad("--seed", {"--seed needs a value"});
    bad("--seed --json", {"--seed needs a value", "--json"});
    bad("--seed 1 --seed 2", {"--seed was given 2 times", "once"});
    row("value forgotten", "train --replicas --steps 2", {"--replicas needs a value, but '--steps' follows it"});
    row("value forgotten, others follow", "train --dataset --epochs 1 --seed 3",
        {"--dataset needs a value, but '--epochs' follows it"});
    row("value forgotten after =", "train --replicas= --steps 2", {"--replicas needs a value, but '--steps' follows"});

    for (const char* value : {"nan", "inf", "-0.1", "1e999", "0.1x", "0,1", "one"})
      bad(QString("--learning-rate %1").arg(value), {"--learning-rate", value});
    for (const char* option : {"replicas", "batch-per-replica", "global-batch", "threads", "train-examples"})
      for (const char* value : {"0", "-1", "2.5", "2.55e1", "1e10", "99999999999999999999", "0x10", "many"})
        bad(QString("--%1 %2").arg(option, value), {QString("--%1").arg(option), value});
    bad("--shuffle-buffer -1", {"--shuffle-buffer", "-1"});
    bad("--momentum nan --optimizer sgd", {"--momentum", "nan"});
    bad("--warmup-epochs 1e7", {"--warmup-epochs", "from 0 to 1,000,000"});

    bad("--strategy mirored", {"--strategy", "did you mean 'mirrored'"});
    bad("--optimizer adan", {"--optimizer", "did you mean 'adam'"});
    bad("--reducer rign", {"--reducer", "did you mean 'ring'"});
    bad("--network mlpp", {"--network: unknown network 'mlpp': did you mean 'mlp'", "no file of that name"});
    bad("--device-model v10", {"v10", "v100"});
    bad("--link nvlnk2", {"nvlnk2", "nvlink2"});
    bad("--slow x", {"--slow", "REPLICA:FACTOR"});
    bad("--slow 9:2", {"--slow", "replicas 0 to 1"});
    bad("--slow 0:nan", {"--slow"});
    bad("--strategy default --replicas 2", {"--replicas", "one replica"});
    bad("--strategy multi-worker-mirrored --replicas 4 --hosts 3", {"3 hosts", "another --hosts", "--replicas 4"});
    bad("--strategy multi-worker-mirrored --replicas 3", {"--replicas 3 cannot", "over 2 hosts"});
    bad("--strategy parameter-server --global-batch 64", {"--global-batch", "--batch-per-replica"});
    bad("--strategy tpu --devices cpu", {"--devices cpu", "simulated"});
    bad("--strategy tpu --device-model v100", {"--device-model v100", "only on TPU cores", "tpu_v3_core"});
    bad("--replicas 2048", {"--replicas 2048", "1,024", "--hosts"});
    bad("--replicas 2048 --hosts 1 --strategy multi-worker-mirrored", {"--replicas 2048", "1,024", "more hosts"});
    bad("--partitioner fixed:0 --strategy parameter-server", {"--partitioner"});
    bad("--resume", {"--resume", "--checkpoint-dir"});
    bad("--files 3", {"--files", "--split file"});
    bad("--train-examples 4001", {"4001"});

    row("epochs none", "train --epochs 0", {"--epochs", "'0'", "from 1 to 1,000,000,000"});
    bad("--epochs 1", {"--epochs and --steps", "one of the two"});
    for (const char* command : {"compare", "launch --workers 2", "sweep", "code"})
      row(command, QString(command) + " --epochs 1 --steps 3", {"--epochs and --steps", "one of the two"});
    row("of sweep", "train --jobs 4", {"'--jobs'", "`sweep`", "train --help"});
    row("of sweep, timing", "train --nics 4", {"'--nics'", "`sweep --timing-only`", "train --help"});
    row("of code", "train --loop", {"'--loop'", "`code`"});
    row("of many", "split --learning-rate 1", {"'--learning-rate'", "`train`, `launch` and others"});
    row("sweep too large", "sweep --learning-rate 0.1 --replicas 1,1e9", {"--replicas", "1e9"});
    row("network of another shape", "train --network cifar10", {"--network cifar10", "32", "--dataset auto have"});
    for (const char* name : {"x.h5", "x.hdf5"}) bad(QString("--save ") + name, {name, "HDF5", ".keras"});
    for (const char* name : {"x.txt", "x.pt", "x.npz", "x.keras.zip"})
      bad(QString("--save ") + name, {name, "--save", ".safetensors", ".keras"});
    row("no MNIST", "train --dataset mnist --steps 1", {"mnist", "data fetch"});
    row("no folder", "train --dataset mnist --data-dir /nonexistent/folder", {"/nonexistent/folder"});
    row("no weights' folder", "train --dataset digits --steps 1000000 --save /nonexistent/folder/file",
        {"/nonexistent/folder"});
    row("no checkpoints' folder", "train --dataset digits --steps 1000000 --checkpoint-dir /dev/null/folder",
        {"/dev/null/folder", "--checkpoint-dir"});
    bad("--init /nonexistent/weights", {"/nonexistent/weights"});
    bad("--init /dev/null", {"/dev/null"});
    bad("--init " STRATEGYLAB_CLI, {STRATEGYLAB_CLI});
    for (const char* option : {"metrics", "trace", "run"})
      bad(QString("--%1 /nonexistent/folder/file").arg(option), {"/nonexistent/folder/file"});
    bad("--metrics /dev", {"/dev", "folder"});
    bad("--metrics m.json --trace m.json", {"--metrics and --trace", "'m.json'"});
    bad("--metrics m.json --trace ./m.json", {"--metrics and --trace", "'m.json'"});

    row("compare nothing", "compare --strategies mirrored,,tpu", {"--strategies", "empty item"});
    row("compare twice", "compare --strategies tpu,tpu", {"--strategies", "twice", "same settings", "sweep"});
    row("compare unknown", "compare --strategies mirrored,tpo", {"--strategies", "did you mean 'tpu'"});
    row("compare all and one", "compare --strategies all,mirrored", {"--strategies", "'all'", "nothing beside it"});
    row("compare one", "compare --strategy tpu", {"--strategy'", "did you mean --strategies"});
    row("compare too many backups", "compare --strategies mirrored,backup-workers --backups 4",
        {"--backups 4", "--replicas 4"});
    row("compare uneven", "compare --strategies parameter-server --global-batch 6",
        {"--global-batch 6", "multiple of 4"});
    row("compare uneven, nobody's batch", "compare --strategies parameter-server --replicas 3",
        {"--replicas 3", "--global-batch", "256", "multiple of 3"});
    row("sweep for TPU alone", "sweep --strategy tpu --device-model a100",
        {"--device-model a100", "only on TPU cores"});
    row("compare nobody's option", "compare --strategies mirrored,tpu --partitioner fixed:2",
        {"--partitioner", "none"});

    row("split nothing", "split --examples 0", {"--examples", "1"});
    row("split many", "split --examples 99999999999999", {"--examples"});
    row("split more than memory holds", "split --examples 1000000000 --global-batch 1000000000", {"10,000,000"});
    row("split batch", "split --global-batch 0", {"--global-batch"});
    row("split hosts", "split --replicas 3 --hosts 2", {"3", "2"});
    row("split in memory by file", "split --replicas 2 --hosts 2 --auto-shard file", {"file"});
    row("split files of no split", "split --files 4", {"--files", "--split file"});
    row("split few files", "split --replicas 2 --hosts 2 --split file --files 1", {"files"});
    row("split strange", "split --buffer 3", {"--buffer", "--help"});

    row("collective name", "collective --schedule rign", {"--schedule", "did you mean 'ring'"});
    row("collective odd", "collective --bytes 6", {"--bytes 6", "multiple of 4"});
    row("collective negative", "collective --bytes -4", {"--bytes", "-4"});
    row("collective huge", "collective --bytes 40000000000000", {"--bytes", "memory"});
    row("collective huger", "collective --bytes 99999999999999999999999", {"--bytes"});
    row("collective nobody", "collective --ranks 0", {"--ranks"});
    row("collective everybody", "collective --ranks 1000000", {"--ranks"});
    row("collective hosts", "collective --ranks 8 --hosts 3", {"--hosts 3", "--ranks 8"});
    row("collective link", "collective --link nvlnk2", {"nvlnk2", "nvlink2"});

    row("list option", "catalogue --jsn", {"--jsn", "did you mean --json"});
    row("data alone", "data", {"command is missing"});
    row("data other", "data fetsh", {"'fetsh'", "fetch"});
    row("data fetch what", "data fetch", {"data fetch"});
    row("join whom", "join", {"LINK is missing: the link that `serve`", "Write `strategylab-cli join LINK`"});
    row("replay what", "replay", {"FILE is missing: the run file. Write `strategylab-cli replay FILE`"});
    row("check what", "lesson check", {"FILE is missing: the lesson. Write `strategylab-cli lesson check FILE`"});
    row("lesson alone", "lesson", {"command is missing", "lesson --help"});
    row("data fetch other", "data fetch mnits", {"mnits", "mnist"});
    row("data fetch into nothing", "data fetch mnist --data-dir /dev/null/x", {"/dev/null/x", "written to"});
    for (const char* command : {"fetch", "verify"})  // as a script with an empty variable
      QTest::addRow("data %s of nothing", command)
          << QStringList{"data", command, ""} << 2 << QStringList{QString("data %1` needs a").arg(command)};
    row("data verify nothing there", "data verify /nonexistent/folder", {"/nonexistent/folder"});
    row("selftest other", "selftest --devices cup", {"--devices", "cpu"});
    row("code without data", "code --check", {"--check", "--data-dir"});
    row("code of a bad setting", "code --replicas 0", {"--replicas"});
    row("bench other", "bench --replicas 1,x", {"--replicas", "x"});
    row("bench nothing", "bench --seconds 0", {"--seconds"});
  }
  void badRequestsAreSentences() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QStringList, words);
    const Ran ran = runCli(arguments);
    QCOMPARE(ran.out, QByteArray());
    const QString said = QString::fromUtf8(ran.err);
    for (const QString& word : words) QVERIFY2(said.contains(word), qPrintable(word + " is not in: " + said));
    QVERIFY2(said.endsWith(".\n") || said.endsWith("?\n"), qPrintable(said));
    QVERIFY2(said.startsWith("strategylab-cli: ") && said.endsWith('\n') && said.count('\n') == 1, qPrintable(said));
    QVERIFY2(!said.contains("error of the program itself"), qPrintable(said));
    QVERIFY2(ran.code == code, qPrintable(QString::number(ran.code) + ": " + said));
  }

  // A file's ending names its format. A refused run leaves nothing behind.
  void filesOfAnotherFormAreNotWritten_data() {
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("known");  // "": the file is written
    const QStringList train{"train", "--dataset", "digits", "--steps", "1", "--test-examples", "10"};
    const QStringList compare = QStringList{"compare", "--strategies", "mirrored"} + train.mid(1);
    const auto row = [](const QStringList& command, const char* option, const char* name, const char* known) {
      QTest::addRow("%s %s %s", qPrintable(command.front()), option, name)
          << command + QStringList{option} << name << known;
    };
    for (const char* name : {"x.h5", "x.txt"}) row(train, "--save", name, ".keras");
    for (const char* name : {"x.csv", "x.txt", "x.jsonl.gz"}) row(train, "--metrics", name, ".jsonl .ndjson .json.");
    for (const char* name : {"x.pdf", "x.run"}) row(train, "--trace", name, ".json.");
    for (const char* name : {"x.json", "x.slab"}) row(train, "--run", name, ".run.");
    for (const char* name : {"x.pdf", "x.md"}) row(compare, "--report", name, ".html .htm .xhtml.");
    row(train, "--metrics", "x.JSON", "");
    row(train, "--trace", "trace", "");
    row(compare, "--report", "x.htm", "");
  }
  void filesOfAnotherFormAreNotWritten() {
    QFETCH(QStringList, command);
    QFETCH(QString, name);
    QFETCH(QString, known);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    const Ran ran = runCli(command + QStringList{path});
    QCOMPARE(ran.code, known.isEmpty() ? 0 : 2);
    QCOMPARE(QFile::exists(path), known.isEmpty());
    if (known.isEmpty()) return;
    QVERIFY2(ran.err.contains(path.toUtf8()) && ran.err.contains(known.toUtf8()) && ran.err.count('\n') == 1, ran.err);
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void countsAreReadAndWrittenAsPeopleDo() {
    const Ran ran = runCli({"train", "--dataset", "digits", "--train-examples", "1e2", "--test-examples", "10",
                            "--replicas", "2e0", "--steps", "1e0"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY2(ran.err.contains("100 training images; 1 step\n"), ran.err.constData());
    const Ran one = runCli({"train", "--strategy", "default", "--dataset", "digits", "--train-examples", "1",
                            "--test-examples", "10", "--steps", "1"});
    QVERIFY2(one.err.contains("1 replica,") && one.err.contains(" 1 training image; 1 step\n"), one.err.constData());
    QVERIFY(runCli({"collective", "--ranks", "1"}).out.contains("1 rank on 1 host\n"));
  }

  void fullDisksFailTheRun_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("stdoutFile");
    const QStringList train{"train", "--dataset", "digits", "--steps", "2", "--test-examples", "10"};
    for (const char* option : {"--metrics", "--trace", "--run", "--save"})
      QTest::newRow(option) << train + QStringList{option, "/dev/full"} << QString();
    QTest::newRow("standard output, JSON") << train + QStringList{"--json"} << "/dev/full";
    QTest::newRow("standard output, text") << train << "/dev/full";
    QTest::newRow("standard output, help") << QStringList{"--help"} << "/dev/full";
    QTest::newRow("standard output, split") << QStringList{"split", "--examples", "10"} << "/dev/full";
  }
  void fullDisksFailTheRun() {
    if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
    QFETCH(QStringList, arguments);
    QFETCH(QString, stdoutFile);
    const Ran ran = runCli(arguments, stdoutFile);
    QVERIFY2(ran.err.contains("No space left"), ran.err.constData());
    QCOMPARE(ran.code, 1);
  }

  void helpExplainsEveryOption() {
    for (const char* command : {"train", "compare"}) {
      const Ran ran = runCli({command, "--help"});
      QCOMPARE(ran.code, 0);
      QCOMPARE(ran.err, QByteArray());
      const QString help = QString::fromUtf8(ran.out);
      for (const ConfigField& field : configFields()) {
        const QString option = QString::fromStdString("--" + field.name);
        if (option == "--strategy" && command == std::string("compare")) continue;
        QVERIFY2(help.contains("  " + option + " ") || help.contains("  " + option + "\n"), qPrintable(option));
        QVERIFY2(help.contains(QString::fromStdString(field.group) + ":"), qPrintable(option));
        // A default ends with a bracket; the line may be broken inside.
        if (field.kind == ConfigField::Kind::Flag || (command == std::string("compare"))) continue;
        const QString wanted = QString::fromStdString("[" + field.defaultText + "]");
        QVERIFY2(help.simplified().contains(wanted), qPrintable(option + " lacks " + wanted));
      }
    }
  }

  // What a command always refuses is no option of it; the sentence says whose option it is.
  void helpHasNoOptionThatTheCommandAlwaysRefuses() {
    for (const auto& [command, options] :
         {std::pair{"launch", QStringList{"--slow", "--slow-link", "--noise-scale", "--device-model", "--link",
                                          "--host-link", "--backups"}},
          {"serve", {"--slow", "--noise-scale", "--local-steps", "--outer-optimizer", "--shard-stage"}}}) {
      const QString help = QString::fromUtf8(runCli({command, "--help"}).out);
      for (const QString& option : options) {
        QVERIFY2(!help.contains("  " + option + " ") && !help.contains("  " + option + "\n"), qPrintable(option));
        const Ran refused = runCli({command, option, "1"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("`train`"), refused.err.constData());
      }
    }
    const auto has = [](const char* command, const char* text) {
      return QString::fromUtf8(runCli({command, "--help"}).out).simplified().contains(text);
    };
    QVERIFY(
        has("serve", "One of: mirrored parameter-server; beyond tf.distribute: backup-workers. [parameter-server]"));
    QVERIFY(has("launch",
                "One of: multi-worker-mirrored parameter-server; beyond tf.distribute: local-sgd sharded. "
                "[multi-worker-mirrored]"));
    QVERIFY(runCli({"launch", "--help"}).out.contains("--local-steps N"));
    QVERIFY(runCli({"serve", "--help"}).out.contains("--backups N"));
  }

  // Where a command's default is not that of train.
  void helpHasTheCommandsOwnDefaults() {
    const auto has = [](const char* command, const char* text) {
      return QString::fromUtf8(runCli({command, "--help"}).out).simplified().contains(text);
    };
    QVERIFY(has("bench", "[simulated]"));
    QVERIFY(has("compare", "[64 for 4 replicas: all strategies have one global batch]"));
    QVERIFY(has("launch", "[cores / workers on the host; parameter-server 1]"));
  }

  // `train --help` says which strategies tf.distribute has, and which it lacks.
  void helpMarksStrategiesBeyondTensorFlow() {
    QString ofTensorFlow, beyond;
    for (const StrategyInfo& info : strategies())
      (info.beyondTensorFlow ? beyond : ofTensorFlow) += QLatin1Char(' ') + QString::fromStdString(info.key);
    QVERIFY(!beyond.isEmpty());
    const QString help = QString::fromUtf8(runCli({"train", "--help"}).out).simplified();
    const QString marked = QStringLiteral("One of:%1; beyond tf.distribute:%2.").arg(ofTensorFlow, beyond);
    QVERIFY2(help.contains(marked), qPrintable(marked));
  }

  void helpAndVersionAtEveryLevel() {
    const Ran top = runCli({"--help"});
    QCOMPARE(top.code, 0);
    for (const char* command : {"train", "compare", "split", "collective", "strategies", "devices", "catalogue",
                                "selftest", "bench", "data", "sweep", "validate", "code"}) {
      QVERIFY2(top.out.contains(QByteArray("\n  ") + command + " "), command);
      const Ran help = runCli({command, "--help"});
      QCOMPARE(help.code, 0);
      QVERIFY2(help.out.contains(QByteArray("Usage: strategylab-cli ") + command) && help.out.contains("--help"),
               command);
      QCOMPARE(runCli({command, "-h"}).out, help.out);
      QCOMPARE(runCli({command, "--version"}).out, QByteArray("strategylab-cli " STRATEGYLAB_VERSION "\n"));
    }
    for (const char* line : {"train", "launch", "compare", "split", "collective", "strategies", "devices", "catalogue",
                             "selftest", "bench", "sweep", "validate", "code", "serve", "lessons", "lesson check",
                             "lesson names", "data fetch", "data verify"})
      QVERIFY2(runCli(QString(line).split(' ') + QStringList{"--help"}).out.contains("--json"), line);
    const QJsonArray names = jsonDocument(runCli({"lesson", "names", "--json"}).out)["names"].toArray();
    QVERIFY(!names.isEmpty() && !names[0].toObject()["help"].toString().isEmpty());
    const Ran version = runCli({"--version"});
    QCOMPARE(version.code, 0);
    QCOMPARE(version.out, QByteArray("strategylab-cli " STRATEGYLAB_VERSION "\n"));
  }

  void codePrintsAProgram() {
    const Ran fit = runCli({"code", "--replicas", "3"}), loop = runCli({"code", "--replicas", "3", "--loop"});
    QCOMPARE(fit.code, 0);
    QVERIFY(fit.out.contains("\nREPLICAS = 3\n") && fit.out.contains("model.fit(") && fit.err.isEmpty());
    QVERIFY(loop.out.contains("strategy.run(") && !loop.out.contains("model.fit("));
    // No MNIST is here, so train would take the digits, which TensorFlow has not.
    const QByteArray differs = "The data set digits is StrategyLab's own: MNIST, of the same shape, stands here.";
    QVERIFY(fit.out.contains(differs));
    QVERIFY(!runCli({"code", "--dataset", "mnist"}).out.contains("stands here"));
    const QJsonObject json = jsonDocument(runCli({"code", "--replicas", "3", "--json"}).out);
    QCOMPARE(json["program"].toString().toUtf8(), fit.out);
    QCOMPARE(json["loop"].toBool(true), false);
    const QJsonObject notebook = jsonDocument(runCli({"code", "--replicas", "3", "--notebook"}).out);
    QCOMPARE(notebook["nbformat"].toInt(), 4);
    // The paths are valid wherever the program is started.
    const Ran check = runCli({"code", "--check", "--data-dir", "mnist", "--init", "w.safetensors"});
    QVERIFY(check.out.contains("DATA_DIR = \"/") && check.out.contains("INIT = \"/"));
  }

  void listsAreJson() {
    const Ran strategies = runCli({"strategies", "--json"});
    QCOMPARE(strategies.code, 0);
    const QJsonArray rows = jsonDocument(strategies.out)["strategies"].toArray();
    QCOMPARE(rows.size(), static_cast<qsizetype>(lab::strategies().size()));
    QVERIFY(!rows[0].toObject()["sentence"].toString().isEmpty());

    bool cpu = false;
    for (const QJsonValue& value : jsonDocument(runCli({"devices", "--json"}).out)["devices"].toArray()) {
      const QJsonObject device = value.toObject();
      if (device["kind"] == "cpu") cpu = device["available"].toBool();
      QVERIFY(device["available"].toBool() != device.contains("why"));
    }
    QVERIFY(cpu);

    const QJsonObject catalogue = jsonDocument(runCli({"catalogue", "--json"}).out);
    QVERIFY(!catalogue["links"].toArray().isEmpty());
    bool v100 = false;
    for (const QJsonValue& device : catalogue["devices"].toArray())
      if (device.toObject()["id"] == "v100") v100 = device.toObject()["fp32Tflops"].toDouble() > 0;
    QVERIFY(v100);
    // The texts are aligned, whatever letters stand before them.
    for (const QString& line : QString::fromUtf8(runCli({"bench", "--help"}).out).split('\n'))
      if (line.contains("Numbers of simulated")) QCOMPARE(line.indexOf("Numbers"), 26);
    QVERIFY(runCli({"devices"}).out.startsWith("devices    what"));
    const QByteArray table = runCli({"catalogue"}).out;
    QVERIFY(table.contains("nominal GB/s  effective GB/s") && table.contains("memory GB/s"));
    for (const char* list : {"strategies", "devices", "catalogue"}) QVERIFY(runCli({list}).out.count('\n') > 3);
  }

  void splitDistributesAsTensorFlowDoes_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("expected");  // host.replica:examples, one step a line
    // Worked out by hand from the two rules of tf.data (core/strategy/README.md).
    QTest::newRow("legacy, 3 replicas") << QStringList{"--global-batch", "8", "--replicas", "3", "--examples", "10"}
                                        << QByteArray("0.0:0,1,2 0.1:3,4,5 0.2:6,7\n0.0:8 0.1:9 0.2:\n");
    QTest::newRow("V2, 3 replicas") << QStringList{"--global-batch", "8",  "--replicas", "3",
                                                   "--examples",     "10", "--split",    "file"}
                                    << QByteArray("0.0:0,1,2 0.1:3,4,5 0.2:6,7\n0.0:8,9 0.1: 0.2:\n");
    QTest::newRow("an empty tray") << QStringList{"--global-batch", "5", "--replicas", "4", "--examples", "5"}
                                   << QByteArray("0.0:0,1 0.1:2,3 0.2:4 0.3:\n");
    QTest::newRow("DATA, 2 × 2") << QStringList{"--global-batch", "4", "--replicas", "4",
                                                "--hosts",        "2", "--examples", "4"}
                                 << QByteArray("0.0:0 0.1:2 1.0:1 1.1:3\n");
    QTest::newRow("OFF, 2 × 1") << QStringList{"--global-batch", "4", "--replicas",   "2",  "--hosts", "2",
                                               "--examples",     "4", "--auto-shard", "off"}
                                << QByteArray("0.0:0,1 1.0:0,1\n0.0:2,3 1.0:2,3\n");
    QTest::newRow("FILE, 2 × 1") << QStringList{"--global-batch", "4", "--replicas", "2",    "--hosts", "2",
                                                "--examples",     "6", "--split",    "file", "--files", "2"}
                                 << QByteArray("0.0:0,1 1.0:3,4\n0.0:2 1.0:5\n");
  }
  void splitDistributesAsTensorFlowDoes() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, expected);
    const Ran ran = runCli(QStringList{"split"} + arguments);
    QCOMPARE(ran.code, 0);
    std::map<int, QStringList> steps;
    const QList<QJsonObject> lines = jsonLines(ran.out);
    QVERIFY(!lines.isEmpty());
    for (const QJsonObject& line : lines) {
      QCOMPARE(line.keys(), QStringList({"examples", "host", "replica", "step"}));
      QStringList examples;
      for (const QJsonValue& example : line["examples"].toArray()) examples.push_back(QString::number(example.toInt()));
      steps[line["step"].toInt()].push_back(
          QString("%1.%2:%3").arg(line["host"].toInt()).arg(line["replica"].toInt()).arg(examples.join(',')));
    }
    QString text;
    for (const auto& [step, trays] : steps) text += trays.join(' ') + "\n";
    QCOMPARE(text.toUtf8(), expected);
  }

  void collectivesSendWhatTheFormulasSay_data() {
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("hosts");
    QTest::addColumn<int>("rounds");
    QTest::addColumn<double>("busiest");  // traffic of the busiest rank, in buffers
    // p ranks: ring and halving-doubling 2(p-1)/p each; tree and star 2(p-1) in all, the root the busiest.
    QTest::newRow("ring 8") << "ring" << 8 << 1 << 14 << 14.0 / 8;
    QTest::newRow("ring 2") << "ring" << 2 << 1 << 2 << 1.0;
    QTest::newRow("ring 1") << "ring" << 1 << 1 << 0 << 0.0;
    QTest::newRow("halving-doubling 8") << "halving-doubling" << 8 << 1 << 6 << 14.0 / 8;
    QTest::newRow("tree 8") << "tree" << 8 << 1 << 6 << 3.0;
    QTest::newRow("one-device 8") << "one-device" << 8 << 1 << 14 << 7.0;
    QTest::newRow("torus 4 x 4") << "torus" << 16 << 1 << 12 << 2 * 3.0 / 4 + 2 * 3.0 / 16;
    QTest::newRow("hierarchical 2 x 4") << "hierarchical" << 8 << 2 << 8 << 2 * 3.0 / 4 + 2 * 1.0 / 8;
  }
  void collectivesSendWhatTheFormulasSay() {
    QFETCH(QString, schedule);
    QFETCH(int, ranks);
    QFETCH(int, hosts);
    QFETCH(int, rounds);
    QFETCH(double, busiest);
    const double bytes = 1'600'000;  // 400,000 floats: every division above is exact
    const Ran ran = runCli({"collective", "--schedule", schedule, "--ranks", QString::number(ranks), "--hosts",
                            QString::number(hosts), "--bytes", "1600000", "--json"});
    QCOMPARE(ran.code, 0);
    const QJsonObject answer = jsonDocument(ran.out);
    QCOMPARE(answer.keys(),
             QStringList({"bytesSentPerRank", "maxBytesSentPerRank", "modelledSeconds", "result", "steps"}));
    QCOMPARE(answer["result"].toString(), QString("exact"));
    QCOMPARE(answer["steps"].toInt(), rounds);
    QCOMPARE(answer["maxBytesSentPerRank"].toDouble(), busiest * bytes);
    const QJsonArray sent = answer["bytesSentPerRank"].toArray();
    QCOMPARE(sent.size(), ranks);
    double sum = 0, most = 0;
    for (const QJsonValue& value : sent) {
      sum += value.toDouble();
      most = std::max(most, value.toDouble());
    }
    QCOMPARE(sum, 2.0 * (ranks - 1) * bytes);
    QCOMPARE(most, busiest * bytes);
    QVERIFY((answer["modelledSeconds"].toDouble() > 0) == (ranks > 1));
  }

  void ringTimeFollowsTheCatalogue() {
    const QJsonObject catalogue = jsonDocument(runCli({"catalogue", "--json"}).out);
    QJsonObject link, device;
    for (const QJsonValue& value : catalogue["links"].toArray())
      if (value.toObject()["id"] == "nvlink2") link = value.toObject();
    for (const QJsonValue& value : catalogue["devices"].toArray())
      if (value.toObject()["id"] == "v100") device = value.toObject();
    const double p = 8, n = 1'600'000;
    const double alpha = link["latencyUs"].toDouble() * 1e-6, beta = 1e-9 / link["effectiveGbPerSec"].toDouble();
    const double gamma = 3e-9 / device["memoryGbPerSec"].toDouble();
    const double expected = 2 * (p - 1) * alpha + 2 * (p - 1) / p * n * beta + (p - 1) / p * n * gamma;
    const QJsonObject answer = jsonDocument(runCli({"collective", "--ranks", "8", "--bytes", "1600000", "--json"}).out);
    const double seconds = answer["modelledSeconds"].toDouble();
    // The cost of every message is rounded to whole nanoseconds.
    QVERIFY2(std::abs(seconds - expected) <= 3 * 14e-9, qPrintable(QString("%1 %2").arg(seconds).arg(expected)));
  }

  void selftestPasses() {
    const Ran ran = runCli({"selftest"});
    QVERIFY2(ran.code == 0, ran.out + ran.err);
    QVERIFY(ran.out.contains("reference") && ran.out.count('\n') > 10);
  }

  void dataVerifyTellsMissingFiles() {
    const QTemporaryDir folder;
    const Ran ran = runCli({"data", "verify", folder.path()});
    QVERIFY2(ran.err.contains(folder.path().toUtf8()), ran.err.constData());
    QVERIFY(ran.code != 0);
  }
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"

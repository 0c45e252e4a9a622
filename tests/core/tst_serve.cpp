// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized processors=2 lock=waits cost=55
// strategylab-cli serve and join as real processes on 127.0.0.1: one worker equals OneDevice to the bit, equal workers
// have the expected staleness, a killed or frozen one loses its closure, strangers change nothing, nothing stays
// behind.
#include <QTest>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QUrl>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/data/download.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/protocol/frames.h"
#include "core/serving/parameter_servers.h"
#include "core/serving/server_processes.h"
#include "core/training/checkpoint.h"
#include "tests/core/cli_program.h"
#include "tests/core/data_files.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const QString kClassProgram = QStringLiteral(STRATEGYLAB_CLASS_PROGRAM);  // "" if the program is not built

// A running program whose lines the test waits for.
class Program {
 public:
  Program(const QStringList& arguments, const QString& program = {}, const QString& cpuPath = {}) {
    prepareCli(process);
    if (!cpuPath.isEmpty()) {
      QProcessEnvironment environment = process.processEnvironment();
      environment.insert("STRATEGYLAB_CPU_PATH", cpuPath);
      process.setProcessEnvironment(environment);
    }
    if (!program.isEmpty()) process.setProgram(program);
    process.setArguments(arguments);
    process.start();
  }
  ~Program() {
    process.kill();
    process.waitForFinished(kPatienceMs);
  }

  // Returns the next line that contains this text; "" if the program ended without one.
  QByteArray lineWith(const QByteArray& text) {
    QElapsedTimer waited;
    waited.start();
    while (waited.elapsed() < kPatienceMs) {
      while (process.canReadLine())
        if (const QByteArray line = process.readLine(); line.contains(text)) return line.trimmed();
      if (process.state() == QProcess::NotRunning) return {};
      process.waitForReadyRead(50);
    }
    return {};
  }

  int end() {
    if (!process.waitForFinished(kPatienceMs)) return -1;
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  }
  void signal(int number) { ::kill(static_cast<pid_t>(process.processId()), number); }

  QProcess process;
};

// Returns how often the main thread of a process has waited, for time or for anything else.
std::int64_t waitsOf(qint64 process) {
  QFile file(QStringLiteral("/proc/%1/status").arg(process));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  const QByteArray all = file.readAll(), key = "\nvoluntary_ctxt_switches:";
  const qsizetype at = all.indexOf(key) + key.size();
  return all.mid(at, all.indexOf('\n', at) - at).trimmed().toLongLong();
}

QStringList worker(const QString& link) {
  return {"join", link, "--threads", "1"};
}

// Writes a certificate for localhost and 127.0.0.1 and its key into files; false if openssl is missing.
bool makeCertificate(const QString& certificate, const QString& key) {
  QProcess openssl;
  openssl.start("openssl", {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                            "-days", "2", "-subj", "/CN=class", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                            "-keyout", key, "-out", certificate});
  return openssl.waitForFinished(kPatienceMs) && openssl.exitCode() == 0;
}

// The class's own worker process, which computes; to be killed or stopped.
std::unique_ptr<Program> workerProcess(const QString& link, int patienceMs = 30'000) {
  auto program = std::make_unique<Program>(QStringList{"join"}, kClassProgram);
  program->process.write(
      QStringLiteral("{\"link\":\"%1\",\"threads\":1,\"patienceMs\":%2}\n").arg(link).arg(patienceMs).toUtf8());
  program->process.waitForBytesWritten(kPatienceMs);
  return program;
}

std::vector<float> weightsIn(const QString& file) {
  std::vector<float> all;
  for (const auto& [name, tensor] : readSafetensors(file.toStdString()).tensors)
    all.insert(all.end(), tensor.values.begin(), tensor.values.end());
  return all;
}

// A connection to a link's address; closed if nobody listens there.
class Socket {
 public:
  // `receive`: about how many bytes it accepts unread; 0: the default.
  explicit Socket(const QUrl& link, int receive = 0) : file_(socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive > 0) setsockopt(file_, SOL_SOCKET, SO_RCVBUF, &receive, sizeof receive);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(link.port()));
    isOpen_ = connect(file_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Socket() { close(file_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool isOpen() const { return isOpen_; }
  bool hasAnswer() const {
    pollfd readable{file_, POLLIN, 0};
    return poll(&readable, 1, 0) > 0;
  }

  void say(const QByteArray& bytes) {
    (void)send(file_, bytes.data(), static_cast<std::size_t>(bytes.size()), MSG_NOSIGNAL);
  }
  // Says no more, so that the server does not wait for the answer to its farewell.
  void hangUp() { shutdown(file_, SHUT_WR); }

  // Sends `bytes` again and again without reading, until the other end cuts it off or `most` is reached; returns the
  // sum.
  std::int64_t sayOn(const QByteArray& bytes, std::int64_t most) {
    std::int64_t said = 0;
    pollfd writable{file_, POLLOUT, 0};
    while (said < most && poll(&writable, 1, kPatienceMs) > 0) {
      const ssize_t got =
          send(file_, bytes.data(), static_cast<std::size_t>(bytes.size()), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (got < 0 && errno != EAGAIN) break;
      said += std::max<ssize_t>(got, 0);
    }
    return said;
  }

  // Returns the answer to these bytes, until the other end closes.
  QByteArray answerTo(const QByteArray& request) {
    say(request);
    QByteArray answer;
    pollfd readable{file_, POLLIN, 0};
    char piece[4096];
    while (poll(&readable, 1, kPatienceMs) > 0) {
      const ssize_t got = recv(file_, piece, sizeof piece, 0);
      if (got <= 0) break;
      answer.append(piece, got);
    }
    return answer;
  }

 private:
  int file_;
  bool isOpen_ = false;
};

// The frame as a WebSocket message with a mask of 0.
QByteArray framed(const serving::Frame& frame) {
  const serving::FrameBytes bytes = encode(frame);
  QByteArray message = QByteArray::fromHex("82");
  message.append(static_cast<char>(0x80 | bytes.size()));
  message.append(4, '\0');
  return message.append(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
}

QByteArray answerTo(const QUrl& link, const QByteArray& request) {
  return Socket(link).answerTo(request);
}

// Returns whether the worker heard that the class is over. One that gets no processor for the 3 s of the farewell finds
// the class gone, and says so.
bool endsWithItsClass(Program& worker) {
  const int code = worker.end();
  return code == 0 || (code == 1 && worker.process.readAllStandardError().contains("the connection to the class at"));
}

}  // namespace

class TestServe : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString file(const char* name) const { return folder_.filePath(QLatin1String(name)); }

 private slots:
  void initTestCase() {
    if (kClassProgram.isEmpty()) QSKIP("strategylab-class is not built: Boost's headers are missing");
  }

  void oneWorkerEqualsOneDevice() {
    Program serve({"serve", "--steps", "30", "--eval-every", "20", "--save", file("class.safetensors"), "--metrics",
                   file("class.jsonl"), "--run", file("class.run"), "--json"});
    const QString link = QJsonDocument::fromJson(serve.lineWith("link")).object().value("link").toString();
    QCOMPARE(Program(worker(link)).end(), 0);
    QCOMPARE(serve.end(), 0);
    QCOMPARE(runCli({"train", "--strategy", "one-device", "--devices", "cpu", "--steps", "30", "--eval-every", "20",
                     "--save", file("one.safetensors"), "--metrics", file("one.jsonl")})
                 .code,
             0);
    QVERIFY(sameBits(weightsIn(file("class.safetensors")), weightsIn(file("one.safetensors"))));
    const auto linesOf = [this](const char* name) {
      QFile lines(file(name));
      return lines.open(QIODevice::ReadOnly) ? jsonLines(lines.readAll()) : QList<QJsonObject>();
    };
    QMap<int, double> losses[2], accuracies[2];
    for (const int which : {0, 1})
      for (const QJsonObject& line : linesOf(which == 0 ? "class.jsonl" : "one.jsonl")) {
        const QString event = line["event"].toString();
        if (event == "step") losses[which][line["step"].toInt()] = line["loss"].toDouble();
        if (event == "eval") accuracies[which][line["step"].toInt()] = line["testLoss"].toDouble();
      }
    QCOMPARE(losses[0].size(), 30);
    QCOMPARE(losses[0], losses[1]);
    QCOMPARE(accuracies[0].size(), 2);
    QCOMPARE(accuracies[0], accuracies[1]);
    QCOMPARE(linesOf("class.jsonl").back()["event"].toString(), QString("end"));
    QVERIFY(QFileInfo::exists(file("class.run")));
  }

  void equalWorkersAreStaleByTheOthers() {
    for (const int count : {2, 4}) {
      const QString steps = QString::number(60 * count);
      Program serve({"serve", "--replicas", QString::number(count), "--steps", steps, "--eval-every", "0",
                     "--batch-per-replica", "16", "--network", "mlp", "--json"});
      const QString link = QJsonDocument::fromJson(serve.lineWith("link")).object().value("link").toString();
      std::vector<std::unique_ptr<Program>> workers;
      for (int w = 0; w < count; ++w) workers.push_back(std::make_unique<Program>(worker(link)));
      for (const auto& each : workers) QCOMPARE(each->end(), 0);
      QCOMPARE(serve.end(), 0);
      double sum = 0;
      int updates = 0;
      for (const QJsonObject& line : jsonLines(serve.process.readAllStandardOutput()))
        if (line["event"].toString() == "step" && line["step"].toInt() > count) {
          sum += line["staleness"].toDouble();
          ++updates;
        }
      QCOMPARE(updates, 59 * count);
      const double mean = sum / updates;
      QVERIFY2(mean > 0.95 * (count - 1) && mean < 1.05 * (count - 1), QByteArray::number(mean));
    }
  }

  void inStepItIsMirrored() {
    const QStringList settings{"--strategy", "mirrored", "--replicas", "2", "--steps", "12", "--eval-every", "0"};
    Program serve(QStringList{"serve", "--save", file("step.safetensors")} + settings);
    const QString link = serve.lineWith("http");
    Program one(worker(link)), other(worker(link));
    QCOMPARE(one.end(), 0);
    QCOMPARE(other.end(), 0);
    QCOMPARE(serve.end(), 0);
    QCOMPARE(runCli(QStringList{"train", "--devices", "cpu", "--reducer", "one-device", "--save",
                                file("mirrored.safetensors")} +
                    settings)
                 .code,
             0);
    QVERIFY(sameBits(weightsIn(file("step.safetensors")), weightsIn(file("mirrored.safetensors"))));
  }

  void aBrowsersWorkerEqualsOneDeviceOnTheBaseline_data() {
    QTest::addColumn<QStringList>("same");
    QTest::newRow("float32") << QStringList{"--strategy", "one-device"};
    QTest::newRow("bfloat16") << QStringList{"--strategy", "parameter-server", "--replicas", "1", "--wire", "bfloat16"};
  }
  void aBrowsersWorkerEqualsOneDeviceOnTheBaseline() {
    QFETCH(QStringList, same);
    const QString node = QStandardPaths::findExecutable("node");
    if (node.isEmpty()) QSKIP("node is not here");
    Program has({"--experimental-websocket", "-e", "if (typeof WebSocket === 'undefined') process.exit(1)"}, node);
    if (has.end() != 0) QSKIP("this node has no WebSocket");
    const QStringList settings{"--steps", "20", "--eval-every", "0"};
    Program serve(QStringList{"serve", "--save", file("browser.safetensors")} + settings + same.mid(4), {}, "baseline");
    const QString link = serve.lineWith("http");
    Program worker({"--experimental-websocket", STRATEGYLAB_SOURCE_DIR "/tests/wasm/join.mjs",
                    STRATEGYLAB_SOURCE_DIR "/resources/class/replica.wasm", link},
                   node);
    const QJsonObject end = jsonDocument(worker.lineWith("applied"));
    QCOMPARE(end["over"].toBool(), true);
    QCOMPARE(end["applied"].toInt(), 20);
    QCOMPARE(serve.end(), 0);
    Program one(QStringList{"train", "--devices", "cpu", "--save", file("baseline.safetensors")} + settings + same, {},
                "baseline");
    QCOMPARE(one.end(), 0);
    QVERIFY(sameBits(weightsIn(file("browser.safetensors")), weightsIn(file("baseline.safetensors"))));
  }

  void withACertificateAllIsEncrypted() {
    if (!makeCertificate(file("class.pem"), file("key.pem"))) QSKIP("openssl is not here");
    const QStringList settings{"--steps", "20", "--eval-every", "0", "--network", "mlp"};
    Program serve(QStringList{"serve", "--certificate", file("class.pem"), "--key", file("key.pem"), "--save",
                              file("encrypted.safetensors")} +
                  settings);
    const QString link = serve.lineWith("http");
    QVERIFY(link.startsWith("https://127.0.0.1:"));
    const QUrl url(link);
    const Ran stranger = runCli({"join", link});
    QCOMPARE(stranger.code, 2);
    QVERIFY2(stranger.err.contains("self-signed") && stranger.err.contains("--ca"), stranger.err);
    // A client without encryption learns nothing.
    QVERIFY(!answerTo(url, "GET / HTTP/1.1\r\nHost: " + url.authority().toUtf8() + "\r\n\r\n").contains("HTTP"));
    QProcess page;
    const QByteArray request = "GET / HTTP/1.1\r\nHost: " + url.authority().toUtf8() + "\r\nOrigin: https://" +
                               url.authority().toUtf8() + "\r\n\r\n";
    page.start("openssl", {"s_client", "-quiet", "-verify_return_error", "-CAfile", file("class.pem"), "-connect",
                           url.authority()});
    page.write(request);
    QVERIFY(page.waitForFinished(kPatienceMs));
    const QByteArray answer = page.readAllStandardOutput();
    QVERIFY2(answer.startsWith("HTTP/1.1 200") && answer.contains("A class trains together"), answer);
    QVERIFY(answer.contains("connect-src 'self' wss://" + url.authority().toUtf8() + ";"));
    // A download trusts the certificates in SSL_CERT_FILE.
    const auto fetched = [&] {
      const std::string style = url.resolved(QUrl("/style.css")).toString().toStdString();
      return lab::download(style, file("style.css").toStdString(), {.maxBytes = 10'000'000}, {}, {}).end;
    };
    QCOMPARE(fetched(), lab::DownloadResult::End::Failed);
    qputenv("SSL_CERT_FILE", file("class.pem").toUtf8());
    QCOMPARE(fetched(), lab::DownloadResult::End::Complete);
    qunsetenv("SSL_CERT_FILE");
    QCOMPARE(Program({"join", link, "--threads", "1", "--ca", file("class.pem")}).end(), 0);
    QCOMPARE(serve.end(), 0);
    QCOMPARE(runCli(QStringList{"train", "--strategy", "one-device", "--devices", "cpu", "--save",
                                file("plain.safetensors")} +
                    settings)
                 .code,
             0);
    QVERIFY(sameBits(weightsIn(file("encrypted.safetensors")), weightsIn(file("plain.safetensors"))));
  }

  void aBrowsersWorkerSpeaksTlsToo() {
    const QString node = QStandardPaths::findExecutable("node");
    if (node.isEmpty()) QSKIP("node is not here");
    Program has({"--experimental-websocket", "-e", "if (typeof WebSocket === 'undefined') process.exit(1)"}, node);
    if (has.end() != 0) QSKIP("this node has no WebSocket");
    if (!makeCertificate(file("class.pem"), file("key.pem"))) QSKIP("openssl is not here");
    Program serve({"serve", "--listen", "localhost:0", "--certificate", file("class.pem"), "--key", file("key.pem"),
                   "--steps", "5", "--eval-every", "0"});
    const QString link = serve.lineWith("http");
    QVERIFY(link.startsWith("https://localhost:"));
    qputenv("NODE_EXTRA_CA_CERTS", file("class.pem").toUtf8());
    Program worker({"--experimental-websocket", STRATEGYLAB_SOURCE_DIR "/tests/wasm/join.mjs",
                    STRATEGYLAB_SOURCE_DIR "/resources/class/replica.wasm", link},
                   node);
    qunsetenv("NODE_EXTRA_CA_CERTS");
    QCOMPARE(jsonDocument(worker.lineWith("applied"))["applied"].toInt(), 5);
    QCOMPARE(serve.end(), 0);
  }

  void aCertificateThatCannotBeIsASentence() {
    if (!makeCertificate(file("class.pem"), file("key.pem"))) QSKIP("openssl is not here");
    QVERIFY(makeCertificate(file("other.pem"), file("otherKey.pem")));
    QProcess lock;
    lock.start("openssl",
               {"pkey", "-in", file("key.pem"), "-aes256", "-passout", "pass:abc", "-out", file("locked.pem")});
    QVERIFY(lock.waitForFinished(kPatienceMs));
    const auto refused = [&](const char* certificate, const char* key, const QByteArray& words,
                             const QString& listen = "127.0.0.1:0") {
      const Ran ran = runCli({"serve", "--certificate", file(certificate), "--key", file(key), "--listen", listen});
      return ran.code == 2 && ran.out.isEmpty() && ran.err.contains(words) ? QByteArray("refused") : ran.err;
    };
    QCOMPARE(refused("class.pem", "otherKey.pem", "--key: "), "refused");
    QCOMPARE(refused("class.pem", "locked.pem", "without a password"), "refused");
    QCOMPARE(refused("key.pem", "key.pem", "--certificate: "), "refused");
    QCOMPARE(refused("nowhere.pem", "key.pem", "cannot be opened"), "refused");
    QCOMPARE(refused("class.pem", "key.pem", "is not for 127.0.0.2", "127.0.0.2:0"), "refused");
    const Ran alone = runCli({"serve", "--certificate", file("class.pem")});
    QVERIFY2(alone.code == 2 && alone.err.contains("--key"), alone.err);
    const Ran joining =
        runCli({"join", "https://127.0.0.1:1/#00112233445566778899aabbccddeeff", "--ca", file("nowhere.pem")});
    QVERIFY2(joining.code == 2 && joining.err.contains("--ca"), joining.err);
  }

  void thePageSaysAndDrawsWhatItShould() {
    const QString node = QStandardPaths::findExecutable("node");
    if (node.isEmpty()) QSKIP("node is not here");
    Program page({STRATEGYLAB_SOURCE_DIR "/tests/wasm/page.mjs", STRATEGYLAB_SOURCE_DIR}, node);
    const int code = page.end();
    QVERIFY2(code == 0, page.process.readAllStandardError());
  }

  void thePagesWorkerLearnsPausesAndAsks() {
    const QString node = QStandardPaths::findExecutable("node");
    if (node.isEmpty()) QSKIP("node is not here");
    Program has({"--experimental-websocket", "-e", "if (typeof WebSocket === 'undefined') process.exit(1)"}, node);
    if (has.end() != 0) QSKIP("this node has no WebSocket");
    Program serve({"serve", "--steps", "200", "--eval-every", "0"});
    Program page({"--experimental-websocket", STRATEGYLAB_SOURCE_DIR "/tests/wasm/learn.mjs", STRATEGYLAB_SOURCE_DIR,
                  serve.lineWith("http")},
                 node);
    QCOMPARE(page.end(), 0);
    QCOMPARE(serve.end(), 0);
    const QJsonObject seen = jsonDocument(page.process.readAllStandardOutput());
    QCOMPARE(seen["name"].toString(), QString("Otter 1"));
    QCOMPARE(seen["ended"].toInt(), 1);
    QCOMPARE(seen["applied"].toInt(), 200);
    QCOMPARE(seen["points"].toInt(), 200);
    QVERIFY(seen["answers"].toInt() > 0);
    QVERIFY(seen["whileAsleep"].toInt(99) <= 2);  // what was under way
    QCOMPARE(seen["pictures"].toInt() % 784, 0);
    QVERIFY(seen["pictures"].toInt() > 0);
    QCOMPARE(seen["layers"].toArray().size(), 3);
    QVERIFY(std::abs(seen["sum"].toDouble() - 1) < 1e-5);
  }

  void thePageInABrowser_data() {
    QTest::addColumn<QStringList>("programs");  // the first one installed is used
    QTest::newRow("chromium") << QStringList{"chromium", "google-chrome"};
    QTest::newRow("firefox") << QStringList{"firefox-esr", "firefox"};
  }
  void thePageInABrowser() {
    QFETCH(QStringList, programs);
    const QString kind = QTest::currentDataTag(), node = QStandardPaths::findExecutable("node");
    QString browser;
    for (const QString& program : programs)
      if (browser.isEmpty()) browser = QStandardPaths::findExecutable(program);
    if (node.isEmpty() || browser.isEmpty()) QSKIP(qPrintable("node or " + programs.front() + " is not here"));
    QVERIFY(QDir().mkpath(folder_.filePath(kind)));
    Program has({"--experimental-websocket", "-e", "if (typeof WebSocket === 'undefined') process.exit(1)"}, node);
    if (has.end() != 0) QSKIP("this node has no WebSocket");
    Program serve({"serve", "--steps", "100000", "--eval-every", "0"});
    const QString link = serve.lineWith("http");
    Program page({"--experimental-websocket", STRATEGYLAB_SOURCE_DIR "/tests/wasm/browse.mjs", kind, browser,
                  folder_.filePath(kind), link},
                 node);
    QVERIFY2(!page.lineWith("ready").isEmpty(), page.process.readAllStandardError());
    serve.signal(SIGINT);
    const QJsonObject seen = jsonDocument(page.lineWith("complaints"));
    QCOMPARE(serve.end(), 130);
    QVERIFY2(seen["complaints"].toArray().isEmpty(), QJsonDocument(seen).toJson());
    QCOMPARE(seen["state"].toString(), QString("You are Otter 1, and you are training."));
    QCOMPARE(seen["hash"].toBool(true), false);  // the token is out of the address bar
    QCOMPARE(seen["overflow"].toInt(99), 0);
    QVERIFY(seen["verdict"].toString().startsWith("The class says "));
    QVERIFY(seen["agree"].toBool());
    QCOMPARE(seen["german"].toString(), QString("Eine Klasse trainiert gemeinsam"));
    QVERIFY(seen["again"].toString().startsWith("Sie sind "));
    QVERIFY(seen["end"].toString().startsWith("The class is over."));
  }

  void thePageAndItsFilesAreServed() {
    Program serve({"serve", "--steps", "1"});
    const QString link = serve.lineWith("http");
    const QUrl url(link);
    const QByteArray host = url.authority().toUtf8();
    const auto asked = [&](const QByteArray& method, const QByteArray& path) {
      return answerTo(url, method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    };
    const auto bodyOf = [](const QByteArray& answer) { return answer.mid(answer.indexOf("\r\n\r\n") + 4); };
    const auto file = [](const QString& path) {
      QFile source(QStringLiteral(STRATEGYLAB_SOURCE_DIR "/") + path);
      return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
    };
    const QByteArray policy =
        "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
        "worker-src 'self'; connect-src 'self' ws://" +
        host +
        "; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'\r\n";
    const QByteArray script = "text/javascript; charset=utf-8", text = "text/plain; charset=utf-8";
    const std::vector<std::tuple<QByteArray, QByteArray, QString>> files{
        {"/", "text/html; charset=utf-8", "resources/class/page/index.html"},
        {"/style.css", "text/css; charset=utf-8", "resources/class/page/style.css"},
        {"/page.mjs", script, "resources/class/page/page.mjs"},
        {"/board.mjs", script, "resources/class/page/board.mjs"},
        {"/pictures.mjs", script, "resources/class/page/pictures.mjs"},
        {"/texts.mjs", script, "resources/class/page/texts.mjs"},
        {"/worker.mjs", script, "resources/class/page/worker.mjs"},
        {"/learner.mjs", script, "resources/class/page/learner.mjs"},
        {"/class_worker.mjs", script, "core/wasm/class_worker.mjs"},
        {"/replica.mjs", script, "core/wasm/replica.mjs"},
        {"/replica.wasm", "application/wasm", "resources/class/replica.wasm"},
        {"/LICENSE", text, "LICENSE"}};
    for (const auto& [path, type, source] : files) {
      const QByteArray answer = asked("GET", path);
      QVERIFY2(answer.startsWith("HTTP/1.1 200"), path);
      QVERIFY2(answer.contains("Content-Type: " + type + "\r\n"), path);
      QVERIFY2(answer.contains(policy), path);
      QVERIFY2(answer.contains("X-Content-Type-Options: nosniff\r\n"), path);
      QVERIFY2(!file(source).isEmpty() && bodyOf(answer) == file(source), path);
    }
    const QByteArray archive = asked("GET", "/source.tar.gz");
    QVERIFY(archive.contains("Content-Type: application/gzip\r\n"));
    QProcess tar;
    tar.start("tar", {"-tzf", "-"});
    tar.write(bodyOf(archive));
    tar.closeWriteChannel();
    QVERIFY(tar.waitForFinished(kPatienceMs));
    const QList<QByteArray> names = tar.readAllStandardOutput().split('\n');
    for (const char* name : {"core/wasm/build.sh", "core/wasm/replica.cpp", "core/device/cpu/kernels_baseline.cpp",
                             "resources/class/page/page.mjs", "LICENSE"})
      QVERIFY2(names.contains(name), name);
    const QByteArray head = asked("HEAD", "/page.mjs");
    QVERIFY(head.startsWith("HTTP/1.1 200") && bodyOf(head).isEmpty());
    QVERIFY(head.contains("Content-Length: " + QByteArray::number(file("resources/class/page/page.mjs").size())));
    for (const char* path : {"/index.html", "/page", "/page.mjs/", "/page.mjs?", "//page.mjs", "/%70age.mjs",
                             "/core/wasm/replica.mjs", "/join.mjs"}) {
      const QByteArray answer = asked("GET", path);
      QVERIFY2(answer.startsWith("HTTP/1.1 404"), path);
      QVERIFY2(answer.contains("Content-Security-Policy: default-src 'none'; base-uri"), path);
    }
  }

  void aMixedClassIsTrainedAgain() {
    Program serve({"serve", "--replicas", "2", "--steps", "60", "--eval-every", "0", "--network", "mlp", "--run",
                   file("mixed.run"), "--save", file("mixed.safetensors")});
    const QString link = serve.lineWith("http");
    Program one(worker(link)), other(worker(link), {}, "baseline");
    QCOMPARE(one.end(), 0);
    QCOMPARE(other.end(), 0);
    QCOMPARE(serve.end(), 0);
    const Ran again = runCli({"replay", file("mixed.run"), "--save", file("again.safetensors"), "--json"});
    QCOMPARE(again.code, 0);
    QCOMPARE(jsonDocument(again.out)["equalLosses"].toInt(), 60);
    QVERIFY(sameBits(weightsIn(file("mixed.safetensors")), weightsIn(file("again.safetensors"))));
    QCOMPARE(runCli({"train", "--steps", "2", "--run", file("plain.run")}).code, 0);
    const Ran none = runCli({"replay", file("plain.run")});
    QCOMPARE(none.code, 2);
    QVERIFY(none.err.contains("not a recording of a class"));
  }

  void launchedWorkersJoinToo() {
    const Ran ran = runCli({"launch", "--strategy", "parameter-server", "--workers", "3", "--steps", "60", "--network",
                            "mlp", "--json", "--eval-every", "0"});
    QCOMPARE(ran.code, 0);
    std::set<int> workers;
    for (const QJsonObject& line : jsonLines(ran.out))
      if (line["event"].toString() == "step") workers.insert(line["worker"].toInt());
    QCOMPARE(workers, (std::set<int>{0, 1, 2}));
  }

  // Their user has no link to join again with.
  void launchedWorkersThatAreKilledAreNamed() {
    Program launch({"launch", "--strategy", "parameter-server", "--workers", "2", "--steps", "100000", "--network",
                    "mlp", "--json", "--eval-every", "0"});
    QVERIFY(!launch.lineWith("\"worker\":1").isEmpty());
    QProcess end;
    end.start("pkill", {"-KILL", "-P", QString::number(launch.process.processId()), "-f", "join$"});
    QVERIFY(end.waitForFinished(kPatienceMs));
    QCOMPARE(launch.end(), 1);
    const QByteArray said = launch.process.readAllStandardError();
    for (const char* name : {"Otter 1", "Heron 2"})
      QVERIFY2(said.contains(QByteArray(name) + "'s program was killed (signal 9)."), said);
    QVERIFY2(said.contains("all workers have ended") && !said.contains("the same link"), said);
  }

  void whoIsKilledOrFrozenLosesItsClosure_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("strategy");
    QTest::newRow("killed") << SIGKILL << "parameter-server";
    QTest::newRow("frozen") << SIGSTOP << "parameter-server";
    QTest::newRow("killed in step") << SIGKILL << "mirrored";
    QTest::newRow("frozen in step") << SIGSTOP << "mirrored";
  }
  void whoIsKilledOrFrozenLosesItsClosure() {
    QFETCH(int, signal);
    QFETCH(QString, strategy);
    Program serve({"serve", "--strategy", strategy, "--replicas", "2", "--steps", "400", "--eval-every", "0",
                   "--network", "mlp", "--deadline", "0.5", "--json"});
    const QString link = QJsonDocument::fromJson(serve.lineWith("link")).object().value("link").toString();
    const auto one = workerProcess(link, 1), other = workerProcess(link);
    QVERIFY(!serve.lineWith("\"step\":20,").isEmpty());
    one->signal(signal);
    QVERIFY(!serve.lineWith("\"step\":400,").isEmpty());  // each closure was done, also the one that it had
    QCOMPARE(serve.end(), 0);
    QCOMPARE(other->end(), 0);
    const QByteArray said = serve.process.readAllStandardError();
    // In step it may have been through with its part when it was killed: then it has none to lose.
    const bool mayHaveNone = signal == SIGKILL && strategy == QStringLiteral("mirrored");
    QVERIFY2(said.contains("goes to another worker") || (mayHaveNone && said.contains(" has left.")), said.constData());
    if (signal == SIGKILL) return;
    one->signal(SIGCONT);
    QVERIFY(one->end() >= 0);  // the worker finds that the class is over, or gone
  }

  void whoReturnsGoesOn() {
    Program serve({"serve", "--replicas", "2", "--steps", "100000", "--eval-every", "0", "--deadline", "0.5",
                   "--network", "mlp", "--json"});
    const QString link = QJsonDocument::fromJson(serve.lineWith("link")).object().value("link").toString();
    const auto one = workerProcess(link), other = workerProcess(link);
    QVERIFY(!serve.lineWith("\"worker\":0").isEmpty());
    QVERIFY(!one->lineWith("applied").isEmpty());
    one->signal(SIGSTOP);
    serve.process.setReadChannel(QProcess::StandardError);
    QVERIFY(!serve.lineWith("goes to another worker").isEmpty());
    serve.process.setReadChannel(QProcess::StandardOutput);
    (void)one->process.readAllStandardOutput();
    one->signal(SIGCONT);
    QVERIFY(!one->lineWith("applied").isEmpty());
    QCOMPARE(one->process.state(), QProcess::Running);
    serve.signal(SIGINT);
    QCOMPARE(serve.end(), 130);
    QVERIFY(endsWithItsClass(*one));
    QVERIFY(endsWithItsClass(*other));
  }

  void interruptedItWritesWhatWasAskedFor() {
    Program serve({"serve", "--steps", "100000", "--network", "mlp", "--save", file("stopped.safetensors"), "--metrics",
                   file("stopped.jsonl")});
    const QString link = serve.lineWith("http");
    Program one(worker(link));
    one.process.setReadChannel(QProcess::StandardError);
    QVERIFY(!one.lineWith("joined as Otter 1").isEmpty());
    serve.signal(SIGINT);
    QCOMPARE(serve.end(), 130);
    QCOMPARE(one.end(), 0);
    QVERIFY(!weightsIn(file("stopped.safetensors")).empty());
    QVERIFY(QFileInfo::exists(file("stopped.jsonl")));
    QVERIFY(!Socket(QUrl(link)).isOpen());  // the server no longer listens
    const QByteArray said = serve.process.readAllStandardError();
    QVERIFY2(said.contains("stopped after step ") && said.contains("files that were asked for are written"), said);
  }

  // There is no recording yet, and no summary of a class that has not begun.
  void interruptedBeforeItBeginsItSaysSo() {
    const std::filesystem::path data = folder_.path().toStdString() + "/pipe";
    write(data / "train-labels-idx1-ubyte", labelsFile(40));
    write(data / "t10k-images-idx3-ubyte", imagesFile(20));
    write(data / "t10k-labels-idx1-ubyte", labelsFile(20));
    const std::string pipe = data / "train-images-idx3-ubyte";
    QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
    Program serve({"serve", "--steps", "5", "--dataset", "mnist", "--data-dir", file("pipe"), "--run", file("no.run")});
    int out = -1;
    // Once the program reads. Opened once only: the file ends when nobody can write to it.
    QTRY_VERIFY_WITH_TIMEOUT(out >= 0 || (out = open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) >= 0, kPatienceMs);
    serve.signal(SIGINT);
    // Between two waits, its main thread looks for signals.
    const std::int64_t waits = waitsOf(serve.process.processId());
    QTRY_VERIFY_WITH_TIMEOUT(waitsOf(serve.process.processId()) > waits + 2, kPatienceMs);
    const QByteArray images = imagesFile(40);
    QCOMPARE(::write(out, images.constData(), static_cast<std::size_t>(images.size())), images.size());
    close(out);
    QCOMPARE(serve.end(), 130);
    const QByteArray said = serve.process.readAllStandardError();
    QVERIFY2(said.contains("before the class began") && !QFile::exists(file("no.run")), said);
  }

  // The file is a class's recording, but nothing was computed in the class.
  void aClassWithoutUpdatesHasNothingToReplay() {
    Program serve({"serve", "--steps", "5", "--network", "mlp", "--run", file("empty.run")});
    QVERIFY(!serve.lineWith("http").isEmpty());
    serve.signal(SIGINT);
    QCOMPARE(serve.end(), 130);
    QVERIFY(!serve.process.readAllStandardOutput().contains("images/s"));  // nothing was measured
    const Ran none = runCli({"replay", file("empty.run")});
    QCOMPARE(none.code, 2);
    QVERIFY2(none.err.contains("empty.run") && none.err.contains("before its first update"), none.err.constData());
  }

  void aWorkerThatIsInterruptedLeaves() {
    Program serve({"serve", "--steps", "100000", "--network", "mlp"});
    const QString link = serve.lineWith("http");
    serve.process.setReadChannel(QProcess::StandardError);
    Program one(worker(link));
    QVERIFY(!serve.lineWith("has joined").isEmpty());
    one.signal(SIGINT);
    QCOMPARE(one.end(), 130);
    QVERIFY(!serve.lineWith("Otter 1 has left").isEmpty());
  }

  void strangersAreRefusedAndTheOthersTrainOn() {
    Program serve({"serve", "--replicas", "2", "--steps", "50", "--network", "mlp"});
    const QString link = serve.lineWith("http");
    const QUrl url(link);
    const QByteArray host = "Host: " + url.authority().toUtf8() + "\r\n";
    const QByteArray upgrade =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    Program one(worker(link));
    const QByteArray page = answerTo(url, "GET / HTTP/1.1\r\n" + host + "\r\n");
    QVERIFY(page.startsWith("HTTP/1.1 200") && page.contains("A class trains together"));
    QVERIFY(page.contains("Content-Security-Policy: default-src 'none'"));
    QVERIFY(answerTo(url, "GET /../etc/passwd HTTP/1.1\r\n" + host + "\r\n").startsWith("HTTP/1.1 404"));
    QVERIFY(answerTo(url, "POST / HTTP/1.1\r\n" + host + "\r\n").startsWith("HTTP/1.1 405"));
    QVERIFY(answerTo(url, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").startsWith("HTTP/1.1 403"));
    QVERIFY(answerTo(url, "GET /class HTTP/1.1\r\n" + host + "Origin: http://example.org\r\n" + upgrade + "\r\n")
                .startsWith("HTTP/1.1 403"));
    QVERIFY(answerTo(url, "GET /other HTTP/1.1\r\n" + host + upgrade + "\r\n").startsWith("HTTP/1.1 404"));
    QVERIFY(!answerTo(url, "GET / HTTP/1.1\r\n" + host + "X: " + QByteArray(20'000, 'x') + "\r\n\r\n").contains("200"));
    QVERIFY(!answerTo(url, QByteArray(5000, '\0')).contains("200"));
    // Silent connections, more than are let in, and a WebSocket that sends no token.
    std::vector<std::unique_ptr<Socket>> silent;
    for (int i = 0; i < 150; ++i) QVERIFY(silent.emplace_back(std::make_unique<Socket>(url))->isOpen());
    silent.clear();
    Socket shaken(url);
    shaken.say("GET /class HTTP/1.1\r\n" + host + upgrade + "\r\n" + QByteArray::fromHex("8281000000000000"));
    QString wrong = link;
    wrong.back() = wrong.back() == '0' ? '1' : '0';
    QCOMPARE(Program(worker(wrong)).end(), 2);  // before the other leaves, after which it would have to wait
    shaken.hangUp();
    QVERIFY(shaken.answerTo({}).startsWith("HTTP/1.1 101"));
    Program other(worker(link));
    QCOMPARE(one.end(), 0);
    QCOMPARE(other.end(), 0);
    QCOMPARE(serve.end(), 0);
  }

  void aLostServerSaysHowToGoOn_data() {
    QTest::addColumn<QString>("victim");
    QTest::addColumn<QByteArray>("what");
    QTest::newRow("the class's program") << "" << QByteArray("the class's program was killed (signal 9)");
    QTest::newRow("a parameter server killed") << "-KILL" << QByteArray("parameter server 1 was killed (signal 9)");
    QTest::newRow("a parameter server frozen")
        << "-STOP" << QByteArray("parameter server 1 has not answered for 0.5 s");
    QTest::newRow("a parameter server ended") << "-TERM" << QByteArray("parameter server 1 was killed (signal 15)");
  }
  void aLostServerSaysHowToGoOn() {
    QFETCH(QString, victim);
    QFETCH(QByteArray, what);
    const QString serverSignal = victim.isEmpty() ? "-KILL" : victim;
    QDir(file("kept")).removeRecursively();
    const QStringList settings{"serve",
                               "--eval-every",
                               "0",
                               "--network",
                               "mlp",
                               "--run",
                               file("lost.run"),
                               "--save",
                               file("lost.safetensors"),
                               "--checkpoint-dir",
                               file("kept"),
                               "--checkpoint-every",
                               "100",
                               "--parameter-servers",
                               "2",
                               "--partitioner",
                               "fixed:2",
                               "--deadline",
                               "0.5"};
    QByteArray said;
    {
      Program serve(settings + QStringList{"--steps", "100000"});
      Program one(worker(serve.lineWith("http")));
      while (QDir(file("kept")).entryList({"checkpoint-*"}).size() < 2 && serve.process.state() == QProcess::Running)
        QTest::qWait(5);
      QProcess look;
      look.start("pgrep", {"-P", QString::number(serve.process.processId())});
      QVERIFY(look.waitForFinished(kPatienceMs));
      const QString program = look.readAllStandardOutput().trimmed();
      QProcess end;
      end.start("pkill", {serverSignal, "-P", victim.isEmpty() ? QString::number(serve.process.processId()) : program,
                          "-f", victim.isEmpty() ? "serve$" : "parameter-server .* 1$"});
      QVERIFY(end.waitForFinished(kPatienceMs));
      QCOMPARE(end.exitCode(), 0);
      QCOMPARE(serve.end(), 1);
      said = serve.process.readAllStandardError();
    }
    QVERIFY2(said.contains(what) && said.contains("the newest checkpoint is of step"), said);
    QVERIFY2(said.contains("--checkpoint-dir " + file("kept").toUtf8() + " --resume"), said);
    const std::int64_t steps = newestCheckpointStep(file("kept").toStdString()) + 50;
    Program again(settings + QStringList{"--resume", "--steps", QString::number(steps)});
    Program other(worker(again.lineWith("http")));  // with another key
    QCOMPARE(other.end(), 0);
    QCOMPARE(again.end(), 0);
    // Who was there before is not there any more.
    QFile journal(file("kept/class-updates.jsonl"));
    QVERIFY(journal.open(QIODevice::ReadOnly));
    QByteArray order;
    while (!journal.atEnd()) {
      const QByteArray line = journal.readLine();
      for (const char* key : {"joined", "left"})
        if (line.startsWith(QByteArray("{\"") + key)) order += QByteArray(key) + line.mid(line.lastIndexOf(':'));
    }
    QVERIFY2(order.startsWith("joined:0}}\nleft:0}\njoined:0}}\n"), order);
    const Ran over = runCli(settings + QStringList{"--resume", "--steps", QString::number(steps)});
    QVERIFY2(over.code == 0 && over.err.contains("nothing was trained"), over.err);
    const Ran replayed = runCli({"replay", file("lost.run"), "--save", file("found.safetensors"), "--json"});
    QCOMPARE(replayed.code, 0);
    QCOMPARE(jsonDocument(replayed.out)["equalLosses"].toInteger(), steps);
    QVERIFY(sameBits(weightsIn(file("lost.safetensors")), weightsIn(file("found.safetensors"))));
  }

  // Its settings, which hold the layers, are longer than what a socket takes at once.
  void parameterServersTakeADeepNetwork() {
    constexpr int kLayers = 1000;
    std::vector<NetworkLayer> layers{{.kind = NetworkLayer::Kind::Flatten, .name = "flatten"}};
    for (int i = 0; i < kLayers; ++i)
      layers.push_back({.kind = NetworkLayer::Kind::Dense, .name = "dense_" + std::to_string(i), .units = 10});
    layers.push_back({.kind = NetworkLayer::Kind::Add, .name = "add", .inputs = {kLayers - 1, kLayers}});
    layers.push_back({.kind = NetworkLayer::Kind::Dense, .name = "outputs", .units = 10});
    QFile network(file("deep.json"));
    QVERIFY(network.open(QIODevice::WriteOnly));
    network.write(QByteArray::fromStdString(kerasJson({"deep", {28, 28, 1}, layers})));
    network.close();
    const ResolvedSettings config = resolve(configOf(
        {{"strategy", "parameter-server"}, {"parameter-servers", "2"}, {"network", network.fileName().toStdString()}}));
    QVERIFY(configToJson(config).dump().size() > std::size_t{300'000});
    const auto servers = serving::startServerProcesses(config, *networkOf(config), kClassProgram.toStdString(),
                                                       std::int64_t{kPatienceMs} * 1'000'000);
    const auto here = serving::makeServersHere(config, *networkOf(config));
    QVERIFY(sameBits(servers->read(), here->read()));
  }

  // The server still answers requests for the page, and working members are not disturbed.
  void afterWhoWasOfNoUseTheNextWaits() {
    Program serve({"serve", "--steps", "100000", "--network", "mlp"});
    const QUrl url(serve.lineWith("http"));
    const QByteArray host = "Host: " + url.authority().toUtf8() + "\r\n";
    const QByteArray upgrade = "GET /class HTTP/1.1\r\n" + host +
                               "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const QByteArray page = "GET / HTTP/1.1\r\n" + host + "\r\n";
    Socket first(url);
    first.say(upgrade);
    QVERIFY(answerTo(url, page).startsWith("HTTP/1.1 200"));
    QVERIFY(first.hasAnswer());
    first.say(QByteArray::fromHex("8281000000000000"));  // no frame
    first.hangUp();
    QVERIFY(first.answerTo({}).startsWith("HTTP/1.1 101"));
    Socket next(url);
    next.say(upgrade);
    QVERIFY(answerTo(url, page).startsWith("HTTP/1.1 200"));
    QVERIFY(!next.hasAnswer());
    next.hangUp();
    QVERIFY(next.answerTo({}).startsWith("HTTP/1.1 101"));
  }

  // A worker that is sent away is cut off even if it does not read the last message; otherwise it would keep the server
  // busy.
  void ofWhoIsSentAwayNothingMoreIsRead_data() {
    QTest::addColumn<bool>("reads");
    QTest::newRow("it has room for what it is told") << true;
    QTest::newRow("it is being sent variables, and reads nothing") << false;
  }
  void ofWhoIsSentAwayNothingMoreIsRead() {
    QFETCH(bool, reads);
    Program serve({"serve", "--steps", "100000"});
    const QUrl url(serve.lineWith("http"));
    const QByteArray host = "Host: " + url.authority().toUtf8() + "\r\n";
    Socket socket(url, reads ? 0 : 4096);
    socket.say("GET /class HTTP/1.1\r\n" + host +
               "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    QTRY_VERIFY(socket.hasAnswer());
    if (!reads) {
      const auto token = serving::tokenFrom(url.fragment().toStdString());
      socket.say(framed(serving::Hello{.token = token.value()}) + framed(serving::Pull{}));
      QVERIFY(answerTo(url, "GET / HTTP/1.1\r\n" + host + "\r\n").startsWith("HTTP/1.1 200"));  // it had time
    }
    const QByteArray large = QByteArray::fromHex("82fef000") + QByteArray(4 + 0xf000, '\0');  // no frame of the class's
    constexpr std::int64_t kBuffers = 32 << 20, kMuch = 8 * kBuffers;  // what two sockets may hold, and more
    QVERIFY(socket.sayOn(large, kMuch) < kBuffers);
  }

  void whatCannotBeIsASentence() {
    const auto refused = [](const QStringList& arguments, int code, const QByteArray& words) {
      const Ran ran = runCli(arguments);
      return ran.code == code && ran.err.contains(words);
    };
    QVERIFY(refused({"serve", "--listen", "0.0.0.0:0"}, 2, "--listen"));
    QVERIFY(refused({"serve", "--listen", "192.0.2.7:0"}, 2, "192.0.2.7:0"));
    QVERIFY(refused({"serve", "--strategy", "central-storage"}, 2, "--strategy"));
    QVERIFY(refused({"serve", "--devices", "cpu"}, 2, "--devices"));
    QVERIFY(refused({"join", "http://127.0.0.1:1"}, 2, "not a link"));
    QVERIFY(refused({"join", "http://127.0.0.1:1/#00112233445566778899aabbccddeeff"}, 2, "cannot be reached"));
    QVERIFY(refused({"join", "http://127.0.0.1:1/#00112233445566778899aabbccddeeff", "--name", "a\nb"}, 2, "--name"));
    QVERIFY(refused({"join", "http://127.0.0.1:1/#00112233445566778899aabbccddeeff", "--name", "  "}, 2, "spaces"));
    Program serve({"serve", "--network", "mlp"});
    const QString link = serve.lineWith("http");
    QVERIFY(refused({"join", QString(link).replace("http:", "https:")}, 2, "begins with http://"));
    QProcess process;
    prepareCli(process);
    QProcessEnvironment environment = process.processEnvironment();
    environment.insert("STRATEGYLAB_CLASS_PROGRAM", "/nowhere/strategylab-class");
    process.setProcessEnvironment(environment);
    process.setArguments({"serve"});
    process.start();
    QVERIFY(process.waitForFinished(kPatienceMs));
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("STRATEGYLAB_CLASS=1 app/run.sh"));
  }
};

QTEST_GUILESS_MAIN(TestServe)
#include "tst_serve.moc"

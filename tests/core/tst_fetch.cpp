// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: lock=waits cost=11
// Fetching and verifying: whatever servers, connections and disks do, a file gets its name only when it is correct,
// received parts are used again, and nothing waits for ever.
#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>
#include <chrono>
#include <filesystem>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/file_lock.h"
#include "core/data/fetch.h"
#include "tests/core/data_files.h"
#include "tests/core/http_server.h"
#include "tests/support/patience.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;
using Requests = std::vector<std::string>;

namespace {

const char* const kImages = "train-images-idx3-ubyte.gz";

QByteArray plainFile(const IdxFileName& file) {
  const int count = std::string(file.stem).starts_with("train") ? 200 : 30;
  return file.kind == IdxKind::Images ? imagesFile(count) : labelsFile(count);
}

// A small data set with its true checksums.
RemoteDataset smallSet(bool byArchive = false) {
  RemoteDataset set;
  set.name = "small";
  for (std::size_t i = 0; i < 4; ++i) {
    const QByteArray content = plainFile(kIdxFiles[i]);
    set.files[i].file = kIdxFiles[i];
    set.files[i].contentBytes = content.size();
    if (byArchive)
      set.files[i].md5OfArchive =
          QCryptographicHash::hash(gzipped(content), QCryptographicHash::Md5).toHex().toStdString();
    else
      set.files[i].sha256OfContent =
          QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex().toStdString();
  }
  return set;
}

const char* const kLostName = "nowhere.example";
std::stop_source stopAtLookUp;
std::binary_semaphore nameServerAnswers(0), lookUpEnded(0);

void putSet(HttpServer& server) {
  for (const IdxFileName& file : kIdxFiles) server.put(idxName(file) + ".gz", gzipped(plainFile(file)));
}

}  // namespace

// In place of the system's, also for libcurl: for one name, the name server is lost.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  if (name == nullptr || name != std::string_view(kLostName)) {
    static const auto real = reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(name, service, hints, found);
  }
  stopAtLookUp.request_stop();
  (void)nameServerAnswers.try_acquire_for(std::chrono::milliseconds(kPatienceMs));
  lookUpEnded.release();
  return EAI_AGAIN;
}

class TestFetch : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  fs::path out_;

  bool fetch(const RemoteDataset& set, const FetchTimeouts& timeouts = {}) {
    return fetchDataset(set, out_, nullptr, {}, timeouts);
  }
  QString refusal(const RemoteDataset& set, const FetchTimeouts& timeouts = {}) {
    try {
      fetch(set, timeouts);
      return "fetched";
    } catch (const UserError& error) {
      return QString::fromUtf8(error.what()) + (error.kind() == UserError::Kind::Run ? "" : " (request)");
    }
  }
  bool complete() {
    for (const IdxFileName& file : kIdxFiles)
      if (contentOf(out_ / (idxName(file) + ".gz")) != gzipped(plainFile(file))) return false;
    for (const auto& entry : fs::directory_iterator(out_))
      if (entry.path().extension() == ".part") return false;
    return true;
  }
  QByteArray part() { return contentOf(out_ / (std::string(kImages) + ".part")); }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    out_ = fs::path(folder_->path().toStdString()) / "new" / "folder";
    qputenv("no_proxy", "127.0.0.1");
  }

  void fetches_data() {
    QTest::addColumn<bool>("byArchive");
    QTest::newRow("SHA-256 of the content") << false;
    QTest::newRow("MD5 of the archive") << true;
  }
  void fetches() {
    QFETCH(bool, byArchive);
    HttpServer server;
    putSet(server);
    RemoteDataset set = smallSet(byArchive);
    set.mirrors = {server.url()};
    std::vector<FetchProgress> seen;
    QVERIFY(fetchDataset(set, out_, [&](const FetchProgress& p) { seen.push_back(p); }, {}));
    QVERIFY(complete());
    QCOMPARE(server.requests().size(), std::size_t{4});
    QCOMPARE(seen.front().file, std::string(kImages));
    QCOMPARE(seen.front().fileNumber, 1);
    QCOMPARE(seen.back().fileNumber, 4);
    QCOMPARE(seen.back().received, gzipped(plainFile(kIdxFiles[3])).size());
    QCOMPARE(seen.back().total, seen.back().received);
    // A correct file that is there is not fetched again.
    QVERIFY(fetch(set));
    QCOMPARE(server.requests().size(), std::size_t{4});
    // A wrong one is.
    write(out_ / kImages, "garbage");
    QVERIFY(fetch(set));
    QVERIFY(complete());
    QCOMPARE(server.requests().size(), std::size_t{5});
  }

  void fetchesFromFiles() {
    const fs::path mirror = fs::path(folder_->path().toStdString()) / "mirror";
    for (const IdxFileName& file : kIdxFiles) write(mirror / (idxName(file) + ".gz"), gzipped(plainFile(file)));
    RemoteDataset set = smallSet();
    set.mirrors = {"file://" + mirror.string()};
    write(out_ / (std::string(kImages) + ".part"), gzipped(plainFile(kIdxFiles[0])).left(700));
    QVERIFY(fetch(set));
    QVERIFY(complete());
  }

  void cutDownloadLeavesAPartAndContinues_data() {
    QTest::addColumn<bool>("ignoresRanges");
    QTest::newRow("server continues") << false;
    QTest::newRow("server starts over") << true;
  }
  void cutDownloadLeavesAPartAndContinues() {
    QFETCH(bool, ignoresRanges);
    HttpServer server;
    putSet(server);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    HttpServer::Manners manners;
    manners.cutAfter = 500;
    server.behave(manners);
    const QString text = refusal(set);
    QVERIFY2(text.contains(server.url().c_str()) && text.endsWith("it continues where it stopped."), qPrintable(text));
    QVERIFY(!fs::exists(out_ / kImages));
    QCOMPARE(part(), gzipped(plainFile(kIdxFiles[0])).left(500));

    manners = {};
    manners.ignoresRanges = ignoresRanges;
    server.behave(manners);
    QVERIFY(fetch(set));
    QVERIFY(complete());
    QCOMPARE(server.requests().at(1), std::string(kImages) + " 500-");
    QCOMPARE(server.requests().size(), std::size_t{5});
  }

  void aWholePartNeedsNoServer() {
    RemoteDataset set = smallSet();
    for (const IdxFileName& file : kIdxFiles) write(out_ / (idxName(file) + ".gz.part"), gzipped(plainFile(file)));
    QVERIFY(fetch(set));
    QVERIFY(complete());
  }

  // As two windows of one home do, or a class that shares a folder.
  void aPartThatAnotherFetchesIsLeftAlone() {
    HttpServer server;
    putSet(server);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    const fs::path file = out_ / (std::string(kImages) + ".part");
    write(file, gzipped(plainFile(kIdxFiles[0])).left(700));
    {
      const FileLock other(file);
      const QString text = refusal(set);
      QVERIFY2(text.startsWith("another StrategyLab is fetching '") && text.contains(kImages), qPrintable(text));
      QVERIFY(server.requests().empty());
      QCOMPARE(part(), gzipped(plainFile(kIdxFiles[0])).left(700));
    }
    QVERIFY(fetch(set));
    QVERIFY(complete());
  }

  void aBadPartIsThrownAwayOnce_data() {
    QTest::addColumn<QByteArray>("part");
    const QByteArray right = gzipped(plainFile(kIdxFiles[0]));
    QTest::newRow("other bytes") << QByteArray(100, 'x');
    QTest::newRow("flipped byte") << QByteArray(right.left(700)).replace(300, 1, "#");
    QTest::newRow("as long as the file") << QByteArray(right.size(), 'x');
    QTest::newRow("longer") << right + "x";
    QTest::newRow("longer than can be") << QByteArray(400'000, 'x');
    QTest::newRow("empty") << QByteArray();
  }
  void aBadPartIsThrownAwayOnce() {
    QFETCH(QByteArray, part);
    HttpServer server;
    putSet(server);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    write(out_ / (std::string(kImages) + ".part"), part);
    QVERIFY(fetch(set));
    QVERIFY(complete());
    QVERIFY(server.requests().size() <= 5);
  }

  void badServers_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("404") << "404"
                         << "the server answered 404";
    QTest::newRow("500") << "500"
                         << "the server answered 500";
    QTest::newRow("wrong content") << "wrong"
                                   << "its content's SHA-256 is ";
    QTest::newRow("login page") << "page"
                                << "a web page came in place of the file";
    QTest::newRow("bomb") << "bomb"
                          << "unpacks to more than";
    QTest::newRow("too long") << "long"
                              << "larger than this file can be";
    QTest::newRow("too long without saying so") << "endless"
                                                << "larger than this file can be";
    QTest::newRow("nothing") << "empty"
                             << "it is empty";
    QTest::newRow("wrong part") << "range"
                                << "a different part of the file";
    QTest::newRow("circle") << "circle"
                            << "redirect";
    QTest::newRow("other protocol") << "ftp"
                                    << "ftp";
    QTest::newRow("silence") << "silence"
                             << "nothing arrived for 1 s";
    QTest::newRow("silence half-way") << "half"
                                      << "nothing arrived for 1 s";
  }
  void badServers() {
    QFETCH(QString, kind);
    QFETCH(QString, says);
    HttpServer bad, good;
    putSet(bad);
    putSet(good);
    HttpServer::Manners manners;
    if (kind == "404" || kind == "500") manners.status = kind.toInt();
    if (kind == "wrong") bad.put(kImages, gzipped(plainFile(kIdxFiles[0]).replace(50, 1, "#")));
    if (kind == "page") bad.put(kImages, "<html>Please log in to the network of this hotel</html>");
    if (kind == "bomb") bad.put(kImages, gzipped(QByteArray(50'000'000, '\0')));
    if (kind == "long" || kind == "endless") bad.put(kImages, QByteArray(1'000'000, 'x'));
    manners.noLength = kind == "endless";
    if (kind == "empty") bad.put(kImages, "");
    manners.wrongRange = kind == "range";
    if (kind == "range") write(out_ / (std::string(kImages) + ".part"), gzipped(plainFile(kIdxFiles[0])).left(100));
    if (kind == "circle") manners.redirect = QByteArray::fromStdString(bad.url());
    if (kind == "ftp") manners.redirect = "ftp://127.0.0.1/";
    manners.stalls = kind == "silence" || kind == "half";
    if (manners.stalls) manners.cutAfter = kind == "half" ? 500 : 0;
    bad.behave(manners);

    const FetchTimeouts quick{std::chrono::seconds(5), std::chrono::seconds(1)};
    RemoteDataset set = smallSet();
    set.mirrors = {bad.url()};
    const QString text = refusal(set, quick);
    QVERIFY2(text.contains(says) && text.contains(bad.url().c_str()), qPrintable(text));
    QVERIFY2(text.startsWith("cannot fetch train-images-idx3-ubyte.gz of small:"), qPrintable(text));
    QVERIFY2(text.endsWith("it continues where it stopped."), qPrintable(text));
    QVERIFY(!fs::exists(out_ / kImages));
    QVERIFY(part().size() < 400'000);

    // The next mirror has the correct file.
    set.mirrors.push_back(good.url());
    QVERIFY(fetch(set, quick));
    QVERIFY(complete());
  }

  // As a network in a hotel does, whatever is asked for.
  void aWebPageInPlaceOfTheFileLeavesThePartAlone() {
    HttpServer server;
    putSet(server);
    server.put(kImages, "<html>Please log in to the network of this hotel</html>");
    HttpServer::Manners manners;
    manners.ignoresRanges = true;
    server.behave(manners);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    const QByteArray received = gzipped(plainFile(kIdxFiles[0])).left(700);
    write(out_ / (std::string(kImages) + ".part"), received);
    const QString text = refusal(set);
    QVERIFY2(text.contains("a web page came in place of the file"), qPrintable(text));
    QCOMPARE(part(), received);

    putSet(server);
    server.behave({});
    QVERIFY(fetch(set));
    QVERIFY(complete());
    QCOMPARE(server.requests().at(1), std::string(kImages) + " 700-");
  }

  void aRedirectIsFollowed() {
    HttpServer first, second;
    putSet(second);
    HttpServer::Manners manners;
    manners.redirect = QByteArray::fromStdString(second.url());
    first.behave(manners);
    RemoteDataset set = smallSet();
    set.mirrors = {first.url()};
    write(out_ / (std::string(kImages) + ".part"), gzipped(plainFile(kIdxFiles[0])).left(300));
    QVERIFY(fetch(set));
    QVERIFY(complete());
    QCOMPARE(second.requests().front(), std::string(kImages) + " 300-");
  }

  void nobodyListens() {
    std::string url;
    {
      HttpServer gone;
      url = gone.url();
    }
    RemoteDataset set = smallSet();
    set.mirrors = {url};
    const QString text = refusal(set);
    QVERIFY2(text.contains("connect"), qPrintable(text));
  }

  void stops_data() {
    QTest::addColumn<bool>("silent");
    QTest::newRow("while bytes arrive") << false;
    QTest::newRow("while nothing arrives") << true;
  }
  void stops() {
    QFETCH(bool, silent);
    HttpServer server;
    putSet(server);
    HttpServer::Manners manners;
    manners.stalls = silent;
    manners.cutAfter = silent ? 500 : -1;
    server.behave(manners);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    std::stop_source stop;
    int callsAfterStop = 0;
    const auto progress = [&](const FetchProgress& p) {
      if (stop.stop_requested()) ++callsAfterStop;
      if (p.received > 0) stop.request_stop();
    };
    QVERIFY(!fetchDataset(set, out_, progress, stop.get_token(), {std::chrono::seconds(5), std::chrono::seconds(4)}));
    if (silent) QCOMPARE(callsAfterStop, 0);  // the stop ended it, not the time limit
    QCOMPARE(server.requests().size(), std::size_t{1});
    QVERIFY(!fs::exists(out_ / "train-labels-idx1-ubyte.gz"));
    server.behave({});
    QVERIFY(fetch(set));
    QVERIFY(complete());
  }

  void aStopDoesNotWaitForALostNameServer() {
    qputenv("no_proxy", "*");
    RemoteDataset set = smallSet();
    set.mirrors = {std::string("http://") + kLostName + "/"};
    QVERIFY(!fetchDataset(set, out_, nullptr, stopAtLookUp.get_token()));
    QVERIFY(!lookUpEnded.try_acquire());
    nameServerAnswers.release();
    QVERIFY(lookUpEnded.try_acquire_for(std::chrono::milliseconds(kPatienceMs)));
  }

  void anErrorOfTheCallerIsPassedOn() {
    HttpServer server;
    putSet(server);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    const auto progress = [](const FetchProgress&) { throw std::runtime_error("from the caller"); };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, fetchDataset(set, out_, progress, {}));
    QVERIFY(!fs::exists(out_ / kImages));
  }

  void unwritableDestination() {
    RemoteDataset set = smallSet();
    const fs::path file = fs::path(folder_->path().toStdString()) / "file";
    write(file, "in the way");
    for (const fs::path& folder : {file, file / "below"}) {
      out_ = folder;
      const QString text = refusal(set);
      QVERIFY2(text.startsWith("cannot make the folder '") && text.contains("/file"), qPrintable(text));
      QVERIFY2(text.endsWith("Name a folder that may be written to. (request)"), qPrintable(text));
    }
    HttpServer server;
    putSet(server);
    set.mirrors = {server.url()};
    out_ = folder_->path().toStdString();
    fs::create_directories(out_ / (std::string(kImages) + ".part"));
    const QString text = refusal(set);
    QVERIFY2(text.startsWith("cannot write '") && text.contains(".part'") && text.endsWith("or name another folder."),
             qPrintable(text));
  }

  void readOnlyDestination() {
    if (geteuid() == 0) QSKIP("root may write anywhere");
    fs::create_directories(out_);
    fs::permissions(out_, fs::perms::owner_read | fs::perms::owner_exec);
    const QString text = refusal(smallSet());
    fs::permissions(out_, fs::perms::owner_all);
    QVERIFY2(text.startsWith("cannot write '"), qPrintable(text));
  }

  void aFullDisk() {
    if (!fs::exists("/dev/full")) QSKIP("this system has no /dev/full");
    HttpServer server;
    putSet(server);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    fs::create_directories(out_);
    fs::create_symlink("/dev/full", out_ / (std::string(kImages) + ".part"));
    QByteArray large(200'000, '\0');  // more than the program holds back until the end
    for (int i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * i >> 3);
    for (const QByteArray& content : {gzipped(plainFile(kIdxFiles[0])), large}) {
      server.put(kImages, content);
      set.files[0].contentBytes = 1'000'000;
      const QString text = refusal(set);
      QVERIFY2(text.startsWith("cannot write '") && text.contains("No space left on device"), qPrintable(text));
    }
  }

  // The loader would prefer the unpacked file to the fetched one.
  void aWrongUnpackedFileIsNotHidden() {
    write(out_ / "train-images-idx3-ubyte", imagesFile(3));
    const QString text = refusal(smallSet());
    QVERIFY2(text.contains("is in the way") && text.contains("Move it away"), qPrintable(text));
    write(out_ / "train-images-idx3-ubyte", plainFile(kIdxFiles[0]));
    HttpServer server;
    putSet(server);
    RemoteDataset set = smallSet();
    set.mirrors = {server.url()};
    QVERIFY(fetch(set));
    QCOMPARE(server.requests().size(), std::size_t{3});
  }

  void mnistIsFetchedAndVerified() {
    if (sharedMnist().empty()) QSKIP("MNIST is not on this machine (STRATEGYLAB_REFERENCE_DIR)");
    RemoteDataset set = remoteDataset("mnist");
    set.mirrors = {"file:///nowhere/", "file://" + fs::canonical(sharedMnist()).string()};
    QVERIFY(fetch(set));
    FolderReport report = verifyFolder(out_);
    QVERIFY(report.ok());
    QCOMPARE(report.dataset, std::string("mnist"));
    QCOMPARE(loadDataset("mnist", out_)->train.count, 60'000);
    write(out_ / "t10k-images-idx3-ubyte.gz", "garbage");
    report = verifyFolder(out_);
    QVERIFY(!report.ok());
    QCOMPARE(report.dataset, std::string("mnist"));
    QCOMPARE(report.files[2].state, FileState::Wrong);
    QCOMPARE(report.files[3].state, FileState::Ok);
  }
};

QTEST_APPLESS_MAIN(TestFetch)
#include "tst_fetch.moc"

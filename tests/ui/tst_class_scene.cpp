// SPDX-License-Identifier: GPL-3.0-or-later
// A class on the stage and in the inspector: a step shows what was true of that step, whichever workers are there now.
// Steps with fewer workers count only those, a worker that has left is drawn as gone, and numbers that this machine
// computed on another path are marked. The test uses no sockets.
#include <QtTest>

#include <algorithm>
#include <memory>

#include "core/classruns/class_info.h"
#include "core/classruns/class_record.h"
#include "tests/support/class_room.h"
#include "tests/ui/stage_fixture.h"
#include "ui/inspect/describe.h"
#include "ui/playback/captions.h"
#include "ui/runview/run_summary.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr std::int64_t kBatch = 24;

// A lesson whose steps are pictured as the window shows them when all these workers have been there.
struct Lesson {
  std::shared_ptr<const Dataset> data = fewDigits(500, 20);
  ClassRoom room;
  std::shared_ptr<serving::ClassHistory> history = std::make_shared<serving::ClassHistory>();
  std::vector<int> there;  // the workers' connections

  explicit Lesson(const char* strategy, const Settings& more = {})
      : room(with({{"strategy", strategy},
                   {"network", "mlp"},
                   {"batch-per-replica", std::to_string(kBatch)},
                   {"eval-every", "0"},
                   {"steps", "100"}},
                  more),
             data) {
    room.tell(*history);
  }
  void join(const std::string& path = "") { there.push_back(room.join(kClassToken, path)); }
  void leave(std::size_t worker) {
    room.leave(there[worker]);
    there.erase(there.begin() + static_cast<std::ptrdiff_t>(worker));
  }
  // Lets every worker compute what it has, `times` times.
  void work(int times = 1) {
    for (int i = 0; i < times; ++i)
      for (const int each : there) room.compute(each);
  }
  std::shared_ptr<const StepRecord> record(std::int64_t step) {
    std::vector<ClassMember> members;
    for (const serving::ClassWorkerFacts& each : room.joined) {
      members.resize(std::max(members.size(), static_cast<std::size_t>(each.worker) + 1));
      members[static_cast<std::size_t>(each.worker)].name = each.name;
    }
    history->describe(serving::classInfo(room.config, data, members));
    serving::ClassRecords records(room.config, data, history, 1);
    return records.record(step, [] { return true; });
  }
  Picture picture(std::int64_t step) {
    const auto made = record(step);
    return {history->info(), made};
  }
};

QStringList wordsOf(const Scene& scene) {
  QStringList words;
  for (const Item& item : scene.items) words << item.text;
  return words;
}

// Returns all words that the stage shows during a step.
QStringList wordsOf(const Picture& picture) {
  QStringList words;
  for (double part = 0; part <= 1; part += 1.0 / 64) words << wordsOf(picture.at(part * picture.story.seconds));
  for (const Beat& beat : picture.story.beats) words << beat.note;
  return words;
}

bool has(const QStringList& words, const QString& part) {
  return std::ranges::any_of(words, [&](const QString& each) { return each.contains(part); });
}

bool isHatched(const Picture& picture, int worker, double seconds = 0, std::vector<int> left = {}) {
  const Scene scene = makeScene(
      {.step = picture.index, .layout = picture.layout, .story = picture.story, .seconds = seconds, .left = left});
  const StageColumn& column = picture.layout.columnOf(worker);
  const QRectF place = column.count > 1 ? picture.layout.strip(worker) : column.box;
  return std::ranges::any_of(scene.items,
                             [&](const Item& item) { return item.shape == Item::Shape::Hatch && item.box == place; });
}

}  // namespace

class TestClassScene : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aStepCountsThoseWhoTookPart() {
    Lesson lesson("mirrored");
    lesson.join();
    lesson.join();
    lesson.work(2);
    lesson.join();
    lesson.work(3);
    const auto steps = lesson.history->updates();
    const Picture early = lesson.picture(2), late = lesson.picture(steps);
    QCOMPARE(early.index.record().absent, (std::vector<Absence>{{2, Absence::Why::NotJoined}}));
    for (const int worker : {0, 1}) QCOMPARE(std::lround(1 / early.index.vote(worker)), 2 * kBatch);
    QCOMPARE(early.index.vote(2), 0.0);
    for (const int worker : {0, 1, 2}) QCOMPARE(std::lround(1 / late.index.vote(worker)), 3 * kBatch);
    QVERIFY(late.index.record().absent.empty() && !early.index.votesDiffer() && !late.index.votesDiffer());
    // No words of the early step count the worker that came later.
    const QStringList words = wordsOf(early);
    for (const char* wrong : {"each counts", "of 3", "all 3", "3 workers", "zeros", "3 replicas"})
      QVERIFY2(!has(words, QString::fromLatin1(wrong)), qPrintable(words.join(u'\n')));
    QVERIFY(has(words, QStringLiteral("2 workers take part in this step, each with images of its own: 48 in total.")));
    QVERIFY(has(words, QStringLiteral("Lynx 3 joins after this step")) && isHatched(early, 2) && !isHatched(early, 1));
    QVERIFY(has(wordsOf(late), QStringLiteral("3 workers take part in this step")));
    const Description text = describe({Object::Kind::Digit, 1, 0}, early.index, early.story, early.story.seconds);
    QVERIFY(std::ranges::any_of(text.rows, [](const auto& row) { return row.value == QStringLiteral("1/48"); }));
  }

  // If the first worker has left, the sum is drawn in the place of the first that is there.
  void theSumIsWholeWithoutTheFirst() {
    Lesson lesson("mirrored");
    for (int w = 0; w < 3; ++w) lesson.join();
    lesson.work(2);
    lesson.leave(0);
    lesson.work(3);
    const QStringList words = wordsOf(lesson.picture(lesson.history->updates()));
    for (const char* wrong : {"3/2", "2/3", "of 3", "all 3"})
      QVERIFY2(!has(words, QString::fromLatin1(wrong)), qPrintable(words.join(u'\n')));
    QVERIFY(words.contains(QStringLiteral("Σ")));
  }

  void whoeverHasLeftIsDrawnAsGone_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << strategy;
  }
  void whoeverHasLeftIsDrawnAsGone() {
    QFETCH(QString, strategy);
    Lesson lesson(strategy.toUtf8());
    for (int w = 0; w < 3; ++w) lesson.join();
    lesson.work(2);
    const std::int64_t before = lesson.history->updates();
    lesson.leave(1);
    const Picture with = lesson.picture(before);
    QVERIFY(with.index.record().absent.empty() && !isHatched(with, 1));
    QVERIFY(isHatched(with, 1, 0, {1}) && !isHatched(with, 0, 0, {1}));  // worker 1 has left since then
    lesson.work(3);
    const Picture without = lesson.picture(lesson.history->updates());
    QCOMPARE(without.index.record().absent, (std::vector<Absence>{{1, Absence::Why::Left}}));
    QVERIFY(isHatched(without, 1) && !isHatched(without, 0) &&
            has(wordsOf(without), QStringLiteral("Heron 2 has left")));
    const Description text = describe({Object::Kind::Device, 1}, without.index, without.story, 0);
    QVERIFY(std::ranges::any_of(text.rows, [](const auto& row) { return row.value == QStringLiteral("has left"); }));
    // Nothing that the worker held is shown as on its way.
    for (const Object& its : {Object{Object::Kind::Gradient, 1}, Object{Object::Kind::Weights, 1}}) {
      const Description gone = describe(its, without.index, without.story, 0);
      QCOMPARE(gone.title, QStringLiteral("Heron 2"));
      QCOMPARE(gone.subtitle, QStringLiteral("has left"));
      QVERIFY(gone.rows.empty() && gone.note.isEmpty());
    }
    // A class's batch is made by the workers that are there, so none of it is missing.
    QCOMPARE(remainderWords(*lesson.history->info(), without.index.record().metric), QString());
    // The tab controls a class worker's speed; no setting has it, so the device has no row for it.
    QVERIFY(std::ranges::none_of(text.rows, [](const auto& row) { return row.name == QStringLiteral("Speed"); }));
    QCOMPARE(text.replica, -1);
  }

  // A worker that took no part is shown without a loss, not with a loss of zero.
  void whoTookNoPartHasNoLoss() {
    Lesson lesson("mirrored");
    for (int w = 0; w < 3; ++w) lesson.join();
    lesson.work(2);
    lesson.leave(1);
    lesson.work(3);
    const Picture picture = lesson.picture(lesson.history->updates());
    const Beat& beat = *picture.story.find(BeatKind::Losses);
    const Scene scene = picture.at((beat.beginS + beat.endS) / 2);
    int others = 0;
    for (const Item& item : scene.items) {
      if (item.object.kind != Object::Kind::Loss || item.text.isEmpty()) continue;
      if (item.object.endpoint == 1) QCOMPARE(item.text, QStringLiteral("has left"));
      others += item.object.endpoint == 0 || item.object.endpoint == 2 ? 1 : 0;
      QVERIFY2(!item.text.contains(QStringLiteral("0.0000")), qPrintable(item.text));
    }
    QCOMPARE(others, 2);
    for (const int each : {-1, 1}) {
      const Description text = describe({Object::Kind::Loss, each}, picture.index, picture.story, beat.endS);
      QVERIFY(std::ranges::any_of(text.rows, [](const auto& row) { return row.value == QStringLiteral("has left"); }));
      QVERIFY(std::ranges::none_of(text.rows,
                                   [](const auto& row) { return row.value.contains(QStringLiteral("0.0000")); }));
    }
  }

  // In a class the workers have no test images.
  void theServerEvaluatesAlone_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << strategy;
  }
  void theServerEvaluatesAlone() {
    QFETCH(QString, strategy);
    Lesson lesson(strategy.toUtf8(), {{"eval-every", "2"}});
    for (int w = 0; w < 2; ++w) lesson.join();
    lesson.work(3);
    const Picture picture = lesson.picture(2);
    QVERIFY(picture.story.find(BeatKind::Evaluate) != nullptr);
    const QStringList words = wordsOf(picture);
    QVERIFY2(has(words, QStringLiteral("The server alone counts how many of 20 test images are recognised")),
             qPrintable(words.join(u'\n')));
    const Description text = describe({Object::Kind::Evaluation}, picture.index, picture.story, picture.story.seconds);
    for (const char* wrong : {"test images are distributed", "test images are shared"})
      QVERIFY2(!has(words, QString::fromLatin1(wrong)), qPrintable(words.join(u'\n')));
    QVERIFY(text.note.startsWith(QStringLiteral("The server alone answers")));
  }

  // With a backup worker, who comes too late had images like all others: it is not drawn as if it had none.
  void whoIsLeftOutHasItsImages() {
    Lesson lesson("backup-workers", {{"replicas", "3"}});
    for (int w = 0; w < 3; ++w) lesson.join();
    for (const std::size_t w : {0, 0, 2}) {  // the first step is one worker's
      lesson.room.ns += 3'000'000;
      QVERIFY(lesson.room.compute(lesson.there[w]));
    }
    QCOMPARE(lesson.history->updates(), std::int64_t{2});
    const Picture picture = lesson.picture(2);
    const StepRecord& record = picture.index.record();
    QCOMPARE(record.metric.leftOut, std::vector<int>{1});
    const ReplicaStep& late = record.replicas[1];
    QCOMPARE(std::ssize(late.shard), kBatch);
    QVERIFY(late.losses.empty() && late.gradients.empty());
    QCOMPARE(late.weightsDigest, record.replicas[0].weightsDigest);
    QVERIFY(picture.index.isLeftOut(1, record.endNs) && !picture.index.isLeftOut(1, record.beginNs));
    QVERIFY(!picture.index.isLeftOut(0, record.endNs));
    const QStringList words = wordsOf(picture);
    for (const char* wrong : {"gets no image", "no images: 0", "zeros"})
      QVERIFY2(!has(words, QString::fromLatin1(wrong)), qPrintable(words.join(u'\n')));
    QVERIFY2(has(words, QStringLiteral("left out: 0")), qPrintable(words.join(u'\n')));
    const double end = picture.story.seconds;
    const Description image = describe({Object::Kind::Digit, 1, 0}, picture.index, picture.story, end);
    QVERIFY(image.title.startsWith(QStringLiteral("Training image")));
    // The step's loss is known nevertheless.
    const auto moment = describeMoment(picture.index, picture.story, end);
    QVERIFY(
        std::ranges::none_of(moment, [](const auto& row) { return row.value.contains(QStringLiteral("not comp")); }));
  }

  void theLastOneThereHasTheOnlyLoss() {
    Lesson lesson("mirrored");
    for (int w = 0; w < 2; ++w) lesson.join();
    lesson.work(2);
    lesson.leave(1);
    for (int i = 0; i < 3; ++i) {
      lesson.room.ns += 3'000'000;
      lesson.work();
    }
    const QStringList words = wordsOf(lesson.picture(lesson.history->updates()));
    QVERIFY2(has(words, QStringLiteral("The loss is ")), qPrintable(words.join(u'\n')));
    for (const char* wrong : {"The losses are", "each replica gets a gradient"})
      QVERIFY2(!has(words, QString::fromLatin1(wrong)), qPrintable(words.join(u'\n')));
  }

  // If several workers share a column, each has its own line there.
  void ofManyWorkersEachIsDrawnAsGone() {
    Lesson lesson("parameter-server");
    for (int w = 0; w < 40; ++w) lesson.join();
    lesson.work(2);
    lesson.leave(4);
    lesson.work(1);
    const Picture picture = lesson.picture(lesson.history->updates());
    QVERIFY(isHatched(picture, 4) && !isHatched(picture, 3) && !isHatched(picture, 5));
    // Workers are counted as they are named, from 1.
    QVERIFY(has(wordsOf(picture), QStringLiteral("4–6")) && has(wordsOf(picture), QStringLiteral("39 workers")));
  }

  void numbersOfAnotherPathSaySo_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << strategy;
  }
  void numbersOfAnotherPathSaySo() {
    QFETCH(QString, strategy);
    Lesson lesson(strategy.toUtf8());
    lesson.join();
    lesson.work(2);
    lesson.join("no_such_path");
    lesson.work(4);
    const QString sentence = QStringLiteral("may differ from its own in their last bits");
    const auto says = [&](std::int64_t step) {
      const Picture picture = lesson.picture(step);
      const auto rows = describeMoment(picture.index, picture.story, 0);
      const bool inspected = std::ranges::any_of(
          rows, [](const auto& row) { return row.value.contains(QStringLiteral("instruction set")); });
      return has(wordsOf(picture), sentence) && inspected && picture.index.record().onOtherPath;
    };
    QVERIFY(!says(1));
    QVERIFY(says(lesson.history->updates()));
  }
};

QTEST_MAIN(TestClassScene)
#include "tst_class_scene.moc"

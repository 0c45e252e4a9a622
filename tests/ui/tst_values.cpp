// SPDX-License-Identifier: GPL-3.0-or-later
// Checks each pixel of the pictures of values against the numbers of the step's record.
#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include "core/model/neural_network.h"
#include "tests/ui/stage_fixture.h"
#include "ui/i18n/words.h"
#include "ui/painting/scene_painter.h"
#include "ui/painting/value_images.h"
#include "ui/scene/scene_canvas.h"
#include "ui/step/latest_sizes.h"
#include "ui/step/step_index.h"
#include "ui/step/step_pictures.h"
#include "ui/step/value_map.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/theme/value_colour.h"

using namespace lab;
using namespace lab::test;

namespace {

// Each side of zero has more than 200 colours, by the cube root: neighbours differ most at the end of the scale.
constexpr double kStep = 3.0 / 200;

const Layout& layoutOfCourse() {
  return courseNetwork().layout();
}

std::vector<float> valuesOf(const ValueMap& map) {
  std::vector<float> known;
  std::ranges::copy_if(map.values, std::back_inserter(known), [](float value) { return !std::isnan(value); });
  return known;
}

float largestOf(const std::vector<float>& values) {
  float largest = 0;
  for (const float value : values)
    if (std::abs(value) > std::abs(largest)) largest = value;
  return largest;
}

bool isServerName(const QString& text) {
  return text.startsWith(QStringLiteral("CPU:0"));
}

QImage paint(const Scene& scene, const Dataset& data) {
  QImage image(scene.size.toSize(), QImage::Format_RGB32);
  image.fill(theme::colours().stage);
  QPainter painter(&image);
  ScenePainter().paint(painter, scene, data, {});
  return image;
}

}  // namespace

class TestValues : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The largest value is found at any place, also beside values that are not numbers.
  void theLargestIsFound() {
    QCOMPARE(largestMagnitude({}), 0.0);
    for (std::size_t size = 1; size <= 70; ++size)
      for (std::size_t at = 0; at < size; ++at) {
        std::vector<float> values(size, std::numeric_limits<float>::quiet_NaN());
        for (std::size_t i = 0; i < size; i += 3) values[i] = 1;
        values[at] = -2;
        QCOMPARE(largestMagnitude(values), 2.0);
      }
  }

  void aColourIsAValue() {
    for (const theme::Kind kind : theme::kKinds) {
      theme::setKind(kind);
      for (int i = -1000; i <= 1000; ++i) {
        const double value = i / 1000.0;
        const QRgb colour = theme::valueColour(0.4 * value, 0.4);
        QVERIFY2(std::abs(theme::valueOfColour(colour, 0.4) - 0.4 * value) <= 0.4 * kStep, theme::keyOf(kind));
      }
      QCOMPARE(theme::valueColour(0, 1), theme::colours().panel.rgb());
      // Beyond the end of the scale the colour does not get stronger.
      QCOMPARE(theme::valueColour(7, 1), theme::valueColour(1, 1));
    }
    theme::setKind(theme::Kind::Light);
  }

  // Zero, NaN and no value look different, and an infinity looks like the scale's end, even if all values are such.
  void whatIsNoNumberIsSeen() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float nan = std::nanf("");
    QCOMPARE(largestMagnitude(std::vector{1.0F, -kInfinity, nan, -3.0F}), 3.0);
    QCOMPARE(largestMagnitude(std::vector{kInfinity, nan}), 0.0);
    for (const auto colours : {ValueMap::Colours::Signed, ValueMap::Colours::Grey})
      for (const double scale : {0.0, 3.0}) {
        const QImage image = imageOf(
            {.width = 4, .height = 1, .scale = scale, .values = {0, nan, kInfinity, kNoValue}, .colours = colours},
            {48, 12});
        const auto part = [&](int place) { return image.copy(12 * place, 0, 12, 12); };
        QCOMPARE(image.pixel(18, 6) == image.pixel(21, 6), false);  // a checked pattern
        QVERIFY(part(1) != part(0) && part(1) != part(2) && part(1) != part(3));
        QVERIFY(part(2) != part(0));
      }
    // A single NaN among many values still shows in the picture of all.
    const Layout& layout = layoutOfCourse();
    std::vector<float> values(static_cast<std::size_t>(layout.size()), 1.0F);
    const auto shows = [&] {
      const auto& shown = BufferMap(layout).picture({0, layout.size()}, values, {90, 8}, 1)->values;
      return std::ranges::any_of(shown, [](float each) { return std::isnan(each) && !isNoValue(each); });
    };
    QVERIFY(!shows());
    values[values.size() / 2] = nan;
    QVERIFY(shows());
  }

  void scalesAreRound() {
    QCOMPARE(theme::roundedScale(0.31), 0.5);
    QCOMPARE(theme::roundedScale(0.5), 0.5);
    QCOMPARE(theme::roundedScale(0.51), 1.0);
    QCOMPARE(theme::roundedScale(3e-4), 5e-4);
    QCOMPARE(theme::roundedScale(0), 0.0);
  }

  // A new value at one place of the buffer changes the picture there and nowhere else.
  void anElementHasItsPlace() {
    const BufferMap map(layoutOfCourse());
    const std::int64_t all = layoutOfCourse().size();
    const QSize size(1200, 64);
    std::vector<float> buffer(static_cast<std::size_t>(all), 0.0F);
    const Values before = map.picture({0, all}, buffer, size, 1);
    for (const Variable& variable : layoutOfCourse().variables()) {
      const std::int64_t units = variable.shape.back();
      for (const std::int64_t within : {std::int64_t{0}, variable.size / 3, variable.size - 1}) {
        const std::int64_t element = variable.offset + within;
        buffer[static_cast<std::size_t>(element)] = -0.5F;
        const Values after = map.picture({0, all}, buffer, size, 1);
        buffer[static_cast<std::size_t>(element)] = 0;
        int changed = 0;
        for (int y = 0; y < size.height(); ++y)
          for (int x = 0; x < size.width(); ++x) {
            const auto i = static_cast<std::size_t>(y * size.width() + x);
            if (before->values[i] == after->values[i]) continue;
            ++changed;
            QCOMPARE(after->values[i], -0.5F);
            // The change lies in the column of the element's line, up to a rounded pixel, and in the row of its unit.
            const std::int64_t line = element - within % units;
            QVERIFY(x >= std::floor(map.edge(line + units) * size.width()) - 1);
            QVERIFY(x <= std::ceil(map.edge(line) * size.width()) + 1);
            QCOMPARE(y * units / size.height(), within % units);
          }
        QVERIFY(changed > 0);
      }
    }
  }

  // A picture shows the largest value however few pixels it has.
  void noLargeValueIsLost() {
    const BufferMap map(layoutOfCourse());
    const Variable& kernel = layoutOfCourse().find("dense/kernel");
    std::vector<float> values(static_cast<std::size_t>(kernel.size), 0.01F);
    for (const std::size_t at : {std::size_t{0}, values.size() / 2, values.size() - 1}) {
      values[at] = -3;
      for (const QSize size : {QSize(300, 20), QSize(41, 7), QSize(5, 5)})
        QCOMPARE(largestOf(valuesOf(*map.picture({kernel.offset, kernel.size}, values, size, 5))), -3.0F);
      values[at] = 0.01F;
    }
  }

  void filtersAreTiles() {
    std::vector<float> kernel(3 * 3 * 4);
    std::iota(kernel.begin(), kernel.end(), 1.0F);
    const Values tiles = filterTiles({.height = 3, .width = 3, .channels = 1, .filters = 4}, kernel, 2, 36);
    QCOMPARE(tiles->width, 7);
    QCOMPARE(tiles->height, 7);
    const auto at = [&](int y, int x) { return tiles->values[static_cast<std::size_t>(y * 7 + x)]; };
    QCOMPARE(at(0, 0), kernel[0]);                    // place (0, 0) of filter 0
    QCOMPARE(at(1, 2), kernel[(1 * 3 + 2) * 4]);      // place (1, 2) of filter 0
    QCOMPARE(at(2, 4), kernel[(2 * 3 + 0) * 4 + 1]);  // of filter 1
    QCOMPARE(at(6, 6), kernel[(2 * 3 + 2) * 4 + 3]);  // of filter 3
    QVERIFY(std::isnan(at(3, 0)) && std::isnan(at(0, 3)));
  }

  void strategies_data() {
    QTest::addColumn<QString>("settings");
    for (const char* settings :
         {"strategy=mirrored replicas=4 batch-per-replica=4 reducer=ring", "strategy=mirrored replicas=4 reducer=tree",
          "strategy=mirrored replicas=3 reducer=one-device", "strategy=multi-worker-mirrored replicas=4 hosts=2",
          "strategy=central-storage replicas=2", "strategy=parameter-server replicas=3 parameter-servers=2",
          "strategy=tpu replicas=8", "strategy=one-device"})
      QTest::newRow(settings) << QString::fromLatin1(settings);
  }

  // At any moment of the movie, a cell shows what the buffer holds then, and a piece on its way is a part of the
  // sender's buffer.
  void picturesAreTheBuffers_data() { strategies_data(); }
  void picturesAreTheBuffers() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 3);
    const StepRecord& record = *run.steps.back();
    const Picture picture(run.info, run.steps.back(), Pace::Play, {1600, 900});
    const Aggregation& aggregation = picture.index.aggregation();
    std::set<std::size_t> travelling;
    int cells = 0;
    for (int i = 0; i <= 120; ++i) {  // forward and back again
      const double seconds = picture.story.seconds * std::min(i, 120 - i) / 60;
      const std::int64_t ns = picture.story.clockAt(seconds);
      std::map<std::pair<int, std::int64_t>, Values> shown;
      for (const Item& item : picture.at(seconds).items) {
        if (item.values == nullptr) continue;
        if (item.shape == Item::Shape::Cell && item.object.endpoint < run.info->replicas) {
          const GradientCell& cell = aggregation.cells()[static_cast<std::size_t>(item.object.index)];
          shown[{item.object.endpoint, cell.offset}] = item.values;
          if (picture.index.gradientReady(item.object.endpoint, ns) < cell.offset + cell.count) continue;
          ++cells;
          const Values expected = picture.index.pictures().map().picture(
              {cell.offset, cell.count}, aggregation.bufferAt(item.object.endpoint, ns, cell.offset, cell.count),
              {item.values->width, item.values->height}, item.values->scale);
          QVERIFY(valuesOf(*expected) == valuesOf(*item.values));
        }
        if (item.shape == Item::Shape::Token) {
          const Span& span = record.spans[static_cast<std::size_t>(item.object.index)];
          if (span.round >= 0 && aggregation.endCell(span) == aggregation.firstCell(span) + 1 &&
              span.from < run.info->replicas)
            QCOMPARE(item.values->id, (shown.at({span.from, span.offset})->id));
          travelling.insert(static_cast<std::size_t>(item.object.index));
        }
      }
    }
    QVERIFY(cells > 0);
    if (run.info->replicas > 1) QVERIFY(!travelling.empty());
  }

  // With the most replicas that are drawn one by one, narrow cells share a picture, and no cell is without one.
  void manyReplicasAreTheirValues_data() {
    QTest::addColumn<int>("replicas");
    for (const int replicas : {16, 32, 64}) QTest::addRow("%d", replicas) << replicas;
  }
  void manyReplicasAreTheirValues() {
    QFETCH(const int, replicas);
    const Recorded run = recordSteps(
        stageConfig(QStringLiteral("strategy=mirrored reducer=ring batch-per-replica=2 replicas=%1").arg(replicas)), 1);
    const Picture picture(run.info, run.steps.back(), Pace::Play, {1366, 560});
    const Aggregation& aggregation = picture.index.aggregation();
    const std::vector<GradientCell>& cells = aggregation.cells();
    const Beat& beat = *picture.story.find(BeatKind::Aggregate);
    int travelling = 0;
    for (const double part : {0.3, 0.8}) {
      const double seconds = beat.motionS + part * (beat.endS - beat.motionS);
      const std::int64_t ns = picture.story.clockAt(seconds);
      std::map<int, std::vector<std::pair<std::size_t, Values>>> shown;
      for (const Item& item : picture.at(seconds).items) {
        if (item.shape == Item::Shape::Token) ++travelling;
        if (item.shape == Item::Shape::Token || item.shape == Item::Shape::Cell) QVERIFY(item.values != nullptr);
        if (item.shape == Item::Shape::Cell)
          shown[item.object.endpoint].emplace_back(static_cast<std::size_t>(item.object.index), item.values);
      }
      QCOMPARE(std::ssize(shown), replicas);
      for (const auto& [replica, pictures] : shown) {
        QCOMPARE(pictures.front().first, std::size_t{0});
        QVERIFY(pictures.size() > 5 && pictures.size() <= cells.size());
        for (std::size_t i = 0; i < pictures.size(); ++i) {
          const auto& [first, values] = pictures[i];
          const std::int64_t begin = cells[first].offset;
          const std::int64_t end = i + 1 < pictures.size() ? cells[pictures[i + 1].first].offset : run.info->parameters;
          const Values expected = picture.index.pictures().map().picture(
              {begin, end - begin}, aggregation.bufferAt(replica, ns, begin, end - begin),
              {values->width, values->height}, values->scale);
          QVERIFY(valuesOf(*expected) == valuesOf(*values));
        }
        if (replica >= 3) break;  // three are enough: each buffer is summed afresh
      }
    }
    QVERIFY(travelling > 0);
  }

  // The words for an addition also show at the buffer's right end: there they extend to the left.
  void sumsHaveTheirWords() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored reducer=ring batch-per-replica=8 replicas=8")), 1);
    const Picture picture(run.info, run.steps.back(), Pace::Play, {1366, 657});
    const Beat& beat = *picture.story.find(BeatKind::Aggregate);
    int added = 0, sums = 0;  // at the moment that shows the most
    for (int i = 0; i < 100; ++i) {
      int names = 0, results = 0;
      for (const Item& item : picture.at(beat.motionS + 0.01 * i * (beat.endS - beat.motionS)).items) {
        if (item.shape != Item::Shape::Text) continue;
        names += item.text.startsWith(QStringLiteral("+ ")) ? 1 : 0;
        results += item.text.startsWith(QStringLiteral("= ")) ? 1 : 0;
      }
      added = std::max(added, names);
      sums = std::max(sums, results);
    }
    QCOMPARE(added, 8);
    QCOMPARE(sums, 8);
  }

  // Once a layer has computed the replica's first image, it shows its output beside its weights.
  void layersShowWhatTheyGive() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.back(), Pace::Play, {1366, 560});
    const auto outputs = [&](double seconds) {
      std::map<std::pair<int, std::int64_t>, Values> shown;  // by replica and operation
      for (const Item& item : picture.at(seconds).items)
        if (item.shape == Item::Shape::Block && item.object.kind == Object::Kind::Layer)
          shown[{item.object.endpoint, item.object.index}] = item.values;
      return shown;
    };
    QVERIFY(outputs(picture.story.find(BeatKind::Forward)->beginS).empty());
    const auto shown = outputs(picture.story.find(BeatKind::Backward)->beginS);
    const std::vector<NetworkLayer>& layers = run.info->network->layers();
    const auto computing = std::ranges::count_if(layers, [](const NetworkLayer& layer) { return layer.forward >= 0; });
    QCOMPARE(std::ssize(shown), 2 * computing);
    const StepPictures& pictures = picture.index.pictures();
    for (const int replica : {0, 1}) {
      const auto& values = pictures.layerValues(replica, 0);
      const std::vector<float> units = shown.at({replica, layers[layers.size() - 2].forward})->values;
      QVERIFY(units == values[layers.size() - 2]);  // 64 units in a row
      // The convolution shows its maps as they are passed on, after pooling: 13×13 each, with gaps without values.
      const ValueMap& maps = *shown.at({replica, layers.front().forward});
      const int across = (maps.width + 1) / 14;
      for (int map = 0; map < 32; ++map)
        for (int y = 0; y < 13; ++y)
          for (int x = 0; x < 13; ++x) {
            const int row = map / across * 14 + y, column = map % across * 14 + x;
            QCOMPARE(maps.values[static_cast<std::size_t>(row * maps.width + column)],
                     values[1][static_cast<std::size_t>((y * 13 + x) * 32 + map)]);
          }
      QVERIFY(std::isnan(maps.values[13]));
    }
    QVERIFY(shown.at({0, layers.front().forward})->values != shown.at({1, layers.front().forward})->values);
  }

  // Equal copies have equal pictures; after the update the pictures differ from those before.
  void equalWeightsAreEqualPictures() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=3 learning-rate=0.05")), 2);
    const Picture picture(run.info, run.steps.back());
    const auto layers = [&](double seconds) {
      std::map<int, std::vector<std::uint64_t>> ids;
      for (const Item& item : picture.at(seconds).items)
        if (item.shape == Item::Shape::Layer && item.values != nullptr) ids[item.owner].push_back(item.values->id);
      return ids;
    };
    const auto first = layers(picture.story.find(BeatKind::Forward)->motionS), last = layers(picture.story.seconds);
    QCOMPARE(first.size(), std::size_t{3});
    QCOMPARE(first.at(0).size(), std::size_t{3});
    for (const auto& each : {first, last})
      for (int r = 1; r < 3; ++r) QVERIFY(each.at(r) == each.at(0));
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(first.at(0)[i] != last.at(0)[i]);
  }

  // Where replicas update apart, all begin with the same weights in step 1 and behind an average; between averages only
  // the recorded copy's are known.
  void weightsAreShownWhileCopiesAgree() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=local-sgd replicas=2 local-steps=3 learning-rate=0.05")), 4);
    for (const std::size_t step : {0, 1, 3}) {
      const Picture picture(run.info, run.steps[step]);
      std::map<int, std::vector<std::uint64_t>> ids;
      for (const Item& item : picture.at(picture.story.find(BeatKind::Forward)->motionS).items)
        if (item.shape == Item::Shape::Layer && item.values != nullptr) ids[item.owner].push_back(item.values->id);
      QCOMPARE(ids[0].size(), std::size_t{3});
      QVERIFY2(step == 1 ? ids[1].empty() : ids[1] == ids[0], qPrintable(QString::number(step)));
    }
  }

  // Between averages each replica applies its own gradient, to which nothing is added.
  void aLocalStepHasNoSum() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=local-sgd replicas=4 local-steps=3")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1366, 657});
    QCOMPARE(picture.index.inSum(0), 1);
    const Beat& beat = *picture.story.find(BeatKind::Update);
    int named = 0;
    for (int i = 0; i < 20; ++i)
      for (const Item& item : picture.at(beat.beginS + 0.05 * i * (beat.endS - beat.beginS)).items) {
        QVERIFY2(!item.text.startsWith(QStringLiteral("sum")), qPrintable(item.text));
        named += item.text == QStringLiteral("gradient") || item.text == QStringLiteral("∇") ? 1 : 0;
      }
    QVERIFY(named > 0);
  }

  // A person drags the window's edge while a step is shown, and each size has pictures of its own: those of the latest
  // sizes are kept. Two views of different sizes do not make each other's pictures again.
  void earlierSizesAreNotKept() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=4 batch-per-replica=4 reducer=ring")), 2);
    const StepRecord& record = *run.steps.back();
    const StepIndex index(run.info, run.steps.back());
    const StepPictures& pictures = index.pictures();
    const BufferRange all{0, std::ssize(record.gradients)};
    const auto transfer =
        std::ranges::find_if(index.transfers(), [&](std::size_t i) { return record.spans[i].round >= 0; });
    QVERIFY(transfer != index.transfers().end());
    const BufferRange sent{record.spans[*transfer].offset, record.spans[*transfer].count};
    const auto picturesAt = [&](int width) {
      const QSize size(width, 20);
      const StepPictures::Terms terms = pictures.terms(*transfer, sent, size);
      return std::vector<Values>{pictures.weights(record.metric.step, all, size),
                                 pictures.change(all, size),
                                 pictures.difference(1, all, size, 1000),
                                 pictures.gradients(0, all, all.count, record.spans[*transfer].startNs, size),
                                 terms.before,
                                 terms.source};
    };
    std::vector<std::weak_ptr<const ValueMap>> made;
    for (int width = 100; width < 200; ++width)
      for (const Values& picture : picturesAt(width)) {
        QVERIFY(picture != nullptr);
        made.emplace_back(picture);
      }
    const auto kept = std::ranges::count_if(made, [](const auto& picture) { return !picture.expired(); });
    QVERIFY2(kept <= std::ssize(picturesAt(200)) * static_cast<std::ptrdiff_t>(LatestSizes<Values>::kMost),
             qPrintable(QString::number(kept)));
    const std::vector<Values> small = picturesAt(60), large = picturesAt(240);
    for (int frame = 0; frame < 3; ++frame) {
      QVERIFY(picturesAt(60) == small);
      QVERIFY(picturesAt(240) == large);
    }
  }

  // A buffer says what it holds: nothing, the replica's own gradient, a partial sum, or the sum. The colour scales stay
  // in their place.
  void buffersAreNamed() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front());
    const auto count = [](const Scene& scene, const char* words) {
      return std::ranges::count(scene.items, QLatin1String(words), &Item::text);
    };
    const auto scales = [](const Scene& scene) {
      std::vector<QRectF> boxes;
      for (const Item& item : scene.items)
        if (item.shape == Item::Shape::Scale) boxes.push_back(item.box);
      return boxes;
    };
    const Scene before = picture.at(picture.story.find(BeatKind::Forward)->beginS),
                own = picture.at(picture.story.find(BeatKind::Aggregate)->beginS),
                after = picture.at(picture.story.seconds);
    QCOMPARE(count(before, "its gradient") + count(before, "sum of both gradients"), 0);
    QCOMPARE(count(own, "its gradient"), 2);
    QCOMPARE(count(after, "sum of both gradients"), 2);
    QCOMPARE(count(after, "its gradient"), 0);
    // "partly summed" shows from the first addition to the last.
    const Aggregation& aggregation = picture.index.aggregation();
    int partly = 0;
    for (const std::size_t i : aggregation.transfers()) {
      const Span& span = run.steps.front()->spans[i];
      const std::int64_t end = span.startNs + span.durationNs;
      const Scene there = picture.at(picture.story.leavesAt(end) + 1e-3);
      const Aggregation::State state = aggregation.stateAt(picture.story.clockAt(picture.story.leavesAt(end) + 1e-3));
      std::ptrdiff_t untouched = 0, whole = 0;
      for (std::size_t r = 0; r < 2; ++r) {
        const auto first = state.of.begin() + static_cast<std::ptrdiff_t>(r * aggregation.cells().size());
        const auto last = first + static_cast<std::ptrdiff_t>(aggregation.cells().size());
        untouched += std::all_of(first, last, [](const auto& holds) { return holds.count() == 1; }) ? 1 : 0;
        whole += std::all_of(first, last, [](const auto& holds) { return holds.count() == 2; }) ? 1 : 0;
      }
      QCOMPARE(count(there, "its gradient"), untouched);
      QCOMPARE(count(there, "partly summed"), 2 - untouched - whole);
      partly += static_cast<int>(2 - untouched - whole);
    }
    QVERIFY(partly > 0);
    QCOMPARE(scales(own).size(), std::size_t{2});
    QCOMPARE(scales(own), scales(after));
    QCOMPARE(scales(before), scales(after));
  }

  // At every size the stage shows where the colours of weights and gradients end, and covers no words with it.
  void rangesAreSaidAtEverySize() {
    for (const char* settings :
         {"strategy=mirrored replicas=2 global-batch=8", "strategy=mirrored replicas=8 global-batch=16",
          "strategy=central-storage replicas=2 global-batch=8"}) {
      const Recorded run = recordSteps(stageConfig(QLatin1String(settings)), 1);
      for (const QSizeF size :
           {QSizeF(640, 480), QSizeF(760, 420), QSizeF(900, 420), QSizeF(1280, 355), QSizeF(1900, 900)}) {
        const Picture picture(run.info, run.steps.front(), Pace::Play, size);
        const Scene scene = picture.at(picture.story.seconds);
        QString said;
        for (const Item& scale : scene.items) {
          if (scale.shape != Item::Shape::Scale) continue;
          said += scale.text;
          for (const Item& item : scene.items) {
            if (item.shape != Item::Shape::Text || item.text.isEmpty()) continue;
            QRectF ink(0, 0, std::min(item.box.width(), widthOf(item.text, item.fontPx)), item.fontPx);
            ink.moveCenter(item.box.center());
            if (item.align.testFlag(Qt::AlignLeft)) ink.moveLeft(item.box.left());
            if (item.align.testFlag(Qt::AlignRight)) ink.moveRight(item.box.right());
            QVERIFY2(!ink.intersects(scale.box), qPrintable(item.text));
          }
        }
        QVERIFY2(said.contains(QStringLiteral("weights ±")) && said.contains(QStringLiteral("gradients ±")),
                 qPrintable(QStringLiteral("%1: '%2' in %3").arg(QLatin1String(settings), said).arg(size.width())));
      }
    }
  }

  // A projector's letters are larger, and do not touch the bar that they name.
  void rangesStandBesideTheirBars() {
    const auto usual = qScopeGuard([size = theme::textSize()] {
      theme::setProjected(false);
      theme::setTextSize(size);
    });
    theme::setProjected(true);
    theme::setTextSize(40);
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
    const Scene scene = picture.at(picture.story.seconds);
    int seen = 0;
    for (const Item& scale : scene.items) {
      if (scale.shape != Item::Shape::Scale) continue;
      const double letters = theme::paintedLetters(scale.fontPx);
      QVERIFY(letters > scale.fontPx);
      QVERIFY(scale.box.left() + widthOf(scale.text, letters) + 0.5 * scene.px < scale.picture.left());
      ++seen;
    }
    QVERIFY(seen > 0);
  }

  // A copy that differs does not get the first copy's pictures.
  void anotherCopyIsNotDrawnAsTheFirst() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2")), 1);
    auto broken = std::make_shared<StepRecord>(*run.steps.front());
    broken->replicas[1].weightsDigest ^= 1;
    const Picture picture(run.info, broken);
    int own = 0;
    for (const Item& item : picture.at(picture.story.seconds).items) {
      if (item.shape != Item::Shape::Layer || item.values == nullptr) continue;
      QCOMPARE(item.owner, 0);
      ++own;
    }
    QCOMPARE(own, 3);
  }

  // A copy with a broken value has its own picture once it is recorded, after the update: the picture differs at this
  // value and nowhere else.
  void aBrokenCopyDiffersWhereItIsBroken() {
    RunSettings config = stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8"));
    Telemetry telemetry;
    Trainer trainer(resolve(config), openDataset(config), telemetry);
    telemetry.requestRecord();
    trainer.step();
    const auto record = telemetry.takeRecord();
    QVERIFY(record->replicas[1].ownWeights.empty());
    auto broken = std::make_shared<StepRecord>(*record);
    const Layout& layout = courseNetwork().layout();
    const Variable& conv = *std::ranges::find(layout.variables(), std::string("conv2d/kernel"), &Variable::name);
    broken->replicas[1].weightsDigest ^= 1;
    broken->replicas[1].ownWeights = record->weightsAfter;
    broken->replicas[1].ownWeights[static_cast<std::size_t>(conv.offset)] = 0.5F;  // filter 0's first weight
    const Picture picture(std::make_shared<const RunInfo>(trainer.info()), broken);
    std::map<int, std::vector<Values>> pictures;
    for (const Item& item : picture.at(picture.story.seconds).items)
      if (item.shape == Item::Shape::Layer && item.values != nullptr) pictures[item.owner].push_back(item.values);
    QCOMPARE(pictures[0].size(), std::size_t{3});
    QCOMPARE(pictures[1].size(), std::size_t{3});
    for (std::size_t layer = 0; layer < 3; ++layer) {
      const std::vector<float>&first = pictures[0][layer]->values, &second = pictures[1][layer]->values;
      QCOMPARE(first.size(), second.size());
      int different = 0;
      for (std::size_t i = 0; i < first.size(); ++i)
        if (!std::isnan(first[i]) && first[i] != second[i]) ++different;
      QCOMPARE(different, layer == 0 ? 1 : 0);
    }
    // The copy's weights before the update are not in the record, so it has no answers and no layer values.
    QVERIFY(picture.index.pictures().answers(0) != nullptr && picture.index.pictures().answers(1) == nullptr);
    QVERIFY(!picture.index.pictures().layerValues(0, 0).empty() && picture.index.pictures().layerValues(1, 0).empty());
    QVERIFY(picture.index.pictures().weightsWith(1).empty());
  }

  // Checks the painted pixels in each theme.
  void aPixelIsItsValue() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4")), 2);
    const Picture picture(run.info, run.steps.back(), Pace::Play, {1400, 900});
    for (const theme::Kind kind : theme::kKinds) {
      theme::setKind(kind);
      const Scene scene = picture.at(picture.story.find(BeatKind::Aggregate)->beginS);
      const QImage image = paint(scene, *run.info->data);
      int layers = 0;
      for (const Item& item : scene.items) {
        if (item.shape != Item::Shape::Layer || item.values == nullptr) continue;
        ++layers;
        const QRect box(QPoint(static_cast<int>(std::lround(item.picture.left())),
                               static_cast<int>(std::lround(item.picture.top()))),
                        QPoint(static_cast<int>(std::lround(item.picture.right())) - 1,
                               static_cast<int>(std::lround(item.picture.bottom())) - 1));
        for (int y = box.top(); y <= box.bottom(); ++y)
          for (int x = box.left(); x <= box.right(); ++x) {
            const int column = (2 * (x - box.left()) + 1) * item.values->width / (2 * box.width());
            const int row = (2 * (y - box.top()) + 1) * item.values->height / (2 * box.height());
            const float value = item.values->values[static_cast<std::size_t>(row * item.values->width + column)];
            if (std::isnan(value)) continue;
            const double seen = theme::valueOfColour(image.pixel(x, y), item.values->scale);
            const QString where = QStringLiteral("%1: %2 of %3 in row %4, column %5: %6")
                                      .arg(QString::fromLatin1(theme::keyOf(kind)))
                                      .arg(seen)
                                      .arg(static_cast<double>(value))
                                      .arg(row)
                                      .arg(column)
                                      .arg(item.object.index);
            QVERIFY2(std::abs(seen - static_cast<double>(value)) <= kStep * item.values->scale, qPrintable(where));
          }
      }
      QCOMPARE(layers, 6);
    }
    theme::setKind(theme::Kind::Light);
  }

  // While a layer computes, the gaps between its kernel's tiles show the surface and no replica's colour.
  void gapsHaveNoColour() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1400, 900});
    const Beat& backward = *picture.story.find(BeatKind::Backward);
    int gaps = 0;
    for (int i = 0; i < 30; ++i) {
      const Scene scene = picture.at(backward.motionS + (backward.endS - backward.motionS) * i / 30);
      const auto computes = [](const Item& item) {
        return item.shape == Item::Shape::Layer && item.object.index == 0 && item.glow > 0 && item.level > 0.5;
      };
      if (std::ranges::none_of(scene.items, computes)) continue;
      const QImage image = paint(scene, *run.info->data);
      for (const Item& item : scene.items) {
        if (!computes(item)) continue;
        const QRectF& box = item.picture;
        for (int x = 0; x < item.values->width; ++x) {
          if (!std::isnan(item.values->values[static_cast<std::size_t>(x)])) continue;
          const QPointF at(box.left() + box.width() * (x + 0.5) / item.values->width,
                           box.top() + 0.5 * box.height() / item.values->height);
          QCOMPARE(image.pixelColor(at.toPoint()), theme::colours().panel);
          ++gaps;
        }
      }
    }
    QVERIFY(gaps > 0);
  }

  // The network's answers about an image agree with the recorded prediction and the recorded loss.
  void answersAreTheRecords() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4")), 5);
    const StepRecord& record = *run.steps.back();
    const Picture picture(run.info, run.steps.back());
    int answers = 0;
    for (const Item& item : picture.at(picture.story.seconds).items) {
      if (item.shape != Item::Shape::Answer) continue;
      ++answers;
      const ReplicaStep& replica = record.replicas[static_cast<std::size_t>(item.object.endpoint)];
      const auto index = static_cast<std::size_t>(item.object.index);
      const float* row = item.values->values.data() + index * 10;
      QCOMPARE(std::max_element(row, row + 10) - row, static_cast<std::ptrdiff_t>(replica.predictions[index]));
      const auto label = run.info->data->train.labels[static_cast<std::size_t>(replica.shard[index])];
      QVERIFY(std::abs(-std::log(row[label]) - replica.losses[index]) < 1e-5F);
      QCOMPARE(item.strong, replica.predictions[index] == label);
    }
    QCOMPARE(answers, 8);
    // Bars stay within their box, however small the stage is.
    for (const QSizeF size : {QSizeF(400, 420), QSizeF(640, 480), QSizeF(1400, 900)})
      for (const Item& item : Picture(run.info, run.steps.back(), Pace::Play, size).at(picture.story.seconds).items)
        if (item.shape == Item::Shape::Answer && item.values != nullptr)
          QVERIFY(item.box.contains(item.picture) && item.picture.width() >= 1.2 * item.values->width);
    // No answers show before the forward pass has reached them.
    for (const Item& item : picture.at(picture.story.find(BeatKind::Forward)->motionS).items)
      QVERIFY(item.shape != Item::Shape::Answer);
  }

  // When gradients arrive, the terms stand above the buffer: its old values and the arriving ones; the buffer holds
  // their sum. Each picture is made of the values at that moment, and the terms add up to the sum element by element.
  void addingIsSeen_data() { strategies_data(); }
  void addingIsSeen() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 2);
    const StepRecord& record = *run.steps.back();
    const Picture picture(run.info, run.steps.back(), Pace::Play, {1600, 900});
    const Aggregation& aggregation = picture.index.aggregation();
    int seen = 0, expected = 0;
    for (const std::size_t i : aggregation.transfers()) {
      const Span& span = record.spans[i];
      if (!span.add || picture.index.asynchronous()) continue;
      const BufferMap& map = picture.index.pictures().map();
      const bool tile = span.to < run.info->replicas && (map.edge(span.offset) - map.edge(span.offset + span.count)) *
                                                                picture.layout.strip(span.to).width() <
                                                            0.75 * picture.layout.px;
      if (tile) continue;  // too narrow to read
      const double arrival = picture.story.secondsAt(span.startNs + span.durationNs);
      // The clock stands, so that the addition is visible for a while.
      QCOMPARE(picture.story.clockAt(arrival + 0.15), picture.story.clockAt(arrival));
      const Scene scene = picture.at(arrival);
      std::vector<const Item*> terms;
      for (const Item& item : scene.items)
        if (item.shape == Item::Shape::Term && item.object == Object{Object::Kind::Gradient, span.to, -1})
          terms.push_back(&item);
      const Aggregation::Numbers numbers = aggregation.numbers(i, span.offset, span.count);
      for (std::size_t e = 0; e < numbers.after.size(); ++e)
        QCOMPARE(numbers.after[e], numbers.before[e] + numbers.source[e]);
      ++expected;
      for (const Item* term : terms) {
        QVERIFY(term->box.bottom() <= picture.layout.size.height());
        const Values source =
            picture.index.pictures().map().picture({span.offset, span.count}, numbers.source,
                                                   {term->values->width, term->values->height}, term->values->scale);
        if (valuesOf(*source) == valuesOf(*term->values)) {
          ++seen;
          break;
        }
      }
      if (span.to < run.info->replicas) {  // the old values stand above the arriving ones
        QVERIFY(terms.size() >= 2);
        const Values before = picture.index.pictures().map().picture(
            {span.offset, span.count}, numbers.before, {terms[0]->values->width, terms[0]->values->height},
            terms[0]->values->scale);
        const bool first =
            std::ranges::any_of(terms, [&](const Item* term) { return valuesOf(*term->values) == valuesOf(*before); });
        QVERIFY(first || terms.size() > 2);
      }
    }
    QCOMPARE(seen, expected);
    if (run.info->replicas > 1 && !picture.index.asynchronous()) QVERIFY(expected > 0);
  }

  // A piece passes over pictures that look like it, so a gap and then an edge surround it in every theme.
  void piecesStandOut() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=4 reducer=ring global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
    const Beat& aggregate = *picture.story.find(BeatKind::Aggregate);
    for (const theme::Kind kind : theme::kKinds) {
      theme::setKind(kind);
      int seen = 0;
      for (int i = 1; i < 20; ++i) {
        const Scene scene = picture.at(aggregate.beginS + (aggregate.endS - aggregate.beginS) * i / 20);
        const QImage image = paint(scene, *run.info->data);
        for (auto token = scene.items.begin(); token != scene.items.end(); ++token) {
          if (token->shape != Item::Shape::Token) continue;
          const auto over = [&](const Item& item) { return item.box.intersects(token->box.adjusted(-9, -9, 9, 9)); };
          if (std::any_of(token + 1, scene.items.end(), over)) continue;
          ++seen;
          const double px = scene.px, x = token->box.left() + 0.3 * token->box.width();
          const auto at = [&](double above) {
            return QColor(image.pixel(static_cast<int>(x), static_cast<int>(std::floor(token->box.top() - above))));
          };
          QCOMPARE(at(0.1 * px), theme::colours().panel);
          QCOMPARE(at(0.23 * px), theme::colours().ink);
        }
      }
      QVERIFY2(seen > 10, theme::keyOf(kind));
    }
    theme::setKind(theme::Kind::Light);
  }

  // Beside the piece that is added, words announce the sum of the other half.
  void theOtherHalfSaysWhatComes() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 reducer=ring global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1366, 500});
    const Span& span = run.steps.front()->spans[picture.index.aggregation().transfers().front()];
    const double arrival = picture.story.secondsAt(span.startNs + span.durationNs);
    QVERIFY(span.add);
    int said = 0;
    const Scene scene = picture.at(arrival);
    for (const Item& item : scene.items) {
      if (item.text != QStringLiteral("its sum comes later")) continue;
      ++said;
      for (const Item& term : scene.items)
        QVERIFY(term.shape != Item::Shape::Term || !term.box.adjusted(1, 1, -1, -1).intersects(item.box));
    }
    QCOMPARE(said, 2);
  }

  // Pictures that are lower than letters have no words, which would run into each other. Their frames say whose they
  // are.
  void lowTermsHaveNoWords() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=central-storage replicas=4 global-batch=8")), 1);
    int low = 0;
    for (const QSizeF size : {QSizeF(1075, 517), QSizeF(1075, 450), QSizeF(1366, 420)}) {
      const Picture picture(run.info, run.steps.front(), Pace::Play, size);
      for (const std::size_t i : picture.index.aggregation().transfers()) {
        const Span& span = run.steps.front()->spans[i];
        for (const Item& item : picture.at(picture.story.secondsAt(span.startNs + span.durationNs)).items) {
          if (item.shape != Item::Shape::Term || item.box.height() >= item.fontPx) continue;
          QVERIFY2(item.text.isEmpty(), qPrintable(item.text));
          ++low;
        }
      }
    }
    QVERIFY(low > 0);
  }

  // A piece travels to its line without a jump, and the terms sink into the sum.
  void piecesGoToTheirLines() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 reducer=ring global-batch=8")), 2);
    const StepRecord& record = *run.steps.back();
    const Picture picture(run.info, run.steps.back(), Pace::Play, {1366, 500});
    const std::size_t first = picture.index.aggregation().transfers().front();
    const Span& span = record.spans[first];
    const double begin = picture.story.secondsAt(span.startNs + 1),
                 end = picture.story.secondsAt(span.startNs + span.durationNs);
    QPointF last;
    for (int i = 0; i < 100; ++i)
      for (const Item& item : picture.at(begin + (end - begin) * i / 100).items) {
        if (item.shape != Item::Shape::Token || item.object.index != static_cast<std::int64_t>(first)) continue;
        if (!last.isNull()) QVERIFY((item.box.center() - last).manhattanLength() < 60);
        last = item.box.center();
      }
    const auto termOf = [&](double seconds) {
      QRectF box;
      for (const Item& item : picture.at(seconds).items)
        if (item.shape == Item::Shape::Term && item.object == Object{Object::Kind::Gradient, span.to, -1})
          box = item.box;
      return box;
    };
    QVERIFY((termOf(end).center() - last).manhattanLength() < 20);
    QVERIFY(termOf(end).bottom() <= picture.layout.strip(span.to).top());
    QVERIFY(termOf(picture.story.leavesAt(span.startNs + span.durationNs) + 0.45).isNull());
  }

  // The update reads as a chain from above: the sum of gradients, the change that the optimizer makes of it, the
  // weights before the update, and the weights after it.
  void theUpdateIsSeen_data() {
    QTest::addColumn<QString>("settings");
    QTest::newRow("copies") << QStringLiteral("strategy=mirrored replicas=2 global-batch=8");
    QTest::newRow("one copy") << QStringLiteral("strategy=central-storage replicas=2 global-batch=8");
    QTest::newRow("one device") << QStringLiteral("strategy=one-device batch-per-replica=8");
  }
  void theUpdateIsSeen() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 3);
    const StepRecord& record = *run.steps.back();
    const Picture picture(run.info, run.steps.back());
    const Beat& beat = *picture.story.find(BeatKind::Update);
    const auto lines = [&](double seconds) {
      std::map<int, std::vector<Item>> found;
      for (const Item& item : picture.at(seconds).items)
        if (item.shape == Item::Shape::Term && item.object.kind == Object::Kind::Weights)
          found[item.object.endpoint].push_back(item);
      return found;
    };
    const auto before = lines(beat.motionS), after = lines(picture.story.secondsAt(beat.endNs));
    QCOMPARE(before.size(), after.size());
    QVERIFY(!after.empty());
    for (const auto& [endpoint, terms] : before) {  // shows nothing before it is computed
      QCOMPARE(terms.size(), std::size_t{3});
      QVERIFY(terms[0].level == 0 && terms[1].level == 1 && terms[2].level == 0);
    }
    std::vector<float> change;
    for (std::size_t i = 0; i < record.weightsAfter.size(); ++i)
      change.push_back(record.weightsAfter[i] - record.weightsBefore[i]);
    QVERIFY(largestOf(change) != 0);
    const double scale = theme::roundedScale(largestMagnitude(change));
    for (const auto& [endpoint, terms] : after) {
      const std::vector<float>* const expected[] = {&change, &record.weightsBefore, &record.weightsAfter};
      for (std::size_t i = 0; i < 3; ++i) {
        const QSize size(terms[i].values->width, terms[i].values->height);
        const Values map = picture.index.pictures().map().picture({0, run.info->parameters}, *expected[i], size, 1);
        QVERIFY(valuesOf(*map) == valuesOf(*terms[i].values));
      }
      QCOMPARE(terms[0].values->scale, scale);
    }
    // The sum stands above the terms that follow from it, and the buffer below is covered.
    const Scene scene = picture.at(picture.story.secondsAt(beat.endNs));
    for (const auto& [endpoint, terms] : after) {
      const auto sum = std::ranges::find_if(scene.items, [&, at = endpoint](const Item& item) {
        return item.shape == Item::Shape::Term && item.object == Object{Object::Kind::Gradient, at, -1};
      });
      QVERIFY(sum != scene.items.end());
      const Values expected = picture.index.pictures().map().picture(
          {0, run.info->parameters}, record.gradients, {sum->values->width, sum->values->height}, sum->values->scale);
      QVERIFY(valuesOf(*expected) == valuesOf(*sum->values));
      QVERIFY(sum->box.bottom() <= terms[0].box.top());
      for (std::size_t i = 1; i < 3; ++i) QVERIFY(terms[i - 1].box.bottom() <= terms[i].box.top() + 1e-6);
      for (auto item = sum; item != scene.items.end(); ++item) QVERIFY(item->shape != Item::Shape::Cell);
      const auto buffer = std::ranges::find_if(scene.items, [&, at = endpoint](const Item& item) {
        return item.shape == Item::Shape::Cell && item.object.endpoint == at;
      });
      const auto isOver = [&](const Item& item) { return item.covers && item.box.contains(buffer->box); };
      QVERIFY(buffer < sum && std::any_of(buffer, sum, isOver));
    }
    // Each picture shows its colour scale, and the optimizer how it makes the change, long enough to read.
    const auto count = [&](const QString& words) {
      return std::ranges::count_if(scene.items, [&](const Item& item) { return item.text == words; });
    };
    const auto columns = static_cast<std::ptrdiff_t>(after.size());
    if (after.begin()->first < run.info->replicas) {
      QCOMPARE(count(QStringLiteral("→ Adam, learning rate 0.001 → change")), columns);
      QCOMPARE(count(QStringLiteral("colour scale: ±") + numberText(scale)), columns);
      QCOMPARE(count(QStringLiteral("W₂ + change = W₃")), columns);
    }
    QVERIFY(beat.endS - picture.story.secondsAt(beat.endNs) > 0.5);
  }

  // While an equation is visible, the weights' version, the loss and the server's name stay visible, too.
  void equationsHideNoNumber_data() {
    QTest::addColumn<QString>("settings");
    for (const char* settings :
         {"strategy=mirrored replicas=2 global-batch=8", "strategy=mirrored replicas=8 global-batch=16 reducer=ring",
          "strategy=central-storage replicas=2 global-batch=8", "strategy=parameter-server replicas=2"})
      QTest::newRow(settings) << QString::fromLatin1(settings);
  }
  void equationsHideNoNumber() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 3);
    int grounds = 0;
    for (const QSizeF size : {QSizeF(1280, 360), QSizeF(1900, 600)}) {
      const Picture picture(run.info, run.steps.back(), Pace::Play, size);
      for (int i = 0; i <= 60; ++i) {
        const Scene scene = picture.at(picture.story.seconds * i / 60);
        for (auto ground = scene.items.begin(); ground != scene.items.end(); ++ground) {
          const int endpoint = ground->object.endpoint;
          if (!ground->covers || ground->opacity < 1 || endpoint < 0) continue;
          ++grounds;
          for (auto hidden = scene.items.begin(); hidden != ground; ++hidden) {
            const bool number =
                hidden->shape == Item::Shape::Weights || (hidden->shape == Item::Shape::Text && hidden->bold);
            if (!number || !ground->box.intersects(hidden->box.adjusted(1, 1, -1, -1))) continue;
            const auto isAgain = [&](const Item& item) {
              // Where the whole text has no room, its value is enough.
              const QString value = hidden->text.section(QLatin1Char(' '), -1);
              return item.text == hidden->text || item.text == value ||
                     (value.startsWith(item.text.chopped(1)) && item.text.size() >= 4) ||
                     (isServerName(hidden->text) && item.text.startsWith(QStringLiteral("CPU:0")));
            };
            QVERIFY2(std::any_of(ground, scene.items.end(), isAgain), qPrintable(hidden->text));
          }
        }
      }
    }
    QVERIFY(grounds > 0);
  }

  // The change that a push makes stands below the variables.
  void aPushShowsItsChange() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=parameter-server replicas=2 parameter-servers=2")), 3);
    const Picture picture(run.info, run.steps.back());
    const auto count = [&](double seconds) {
      return std::ranges::count_if(picture.at(seconds).items, [](const Item& item) {
        return item.shape == Item::Shape::Term && item.object.kind == Object::Kind::VariableShard &&
               item.values != nullptr;
      });
    };
    const Beat& apply = *picture.story.find(BeatKind::Apply);
    QCOMPARE(count(apply.beginS - 0.01), 0);
    QCOMPARE(count((apply.motionS + apply.endS) / 2), 6);
  }

  // At the check the first copy is laid over each other copy. If bits are equal no difference is left; else the
  // difference shows in its place, amplified as the user asks.
  void theCheckLaysCopiesOverEachOther() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=3 global-batch=12")), 1);
    const Layout& layout = courseNetwork().layout();
    const Variable& kernel = layout.find("dense/kernel");
    auto broken = std::make_shared<StepRecord>(*run.steps.front());
    const float wrong = broken->weightsAfter[static_cast<std::size_t>(kernel.offset)] + 1e-4F;
    broken->replicas[2].weightsDigest ^= 1;
    broken->replicas[2].ownWeights = broken->weightsAfter;
    broken->replicas[2].ownWeights[static_cast<std::size_t>(kernel.offset)] = wrong;
    broken->metric.mirrorsIdentical = false;
    const Picture picture(run.info, broken);
    const auto differenceOf = [&](int replica, double amplified) {
      SceneInput input{picture.index, picture.layout, picture.story, picture.story.find(BeatKind::Check)->endS - 1e-3};
      input.amplified = amplified;
      std::vector<Values> terms;
      for (const Item& item : makeScene(input).items)
        if (item.shape == Item::Shape::Term && item.object == Object{Object::Kind::Weights, replica})
          terms.push_back(item.values);
      return terms;
    };
    QCOMPARE(differenceOf(0, 1).size(), std::size_t{1});
    const auto equal = differenceOf(1, 1), differs = differenceOf(2, 1), amplified = differenceOf(2, 1000);
    QCOMPARE(equal.size(), std::size_t{3});
    QCOMPARE(equal[0]->id, equal[1]->id);  // equal bits share one picture
    QCOMPARE(largestOf(valuesOf(*equal[2])), 0.0F);
    QVERIFY(differs[0]->id != differs[1]->id);
    QCOMPARE(std::ranges::count_if(valuesOf(*differs[2]), [](float value) { return value != 0; }), 1);
    QCOMPARE(largestOf(valuesOf(*differs[2])), wrong - broken->weightsAfter[static_cast<std::size_t>(kernel.offset)]);
    QCOMPARE(amplified[2]->scale * 1000, differs[2]->scale);
    const Beat& check = *picture.story.find(BeatKind::Check);
    // The verdict does not come before the difference is visible.
    const auto signs = [&](double part) {
      QStringList words;
      bool seen = false;
      for (const Item& item : picture.at(check.motionS + part * (check.endS - check.motionS)).items) {
        if (item.shape == Item::Shape::Chip && item.text.size() == 1) words << item.text;
        seen = seen || item.text.startsWith(QStringLiteral("= difference: none"));
      }
      return std::pair(words.join(QString()), seen);
    };
    QCOMPARE(signs(0.2), std::pair(QStringLiteral("??"), false));
    QCOMPARE(signs(1), std::pair(QStringLiteral("≠≠"), true));
    // The first copy travels to the others while the beat moves.
    const auto ghosts = [&](double part) {
      return std::ranges::count_if(picture.at(check.motionS + part * (check.endS - check.motionS)).items,
                                   [&](const Item& item) {
                                     return item.shape == Item::Shape::Term && item.owner == 0 &&
                                            item.object == Object{Object::Kind::Weights, 0} &&
                                            item.box.left() > picture.layout.columns[0].box.right();
                                   });
    };
    // An equal copy says so in its picture; if there are two copies, the words name "the other copy".
    const Scene compared = picture.at(check.motionS + 0.9 * (check.endS - check.motionS));
    const auto said = [](const Scene& scene, const char* words) {
      return std::ranges::count(scene.items, QString::fromUtf8(words), &Item::text);
    };
    QCOMPARE(said(compared, "equal"), 1);
    QCOMPARE(said(compared, "≠"), 2);
    const Recorded two = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture pair(two.info, two.steps.front());
    const Scene both = pair.at(pair.story.seconds);
    QCOMPARE(said(both, "laid over the other copy"), 1);
    QCOMPARE(said(both, "laid over every other copy"), 0);
    QCOMPARE(ghosts(0.45), 2);
    QCOMPARE(ghosts(0.9), 0);
  }

  // A worker's weights are older than the servers': when a push is applied, the difference of the two shows.
  void aStaleCopyDiffersFromTheServers() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=parameter-server replicas=3")), 6);
    int seen = 0;
    for (const auto& record : run.steps) {
      const Picture picture(run.info, record);
      std::map<int, std::vector<Values>> terms;
      for (const Item& item : picture.at(picture.story.seconds).items)
        if (item.shape == Item::Shape::Term && item.object.kind == Object::Kind::Weights)
          terms[item.object.endpoint].push_back(item.values);
      for (const auto& [worker, values] : terms) {
        const ReplicaStep& replica = record->replicas[static_cast<std::size_t>(worker)];
        QVERIFY(replica.version < record->metric.step);
        const std::vector<float>& own = replica.ownWeights.empty() ? record->weightsBefore : replica.ownWeights;
        std::vector<float> difference;
        for (std::size_t i = 0; i < own.size(); ++i) difference.push_back(own[i] - record->weightsAfter[i]);
        QVERIFY(largestOf(difference) != 0);
        QCOMPARE(values.size(), std::size_t{3});
        const std::vector<float>* const expected[] = {&own, &record->weightsAfter, &difference};
        for (std::size_t i = 0; i < 3; ++i)
          QVERIFY(valuesOf(*picture.index.pictures().map().picture({0, run.info->parameters}, *expected[i],
                                                                   {values[i]->width, values[i]->height}, 1)) ==
                  valuesOf(*values[i]));
        ++seen;
      }
    }
    QVERIFY(seen > 3);
  }

  // A gradient's picture shows where its variables end, and their names.
  void variablesHaveEdgesAndNames() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1366, 500});
    const Scene scene = picture.at(picture.story.find(BeatKind::Aggregate)->beginS);
    for (const StageColumn& column : picture.layout.columns) {
      const QRectF& strip = column.strips.front();
      std::vector<double> edges;
      QStringList names;
      for (const Item& item : scene.items) {
        if (item.shape == Item::Shape::Edge && std::abs(item.box.top() - strip.top()) < 1 &&
            column.box.contains(item.box.center()))
          edges.push_back(item.box.center().x());
        if (item.shape == Item::Shape::Text && column.names.contains(item.box.center())) names << item.text;
      }
      std::vector<double> expected;
      for (const Variable& variable : courseNetwork().layout().variables())
        if (variable.offset > 0)
          expected.push_back(strip.left() + strip.width() * picture.index.pictures().map().edge(variable.offset));
      std::ranges::sort(expected);
      QCOMPARE(edges.size(), expected.size());
      for (std::size_t i = 0; i < edges.size(); ++i) QVERIFY(std::abs(edges[i] - expected[i]) < 1);
      // The names follow the order of the layers above.
      QCOMPARE(names.join(QLatin1Char('|')), QStringLiteral("Conv2D|Dense, 64: kernel and biases|Dense, 10"));
    }
  }

  // Values that are not computed yet are hatched, so that they do not look like zeros.
  void whatIsNotComputedIsNotZero() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front());
    const Beat& backward = *picture.story.find(BeatKind::Backward);
    const auto inked = [&](const QImage& image, const QRectF& box) {
      int other = 0;
      for (int y = static_cast<int>(box.top()) + 3; y < box.bottom() - 3; ++y)
        for (int x = static_cast<int>(box.left()) + 3; x < box.right() - 3; ++x)
          other += image.pixel(x, y) != theme::colours().panel.rgb() ? 1 : 0;
      return other / (box.width() * box.height());
    };
    for (const theme::Kind kind : theme::kKinds) {
      theme::setKind(kind);
      const QRectF strip = picture.layout.strip(0);
      const QImage none = paint(picture.at(picture.story.find(BeatKind::Forward)->motionS), *run.info->data);
      QVERIFY2(inked(none, strip) > 0.1, theme::keyOf(kind));
      // While the strip fills, the rest of it is hatched.
      const QImage half =
          paint(picture.at(backward.motionS + 0.7 * (backward.endS - backward.motionS)), *run.info->data);
      QVERIFY2(inked(half, strip.adjusted(0.5 * strip.width(), 0, -0.3 * strip.width(), 0)) > 0.1, theme::keyOf(kind));
    }
    theme::setKind(theme::Kind::Light);
  }

  // An empty tray says what it waits for, and the batch's empty place says where the images went.
  void whatWaitsSaysSo() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front());
    const auto count = [&](double seconds, const char* words) {
      return std::ranges::count_if(picture.at(seconds).items,
                                   [&](const Item& item) { return item.text.contains(QLatin1String(words)); });
    };
    const double batch = picture.story.find(BeatKind::Batch)->beginS;
    QCOMPARE(count(batch, "waits for 4 images"), 2);
    QCOMPARE(count(batch, "handed out"), 0);
    const double forward = picture.story.find(BeatKind::Forward)->motionS;
    QCOMPARE(count(forward, "waits for"), 0);
    QCOMPARE(count(forward, "handed out: 4 images to each replica"), 1);
  }

  // The bars beside an image use the whole line, and so do the first layer's filters with their maps.
  void rowsUseTheirRoom() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1366, 386});
    const Scene scene = picture.at(picture.story.find(BeatKind::Aggregate)->beginS);
    for (const Item& item : scene.items) {
      if (item.shape == Item::Shape::Answer) QVERIFY(item.values != nullptr && item.picture.width() >= 40);
      if (item.shape != Item::Shape::Layer || item.object.index != 0) continue;
      const auto maps = std::ranges::find_if(scene.items, [&](const Item& other) {
        return other.shape == Item::Shape::Block && other.object == item.object;
      });
      QVERIFY(maps != scene.items.end());
      QVERIFY(maps->box.right() - item.picture.left() >= 0.6 * item.box.width());
    }
  }
};

QTEST_MAIN(TestValues)
#include "tst_values.moc"

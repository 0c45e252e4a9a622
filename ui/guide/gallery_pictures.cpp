// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/gallery_pictures.h"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/options/resolve.h"
#include "core/trace/telemetry.h"
#include "ui/painting/scene_painter.h"
#include "ui/playback/captions.h"
#include "ui/playback/story.h"
#include "ui/scene/scene.h"
#include "ui/step/object_name.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr QSizeF kScene(720, 470);  // size in which the moment is laid out; only its middle is drawn
constexpr int kFiner = 3;           // scale of the first drawing: otherwise thin lines would be lost
constexpr int kMostPictures = 150;  // about 20 MB

double secondsOf(const Story& story, const SavedView& view) {
  for (const Beat& beat : story.beats)
    if (view.beat == beatKey(beat.kind)) return beat.beginS + view.part * (beat.endS - beat.beginS);
  return 0;
}

// Removes the words, the line at the top and the caption.
std::vector<Item> wordless(Scene scene, const StageLayout& layout) {
  std::erase_if(scene.items, [&](const Item& item) {
    return item.shape == Item::Shape::Text || item.box.top() >= layout.caption.top() - 1;
  });
  for (Item& item : scene.items)
    if (item.shape != Item::Shape::Weights) item.text.clear();
  return std::move(scene.items);
}

}  // namespace

// Everything that a picture is made from.
struct GalleryPictures::Moment {
  std::shared_ptr<const RunInfo> info;
  std::shared_ptr<const StepRecord> record;

  void train(RunSettings config, std::int64_t steps);
  QImage draw(const GalleryEntry& entry, int width) const;
};

// Uses the embedded digits, which are always available; the picture's moment does not depend on the images.
void GalleryPictures::Moment::train(RunSettings config, std::int64_t steps) {
  config.dataset = "digits";
  config.dataDir.clear();
  config.evalEvery = 0;
  config.threads = 1;
  Telemetry telemetry;
  Trainer trainer(resolve(config), openDataset(config), telemetry);
  for (std::int64_t step = 1; step <= steps && !trainer.finished(); ++step) {
    telemetry.requestRecord();
    trainer.step();
    record = telemetry.takeRecord();
  }
  info = std::make_shared<const RunInfo>(trainer.info());
}

QImage GalleryPictures::Moment::draw(const GalleryEntry& entry, int width) const {
  const StepIndex index(info, record);
  const StageLayout layout = layoutStage(*info, kScene);
  const Story story = makeStory(*info, *record, Pace::Play);
  const Scene scene = makeScene({index, layout, story, secondsOf(story, entry.moment.view), {}});
  const std::vector<Item> items = wordless(scene, layout);
  // Only the stage's contents, without the empty room beside them.
  QRectF box(0, layout.batch.top(), 1, layout.caption.top() - layout.batch.top());
  box.setLeft(layout.columns.front().box.left());
  box.setRight(layout.columns.back().box.right());
  for (const Item& item : items)
    if (item.shape == Item::Shape::Digit || item.shape == Item::Shape::Panel) box |= item.box;
  box.adjust(-layout.px, 0, layout.px, 0);
  const int wide = kFiner * width;
  QImage image(wide, kFiner * static_cast<int>(width * kHigh), QImage::Format_ARGB32_Premultiplied);
  image.fill(theme::colours().stage);
  QPainter painter(&image);
  const double scale = std::min(wide / box.width(), image.height() / box.height());
  painter.translate((wide - scale * box.width()) / 2, (image.height() - scale * box.height()) / 2);
  painter.scale(scale, scale);
  painter.translate(-box.topLeft());
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  std::vector<const Item*> drawn;
  for (const Item& item : items) drawn.push_back(&item);
  ScenePainter scenes;
  scenes.setFont(QGuiApplication::font());
  const Marked marked{.selected = objectNamed(entry.moment.object).value_or(Object{}), .hovered = {}, .lit = {}};
  scenes.paintItems(painter, drawn, layout.px, *info->data, marked);
  scenes.paintOutlines(painter, drawn, layout.px, marked);
  painter.end();
  return image.scaledToWidth(width, Qt::SmoothTransformation);
}

GalleryPictures::GalleryPictures(QObject* parent) : QObject(parent) {}

GalleryPictures::~GalleryPictures() = default;

QString GalleryPictures::keyOf(const GalleryEntry& entry) {
  return QString::fromStdString(entry.name) + QLatin1Char('/') + QLatin1String(theme::keyOf(theme::kind()));
}

QImage GalleryPictures::picture(const GalleryEntry& entry, int width) {
  const QString key = keyOf(entry);
  const auto found = images_.constFind(key);
  // A similar size is good enough, so that resizing a panel trains nothing.
  if (found != images_.constEnd() && (found->isNull() || std::abs(found->width() - width) <= width / 3)) return *found;
  const auto same = [&](const Wanted& each) { return each.entry == &entry; };
  if (entry.moment.settings && making_ != key && std::ranges::none_of(wanted_, same)) {
    wanted_.push_back({&entry, width});
    next();
  }
  return found == images_.constEnd() ? QImage() : *found;
}

void GalleryPictures::next() {
  if (!making_.isEmpty() || wanted_.empty()) return;
  const Wanted wanted = wanted_.front();
  wanted_.pop_front();
  making_ = keyOf(*wanted.entry);
  const auto moment = std::make_shared<Moment>();
  const std::int64_t steps = std::clamp<std::int64_t>(wanted.entry->moment.view.step, 1, kMostSteps);
  background_.run([moment, steps, config = *wanted.entry->moment.settings] { moment->train(config, steps); },
                  [this, moment, wanted](const QString& failure) {
                    making_.clear();
                    if (images_.size() >= kMostPictures) images_.clear();
                    const bool whole = failure.isEmpty() && moment->record != nullptr;
                    images_[keyOf(*wanted.entry)] = whole ? moment->draw(*wanted.entry, wanted.width) : QImage();
                    Q_EMIT made();
                    next();
                  });
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own pictures: every kind of PNG and JPEG, written here by their libraries, scaled by the mean of the area
// that a pixel covers; folders with classes, and files in them that are left out.
#include <QTemporaryDir>
#include <QTest>

#include <png.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <jpeglib.h>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/thread_pool.h"
#include "core/config/run_settings.h"
#include "core/data/class_names.h"
#include "core/data/messages.h"
#include "core/data/picture.h"
#include "core/data/picture_folder.h"
#include "core/device/backend.h"
#include "core/device/cross_entropy.h"
#include "core/keras/keras_json.h"
#include "core/options/config_field.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/replay/classify.h"
#include "tests/support/refusal.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

namespace {

using Content = std::vector<std::uint8_t>;

Content png(png_uint_32 width, png_uint_32 height, png_uint_32 format, const void* pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, pixels, 0, nullptr) == 0) std::abort();
  Content bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, nullptr) == 0) std::abort();
  bytes.resize(size);
  return bytes;
}

// A PNG with 16 bits per channel, without the conversions of the simplified interface.
Content png16(int width, int height, const std::vector<std::uint16_t>& rgb) {
  Content bytes;
  png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(writer);
  png_set_write_fn(
      writer, &bytes,
      [](png_structp p, png_bytep data, png_size_t size) {
        auto* to = static_cast<Content*>(png_get_io_ptr(p));
        to->insert(to->end(), data, data + size);
      },
      nullptr);
  png_set_IHDR(writer, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 16, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer, info);
  for (int y = 0; y < height; ++y) {
    Content row;
    for (int i = 0; i < 3 * width; ++i) {
      const std::uint16_t value = rgb[static_cast<std::size_t>(y * 3 * width + i)];
      row.push_back(static_cast<std::uint8_t>(value >> 8));
      row.push_back(static_cast<std::uint8_t>(value));
    }
    png_write_row(writer, row.data());
  }
  png_write_end(writer, nullptr);
  png_destroy_write_struct(&writer, &info);
  return bytes;
}

// A JPEG of a single colour, with the (1, 3 or 4) channels of `space`; progressive if it has several scans.
Content jpeg(int width, int height, J_COLOR_SPACE space, const std::vector<int>& colour,
             const std::vector<jpeg_scan_info>& scans = {}) {
  jpeg_compress_struct writer{};
  jpeg_error_mgr error{};
  writer.err = jpeg_std_error(&error);
  jpeg_create_compress(&writer);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&writer, &memory, &size);
  writer.image_width = static_cast<JDIMENSION>(width);
  writer.image_height = static_cast<JDIMENSION>(height);
  writer.input_components = static_cast<int>(colour.size());
  writer.in_color_space = space;
  jpeg_set_defaults(&writer);
  jpeg_set_quality(&writer, 100, TRUE);
  if (!scans.empty()) {
    writer.scan_info = scans.data();
    writer.num_scans = static_cast<int>(scans.size());
  }
  jpeg_start_compress(&writer, TRUE);
  Content row;
  for (int x = 0; x < width; ++x)
    for (const int value : colour) row.push_back(static_cast<std::uint8_t>(value));
  JSAMPROW line = row.data();
  while (writer.next_scanline < writer.image_height) jpeg_write_scanlines(&writer, &line, 1);
  jpeg_finish_compress(&writer);
  Content bytes(memory, memory + size);
  jpeg_destroy_compress(&writer);
  std::free(memory);
  return bytes;
}

Content dot(int red, int green, int blue) {
  const std::uint8_t pixel[3] = {static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green),
                                 static_cast<std::uint8_t>(blue)};
  return png(1, 1, PNG_FORMAT_RGB, pixel);
}

// Returns the first pixel; if the picture is refused, nothing, and the reason in `why`.
std::vector<int> firstPixel(const Content& bytes, QString* why = nullptr) {
  Picture picture;
  Message message;
  if (!decodePicture(bytes, picture, message)) {
    if (why != nullptr) *why = QString::fromStdString(format(message));
    return {};
  }
  if (std::ssize(picture.rgb) != picture.width * picture.height * 3) return {};
  return {picture.rgb[0], picture.rgb[1], picture.rgb[2]};
}

void write(const fs::path& path, const Content& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

constexpr std::array<std::int64_t, 3> kShape{4, 4, 3};

// Adds `count` different pictures to the folder of a class.
void addPictures(const fs::path& root, const std::string& name, int count, int first) {
  for (int i = 0; i < count; ++i)
    write(root / name / (std::to_string(i) + ".png"), dot((first + i) % 256, (first + i) / 256, first % 256));
}

}  // namespace

class TestPictures : public QObject {
  Q_OBJECT

 private slots:
  void readsEveryKind() {
    using Pixel = std::vector<int>;
    QCOMPARE(firstPixel(dot(10, 20, 30)), (Pixel{10, 20, 30}));
    const std::uint8_t grey[2] = {77, 3}, greyAlpha[2] = {0, 255}, clear[4] = {9, 9, 9, 0}, half[4] = {0, 0, 0, 128};
    QCOMPARE(firstPixel(png(2, 1, PNG_FORMAT_GRAY, grey)), (Pixel{77, 77, 77}));
    QCOMPARE(firstPixel(png(1, 1, PNG_FORMAT_GA, greyAlpha)), (Pixel{0, 0, 0}));
    QCOMPARE(firstPixel(png(1, 1, PNG_FORMAT_RGBA, clear)), (Pixel{255, 255, 255}));  // transparent: white
    const Pixel mixed = firstPixel(png(1, 1, PNG_FORMAT_RGBA, half));
    QVERIFY(mixed.size() == 3 && mixed[0] > 100 && mixed[0] < 200 && mixed[0] == mixed[1]);
    for (const int value : {0, 3, 100, 200, 255}) {
      const auto wide = static_cast<std::uint16_t>(value * 257);
      const Pixel read = firstPixel(png16(2, 2, std::vector<std::uint16_t>(12, wide)));
      QVERIFY2(read.size() == 3 && std::abs(read[0] - value) <= 1, qPrintable(QString::number(value)));
    }
    const auto near = [](const Pixel& read, const Pixel& wanted) {
      return read.size() == 3 && std::abs(read[0] - wanted[0]) <= 3 && std::abs(read[1] - wanted[1]) <= 3 &&
             std::abs(read[2] - wanted[2]) <= 3;
    };
    QVERIFY(near(firstPixel(jpeg(9, 5, JCS_RGB, {200, 30, 60})), {200, 30, 60}));
    QVERIFY(near(firstPixel(jpeg(9, 5, JCS_GRAYSCALE, {120})), {120, 120, 120}));
    // libjpeg marks CMYK as Adobe's, which has inverted inks: 255 means no ink.
    QVERIFY(near(firstPixel(jpeg(9, 5, JCS_CMYK, {255, 0, 255, 255})), {255, 0, 255}));
    QVERIFY(near(firstPixel(jpeg(9, 5, JCS_CMYK, {255, 255, 255, 128})), {128, 128, 128}));
  }

  void refusesWhatIsNone() {
    QString why;
    const auto says = [&why](const Content& bytes, const char* what) {
      why.clear();
      return firstPixel(bytes, &why).empty() && why.contains(QLatin1String(what));
    };
    QVERIFY2(says({}, "neither a PNG nor a JPEG"), qPrintable(why));
    QVERIFY2(says({'G', 'I', 'F', '8', '9', 'a'}, "neither a PNG nor a JPEG"), qPrintable(why));
    std::vector<std::uint8_t> noise(3 * 40 * 40);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<std::uint8_t>(i * i * 31 + i * 7);
    const Content whole = png(40, 40, PNG_FORMAT_RGB, noise.data()), photo = jpeg(200, 200, JCS_RGB, {9, 99, 199});
    for (const Content& file : {whole, photo})
      for (const std::size_t share : {1, 4, 7}) {
        const Content cut(file.begin(), file.begin() + std::ssize(file) * static_cast<std::ptrdiff_t>(share) / 8);
        QVERIFY2(says(cut, "damaged or cut short"), qPrintable(why));
      }
    Content damaged = whole;
    damaged[whole.size() / 2] ^= 0xff;
    QVERIFY2(says(damaged, "damaged"), qPrintable(why));
    Content huge = whole;  // breaks the header's checksum too; either error leads to refusal
    huge[16] = 0x7f;
    QVERIFY(says(huge, "It "));
    // Whatever byte changes, the result is a picture or a reason.
    for (const Content& file : {whole, photo})
      for (std::size_t at = 0; at < file.size(); at += 13) {
        Content other = file;
        other[at] ^= 0x55;
        why.clear();
        const bool refused = firstPixel(other, &why).empty();
        QCOMPARE(refused, !why.isEmpty());
      }
  }

  // Each coefficient of a colour may have a scan of its own: many more than any program writes, and each takes its
  // time.
  void refusesAJpegOfVeryManyScans() {
    const auto read = [](int colours) {
      std::vector<jpeg_scan_info> scans{{3, {0, 1, 2}, 0, 0, 0, 0}};
      for (int colour = 0; colour < colours; ++colour)
        for (int k = 1; k < DCTSIZE2; ++k) scans.push_back({1, {colour}, k, k, 0, 0});
      QString why;
      const std::vector<int> pixel = firstPixel(jpeg(64, 64, JCS_RGB, {200, 100, 50}, scans), &why);
      return std::pair(pixel.size(), why);
    };
    QCOMPARE(read(1), std::pair(std::size_t{3}, QString()));  // 64 scans
    const auto [size, why] = read(3);                         // 190
    QCOMPARE(size, std::size_t{0});
    QVERIFY2(why.contains("more than 100 scans"), qPrintable(why));
  }

  void scalesToTheMeanOfWhatIsCovered() {
    Picture four{2, 2, {0, 0, 0, 100, 100, 100, 200, 200, 200, 50, 50, 50}};
    QCOMPARE(scaledPicture(four, {1, 1, 3}), (Content{88, 88, 88}));  // 87.5
    QCOMPARE(scaledPicture(four, {1, 1, 1}), Content{88});
    QVERIFY(scaledPicture(four, {2, 2, 3}) == four.rgb);
    const Content larger = scaledPicture(four, {4, 4, 3});
    QCOMPARE(int{larger[0]}, 0);
    QCOMPARE(int{larger[3 * 3]}, 100);
    QCOMPARE(int{larger[3 * 15]}, 50);
    Picture three{3, 1, {0, 0, 0, 90, 90, 90, 240, 240, 240}};
    QCOMPARE(scaledPicture(three, {1, 2, 1}), (Content{30, 190}));  // (0 + 90/2) / 1.5, (90/2 + 240) / 1.5
    Picture red{1, 1, {255, 0, 0}};
    QCOMPARE(scaledPicture(red, {1, 1, 1}), Content{76});
    QCOMPARE(scaledPicture(red, {5, 3, 3}).size(), std::size_t{45});
  }

  void readsAFolder() {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    addPictures(root, "dogs", 30, 0);
    addPictures(root, "cats", 20, 100);
    write(root / "dogs" / "photo.jpg", jpeg(64, 48, JCS_RGB, {1, 2, 3}));
    write(root / "dogs" / "notes.txt", {'h', 'i'});
    const Content whole = dot(1, 2, 3);
    write(root / "cats" / "cut.png", {whole.begin(), whole.begin() + 40});
    write(root / "README", {'x'});
    write(root / "cats" / ".hidden", {'x'});
    write(root / ".git" / "config", {'x'});
    fs::create_directories(root / "empty");
    fs::create_directories(root / "cats" / "more");
    fs::create_symlink(root / "nowhere", root / "cats" / "link.png");
    QVERIFY(looksLikePictures(root) && !looksLikePictures(root / "dogs"));
    const PictureFolder read = readPictureFolder(root, kShape);
    QCOMPARE(read.classes.size(), std::size_t{2});
    QCOMPARE(read.classes[0].name, std::string("cats"));
    QCOMPARE(read.classes[0].train + read.classes[0].test, std::int64_t{20});
    QCOMPARE(read.classes[1].train + read.classes[1].test, std::int64_t{31});
    QCOMPARE(read.train.count, read.classes[0].train + read.classes[1].train);
    QCOMPARE(read.test.count, read.classes[0].test + read.classes[1].test);
    QVERIFY(read.test.count >= 5 && read.test.count <= 16);
    QCOMPARE(std::ssize(read.train.pixels), read.train.count * 48);
    std::string left;
    for (const LeftOutFile& file : read.leftOut) {
      left += file.path + "|";
      if (file.path == "cats/link.png")
        QCOMPARE(format(file.why), std::string("It is a broken link, or not a regular file."));
    }
    QCOMPARE(left, std::string("README|cats/cut.png|cats/link.png|cats/more|dogs/notes.txt|empty|"));
    // Classes are mixed, and a picture stays on its side whatever the names and the other pictures.
    QVERIFY(!std::ranges::is_sorted(read.train.labels));
    fs::rename(root / "dogs" / "3.png", root / "dogs" / "zzz.png");
    fs::remove(root / "dogs" / "4.png");
    const PictureFolder again = readPictureFolder(root, kShape);
    QVERIFY(again.train.count + again.test.count == read.train.count + read.test.count - 1);
    QVERIFY(std::abs(again.test.count - read.test.count) <= 1);
  }

  void refusesWhatIsNoDataSet() {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const auto why = [&root] { return refusal([&] { (void)readPictureFolder(root, kShape); }); };
    QVERIFY(why().contains("has no pictures"));
    QVERIFY2(why().contains("two to 256 folders"), qPrintable(why()));
    write(root / "a" / "x.txt", {'x'});
    QVERIFY(why().contains("has no pictures"));
    addPictures(root, "cats", 30, 0);
    QVERIFY2(why().contains("one class only, 'cats'"), qPrintable(why()));
    fs::remove_all(root / "cats");
    write(root / "a" / "one.png", dot(1, 1, 1));
    write(root / "b" / "one.png", dot(1, 1, 1));  // equal files are on the same side
    QVERIFY2(why().contains("each needs at least one"), qPrintable(why()));
    for (int c = 0; c < 257; ++c) addPictures(root, "class" + std::to_string(c), 1, 10 * c);
    QVERIFY2(why().contains("at most 256"), qPrintable(why()));
    QVERIFY(refusal([&] { (void)readPictureFolder(root / "none", kShape); }).contains("is not a folder"));
  }

  // The folder is right, and the data set is not: that is said, instead of which files MNIST has.
  void picturesForAnotherDataSetAreNamed() {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    const auto load = [&root] { (void)loadDataset("mnist", root); };
    QVERIFY(isRefused(load, say::folderLacksMnist));
    addPictures(root, "cats", 3, 0);
    addPictures(root, "dogs", 3, 100);
    QVERIFY(isRefused(load, say::folderHoldsPictures));
    QVERIFY2(refusal(load).contains("--dataset colour"), qPrintable(refusal(load)));
  }

  // As many files as would take twice this machine's memory. They are refused by their number, before any is read.
  void whatDoesNotFitIntoMemoryIsRefused() {
    constexpr std::array<std::int64_t, 3> kLarge{4096, 4096, 3};
    const std::int64_t files = memoryBytes() / (kLarge[0] * kLarge[1] * kLarge[2]) + 1;
    if (memoryBytes() == 0 || files > 50'000) QSKIP("this machine's memory is unknown, or too large");
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    for (std::int64_t i = 0; i < files; ++i) write(root / (i % 2 == 0 ? "a" : "b") / std::to_string(i), {'x'});
    QVERIFY(isRefused([&] { (void)readPictureFolder(root, kLarge); }, say::picturesTooLarge));
    QVERIFY(isRefused([&] { (void)readPictureFolder(root, kShape); }, say::noPictures));
  }

  void tenThousandFiles() {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    addPictures(root, "a", 5000, 0);
    addPictures(root, "b", 5000, 7000);
    std::atomic<std::int64_t> done = 0, total = 0;
    const PictureFolder read = readPictureFolder(root, kShape, [&](std::int64_t d, std::int64_t t) {
      done = std::max(done.load(), d);
      total = t;
    });
    QCOMPARE(read.train.count + read.test.count, std::int64_t{10'000});
    QVERIFY(read.test.count > 1800 && read.test.count < 2200);
    QVERIFY(read.leftOut.empty());
    QVERIFY(total > 0);
    QCOMPARE(done.load(), total.load());
  }

  void aRunTrainsOnThem() {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    addPictures(root, "bright", 40, 200);
    addPictures(root, "dark", 40, 0);
    const Settings settings{{"dataset", "colour"}, {"data-dir", root.string()}, {"strategy", "mirrored"},
                            {"replicas", "2"},     {"batch-per-replica", "8"},  {"steps", "3"}};
    const RunSettings config = configOf(settings);
    const auto set = openDataset(config);
    QCOMPARE(set->train.shape[0], std::int64_t{32});
    QCOMPARE(className(*set, 1), std::string("dark"));
    QVERIFY(openDataset(config) == set);  // kept while its files are unchanged
    const Outcome outcome = train(config, set);
    QVERIFY(std::isfinite(outcome.end.seconds) && outcome.steps.size() == 3);
    // Scaled to the network's input: grey and smaller for the course's.
    const RunSettings grey = configOf(with(settings, {{"network", "course"}}));
    const auto small = openDataset(grey);
    QCOMPARE(small->train.imageSize(), std::int64_t{28 * 28});
    (void)train(grey, small);
  }

  // The program's own networks get as many outputs as there are folders; a network from a file keeps its own.
  void theNetworkFollowsTheClasses() {
    for (const int classes : {2, 37}) {
      const QTemporaryDir dir;
      const fs::path root = dir.path().toStdString();
      for (int c = 0; c < classes; ++c) addPictures(root, "class" + std::to_string(100 + c), 8, 10 * c);
      const Settings settings{{"dataset", "colour"}, {"data-dir", root.string()}, {"strategy", "mirrored"},
                              {"replicas", "2"},     {"batch-per-replica", "8"},  {"steps", "2"}};
      for (const char* name : {"auto", "cifar10", "mlp", "course"}) {
        const ResolvedSettings config = resolve(configOf(with(settings, {{"network", name}})));
        QCOMPARE(networkOf(config)->classes(), std::int64_t{classes});
        QVERIFY(resolve(config.asked()).networkFile.layers == config.networkFile.layers);
        const RunSettings kept = configFromJson(configToJson(config));
        QVERIFY(*networkOf(kept) == *networkOf(config));
      }
      const RunSettings config = configOf(settings);
      const auto set = openDataset(config);
      QCOMPARE(set->classes(), std::int64_t{classes});
      const Outcome outcome = train(config, set);
      const Classified all = classify(set->test, outcome.weights, {}, resolve(config));
      QCOMPARE(all.probabilities.size(), static_cast<std::size_t>(set->test.count * classes));
      const ConfusionCounts confusion = confusionOf(set->test, all);
      std::int64_t total = 0;
      for (const auto& row : confusion) total += std::accumulate(row.begin(), row.end(), std::int64_t{0});
      QCOMPARE(total, set->test.count);
      // A .keras file with fewer outputs than classes, or with more.
      const auto given = [&](std::int64_t outputs) {
        const fs::path file = root.parent_path() / (root.filename().string() + ".json");
        std::ofstream(file) << kerasJson(withClasses(cifar10Network(), outputs));
        return configOf(with(settings, {{"network", file.string()}}));
      };
      QCOMPARE(networkOf(resolve(given(classes + 3)))->classes(), std::int64_t{classes + 3});
      (void)train(given(classes + 3), openDataset(given(classes + 3)));
      if (classes == 2) continue;
      const QString why = refusal([&] { (void)openDataset(given(classes - 1)); });
      QVERIFY2(why.contains("has 36 outputs") && why.contains("has 37 classes"), qPrintable(why));
    }
    const QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "two.json";
    std::ofstream(file) << kerasJson(withClasses(cifar10Network(), 2));
    const QString why = refusal([&] { (void)resolve(configOf({{"network", file.string()}, {"dataset", "colour"}})); });
    QVERIFY2(why.contains("has 2 outputs, but colour has 10 classes"), qPrintable(why));
    // The set that auto stands for is named.
    std::ofstream(file) << kerasJson(withClasses(courseNetwork(), 2));
    const QString found = refusal([&] { (void)resolve(configOf({{"network", file.string()}, {"dataset", "auto"}})); });
    const QString named = QStringLiteral("has 2 outputs, but %1 has 10 classes");
    QVERIFY2(found.contains(named.arg(QString::fromStdString(nameOfAuto({})))), qPrintable(found));
  }

  // Notes beside the pictures, which the disk may list first, hide no class.
  void everyFolderWithAPictureHasAnOutput() {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    addPictures(root, "a", 20, 0);
    addPictures(root, "b", 20, 100);
    for (int i = 0; i < 500; ++i) write(root / "c" / (std::to_string(i) + ".txt"), {'x'});
    addPictures(root, "c", 1, 200);
    QCOMPARE(pictureClasses(root), std::int64_t{3});
    QVERIFY(looksLikePictures(root));
    const RunSettings config =
        configOf({{"dataset", "colour"}, {"data-dir", root.string()}, {"batch-per-replica", "8"}, {"steps", "1"}});
    QCOMPARE(networkOf(resolve(config))->classes(), std::int64_t{3});
    const auto set = openDataset(config);
    QCOMPARE(set->classes(), std::int64_t{3});
    QCOMPARE(train(config, set).steps.size(), std::size_t{1});
  }

  // A folder that gets another class after the settings were resolved.
  void aTrainerRefusesMoreClassesThanOutputs() {
    const QTemporaryDir dir;
    const fs::path root = dir.path().toStdString();
    for (const char* name : {"a", "b"}) addPictures(root, name, 20, 10 * name[0]);
    const ResolvedSettings config = resolve(configOf({{"dataset", "colour"}, {"data-dir", root.string()}}));
    addPictures(root, "c", 20, 2000);
    const auto set = openDataset(config);
    QCOMPARE(set->classes(), std::int64_t{3});
    Telemetry telemetry;
    QVERIFY(isRefused([&] { Trainer(config, set, telemetry); }, say::tooFewOutputs));
  }

  // Compared with the arithmetic for ten classes, and with finite differences.
  void theLossOfAnyNumberOfClasses() {
    ThreadPool pool(1);
    const auto backend = makeCpuBackend(pool);
    std::vector<float> logits, d(40), e(40), losses(4), others(4);
    for (int i = 0; i < 40; ++i) logits.push_back(std::sin(static_cast<float>(i) * 1.7F) * 3);
    const std::vector<std::uint8_t> labels{3, 0, 9, 3};
    std::vector<std::uint8_t> predictions(4), same(4);
    backend->softmaxCrossEntropy(4, logits.data(), labels.data(), 0.5F, losses.data(), predictions.data(), d.data());
    crossEntropy(4, 10, logits.data(), labels.data(), 0.5F, others.data(), same.data(), e.data());
    QVERIFY(sameBits(losses, others) && sameBits(d, e) && predictions == same);
    crossEntropy(2, 20, logits.data(), labels.data(), 1, losses.data(), predictions.data(), d.data());
    for (const std::size_t at : {3U, 0U, 19U, 25U}) {
      std::vector<float> moved = logits, up(2), down(2);
      moved[at] += 0.01F;
      crossEntropy(2, 20, moved.data(), labels.data(), 1, up.data(), same.data(), nullptr);
      moved[at] -= 0.02F;
      crossEntropy(2, 20, moved.data(), labels.data(), 1, down.data(), same.data(), nullptr);
      QVERIFY(std::abs((up[at / 20] - down[at / 20]) / 0.02F - d[at]) < 1e-3F);
    }
  }
};

QTEST_GUILESS_MAIN(TestPictures)
#include "tst_pictures.moc"

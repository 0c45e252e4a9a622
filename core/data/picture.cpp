// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/picture.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>

#include <jpeglib.h>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/data/messages.h"

namespace lab {
namespace {

constexpr std::int64_t kMostPixels = 100'000'000;  // 300 MB, more than any camera's
constexpr int kMostScans = 100;                    // of a JPEG; writers of progressive files use about ten

bool fits(std::int64_t width, std::int64_t height, Message& why) {
  if (width >= 1 && height >= 1 && width <= kMostPixels && height <= kMostPixels && width * height <= kMostPixels)
    return true;
  why = {say::pictureTooLarge, width, height};
  return false;
}

struct FreePng {
  void operator()(png_image* image) const { png_image_free(image); }
};

bool decodePng(std::span<const std::uint8_t> bytes, Picture& picture, Message& why) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, FreePng> freed(&image);
  const auto damaged = [&] {
    why = {say::pictureDamaged, std::string(image.message)};
    return false;
  };
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) return damaged();
  if (!fits(image.width, image.height, why)) return false;
  image.format = PNG_FORMAT_RGB;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16-bit files without a gamma are treated as 8-bit files are
  picture.width = image.width;
  picture.height = image.height;
  picture.rgb.resize(static_cast<std::size_t>(picture.width * picture.height * 3));
  constexpr png_color kWhite{255, 255, 255};
  if (png_image_finish_read(&image, &kWhite, picture.rgb.data(), 0, nullptr) == 0) return damaged();
  return true;
}

struct JpegError {
  jpeg_error_mgr manager{};
  jpeg_progress_mgr progress{};
  std::jmp_buf back{};
  char text[JMSG_LENGTH_MAX] = {};
};

void leaveJpeg(j_common_ptr jpeg) {
  auto* error = reinterpret_cast<JpegError*>(jpeg->err);
  error->manager.format_message(jpeg, error->text);
  std::longjmp(error->back, 1);
}
// Treats a warning as damage too, and keeps the first one.
void noteJpeg(j_common_ptr jpeg, int level) {
  auto* error = reinterpret_cast<JpegError*>(jpeg->err);
  if (level < 0 && error->manager.num_warnings++ == 0) error->manager.format_message(jpeg, error->text);
}

// Called between the parts of a file that is read scan by scan. A scan may have few bytes, but goes over all pixels: a
// small file with millions of them would be read for days.
void watchScans(j_common_ptr jpeg) {
  if (reinterpret_cast<jpeg_decompress_struct*>(jpeg)->input_scan_number <= kMostScans) return;
  auto* error = reinterpret_cast<JpegError*>(jpeg->err);
  std::snprintf(error->text, sizeof error->text, "more than %d scans", kMostScans);
  std::longjmp(error->back, 1);
}

// libjpeg leaves by longjmp, so these functions must not have objects with destructors.
bool beginJpeg(jpeg_decompress_struct& jpeg, JpegError& error, std::span<const std::uint8_t> bytes) {
  jpeg.err = jpeg_std_error(&error.manager);
  error.manager.error_exit = leaveJpeg;
  error.manager.emit_message = noteJpeg;
  if (setjmp(error.back) != 0) return false;
  jpeg_create_decompress(&jpeg);
  error.progress.progress_monitor = watchScans;
  jpeg.progress = &error.progress;
  jpeg_mem_src(&jpeg, bytes.data(), static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&jpeg, TRUE);
  const bool inks = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
  jpeg.out_color_space = inks ? JCS_CMYK : JCS_RGB;
  return true;
}

// Converts one line of inks.
void toRgb(const std::uint8_t* inks, bool inverted, std::size_t width, std::uint8_t* rgb) {
  for (std::size_t x = 0; x < width; ++x)
    for (std::size_t c = 0; c < 3; ++c) {
      const int ink = inks[4 * x + c], black = inks[4 * x + 3];
      rgb[3 * x + c] = static_cast<std::uint8_t>(inverted ? ink * black / 255 : (255 - ink) * (255 - black) / 255);
    }
}

// `row` must have room for a line of inks.
bool readJpeg(jpeg_decompress_struct& jpeg, JpegError& error, std::uint8_t* row, std::uint8_t* rgb) {
  if (setjmp(error.back) != 0) return false;
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    const bool inks = jpeg.out_color_space == JCS_CMYK;
    std::uint8_t* to = rgb + std::size_t{3} * jpeg.output_width * jpeg.output_scanline;
    JSAMPROW line = inks ? row : to;
    jpeg_read_scanlines(&jpeg, &line, 1);
    if (inks) toRgb(row, jpeg.saw_Adobe_marker != 0, jpeg.output_width, to);  // Adobe's programs write inverted inks
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

bool decodeJpeg(std::span<const std::uint8_t> bytes, Picture& picture, Message& why) {
  struct DestroyJpeg {
    void operator()(jpeg_decompress_struct* jpeg) const { jpeg_destroy_decompress(jpeg); }
  };
  JpegError error;
  jpeg_decompress_struct jpeg{};
  const bool begun = beginJpeg(jpeg, error, bytes);
  const std::unique_ptr<jpeg_decompress_struct, DestroyJpeg> destroyed(&jpeg);
  if (begun && !fits(jpeg.image_width, jpeg.image_height, why)) return false;
  if (begun) {
    picture.width = jpeg.image_width;
    picture.height = jpeg.image_height;
    picture.rgb.resize(static_cast<std::size_t>(picture.width * picture.height * 3));
    std::vector<std::uint8_t> row(static_cast<std::size_t>(picture.width * 4));
    if (readJpeg(jpeg, error, row.data(), picture.rgb.data()) && error.manager.num_warnings == 0) return true;
  }
  why = {say::pictureDamaged, std::string(error.text)};
  return false;
}

// How much of input pixel `from` (of `in`) lies in output pixel `to` (of `out`), in units of 1 / (in·out) of a side.
struct Cover {
  std::int64_t first = 0, end = 0;  // the input pixels covered
  std::int64_t begin = 0, stop = 0;
  Cover(std::int64_t to, std::int64_t in, std::int64_t out)
      : first(to * in / out), end(ceilDivide((to + 1) * in, out)), begin(to * in), stop((to + 1) * in), out_(out) {}
  std::int64_t of(std::int64_t from) const { return std::min(stop, (from + 1) * out_) - std::max(begin, from * out_); }

 private:
  std::int64_t out_;
};

}  // namespace

bool decodePicture(std::span<const std::uint8_t> bytes, Picture& picture, Message& why) {
  constexpr std::uint8_t kPng[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, kJpeg[] = {0xff, 0xd8, 0xff};
  const auto begins = [&bytes](std::span<const std::uint8_t> with) {
    return bytes.size() >= with.size() && std::memcmp(bytes.data(), with.data(), with.size()) == 0;
  };
  if (begins(kPng)) return decodePng(bytes, picture, why);
  if (begins(kJpeg)) return decodeJpeg(bytes, picture, why);
  why = say::pictureOfOtherKind;
  return false;
}

std::vector<std::uint8_t> scaledPicture(const Picture& picture, const std::array<std::int64_t, 3>& shape) {
  const auto [height, width, channels] = shape;
  LAB_CHECK(channels == 1 || channels == 3);
  const std::int64_t area = picture.width * picture.height;  // the area of an output pixel in these units
  std::vector<std::uint8_t> scaled;
  scaled.reserve(static_cast<std::size_t>(height * width * channels));
  for (std::int64_t y = 0; y < height; ++y) {
    const Cover rows(y, picture.height, height);
    for (std::int64_t x = 0; x < width; ++x) {
      const Cover columns(x, picture.width, width);
      std::array<std::int64_t, 3> sum{};
      for (std::int64_t v = rows.first; v < rows.end; ++v)
        for (std::int64_t u = columns.first; u < columns.end; ++u) {
          const std::uint8_t* pixel = picture.rgb.data() + (v * picture.width + u) * 3;
          const std::int64_t part = rows.of(v) * columns.of(u);
          for (std::size_t c = 0; c < 3; ++c) sum[c] += part * pixel[c];
        }
      if (channels == 1)  // luma, ITU-R BT.601, in thousandths
        scaled.push_back(
            static_cast<std::uint8_t>((299 * sum[0] + 587 * sum[1] + 114 * sum[2] + 500 * area) / (1000 * area)));
      else
        for (const std::int64_t s : sum) scaled.push_back(static_cast<std::uint8_t>((s + area / 2) / area));
    }
  }
  return scaled;
}

}  // namespace lab

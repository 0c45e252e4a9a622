// SPDX-License-Identifier: GPL-3.0-or-later
// Prepared experiments, each with the one sentence that it illustrates (resources/guide/gallery.txt):
//   [experiment even]
//   title: Two replicas, half the batch each
//   shows: A global batch of 128 gives each of two replicas 64 images.
// and the moment that shows it (core/lesson/moment.h), which must include the settings.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/moment.h"

namespace lab {

struct GalleryEntry {
  std::string name;
  LessonText title, shows;
  Moment moment;
};

std::vector<GalleryEntry> readGallery(std::vector<Block> blocks, std::vector<LineProblem>& problems);
const std::vector<GalleryEntry>& shippedGallery();

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/class_server/class_page.h"

#include <algorithm>
#include <array>
#include <cstddef>

// Generated from the files by CMakeLists.txt.
namespace lab::resources {

extern const unsigned char classPageIndex[], classPageStyle[], classPagePage[], classPageBoard[], classPagePictures[],
    classPageTexts[], classPageWorker[], classPageLearner[], classPageClassWorker[], classPageReplica[],
    classPageModule[], classPageLicence[], classPageSource[];
extern const std::size_t classPageIndexSize, classPageStyleSize, classPagePageSize, classPageBoardSize,
    classPagePicturesSize, classPageTextsSize, classPageWorkerSize, classPageLearnerSize, classPageClassWorkerSize,
    classPageReplicaSize, classPageModuleSize, classPageLicenceSize, classPageSourceSize;

}  // namespace lab::resources

namespace lab::classes {

const PageFile* pageFile(std::string_view path) {
  namespace own = resources;
  const auto text = [](const unsigned char* bytes, std::size_t size) {
    return std::string_view(reinterpret_cast<const char*>(bytes), size);
  };
  constexpr const char* kScript = "text/javascript; charset=utf-8";
  static const std::array kFiles{
      PageFile{"/", "text/html; charset=utf-8", text(own::classPageIndex, own::classPageIndexSize)},
      PageFile{"/style.css", "text/css; charset=utf-8", text(own::classPageStyle, own::classPageStyleSize)},
      PageFile{"/page.mjs", kScript, text(own::classPagePage, own::classPagePageSize)},
      PageFile{"/board.mjs", kScript, text(own::classPageBoard, own::classPageBoardSize)},
      PageFile{"/pictures.mjs", kScript, text(own::classPagePictures, own::classPagePicturesSize)},
      PageFile{"/texts.mjs", kScript, text(own::classPageTexts, own::classPageTextsSize)},
      PageFile{"/worker.mjs", kScript, text(own::classPageWorker, own::classPageWorkerSize)},
      PageFile{"/learner.mjs", kScript, text(own::classPageLearner, own::classPageLearnerSize)},
      PageFile{"/class_worker.mjs", kScript, text(own::classPageClassWorker, own::classPageClassWorkerSize)},
      PageFile{"/replica.mjs", kScript, text(own::classPageReplica, own::classPageReplicaSize)},
      PageFile{"/replica.wasm", "application/wasm", text(own::classPageModule, own::classPageModuleSize)},
      PageFile{"/LICENSE", "text/plain; charset=utf-8", text(own::classPageLicence, own::classPageLicenceSize)},
      PageFile{"/source.tar.gz", "application/gzip", text(own::classPageSource, own::classPageSourceSize)},
  };
  const auto found = std::ranges::find(kFiles, path, &PageFile::path);
  return found == kFiles.end() ? nullptr : &*found;
}

}  // namespace lab::classes

// SPDX-License-Identifier: GPL-3.0-or-later
// Another theme and size of text while something is drawn off the window, whether that is projected or not; then the
// window's again.
#pragma once

#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab::theme {

class Dressed {
 public:
  Dressed(Kind kind, int height) {  // of the picture
    setKind(Kind::Light);           // which is not projected by itself
    projected_ = isProjected();
    setProjected(false);
    setKind(kind);
    setTextSize(textSizeFor(height));
  }
  ~Dressed() {
    setProjected(projected_);
    setKind(kind_);
    setTextSize(text_);
  }
  Dressed(const Dressed&) = delete;
  Dressed& operator=(const Dressed&) = delete;

 private:
  Kind kind_ = theme::kind();
  bool projected_ = false;
  int text_ = theme::textSize();
};

}  // namespace lab::theme

// SPDX-License-Identifier: GPL-3.0-or-later
// Temporarily sets another theme and text size, not projected, while something is drawn outside the window; the
// destructor restores the window's.
#pragma once

#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab::theme {

class Dressed {
 public:
  Dressed(Kind kind, int height) {  // the picture's theme and height
    setKind(Kind::Light);           // a theme that is not projected by itself
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

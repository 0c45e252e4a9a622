// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment that the window starts with, on so few of the built-in digits that a test is quick.
#pragma once

#include "ui/setup/fit.h"

namespace lab::test {

inline RunConfig smallConfig() {
  RunConfig config = teachingConfig();
  config.dataset = "digits";
  config.trainExamples = 64;
  config.testExamples = 32;
  return config;
}

}  // namespace lab::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of the course (resources/guide/glossary.txt):
//   [term replica]
//   term: replica
//   text: A copy of the model on one device, …
// tensorflow: num_replicas_in_sync           TensorFlow's own name for it, if there is one
//   see: device worker                         other terms, by name
// and the moment that shows it.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/moment.h"

namespace lab {

struct GlossaryTerm {
  std::string name;
  LessonText term, text;
  std::string tensorflow;
  std::vector<std::string> see;
  Moment moment;
};

std::vector<GlossaryTerm> readGlossary(std::vector<Block> blocks, std::vector<LineProblem>& problems);
const std::vector<GlossaryTerm>& shippedGlossary();

}  // namespace lab

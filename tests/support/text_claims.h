// SPDX-License-Identifier: GPL-3.0-or-later
// What the texts of lessons, classes, quiz, gallery and glossary say about runs other than their own, and about the
// core's rules, files and figures: each claim with the values that the program gives.
#pragma once

#include <string>
#include <vector>

#include "tests/support/written_numbers.h"

namespace lab::test {

// A claim of a text, and the values that the program gives for it.
struct Claim {
  std::string site;    // "": wherever the phrase is
  std::string phrase;  // "": anywhere in the site
  std::vector<double> values;
};

class Claims {
 public:
  Claims(Runs& runs, const WrittenTexts& texts);
  const std::vector<Claim>& all() const { return all_; }

 private:
  void say(const std::string& site, std::vector<double> values, const std::string& phrase = "") {
    all_.push_back({site, phrase, std::move(values)});
  }
  StepMetric step(const std::string& settings, std::int64_t number = 1) {
    return runs_.of(settings, number).steps.back();
  }
  static double hops(int ranks);  // of a ring

  void ofRings();

  void ofBatches();

  void ofShares();

  static std::vector<double> real(const std::vector<std::int64_t>& sizes) { return {sizes.begin(), sizes.end()}; }
  void ofTimes();
  void ofMemory();
  void ofWorkers();
  void ofClasses();
  void ofTheQuiz();
  void ofNames();
  void ofWords();

  static double mostDevices();
  static double ofTensorFlow();

  Runs& runs_;
  const WrittenTexts& texts_;
  std::vector<Claim> all_;
};

}  // namespace lab::test

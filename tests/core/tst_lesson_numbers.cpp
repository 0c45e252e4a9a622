// SPDX-License-Identifier: GPL-3.0-or-later
// Every number in the texts of lessons, classes, quiz, gallery and glossary, in both languages, must be filled in by
// the window, be a setting of the text's own moment, result from a run of that moment, or be one of the claims below,
// each of which is computed here. A claim that no text makes any more fails too.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/base/error.h"
#include "core/hardware/catalogue.h"
#include "core/options/config_field.h"
#include "tests/support/text_claims.h"
#include "tests/support/written_numbers.h"

using namespace lab;
using test::Claim;
using test::Claims;
using test::WrittenNumber;
using test::WrittenSite;
using test::WrittenText;

namespace {

// Words with digits, and names of several words: what they name, and how the test knows that this exists.
struct Name {
  std::string name;
  std::function<bool()> exists;
};

bool isHardware(const std::string& name) {
  const Catalogue& catalogue = Catalogue::builtIn();
  const auto has = [&](const auto& model) { return model.id == name || model.name.find(name) != std::string::npos; };
  return std::ranges::any_of(catalogue.devices(), has) || std::ranges::any_of(catalogue.links(), has);
}

bool isValueOf(const std::string& setting, const std::string& value) {
  try {
    RunSettings config;
    configField(setting).set(config, value);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

std::vector<Name> names() {
  const auto always = [] { return true; };
  std::vector<Name> all;
  for (const char* hardware :
       {"NVIDIA V100 SXM2", "NVIDIA H100 SXM5", "NVLink 2, V100, 6 links", "NVLink 4, H100/H200, 18 links", "H100/H200",
        "SXM2", "SXM5", "x16", "V100", "H100", "PCIe 3.0 x16", "PCIe 3.0"})
    all.push_back({hardware, [hardware] { return isHardware(hardware); }});
  all.push_back({"fixed:2", [] { return isValueOf("partitioner", "fixed:2"); }});
  all.push_back({"bfloat16", [] { return isValueOf("matmul", "bfloat16"); }});
  // Words of TensorFlow and of the slides, and keys of the window (tst_main_window presses them).
  for (const char* word : {"CPU:0", "float32", "CIFAR-10", "F8", "F9", "Ctrl+5", "Strg+5", "Shift+F10", "Umschalt+F10",
                           "issue 27195", "Issue 27195", "TensorFlow-Issue 27195"})
    all.push_back({word, always});
  return all;
}

}  // namespace

class TestLessonNumbers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyNumberIsProved();
  void bothLanguagesSayTheSame();
  void aWrongNumberIsFound();
  void everyNameIsOne();

 private:
  test::WrittenTexts texts_ = test::readWrittenTexts();
  test::Runs runs_;
};

namespace {

std::vector<std::string> knownNames() {
  std::vector<std::string> known;
  for (const Name& name : names()) known.push_back(name.name);
  std::ranges::sort(known, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return known;
}

// The numbers of a text that nothing proves. `used`: the claims that prove others.
std::vector<WrittenNumber> unproved(const WrittenText& text, const std::vector<WrittenNumber>& numbers,
                                    const WrittenSite& site, const Claims& claims, test::Runs& runs,
                                    std::set<const Claim*>& used) {
  std::vector<WrittenNumber> missed;
  for (const WrittenNumber& number : numbers) {
    bool proved = false;
    for (const Claim& claim : claims.all()) {
      if (!claim.site.empty() && claim.site != text.site) continue;
      if (text.text.find(claim.phrase) == std::string::npos) continue;
      if (!std::ranges::any_of(claim.values, [&](double value) { return number.tells(value); })) continue;
      used.insert(&claim);
      proved = true;
    }
    if (!proved && !tells(number, test::settingsOf(site)) && !tells(number, test::outcomeOf(site, runs)))
      missed.push_back(number);
  }
  return missed;
}

}  // namespace

void TestLessonNumbers::everyNumberIsProved() {
  const Claims claims(runs_, texts_);
  std::set<const Claim*> used;
  int wrong = 0;
  for (const WrittenText& text : texts_.texts) {
    const std::vector<WrittenNumber> numbers = test::numbersIn(text.text, text.language, knownNames());
    for (const WrittenNumber& number : unproved(text, numbers, texts_.sites.at(text.site), claims, runs_, used)) {
      ++wrong;
      qWarning("%s %s[%s], line %d: %s in “%s”", text.site.c_str(), text.key.c_str(), text.language.c_str(), text.line,
               number.text.c_str(), text.text.c_str());
    }
    for (const WrittenNumber& number : numbers)
      if (!number.wellFormed && ++wrong > 0)
        qWarning("%s %s[%s]: the separators of %s", text.site.c_str(), text.key.c_str(), text.language.c_str(),
                 number.text.c_str());
  }
  for (const Claim& claim : claims.all())
    if (!used.contains(&claim) && ++wrong > 0)
      qWarning("nothing says %s “%s”: %g", claim.site.c_str(), claim.phrase.c_str(), claim.values.front());
  QCOMPARE(wrong, 0);
}

// German texts have the same numbers as English ones, in German notation.
void TestLessonNumbers::bothLanguagesSayTheSame() {
  const auto sorted = [](const WrittenText& text) {
    std::vector<double> values;
    for (const WrittenNumber& number : test::numbersIn(text.text, text.language, knownNames()))
      if (!number.inWords) values.push_back(number.value);
    std::ranges::sort(values);
    return values;
  };
  for (std::size_t i = 1; i < texts_.texts.size(); ++i) {
    const WrittenText &english = texts_.texts[i - 1], &german = texts_.texts[i];
    if (german.language != "de") continue;
    QVERIFY(english.language == "en" && english.key == german.key && english.site == german.site);
    QVERIFY2(sorted(english) == sorted(german),
             qPrintable(QStringLiteral("line %1 of %2").arg(german.line).arg(german.site.c_str())));
  }
}

// A result with one digit off by one never passes as something else.
void TestLessonNumbers::aWrongNumberIsFound() {
  const Claims claims(runs_, texts_);
  std::set<const Claim*> used;
  int changed = 0;
  for (const WrittenText& text : texts_.texts) {
    std::vector<WrittenNumber> numbers = test::numbersIn(text.text, text.language, knownNames());
    std::erase_if(numbers, [](const WrittenNumber& n) { return n.unit.empty() || n.unit == "%" || n.value < 20; });
    for (WrittenNumber& number : numbers) number.value += 3 * std::pow(10.0, -number.decimals);
    changed += static_cast<int>(numbers.size());
    QCOMPARE(unproved(text, numbers, texts_.sites.at(text.site), claims, runs_, used).size(), numbers.size());
  }
  QVERIFY(changed > 60);
}

// Digits in a word are no number if the word is a known name.
void TestLessonNumbers::everyNameIsOne() {
  std::set<std::string> used;
  for (const WrittenText& text : texts_.texts)
    for (const std::string& word : test::namesIn(text.text)) used.insert(word);
  const std::vector<Name> all = names();
  for (const std::string& word : used) QVERIFY2(std::ranges::find(all, word, &Name::name) != all.end(), word.c_str());
  for (const Name& name : all) QVERIFY2(name.exists(), name.name.c_str());
}

QTEST_GUILESS_MAIN(TestLessonNumbers)
#include "tst_lesson_numbers.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/class_names.h"

#include "core/base/at.h"
#include "core/base/message.h"

namespace lab {

const std::vector<std::string>& publishedClassNames(const std::string& dataset) {
  // In the order of the labels at https://github.com/zalandoresearch/fashion-mnist and
  // https://www.cs.toronto.edu/~kriz/cifar.html.
  static const std::vector<std::string> digits{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  static const std::vector<std::string> fashion{
      LAB_WORDS("T-shirt"), LAB_WORDS("trousers"), LAB_WORDS("pullover"), LAB_WORDS("dress"), LAB_WORDS("coat"),
      LAB_WORDS("sandal"),  LAB_WORDS("shirt"),    LAB_WORDS("sneaker"),  LAB_WORDS("bag"),   LAB_WORDS("ankle boot")};
  static const std::vector<std::string> cifar{
      LAB_WORDS("airplane"), LAB_WORDS("automobile"), LAB_WORDS("bird"),  LAB_WORDS("cat"),  LAB_WORDS("deer"),
      LAB_WORDS("dog"),      LAB_WORDS("frog"),       LAB_WORDS("horse"), LAB_WORDS("ship"), LAB_WORDS("truck")};
  if (dataset == "fashion-mnist") return fashion;
  return dataset == "cifar10" ? cifar : digits;
}

bool namesAreWords(const Dataset& dataset) {
  return dataset.classNames.empty() && !dataset.own;
}

std::string className(const Dataset& dataset, std::int64_t label) {
  const std::vector<std::string>& published = publishedClassNames(namesAreWords(dataset) ? dataset.name : "digits");
  const std::vector<std::string>& names = dataset.classNames.empty() ? published : dataset.classNames;
  return label >= 0 && label < std::ssize(names) ? at(names, label) : std::to_string(label);
}

}  // namespace lab

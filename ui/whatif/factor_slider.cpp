// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/factor_slider.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/theme/still.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// While focused, takes the keys that move a slider, whatever they mean elsewhere in the window.
class KeyedSlider final : public Still<QSlider> {
 public:
  KeyedSlider() : Still(Qt::Horizontal) {}

 protected:
  bool event(QEvent* event) override {
    if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_PageUp,
                          Qt::Key_PageDown, Qt::Key_End}))
      return true;
    return Still::event(event);
  }
};

}  // namespace

FactorSlider::FactorSlider(const char* objectName, const QString& name, const QString& tip, std::vector<double> values,
                           QStringList words, QWidget* parent)
    : QWidget(parent),
      values_(std::move(values)),
      words_(std::move(words)),
      slider_(new KeyedSlider),
      label_(new QLabel) {
  auto* title = new QLabel(name);
  title->setBuddy(slider_);
  theme::follow(title, [title] {
    title->ensurePolished();
    // Measured, because a label's size hint is never less than the width that it has been given before.
    const int wanted = title->fontMetrics().size(Qt::TextShowMnemonic, title->text()).width();
    title->setFixedWidth(std::max(theme::em(7.6), wanted));
  });
  label_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  theme::follow(label_, [this] { label_->setFixedWidth(theme::em(4.6)); });
  slider_->setObjectName(QLatin1String(objectName));
  slider_->setAccessibleName(name);
  slider_->setRange(0, static_cast<int>(values_.size()) - 1);
  slider_->setPageStep(std::max(1, static_cast<int>(values_.size()) / 8));
  for (QWidget* each : {static_cast<QWidget*>(title), static_cast<QWidget*>(slider_), static_cast<QWidget*>(label_)})
    each->setToolTip(tip);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(title);
  row->addWidget(slider_, 1);
  row->addWidget(label_);
  connect(slider_, &QSlider::valueChanged, this, [this] {
    touched_ = true;
    showWords();
    Q_EMIT moved();
  });
  showWords();
}

FactorSlider* FactorSlider::ofFactor(const char* objectName, const QString& name, const QString& tip) {
  constexpr int kTenths = 40;
  std::vector<double> values;
  QStringList words;
  for (int i = -kTenths; i <= kTenths; ++i) {
    values.push_back(std::exp2(i / 10.0));
    words << QStringLiteral("×%1").arg(numberText(values.back(), 'f', values.back() < 10 ? 2 : 1));
  }
  return new FactorSlider(objectName, name, tip, std::move(values), std::move(words));
}

double FactorSlider::value() const {
  return at(values_, slider_->value());
}

void FactorSlider::setValue(double value, const QString& words) {
  const auto nearest = std::ranges::min_element(values_, {}, [value](double each) { return std::abs(each - value); });
  const QSignalBlocker quiet(slider_);
  slider_->setValue(static_cast<int>(nearest - values_.begin()));
  touched_ = false;
  showWords();
  if (!words.isEmpty()) label_->setText(words);
}

void FactorSlider::showWords() {
  label_->setText(words_[slider_->value()]);
}

}  // namespace lab

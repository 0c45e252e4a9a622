// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/i18n/words.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/units.h"

namespace lab {
namespace {

// The core writes 1,234.5; replaces the comma and the point with the locale's separators.
QString localised(const std::string& number) {
  const QLocale locale;
  QString text;
  for (const QChar c : QString::fromStdString(number))
    text += c == QLatin1Char(',')   ? locale.groupSeparator()
            : c == QLatin1Char('.') ? locale.decimalPoint()
                                    : QString(c);
  return text;
}

}  // namespace

int plural(std::int64_t number) {
  return static_cast<int>(std::clamp<std::int64_t>(number, 0, std::numeric_limits<int>::max()));
}

QString countText(std::int64_t count) {
  return localised(formatCount(count));
}

QString bytesText(std::int64_t bytes) {
  return localised(formatBytes(bytes));
}

QString durationText(std::int64_t ns) {
  return localised(formatDuration(ns));
}

QString numberText(double value, char format, int digits) {
  return QLocale().toString(value, format, digits);
}

QString ratioText(double ratio) {
  constexpr double kLeastInFull = 0.1;
  return ratio > 0 && ratio < kLeastInFull ? numberText(ratio, 'g', 2) : numberText(ratio, 'f', 2);
}

QString percentText(double share) {
  return percentNumber(share, 1) + QStringLiteral(" %");
}

QString widestPercentText() {
  return percentText(0.999'99);
}

QString percentNumber(double share, int digits) {
  const RoundedPercent rounded = roundedPercent(share, digits);
  return QLatin1String(rounded.sign) + numberText(rounded.percent, 'f', rounded.digits);
}

QString lossText(double loss, int digits) {
  constexpr double kMostInFull = 1e6;
  constexpr int kDigitsOfMore = 4, kDigitsOfLess = 2;
  if (std::abs(loss) >= kMostInFull) return numberText(loss, 'g', kDigitsOfMore);
  const double least = std::pow(10, kDigitsOfLess - 1 - digits);  // that has as many digits behind its zeros
  return loss > 0 && loss < least ? numberText(loss, 'g', kDigitsOfLess) : numberText(loss, 'f', digits);
}

QString numberText(double value) {
  return QLocale().toString(value, 'g', 6);
}

QString roughText(double value) {
  constexpr double kFourDigits = 999.5, kMostInFull = 1e6;
  const double size = std::abs(value);
  return size >= kFourDigits && size < kMostInFull ? countText(std::llround(value)) : numberText(value, 'g', 3);
}

}  // namespace lab

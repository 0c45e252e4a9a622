// SPDX-License-Identifier: GPL-3.0-or-later
// Words and numbers in the form that people read, in the window's language and locale. Files, CSV and the command line
// keep the core's own forms. Texts made by the core are translated in core_words.h.
#pragma once

#include <QCoreApplication>
#include <QString>

#include <cstdint>

namespace lab {

// For functions that belong to no QObject. lupdate files their texts under the context "lab".
inline QString tr(const char* text, const char* note = nullptr, int n = -1) {
  return QCoreApplication::translate("lab", text, note, n);
}

// For %n, which chooses the form of a noun: "1 replica", "2 replicas".
int plural(std::int64_t number);

QString countText(std::int64_t count);                      // "347,146", German "347.146"
QString bytesText(std::int64_t bytes);                      // "1.39 MB"
QString durationText(std::int64_t ns);                      // "2.31 ms"
QString numberText(double value, char format, int digits);  // as QString::number
QString ratioText(double ratio);                            // "2.31", "0.0033"; only 0 is "0.00"
QString percentText(double share);                          // 0.931: "93.1 %"; "> 99.9 %" is not all
QString widestPercentText();                                // for the room of any share
QString percentNumber(double share, int digits);            // the same without the sign, 0.931: "93.1"
// "0.412"; from a million on "5.804e+11", so that a diverged run's losses stay short; a small one keeps two digits,
// "0.00083", so that halves of it add up.
QString lossText(double loss, int digits = 3);
QString numberText(double value);  // with as many digits as needed, at most six
QString roughText(double value);   // three digits: "0.0583"; below a million without an exponent: "1,010"

}  // namespace lab

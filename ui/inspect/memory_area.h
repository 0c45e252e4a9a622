// SPDX-License-Identifier: GPL-3.0-or-later
// A device's memory over the step as a stacked area, by kind, with the amounts at one moment in words: the movie's
// moment, or that of the pointer or the arrow keys.
#pragma once

#include <QWidget>

#include <array>
#include <optional>
#include <utility>

#include "ui/inspect/describe.h"

class QGridLayout;
class QLabel;

namespace lab {

QString nameOf(MemoryKind kind);  // "layers' outputs"

class MemoryArea final : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryArea(QWidget* parent = nullptr);

  void show(const DeviceMemoryShown& memory);  // hides itself if nothing is known
  QString words() const;                       // at the moment being read: "At 0.2 ms: 7.1 MB, modelled: variables …"

 protected:
  void changeEvent(QEvent* event) override;

 private:
  class Plot;
  void read(std::optional<std::int64_t> ns);  // nothing: the movie's moment
  void fill();
  std::int64_t readNs() const { return at_.value_or(shown_.nowNs); }

  DeviceMemoryShown shown_;
  std::optional<std::int64_t> at_;
  Plot* plot_;
  QLabel* head_;
  QGridLayout* legend_;
  std::array<std::pair<QLabel*, QLabel*>, kMemoryKinds> kinds_{};  // mark and words, which wrap if they are long
};

}  // namespace lab

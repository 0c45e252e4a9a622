// SPDX-License-Identifier: GPL-3.0-or-later
// A teacher's list of prepared moments, in the order in which a class will see them; stored in the experiment's file
// under the key "moments":
//   {"version": 1, "list": [{"title": "…", "settings": "strategy=mirrored", "note": "…", "step": 3, "beat":
//   "aggregate", …}, …]}
// with the keys of core/lesson/moment.h, and "network-layers" of a network that was edited. Keys added by a later
// version, and unreadable entries, are preserved as they are; a list of a newer version is not touched at all.
#pragma once

#include <QObject>
#include <QString>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/lesson/moment.h"

namespace lab {

struct NamedMoment {
  QString title;
  Moment moment;
  QString note{};        // what the teacher says there; lines
  QString problem{};     // why it cannot be shown; "" if it can
  nlohmann::json raw{};  // as in the file
};

class Moments final : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = 200;
  static constexpr int kLongestTitle = 200, kLongestNote = 2000;

  using QObject::QObject;

  const std::vector<NamedMoment>& all() const { return all_; }
  const QString& refusal() const { return refusal_; }  // why nothing can be changed; "" if it can
  int present() const { return present_; }             // shown last; -1: none yet

  void read(const nlohmann::json& value);    // null: an empty list
  void take(std::vector<NamedMoment> list);  // replaces the list, even one of a newer version
  nlohmann::json toJson() const;             // null if there is nothing to store

  // Except for setPresent(), these do nothing if refusal() gives a reason.
  void add(const QString& title, const Moment& moment);  // inserts after the present one, and becomes the present one
  void rename(int index, const QString& title);
  void update(int index, const Moment& moment);
  void reorder(const std::vector<std::size_t>& order);  // the old numbers in the new order
  void remove(int index);
  bool canBringBack() const { return removed_.has_value(); }
  const QString& removedTitle() const { return removed_->second.title; }
  void bringBack();  // the entry removed last
  void setPresent(int index);

 Q_SIGNALS:
  void changed();  // the list has changed
  void turned();   // present() has changed

 private:
  bool has(int index) const { return index >= 0 && index < static_cast<int>(all_.size()); }

  std::vector<NamedMoment> all_;
  std::optional<std::pair<int, NamedMoment>> removed_;
  nlohmann::json others_;  // other keys of the list, preserved
  QString refusal_;
  int present_ = -1;
};

}  // namespace lab

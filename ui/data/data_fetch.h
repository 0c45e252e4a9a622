// SPDX-License-Identifier: GPL-3.0-or-later
// One published data set: whether it is on this machine, and fetching it. Both run on a separate thread. A pause keeps
// the received part, and fetching resumes there, even in a later session.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>

#include "core/data/fetch.h"
#include "core/data/verify.h"
#include "ui/runview/background.h"

namespace lab {

class DataFetch final : public QObject {
  Q_OBJECT

 public:
  enum class State {
    Unknown,  // not looked for yet
    Absent,
    Partial,  // a part was received: paused, or left by an earlier session
    Fetching,
    Ending,  // pausing or cancelling is not complete yet
    Here,    // all four files, with correct checksums
    Failed,
  };

  // `places`: where it may be already; `folder`: where it is put. Both for tests; as core/data/places.h has them.
  explicit DataFetch(const RemoteDataset& set, std::vector<std::filesystem::path> places, std::filesystem::path folder,
                     QObject* parent = nullptr);
  ~DataFetch() override;  // stops work in progress; the received part stays

  const std::string& name() const { return set_.name; }
  QString title() const;  // "MNIST"
  State state() const { return state_; }
  const QString& words() const { return words_; }                  // the state in a sentence, or why it failed
  bool busy() const { return background_.busy(); }                 // looking or fetching
  double share() const { return share_; }                          // of all bytes, 0 to 1
  const std::filesystem::path& folder() const { return folder_; }  // where the set is, if it is here

  void look();   // checks whether the set is here
  void fetch();  // begins or resumes; if the set is here already, only look()
  void pause();
  void cancel();  // and discards the received part

 Q_SIGNALS:
  void changed();
  void ended();  // after a fetch: here or failed

 private:
  void become(State state, const QString& words);
  void refreshProgress();
  void stopped();
  bool partsThere() const;

  const RemoteDataset set_;
  const std::vector<std::filesystem::path> places_;
  const std::filesystem::path target_;
  std::filesystem::path folder_;
  State state_ = State::Unknown;
  QString words_;
  double share_ = 0;
  bool cancelled_ = false;
  std::shared_ptr<std::stop_source> stop_ = std::make_shared<std::stop_source>();
  struct Shared {
    std::mutex mutex;
    FetchProgress progress;  // guarded by it
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  QTimer timer_;
  Background background_;  // last member: it ends first
};

}  // namespace lab

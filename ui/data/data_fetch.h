// SPDX-License-Identifier: GPL-3.0-or-later
// One published data set: whether it is on this machine, and the way here. Looking and fetching happen on a thread of
// their own. A pause keeps what was received; going on continues there, also after the program's end.
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
    Unknown,  // nobody has looked yet
    Absent,
    Partial,  // some of it was received: paused, or left so by an earlier session
    Fetching,
    Ending,  // asked to pause or to cancel, and not there yet
    Here,    // all four files, and their checksums are right
    Failed,
  };

  // `places`: where it may be already; `folder`: where it is put. Both for tests; as core/data/places.h has them.
  explicit DataFetch(const RemoteDataset& set, std::vector<std::filesystem::path> places, std::filesystem::path folder,
                     QObject* parent = nullptr);
  ~DataFetch() override;  // ends what is under way; what was received stays

  const std::string& name() const { return set_.name; }
  QString title() const;  // "MNIST"
  State state() const { return state_; }
  const QString& words() const { return words_; }                  // the state in a sentence, or why it failed
  bool busy() const { return background_.busy(); }                 // looking or fetching
  double share() const { return share_; }                          // of all bytes, 0 to 1
  const std::filesystem::path& folder() const { return folder_; }  // where it is, when it is here

  void look();   // is it here?
  void fetch();  // begins or goes on; look() where it is here already
  void pause();
  void cancel();  // and what was received is thrown away

 Q_SIGNALS:
  void changed();
  void ended();  // a fetch: here or failed

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
  Background background_;  // last: it ends first
};

}  // namespace lab

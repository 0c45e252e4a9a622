// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/halving.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/experiments/messages.h"
#include "core/options/memory_need.h"

namespace lab {
namespace {

using nlohmann::json;

// One line per loss: {"cell": "….run", "divisor": 9, "steps": 10, "testLoss": 2.3}, null if it is not a number. Lines
// of other grids may be there too.
constexpr const char* kLosses = "halving.jsonl";
constexpr std::int64_t kMostLossBytes = std::int64_t{64} << 20;

}  // namespace

struct Halving::Entry {
  std::size_t number;
  const SweepCell& cell;
  std::string name;  // of the cell's file
  std::optional<CellTraining> training;
  int rung = -1;  // where `training` pauses
  std::size_t held = 0;
  bool going = true, told = false;
};

Halving::Halving(std::vector<const SweepCell*> cells, std::shared_ptr<const Dataset> dataset, Setup setup)
    : cells_(std::move(cells)), dataset_(std::move(dataset)), setup_(std::move(setup)) {
  const std::int64_t count = std::ssize(cells_), eta = setup_.eta;
  if (count < eta) throw UserError(say::tooFewToHalve, Option{"halving"}, eta, count);
  for (std::int64_t left = count / eta; left > 0; left /= eta) ++rungs_;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const SweepCell* cell : cells_) {
    fewest = std::min(fewest, cell->config.steps.value_or(fewest));
    entries_.push_back(
        std::make_unique<Entry>(Entry{.number = entries_.size(), .cell = *cell, .name = cell->fileName()}));
  }
  if (fewest < divisorOf(0))
    throw UserError(say::tooFewStepsToHalve, Option{"halving"}, eta, count, rungs_, fewest, divisorOf(0));
  readLosses();
}

Halving::~Halving() = default;

std::int64_t Halving::divisorOf(int rung) const {
  std::int64_t divisor = 1;
  for (int above = rung + 1; above < rungs_; ++above) divisor *= setup_.eta;
  return divisor;
}

void Halving::run(RunQueue& queue) {
  for (int rung = 0; rung < rungs_; ++rung) {
    const bool last = rung + 1 == rungs_;
    std::vector<Entry*> climbing, stopped;
    for (const auto& entry : entries_)
      if (entry->going && !entry->told && !(last ? end(*entry, rung) : known(*entry, rung) != nullptr))
        climbing.push_back(entry.get());
    if (!work(
            queue, [&](Entry& entry, RunQueue::Turn& turn) { climb(entry, rung, turn); }, climbing) ||
        last)
      return;
    for (Entry* entry : besidesTheBest(rung)) {
      entry->going = false;
      if (!entry->told && !end(*entry, rung)) stopped.push_back(entry);
    }
    if (!work(
            queue, [&](Entry& entry, RunQueue::Turn& turn) { stop(entry, rung, turn); }, stopped))
      return;
  }
}

bool Halving::work(RunQueue& queue, const std::function<void(Entry&, RunQueue::Turn&)>& what,
                   std::span<Entry* const> entries) {
  std::vector<int> ids;
  for (Entry* entry : entries)
    ids.push_back(queue.add([&what, entry](RunQueue::Turn& turn) { what(*entry, turn); },
                            isReal(entry->cell.config.devices),
                            static_cast<std::int64_t>(memoryNeed(entry->cell.config))));
  queue.wait();
  bool whole = true;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const RunQueue::State state = queue.state(ids[i]);
    whole = whole && state != RunQueue::State::Cancelled;
    if (state != RunQueue::State::Failed) continue;
    failures_[entries[i]->number] = queue.failure(ids[i]);
    entries[i]->going = false;
  }
  return whole;
}

// Returns the cells that go no further, by their losses; among equal ones, the later.
std::vector<Halving::Entry*> Halving::besidesTheBest(int rung) const {
  std::vector<Entry*> going;
  for (const auto& entry : entries_)
    if (entry->going) going.push_back(entry.get());
  std::ranges::stable_sort(going, {}, [&](const Entry* entry) { return known(*entry, rung)->testLoss; });
  const std::int64_t all = divisorOf(0) / divisorOf(rung + 1);
  const auto places = static_cast<std::size_t>(std::max<std::int64_t>(1, std::ssize(cells_) / all));
  going.erase(going.begin(), going.begin() + static_cast<std::ptrdiff_t>(std::min(places, going.size())));
  return going;
}

// Runs on a thread of the queue, as all training does.
bool Halving::trainTo(Entry& entry, int rung, RunQueue::Turn& turn) {
  {
    const std::lock_guard lock(mutex_);
    held_ -= std::exchange(entry.held, 0);
  }
  if (!entry.training) entry.training.emplace(entry.cell, dataset_);
  const auto goOn = [&] { return (!setup_.goOn || setup_.goOn()) && turn.goOn(); };
  const auto until = [divisor = divisorOf(rung)](std::int64_t all) { return std::max<std::int64_t>(1, all / divisor); };
  if (!entry.training->train(setup_.threads.value_or(turn.threads()), goOn, until)) return false;
  entry.rung = rung;
  return true;
}

void Halving::climb(Entry& entry, int rung, RunQueue::Turn& turn) {
  if (!trainTo(entry, rung, turn)) return;
  keepLoss(entry, rung);
  if (entry.training->ended()) return tell(entry);
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = entry.training->stateBytes();
  if (setup_.stateBytes > 0 && held_ + bytes > static_cast<std::size_t>(setup_.stateBytes))
    return entry.training->forgetState();
  held_ += entry.held = bytes;
}

// Trains to the rung first if the loss was known from the folder, because then the cell has not trained here.
void Halving::stop(Entry& entry, int rung, RunQueue::Turn& turn) {
  if (entry.rung == rung || trainTo(entry, rung, turn)) tell(entry);
}

void Halving::tell(Entry& entry) {
  const CellTraining& training = *entry.training;
  if (!setup_.folder.empty()) training.write(setup_.folder);
  setup_.ended(entry.number, training.tally(), training.metrics(), false);
  entry.told = true;
  entry.training.reset();
  const std::lock_guard lock(mutex_);
  held_ -= std::exchange(entry.held, 0);
}

bool Halving::end(Entry& entry, int rung) {
  if (setup_.folder.empty()) return false;
  std::optional<RunTally> kept = keptResult(entry.cell, setup_.folder);
  if (!kept && rung + 1 < rungs_) {
    kept = keptStopped(entry.cell, setup_.folder);
    if (kept && kept->steps != known(entry, rung)->steps) kept.reset();  // of another sweep
  }
  if (!kept) return false;
  const RunRecord record = readRunFile(setup_.folder / entry.cell.fileName(kept->stopped));
  setup_.ended(entry.number, *kept, record.metrics, true);
  return entry.told = true;
}

const Halving::Known* Halving::known(const Entry& entry, int rung) const {
  const std::lock_guard lock(mutex_);
  const auto cell = losses_.find(entry.name);
  if (cell == losses_.end()) return nullptr;
  const auto at = cell->second.find(divisorOf(rung));
  return at == cell->second.end() ? nullptr : &at->second;
}

void Halving::readLosses() {
  std::error_code ignored;
  if (setup_.folder.empty() || !std::filesystem::exists(setup_.folder / kLosses, ignored)) return;
  const std::vector<std::uint8_t> bytes = readFile(setup_.folder / kLosses, kMostLossBytes);
  cutOff_ = !bytes.empty() && bytes.back() != '\n';
  std::istringstream file(std::string(bytes.begin(), bytes.end()));
  for (std::string line; std::getline(file, line);) try {
      const json loss = parseJson(line, Message(), 2);
      const json& value = loss.at("testLoss");
      losses_[loss.at("cell").get<std::string>()][integerOf<std::int64_t>(loss.at("divisor"))] = {
          integerOf<std::int64_t>(loss.at("steps")),
          value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>()};
    } catch (const std::exception&) {  // cut off when the program was killed: that rung is trained again
    }
}

// A cell that has ended keeps its loss for the coming rungs too: it would be the same there.
void Halving::keepLoss(const Entry& entry, int rung) {
  const Known loss{entry.training->tally().steps, entry.training->testLoss()};
  const std::lock_guard lock(mutex_);
  std::string lines = std::exchange(cutOff_, false) ? "\n" : "";
  for (; rung + 1 < rungs_; ++rung) {
    losses_[entry.name][divisorOf(rung)] = loss;
    const json value = std::isfinite(loss.testLoss) ? json(loss.testLoss) : json(nullptr);
    lines +=
        json{{"cell", entry.name}, {"divisor", divisorOf(rung)}, {"steps", loss.steps}, {"testLoss", value}}.dump() +
        "\n";
    if (!entry.training->ended()) break;
  }
  const std::filesystem::path path = setup_.folder / kLosses;
  if (!setup_.folder.empty() && !appendToFile(path, lines))
    throw UserError(UserError::Kind::Run, say::cannotWrite, path, lastSystemError());
}

}  // namespace lab

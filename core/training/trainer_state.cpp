// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/trainer_state.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/cluster/differing_copies.h"
#include "core/files/lineage_json.h"
#include "core/files/messages.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/prediction/rates.h"
#include "core/process/peers.h"
#include "core/training/build.h"
#include "core/training/messages.h"
#include "core/training/process_role.h"

namespace lab {
void checkSameRun(const nlohmann::json& saved, const ResolvedSettings& config) {
  const RunSettings before = configFromJson(saved);
  for (const ConfigField& field : configFields()) {
    const std::string was = field.get(before), is = field.get(config);
    if (!field.changesResults || jsonLine(was) == jsonLine(is)) continue;  // `was` has been such a line
    if (field.name == "init" && is.empty()) continue;                      // the initial weights do not matter any more
    throw UserError(say::otherSettings, Option{field.name},
                    was.empty() ? Message(say::unset) : Message(say::verbatim, was),
                    is.empty() ? Message(say::itUnset) : Message(say::verbatim, is));
  }
  if (layersOfFile(before) != layersOfFile(config))
    throw UserError(say::otherSettings, Option{"network"}, Message(say::verbatim, before.network),
                    Message(say::otherContent));
}

namespace {

// If there are several processes, the first one reads the checkpoint for all, and an error in it is an error of all.
Checkpoint newestCheckpoint(const SettingsBase& config) {
  const std::shared_ptr<process::Peers> peers = process::peers();
  if (config.devices != DeviceChoice::Processes || !peers) return readNewestCheckpoint(config.checkpointDir);
  std::vector<std::uint8_t> bytes;
  if (peers->isChief()) bytes = serializeCheckpoint(readNewestCheckpoint(config.checkpointDir));
  const auto view = std::as_bytes(std::span(bytes));
  const process::Content all = peers->broadcast(process::Content(view.begin(), view.end()));
  peers->setAlike(true);
  return parseCheckpoint({reinterpret_cast<const std::uint8_t*>(all.data()), all.size()}, config.checkpointDir);
}

}  // namespace

void Trainer::settle() {
  state_->settle();
}
void Trainer::release() {
  state_->release();
}

std::optional<PeakMemory> Trainer::State::peakMemory() const {
  if (const auto steady = steadyStep(config()))
    return PeakMemory{TimeSource::Modelled, format(steady->memory.endpoint), steady->memory.most};
  return cluster->memory().peak();
}

void Trainer::State::release() {
  if (released || info.clock != TimeSource::Modelled || !cluster->settings().topology.gpuOfReplica.empty()) return;
  settle();
  released = {cluster->settings(), save()};
  input.reset();
  strategy.reset();
  cluster.reset();
}

// Its telemetry at the start is suppressed, because it was sent when the run began.
void Trainer::State::reacquire() {
  if (!released) return;
  const bool spansWanted = telemetry.spansWanted();
  telemetry.setSpansWanted(false);
  make(released->settings, std::vector<float>(static_cast<std::size_t>(info.parameters)));
  addEdits();
  load(released->state);
  released.reset();
  telemetry.setSpansWanted(spansWanted);
}

// Gradients of an ancestor's edit may still be under way to the servers; a synchronous step leaves nothing under way.
void Trainer::State::addEdits() {
  const Lineage& lineage = info.lineage;
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    const bool past = i + 1 < lineage.size();
    if (lineage[i].edit && (!past || !strategyRow().synchronous))
      cluster->copies().addEdit(*lineage[i].edit, static_cast<int>(i), past);
  }
  // The effects of an ancestor's fault are in the state already; a restart belongs to no step.
  if (!lineage.empty() && lineage.back().fault && lineage.back().fault->atNs == 0)
    cluster->setFault(*lineage.back().fault);
}

Checkpoint Trainer::saveState() const {
  if (state_->released) return state_->released->state;
  state_->settle();
  return state_->save();
}
void Trainer::loadState(const Checkpoint& saved) {
  state_->reacquire();
  state_->load(saved);
}

Checkpoint Trainer::State::save() const {
  Checkpoint saved;
  saved.config = configToJson(config());
  saved.state = {{"step", steps},
                 {"examples", examples},
                 {"distributed", distributed},
                 {"modelledNs", modelledNs},
                 {"evaluatedAt", evaluatedAt},
                 {"mirrorsIdentical", mirrorsIdentical},
                 {"noise", {noise.state().gradientSquared, noise.state().trace, noise.state().weight}},
                 {"dataset", info.dataset},
                 {"trainExamples", info.trainExamples},
                 {"input", input->save()},
                 {"clocks", cluster->state().save(saved.tensors)}};
  if (aborted) saved.state["aborted"] = true;
  strategy->save(*cluster, saved.tensors);
  const bool mayDiffer = !mirrorsIdentical || strategyRow().own != StrategyInfo::Own::Nothing;
  if (mayDiffer && strategyRow().hasCopies) saveDifferingCopies(*cluster, saved.tensors);
  return saved;
}

void Trainer::State::load(const Checkpoint& saved) {
  steps = saved.state.at("step").get<std::int64_t>();
  examples = saved.state.at("examples").get<std::int64_t>();
  // Checkpoints of earlier versions lack it. It differs only where replicas were left out.
  distributed = saved.state.value("distributed", examples);
  modelledNs = saved.state.at("modelledNs").get<std::int64_t>();
  aborted = saved.state.value("aborted", false);
  evaluatedAt = saved.state.at("evaluatedAt").get<std::int64_t>();
  mirrorsIdentical = saved.state.at("mirrorsIdentical").get<bool>();
  // Checkpoints of earlier versions lack it.
  if (const auto found = saved.state.find("noise"); found != saved.state.end())
    noise.setState({found->at(0).get<double>(), found->at(1).get<double>(), found->at(2).get<double>()});
  LAB_CHECK(steps >= 0 && examples >= 0 && distributed >= examples && modelledNs >= 0);
  input->load(saved.state.at("input"));
  cluster->state().load(saved.state.at("clocks"), saved.tensors);
  strategy->load(*cluster, saved.tensors);
  if (strategyRow().hasCopies) loadDifferingCopies(*cluster, saved.tensors);
}

void Trainer::shareMirrorCopies() {
  State& s = *state_;
  s.reacquire();
  const StrategyInfo& row = s.strategyRow();
  if (!row.hasCopies || (row.own == StrategyInfo::Own::Nothing && s.mirrorsIdentical)) s.cluster->copies().useOne();
}

void Trainer::startFrom(const Checkpoint& parent) {
  State& s = *state_;
  s.reacquire();
  const ResolvedSettings was = unchecked(configFromJson(parent.config));
  const bool sameCluster =
      was.strategy == s.config().strategy && was.replicas == s.config().replicas && was.hosts == s.config().hosts;
  if (sameCluster) {
    s.load(parent);
  } else {
    if (hasDifferingCopies(parent.tensors))
      throw UserError(say::copiesDiffer, Option{"strategy"}, Option{"replicas"}, Option{"hosts"});
    Checkpoint state = parent;
    state.state["clocks"] = s.cluster->state().clocksAt(parent.state.at("clocks"), stepOf(parent));
    s.load(state);
  }
  const Lineage& lineage = s.info.lineage;
  if (const std::int64_t atNs = !lineage.empty() && lineage.back().fault ? lineage.back().fault->atNs : 0; atNs > 0) {
    const std::int64_t wasNs = s.cluster->replica(0).clock.nowNs();
    if (atNs < std::max(wasNs, s.modelledNs)) throw UserError(say::badLineage, "atNs");
    // A synchronous step begins where the previous one ended; for asynchronous steps the clock itself counts.
    s.modelledNs = s.strategyRow().synchronous ? s.modelledNs + atNs - wasNs : atNs;
    s.strategy->restart(*s.cluster, atNs);
  }
  s.info.firstStep = s.steps + 1;
}

void Trainer::State::checkpoint() {
  settle();
  if (config().devices == DeviceChoice::Processes && !mirrorsIdentical)
    throw UserError(UserError::Kind::Run, say::copiesDifferAmongProcesses, steps);
  // If there are several processes, the first one saves its variables for all, together with the others' parts of them,
  // and the own statistics of every replica, which are gathered.
  if (!isReporter(config())) {
    checkpointedAt = steps;
    TensorFile none;
    cluster->movingStatistics().save(none);
    (void)cluster->copies().of(0);
    return;
  }
  Checkpoint state = save();
  state.state["examplesDigest"] = examplesDigest;
  if (!info.lineage.empty()) state.state["branches"] = lineageToJson(info.lineage);
  checkpointedAt = steps;
  if (tensorNotFinite(state.tensors).empty()) {
    withFiles(config(), steps, [&] { writeCheckpoint(config().checkpointDir, steps, state); });
  } else if (notWritten.empty()) {
    // Nobody could resume it, and it would push out earlier checkpoints, which can be resumed.
    notWritten.emplace_back(say::checkpointsFrom, steps);
  }
}

void Trainer::State::resume() {
  const Checkpoint saved = newestCheckpoint(config());
  checkSameRun(saved.config, config());
  if (saved.state.value("branches", nlohmann::json::array()) != lineageToJson(info.lineage))
    throw UserError(say::otherBranch, File{config().checkpointDir});
  try {
    // Checkpoints of earlier versions lack the digest.
    if (saved.state.at("dataset") != info.dataset || saved.state.at("trainExamples") != info.trainExamples ||
        saved.state.value("examplesDigest", examplesDigest) != examplesDigest)
      throw UserError(say::otherExamples, File{config().checkpointDir}, saved.state.at("dataset").get<std::string>());
    if (const std::string name = tensorNotFinite(saved.tensors); !name.empty())
      throw UserError(say::checkpointNotFinite, File{config().checkpointDir}, name);
    load(saved);
    checkpointedAt = steps;
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    // The digest was right, so a person or another program wrote this file.
    throw UserError(say::checkpointDoesNotFit, File{config().checkpointDir}, messageOf(error));
  }
  if (const auto peers = process::peers()) peers->setAlike(false);
}

}  // namespace lab

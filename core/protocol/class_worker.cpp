// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/class_worker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/model/network_text.h"
#include "core/protocol/messages.h"

namespace lab::serving {
namespace {

constexpr std::size_t kMostPixelBytes = std::size_t{1} << 30;  // of all examples sent to it
constexpr std::int64_t kMostVariables = std::int64_t{1} << 28;

[[noreturn]] void serverIsWrong() {
  throw UserError(UserError::Kind::Run, say::classServerWrong);
}

}  // namespace

ClassWorker::ClassWorker(const Token& token, const std::string& path, const std::string& name) {
  out_.push_back(encode(Hello{.token = token, .path = path, .name = name}));
}

std::optional<FrameBytes> ClassWorker::next() {
  if (!out_.empty()) {
    FrameBytes bytes = std::move(out_.front());
    out_.pop_front();
    return bytes;
  }
  if (pushing_.empty()) return std::nullopt;
  FrameBytes bytes = nextChunk(shape(), pushing_, pushedAt_);
  if (pushedAt_ == pushing_.size()) {
    pushing_.clear();
    if (waiting_) finish(std::move(*std::exchange(waiting_, std::nullopt)));
  }
  return bytes;
}

WireShape ClassWorker::shape() const {
  return {welcome_->weights, welcome_->statistics, welcome_->wire};
}

void ClassWorker::received(std::span<const std::uint8_t> bytes) {
  if (const auto chunk = viewChunk(bytes)) return take(*chunk);
  const std::optional<Frame> frame = decode(bytes);
  if (!frame) serverIsWrong();
  if (const auto* dropped = std::get_if<Dropped>(&*frame)) {
    sentAway_ = dropped->reason;
  } else if (const auto* welcome = std::get_if<Welcome>(&*frame)) {
    if (welcome_) serverIsWrong();
    take(*welcome);
  } else if (!welcome_) {
    serverIsWrong();
  } else if (const auto* pictures = std::get_if<Pictures>(&*frame)) {
    take(*pictures);
  } else if (const auto* closure = std::get_if<Closure>(&*frame)) {
    take(*closure);
  } else if (const auto* variables = std::get_if<Variables>(&*frame)) {
    take(*variables);
  } else if (const auto* refused = std::get_if<Refused>(&*frame)) {
    if (closure_ && closure_->number == refused->closure) closure_.reset();
    if (job_ && job_->closure == refused->closure) job_.reset();
  } else if (const auto* applied = std::get_if<Applied>(&*frame)) {
    ++applied_;
    stalenessSum_ += applied->staleness;
  } else if (std::holds_alternative<End>(*frame)) {
    over_ = true;
  } else if (!std::holds_alternative<Pause>(*frame) && !std::holds_alternative<Progress>(*frame)) {
    serverIsWrong();
  }
}

void ClassWorker::take(const Welcome& welcome) {
  const NeuralNetwork network = parseNetworkText(welcome.network, "network");
  if (!network.whyNotTrained().empty()) serverIsWrong();  // no class has one; the worker could not compute with it
  if (network.layout().size() != welcome.weights || network.statistics().size() != welcome.statistics ||
      network.layout().size() > kMostVariables || welcome.mostExamples > kMostClosureExamples)
    serverIsWrong();
  pictureBytes_ = network.inputSize();
  classes_ = network.classes();
  welcome_ = welcome;
  out_.push_back(encode(Pull{}));
}

void ClassWorker::take(const Pictures& pictures) {
  if (pictures.pictureBytes != pictureBytes_ || pixels_.size() + pictures.pixels.size() > kMostPixelBytes)
    serverIsWrong();
  for (std::size_t i = 0; i < pictures.indices.size(); ++i) {
    if (pictures.labels[i] >= classes_ || !places_.emplace(pictures.indices[i], labels_.size()).second) serverIsWrong();
    labels_.push_back(pictures.labels[i]);
    const auto first = pictures.pixels.begin() + static_cast<std::ptrdiff_t>(i * pictures.pictureBytes);
    pixels_.insert(pixels_.end(), first, first + pictures.pictureBytes);
  }
}

// Replaces the present closure, which has gone to another worker.
void ClassWorker::take(const Closure& closure) {
  if (!std::isfinite(closure.scale)) serverIsWrong();
  for (const std::uint32_t example : closure.examples)
    if (!places_.contains(example)) serverIsWrong();
  closure_ = closure;
  job_.reset();
}

void ClassWorker::take(const Variables& variables) {
  if (expected_ || variables.floats != welcome_->weights + welcome_->statistics) serverIsWrong();
  expected_ = variables;
  values_.begin(shape());
}

void ClassWorker::take(const ChunkView& chunk) {
  if (!expected_ || !values_.take(chunk)) serverIsWrong();
  if (values_.left() > 0) return;
  const Variables variables = *std::exchange(expected_, std::nullopt);
  if (!closure_ || closure_->number != variables.closure) return;  // it has gone to another worker meanwhile
  Job job{.closure = variables.closure,
          .version = variables.version,
          .seed = welcome_->seed,
          .step = static_cast<std::int64_t>(closure_->step),
          .globalOffset = static_cast<std::int64_t>(closure_->globalOffset),
          .scale = closure_->scale,
          .wire = welcome_->wire};
  const auto size = static_cast<std::size_t>(pictureBytes_);
  for (const std::uint32_t example : closure_->examples) {
    const std::size_t place = places_.at(example);
    job.labels.push_back(labels_[place]);
    const auto first = pixels_.begin() + static_cast<std::ptrdiff_t>(place * size);
    job.pixels.insert(job.pixels.end(), first, first + static_cast<std::ptrdiff_t>(size));
  }
  job.variables = values_.values();
  job_ = std::move(job);
}

std::optional<Job> ClassWorker::takeJob() {
  return std::exchange(job_, std::nullopt);
}

void ClassWorker::finish(Result result) {
  if (!closure_ || closure_->number != result.closure) return;
  if (!pushing_.empty()) {
    waiting_ = std::move(result);
    return;
  }
  closure_.reset();
  out_.push_back(encode(Pull{}));  // answered when the push has been applied
  out_.push_back(encode(Push{.closure = result.closure,
                             .version = result.version,
                             .lossSum = result.lossSum,
                             .correct = static_cast<std::uint32_t>(result.correct),
                             .floats = static_cast<std::uint32_t>(result.gradients.size()),
                             .computeNs = static_cast<std::uint64_t>(result.computeNs)}));
  pushing_ = std::move(result.gradients);
  pushedAt_ = 0;
}

void ClassWorker::leave() {
  if (welcome_ && pushing_.empty()) out_.push_back(encode(Leave{}));
}

}  // namespace lab::serving

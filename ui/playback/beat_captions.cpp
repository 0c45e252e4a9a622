// SPDX-License-Identifier: GPL-3.0-or-later
// Captions about the losses, an epoch's end, the test step, and TensorFlow's log of a reduction.
#include "core/model/neural_network.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"

namespace lab {

QString datasetName(const RunInfo& info) {
  if (info.data != nullptr && info.data->own) return tr("custom data");
  if (info.dataset == "mnist") return QStringLiteral("MNIST");
  if (info.dataset == "fashion-mnist") return QStringLiteral("Fashion-MNIST");
  if (info.dataset == "cifar10") return QStringLiteral("CIFAR-10");
  if (info.dataset == "colour") return tr("the built-in digits in colour");
  if (info.dataset == "digits") return tr("the built-in digits");
  return QString::fromStdString(info.dataset);
}

QString startupCaption(const CaptionMoment& at) {
  const std::vector<BeatStep> steps = startUpSteps(at.info, at.record);
  if (!steps.empty() && (!at.isClockOn || at.info.replicas == 1)) return sayingAt(steps, at.part);
  // Happened with the variables' creation, before the first call was traced: the clock starts to run only here.
  return tr("Shown last: creating the variables copies the first replica's weights to the others, so that all begin "
            "with the same %1.")
      .arg(weightsName(0));
}

QString lossesCaption(const RunInfo& info, const StepRecord& record, double part) {
  const LossParts losses = lossParts(info, record);
  const bool loop = info.config.lossReduction == LossReduction::Loop;
  if (part < kLossesSummed && !loop && losses.used == 1)
    return tr("The loss of the only replica that counts: the mean over its own images.");
  if (part < kLossesSummed)
    return loop ? tr("Each replica's loss: the sum over its own images, divided by the global batch.")
                : tr("Each replica's loss: the mean over its own images, divided by the %1 replicas.")
                      .arg(countText(losses.used));
  const QString sum =
      tr("strategy.reduce(SUM) adds them: %1.").arg(writtenSum(losses.parts).whole()) + QLatin1Char(' ');
  // Images of replicas that were left out are in the batch, but not in the mean.
  const bool isPart = record.metric.dropped() > 0;
  if (losses.isReported)
    return sum + (isPart ? tr("That is the step's loss, the mean over the images that count.")
                         : tr("That is the step's loss, the mean over all images."));
  return loop ? sum + tr("This batch is short; the mean over its images, as reported, is %1.")
                          .arg(lossNumber(losses.reported))
              : sum + (isPart ? tr("The shares are unequal; the mean over the images that count, as reported, is %1.")
                              : tr("The shares are unequal; the mean over all images, as reported, is %1."))
                          .arg(lossNumber(losses.reported));
}

QString wrongLossesCaption(const RunInfo& info, const StepRecord& record) {
  const std::int64_t times = lossParts(info, record).timesTooLarge;
  if (times == 0)
    return tr(
        "WRONG on purpose (menu View): each replica's loss is divided by its own batch, and the sum is too large.");
  if (times == 1)
    return tr(
        "WRONG on purpose (menu View): each replica's loss is divided by its own batch. With one replica in the sum, "
        "that is no difference.");
  return tr("WRONG on purpose (menu View): each replica's loss is divided by its own batch, and the sum is %1 times "
            "too "
            "large.")
      .arg(countText(times));
}

QString lossesNote(const RunInfo& info) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  if (strategy.simulatedOnly)
    return tr(
        "The order is TensorFlow's: run returns after the update. The sum's few bytes are not in the step's time.");
  // Only ReductionToOneDevice logs that. Among several hosts TensorFlow sums by collectives, also in a host's memory.
  if (strategy.beyondTensorFlow || strategy.severalMachines)
    return tr("The few bytes of this sum are not in the step's time.");
  return tr(
      "TensorFlow logs this sum: “Reduce to CPU:0 then broadcast to (CPU:0)”. Its few bytes are not in the time.");
}

QString epochCaption(const RunInfo& info, const StepRecord& record) {
  return tr("Epoch %1 is over: the mean of its %2 steps' losses is what a custom loop prints.")
      .arg(countText(epochOf(info, record)), countText(info.stepsPerEpoch));
}

QString epochNote(const RunInfo&) {
  return tr("fit prints a running mean over all images so far: with a short last batch the two differ a little.");
}

QString evaluateCaption(const RunInfo& info) {
  const int images = plural(info.testExamples);
  if (info.isClass)
    return tr("The server alone counts how many of %Ln test images are recognised: the workers have none.", nullptr,
              images);
  if (info.replicas == 1)
    return tr("The test step counts how many of %Ln test images are recognised.", nullptr, images);
  if (!strategyInfo(info.config.strategy).synchronous)
    return tr("The test step: %Ln test images are shared by the workers; the counts of right answers are added.",
              nullptr, images);
  return tr("The test step: %Ln test images are distributed, each replica counts its right answers, reduce(SUM) adds.",
            nullptr, images);
}

QString inputNote(const RunInfo& info) {
  if (info.config.shuffleBuffer <= 1)
    return tr("All images are in this program's memory: nothing is read from files again.");
  return tr(
      "The buffer works like tf.data's; the random numbers are StrategyLab's own. Images stay in memory, as bytes.");
}

QString logNote(const RunInfo& info) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  if (info.replicas == 1 || strategy.simulatedOnly || strategy.beyondTensorFlow || strategy.severalMachines) return {};
  if (info.reducer == "one-device" && info.parameterDevices > 0)
    return tr(
        "TensorFlow's log says of these gradients: “Reduce to CPU:0 then broadcast to (…)”, once per variable, when "
        "the step is traced.");
  if (info.reducer == "one-device")
    return tr(
        "TensorFlow's log says of these gradients: “Reduce to … then broadcast to (…)”, once per variable, when the "
        "step is traced.");
  if (info.reducer == "hierarchical")
    return tr(
        "TensorFlow logs “algorithm = hierarchical_copy” for these gradients; “Reduce to CPU:0 …” is about losses and "
        "metrics.");
  return tr("“Reduce to CPU:0 then broadcast” in TensorFlow's log is about losses and metrics, not these gradients.");
}

QString logExplanation(const RunInfo& info) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  const QString line =
      tr("The log line “INFO:tensorflow:Reduce to /job:localhost/replica:0/task:0/device:CPU:0 then broadcast to (…)” "
         "comes only from ReductionToOneDevice, when a step is traced or runs eagerly, each text at most 10 times.");
  QString here;
  if (strategy.beyondTensorFlow)
    here = tr("TensorFlow has no such strategy, so it logs nothing about it.");
  else if (!strategy.synchronous)
    here = tr("Here gradients go to the servers without it; only a worker with several GPUs would add on its CPU:0.");
  else if (strategy.simulatedOnly)
    here = tr("On a TPU the sum is part of the compiled program: TensorFlow logs nothing about it.");
  else if (info.replicas == 1)
    here = tr("With one replica nothing is reduced.");
  else if (strategy.severalMachines)
    here = tr("Here it does not appear: losses and metrics are summed by collectives, as gradients are.");
  else if (info.reducer == "one-device")
    here = tr("Here it is about the gradients, once for each variable.");
  else
    here =
        tr("Here it is about losses and metrics. About gradients TensorFlow logs once “Collective all_reduce tensors: "
           "%1 all_reduces, …”, with the ring or NCCL.")
            .arg(info.network->layout().variables().size());
  return line + QLatin1Char(' ') + here;
}

}  // namespace lab

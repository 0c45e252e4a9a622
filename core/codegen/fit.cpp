// SPDX-License-Identifier: GPL-3.0-or-later
// Generates training by Keras's fit: one line that does everything.
#include "core/codegen/parts.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

void addCheckedFit(ProgramLines& lines, const ProgramParts& parts) {
  const std::string loss = parts.config.lossReduction == LossReduction::Loop ? "mean_loss" : "loss";
  addAside(lines, {Beat::Losses},
           R"(

class PrintLoss(tf.keras.callbacks.Callback):  # of each step: what fit shows is a mean over the epoch so far
    step = 0

    def on_train_batch_begin(self, batch, logs=None):
        self.model.reset_metrics()

    def on_train_batch_end(self, batch, logs=None):
        PrintLoss.step += 1
        loss = self.model.get_metrics_result()[")" +
               loss +
               R"("]  # over all replicas' examples; logs have the mean of their means
        print("LOSS", PrintLoss.step, "%.9g" % loss, flush=True)

)");
  add(lines, {Beat::Batch}, "for epoch in range(1, EPOCHS + 1):");
  add(lines,
      {Beat::Distribute, Beat::Pull, Beat::Forward, Beat::Backward, Beat::Aggregate, Beat::Update, Beat::Check,
       Beat::Losses},
      "    model.fit(train_of(epoch), initial_epoch=epoch - 1, epochs=epoch, callbacks=[PrintLoss()], verbose=0)");
}

}  // namespace

void addFit(ProgramLines& lines, const ProgramParts& parts) {
  if (parts.check()) {
    addCheckedFit(lines, parts);
    return;
  }
  add(lines, {}, "");
  std::string callbacks;
  if (parts.checkpoints()) {
    add(lines, {Beat::Save},
        std::string("backup = tf.keras.callbacks.BackupAndRestore(CHECKPOINT_DIR, save_freq=") +
            (parts.config.checkpointEvery ? "CHECKPOINT_EVERY" : "\"epoch\"") + ", delete_checkpoint=False)");
    callbacks = ", callbacks=[backup]";
  }
  std::string what = parts.steps() ? "train.repeat(), steps_per_epoch=STEPS" : "train, epochs=EPOCHS";
  if (parts.evaluates() && parts.config.epochs > 1 && !parts.steps()) what += ", validation_data=test";
  add(lines,
      {Beat::Input, Beat::Batch, Beat::Distribute, Beat::Pull, Beat::Forward, Beat::Backward, Beat::Aggregate,
       Beat::Update, Beat::Check, Beat::Losses, Beat::Epoch},
      "model.fit(" + what + callbacks + ")");
  if (parts.evaluates()) add(lines, {Beat::Evaluate}, "model.evaluate(test)");
}

}  // namespace lab

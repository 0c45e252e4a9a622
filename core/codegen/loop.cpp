// SPDX-License-Identifier: GPL-3.0-or-later
// Generates a custom training loop: what one replica does, how the strategy runs it on all, and the epochs around it.
#include "core/codegen/parts.h"
#include "core/options/network_of.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

void append(ProgramLines& lines, const ProgramLines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

void addTrainStep(ProgramLines& lines, const ProgramParts& parts) {
  const bool fit = parts.config.lossReduction == LossReduction::Fit;
  add(lines, {}, "\n");
  add(lines, {Beat::Forward, Beat::Backward, Beat::Aggregate, Beat::Update},
      "def train_step(images, labels):  # what one replica does with its part");
  add(lines, {Beat::Backward}, "    with tf.GradientTape() as tape:");
  add(lines, {Beat::Pull, Beat::Forward}, "        logits = model(images, training=True)");
  add(lines, {Beat::Forward},
      "        losses = tf.keras.losses.sparse_categorical_crossentropy(labels, logits, " +
          fromLogits(*networkOf(parts.config)) + ")");
  add(lines, {Beat::Forward},
      fit ? "        loss = tf.nn.compute_average_loss(losses)  # as fit: the mean of its own examples / replicas"
          : "        loss = tf.nn.compute_average_loss(losses, global_batch_size=GLOBAL_BATCH_SIZE)");
  add(lines, {Beat::Backward}, "    gradients = tape.gradient(loss, model.trainable_variables)");
  add(lines, {Beat::Aggregate, Beat::Update, Beat::Apply, Beat::Check},
      "    optimizer.apply_gradients(zip(gradients, model.trainable_variables))");
  if (parts.check())
    addAside(lines, {Beat::Losses},
             "    return tf.stack([tf.reduce_sum(losses), tf.cast(tf.size(losses), tf.float32)])");
  else
    add(lines, {Beat::Losses}, "    return loss");
}

void addDistributedSteps(ProgramLines& lines, const ProgramParts& parts) {
  add(lines, {}, "\n");
  if (!parts.own.step.empty()) {
    append(lines, parts.own.step);
  } else {
    add(lines, {Beat::Forward, Beat::Backward, Beat::Aggregate, Beat::Update}, R"(
@tf.function
def distributed_train_step(images, labels):
    losses = strategy.run(train_step, args=(images, labels)))");
    add(lines, {Beat::Losses}, "    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)");
  }
  if (!parts.evaluates()) return;
  add(lines, {Beat::Evaluate}, R"(


def test_step(images, labels):
    answers = tf.argmax(model(images, training=False), axis=1)
    return tf.math.count_nonzero(answers == tf.cast(labels, tf.int64))

)");
  if (!parts.own.evaluation.empty()) {
    append(lines, parts.own.evaluation);
    return;
  }
  add(lines, {Beat::Evaluate}, R"(
@tf.function
def distributed_test_step(images, labels):
    right = strategy.run(test_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, right, axis=None)


def evaluate():
    right = sum(int(distributed_test_step(images, labels)) for images, labels in test_batches))");
  add(lines, {Beat::Evaluate}, parts.spoken("    ", R"(print(f"test accuracy {right / len(test_images):.4f}"))"));
}

void addCheckpoints(ProgramLines& lines, const ProgramParts& parts) {
  if (!parts.checkpoints()) return;
  if (!parts.own.speaker.empty())
    add(lines, {Beat::Save}, "if not " + parts.own.speaker + R"(:  # all take part in saving; only one's files are kept
    CHECKPOINT_DIR = os.path.join(CHECKPOINT_DIR, f"of_worker_{strategy.cluster_resolver.task_id}"))");
  add(lines, {Beat::Save}, R"(
steps_done = tf.Variable(0, dtype=tf.int64)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, steps_done=steps_done)
manager = tf.train.CheckpointManager(checkpoint, CHECKPOINT_DIR, max_to_keep=3))");
  if (parts.config.resume)
    add(lines, {Beat::Save}, "checkpoint.restore(manager.latest_checkpoint)  # not the place in the epoch");
}

void addStepEnd(ProgramLines& lines, const ProgramParts& parts) {
  const ResolvedSettings& config = parts.config;
  if (parts.evaluates() && config.evalEvery)
    add(lines, {Beat::Evaluate}, "        if step % EVAL_EVERY == 0:\n            evaluate()");
  if (parts.checkpoints() && config.checkpointEvery)
    add(lines, {Beat::Save},
        "        if step % CHECKPOINT_EVERY == 0:\n            steps_done.assign(step)\n            manager.save()");
}

void addBatches(ProgramLines& lines, const ProgramParts& parts) {
  if (parts.check())
    add(lines, {Beat::Distribute}, "    train_batches = strategy.experimental_distribute_dataset(train_of(epoch))");
  add(lines, {Beat::Distribute}, "    for images, labels in train_batches:");
  if (parts.steps()) add(lines, {}, "        if step == STEPS:\n            break");
  add(lines, {}, "        step += 1");
  if (parts.check()) {
    add(lines, {Beat::Forward, Beat::Backward, Beat::Aggregate, Beat::Update, Beat::Losses},
        "        total, count = distributed_train_step(images, labels)");
    addAside(lines, {Beat::Losses},
             parts.spoken("        ", R"(print("LOSS", step, "%.9g" % (total / count), flush=True))"));
  } else {
    add(lines, {Beat::Forward, Beat::Backward, Beat::Aggregate, Beat::Update, Beat::Losses},
        "        losses.append(distributed_train_step(images, labels))");
  }
  addStepEnd(lines, parts);
}

// Generates the head of the loop over epochs.
void addEpochs(ProgramLines& lines, const ProgramParts& parts) {
  const std::string epochsDone = parts.resumes() ? "step // STEPS_PER_EPOCH" : "0";
  add(lines, {}, parts.resumes() ? "step = int(steps_done)  # more than 0 where it goes on" : "step = 0");
  add(lines, {},
      parts.steps() ? "epoch = " + epochsDone + "\nwhile step < STEPS:\n    epoch += 1"
                    : "for epoch in range(" + (parts.resumes() ? epochsDone + " + 1" : "1") + ", EPOCHS + 1):");
}

}  // namespace

void addSteps(ProgramLines& lines, const ProgramParts& parts) {
  addTrainStep(lines, parts);
  addDistributedSteps(lines, parts);
}

void addLoop(ProgramLines& lines, const ProgramParts& parts) {
  add(lines, {}, "\n");
  addCheckpoints(lines, parts);
  if (!parts.own.distribute.empty()) {
    append(lines, parts.own.distribute);
  } else {
    if (!parts.check())
      add(lines, {Beat::Distribute}, "train_batches = strategy.experimental_distribute_dataset(train)");
    if (parts.evaluates() && parts.own.evaluation.empty())
      add(lines, {Beat::Evaluate}, "test_batches = strategy.experimental_distribute_dataset(test)");
  }
  addEpochs(lines, parts);
  if (!parts.check() && parts.countsSteps()) add(lines, {Beat::Losses}, "    losses = []");
  parts.countsSteps() ? addBatches(lines, parts) : append(lines, parts.own.epoch);
  if (!parts.check())
    add(lines, {Beat::Losses}, parts.spoken("    ", R"(print(f"epoch {epoch}: loss {np.mean(losses):.4f}"))"));
  if (parts.evaluates() && (!parts.config.evalEvery || !parts.countsSteps()))
    add(lines, {Beat::Evaluate}, "    evaluate()");
  if (parts.checkpoints() && (!parts.config.checkpointEvery || !parts.countsSteps()))
    add(lines, {Beat::Save}, "    steps_done.assign(step)\n    manager.save()");
}

}  // namespace lab

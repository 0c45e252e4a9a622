# MirroredStrategy, 3 replicas: a custom training loop. Needs `pip install tensorflow` (made for 2.21 with Keras 3).
# StrategyLab's devices are simulated (v100, nvlink2); TensorFlow runs on those that there are.
# Keras writes no safetensors: the weights go to a .keras file, which StrategyLab reads.
import json
import math
import os

import numpy as np
import tensorflow as tf

REPLICAS = 3
GLOBAL_BATCH_SIZE = 100
EPOCHS = 3
SEED = 7
INIT = "init.safetensors"
CHECKPOINT_DIR = "backup"
CHECKPOINT_EVERY = 50
EVAL_EVERY = 20

devices = [f"GPU:{i}" for i in range(REPLICAS)]
if len(tf.config.list_physical_devices("GPU")) < REPLICAS:  # parts of this processor stand in for them
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * REPLICAS)
    devices = [f"CPU:{i}" for i in range(REPLICAS)]
strategy = tf.distribute.MirroredStrategy(devices, cross_device_ops=tf.distribute.ReductionToOneDevice())
tf.keras.utils.set_random_seed(SEED)
print("replicas in sync:", strategy.num_replicas_in_sync)

(train_images, train_labels), (test_images, test_labels) = tf.keras.datasets.mnist.load_data()
train_images, train_labels = train_images[:5000], train_labels[:5000]
test_images, test_labels = test_images[:100], test_labels[:100]
STEPS_PER_EPOCH = math.ceil(len(train_images) / GLOBAL_BATCH_SIZE)


def scale(image, label):
    return tf.cast(image, tf.float32)[..., tf.newaxis] / 255, label


train = tf.data.Dataset.from_tensor_slices((train_images, train_labels))
train = train.map(scale).cache().batch(GLOBAL_BATCH_SIZE)
test = tf.data.Dataset.from_tensor_slices((test_images, test_labels))
test = test.map(scale).batch(GLOBAL_BATCH_SIZE)


def read_safetensors(name):  # a header in JSON, then the values
    content = open(name, "rb").read()
    size = int.from_bytes(content[:8], "little")
    tensors = {}
    for key, tensor in json.loads(content[8:8 + size]).items():
        if key != "__metadata__":
            begin, end = tensor["data_offsets"]
            tensors[key] = np.frombuffer(content[8 + size + begin:8 + size + end], "<f4").reshape(tensor["shape"])
    return tensors


LEARNING_RATE = 0.05 * (GLOBAL_BATCH_SIZE / 64) ** 0.5  # scaled by the root
WARMUP_STEPS = 0.5 * STEPS_PER_EPOCH  # the rate rises linearly: a polynomial of degree 1
LEARNING_RATE = tf.keras.optimizers.schedules.PolynomialDecay(
    0.05 if LEARNING_RATE > 0.05 else 0.0, WARMUP_STEPS, LEARNING_RATE)

with strategy.scope():  # what is created here is the strategy's
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(10),
    ])
    tensors = read_safetensors(INIT)
    names = ["conv2d/kernel", "conv2d/bias", "dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"]
    model.set_weights([tensors[name] for name in names])
    optimizer = tf.keras.optimizers.SGD(LEARNING_RATE, momentum=0.9)
    optimizer.build(model.trainable_variables)


def train_step(images, labels):  # what one replica does with its part
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        losses = tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        loss = tf.nn.compute_average_loss(losses, global_batch_size=GLOBAL_BATCH_SIZE)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def distributed_train_step(images, labels):
    losses = strategy.run(train_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


def test_step(images, labels):
    answers = tf.argmax(model(images, training=False), axis=1)
    return tf.math.count_nonzero(answers == tf.cast(labels, tf.int64))


@tf.function
def distributed_test_step(images, labels):
    right = strategy.run(test_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, right, axis=None)


def evaluate():
    right = sum(int(distributed_test_step(images, labels)) for images, labels in test_batches)
    print(f"test accuracy {right / len(test_images):.4f}")


steps_done = tf.Variable(0, dtype=tf.int64)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, steps_done=steps_done)
manager = tf.train.CheckpointManager(checkpoint, CHECKPOINT_DIR, max_to_keep=3)
train_batches = strategy.experimental_distribute_dataset(train)
test_batches = strategy.experimental_distribute_dataset(test)
step = 0
for epoch in range(1, EPOCHS + 1):
    losses = []
    for images, labels in train_batches:
        step += 1
        losses.append(distributed_train_step(images, labels))
        if step % EVAL_EVERY == 0:
            evaluate()
        if step % CHECKPOINT_EVERY == 0:
            steps_done.assign(step)
            manager.save()
    print(f"epoch {epoch}: loss {np.mean(losses):.4f}")

model.save("w.keras")

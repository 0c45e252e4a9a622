# CentralStorageStrategy, 2 replicas: a custom training loop. Needs `pip install tensorflow` (made for 2.21 with Keras
# 3).
# Keras 3's fit trains right under CentralStorageStrategy and reports wrong losses and accuracies (its metrics double
# at each step). With tf_keras and TF_USE_LEGACY_KERAS=1 they are right. So this is the custom loop.
# It prints LOSS, step and the mean loss over the step's examples before the update, to compare with `strategylab-cli
# train --metrics`.
# StrategyLab's devices are simulated (v100, pcie3_x16); TensorFlow runs on those that there are.
import gzip
import math
import os
import pathlib

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # its sums have another order
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

tf.config.experimental.enable_tensor_float_32_execution(False)  # GPUs round float32 otherwise

REPLICAS = 2
BATCH_SIZE_PER_REPLICA = 64
BUFFER_SIZE = 10000
EPOCHS = 1
SEED = 1
DATA_DIR = "mnist"

devices = [f"GPU:{i}" for i in range(REPLICAS)]
if len(tf.config.list_physical_devices("GPU")) < REPLICAS:  # parts of this processor stand in for them
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * (REPLICAS + 1))
    devices = [f"CPU:{i + 1}" for i in range(REPLICAS)]
strategy = tf.distribute.experimental.CentralStorageStrategy(
    compute_devices=devices, parameter_device="CPU:0")  # where the one copy of every variable is
tf.keras.utils.set_random_seed(SEED)
print("replicas in sync:", strategy.num_replicas_in_sync)
GLOBAL_BATCH_SIZE = BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync


def read_idx(name):  # a file of bytes with its dimensions in front
    folder = pathlib.Path(DATA_DIR)
    folders = folder, folder / "mnist", folder / "MNIST" / "raw"
    names = [name + dot + kind + end for dot in "-." for kind in ("idx3-ubyte", "idx1-ubyte") for end in ("", ".gz")]
    for path in [folder / name for folder in folders for name in names]:
        if path.exists():
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            shape = np.frombuffer(content, ">i4", content[3], 4)
            return np.frombuffer(content, np.uint8, offset=4 + 4 * len(shape)).reshape(shape)
    raise FileNotFoundError(f"{name} in {DATA_DIR}")


train_images, train_labels = read_idx("train-images"), read_idx("train-labels")
test_images, test_labels = read_idx("t10k-images"), read_idx("t10k-labels")


class Rng:  # StrategyLab's: xoshiro256** seeded through splitmix64
    MASK = 2**64 - 1

    def __init__(self, seed, stream):
        self.state, y = [], self.mixed(seed + 0x9E3779B97F4A7C15) ^ (stream * 0xD1342543DE82EF95 & self.MASK)
        for i in range(1, 5):
            self.state.append(self.mixed(y + i * 0x9E3779B97F4A7C15))

    def mixed(self, x):
        z = x & self.MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & self.MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & self.MASK
        return z ^ z >> 31

    def rotated(self, x, by):
        return (x << by | x >> 64 - by) & self.MASK

    def next(self):
        a, b, c, d = self.state
        result = self.rotated(b * 5 & self.MASK, 7) * 9 & self.MASK
        c, d = c ^ a, d ^ b
        self.state = [a ^ d, b ^ c, c ^ (b << 17 & self.MASK), self.rotated(d, 45)]
        return result

    def below(self, bound):
        product = self.next() * bound
        while product & self.MASK < 2**64 % bound:
            product = self.next() * bound
        return product >> 64

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53


def order_of(epoch, examples):  # as StrategyLab's shuffle(BUFFER_SIZE) draws it
    rng, buffer, order = Rng(SEED, (0x53 << 56) ^ epoch), list(range(min(BUFFER_SIZE, examples))), []
    following = len(buffer)
    while buffer:
        slot = rng.below(len(buffer))
        order.append(buffer[slot])
        if following < examples:
            buffer[slot] = following
            following += 1
        else:
            buffer[slot] = buffer[-1]
            buffer.pop()
    return np.array(order)


def initial_weights(index, shape):  # Glorot uniform, as StrategyLab draws it
    if len(shape) < 2:
        return np.zeros(shape, np.float32)
    limit, rng = math.sqrt(6 / (math.prod(shape[:-2]) * (shape[-2] + shape[-1]))), Rng(SEED, 1 + index)
    values = [(2 * rng.uniform() - 1) * limit for _ in range(math.prod(shape))]
    return np.array(values, np.float32).reshape(shape)


def scale(image, label):
    return tf.cast(image, tf.float32)[..., tf.newaxis] / 255, label


def train_of(epoch):  # from 1
    order = order_of(epoch - 1, len(train_images))
    train = tf.data.Dataset.from_tensor_slices((train_images[order], train_labels[order]))
    train = train.map(scale).batch(GLOBAL_BATCH_SIZE)
    return train


LEARNING_RATE = 0.001

with strategy.scope():  # what is created here is the strategy's
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(10),
    ])
    shapes = [(3, 3, 1, 32), (32,), (5408, 64), (64,), (64, 10), (10,)]
    model.set_weights([initial_weights(i, shape) for i, shape in enumerate(shapes)])
    optimizer = tf.keras.optimizers.Adam(LEARNING_RATE)
    optimizer.build(model.trainable_variables)


def train_step(images, labels):  # what one replica does with its part
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        losses = tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        loss = tf.nn.compute_average_loss(losses)  # as fit: the mean of its own examples / replicas
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return tf.stack([tf.reduce_sum(losses), tf.cast(tf.size(losses), tf.float32)])


@tf.function
def distributed_train_step(images, labels):
    losses = strategy.run(train_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


step = 0
for epoch in range(1, EPOCHS + 1):
    train_batches = strategy.experimental_distribute_dataset(train_of(epoch))
    for images, labels in train_batches:
        step += 1
        total, count = distributed_train_step(images, labels)
        print("LOSS", step, "%.9g" % (total / count), flush=True)

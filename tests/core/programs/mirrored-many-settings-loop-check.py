# MirroredStrategy, 3 replicas: a custom training loop. Needs `pip install tensorflow` (made for 2.21 with Keras 3).
# It prints LOSS, step and the mean loss over the step's examples before the update, to compare with `strategylab-cli
# train --metrics`.
# StrategyLab's devices are simulated (v100, nvlink2); TensorFlow runs on those that there are.
import gzip
import json
import math
import os
import pathlib

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # its sums have another order
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

tf.config.experimental.enable_tensor_float_32_execution(False)  # GPUs round float32 otherwise

REPLICAS = 3
GLOBAL_BATCH_SIZE = 100
EPOCHS = 3
SEED = 7
DATA_DIR = "mnist"
INIT = "init.safetensors"

devices = [f"GPU:{i}" for i in range(REPLICAS)]
if len(tf.config.list_physical_devices("GPU")) < REPLICAS:  # parts of this processor stand in for them
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * REPLICAS)
    devices = [f"CPU:{i}" for i in range(REPLICAS)]
strategy = tf.distribute.MirroredStrategy(devices, cross_device_ops=tf.distribute.ReductionToOneDevice())
tf.keras.utils.set_random_seed(SEED)
print("replicas in sync:", strategy.num_replicas_in_sync)


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
train_images, train_labels = train_images[:5000], train_labels[:5000]
test_images, test_labels = test_images[:100], test_labels[:100]
STEPS_PER_EPOCH = math.ceil(len(train_images) / GLOBAL_BATCH_SIZE)


def scale(image, label):
    return tf.cast(image, tf.float32)[..., tf.newaxis] / 255, label


def train_of(epoch):  # from 1
    train = tf.data.Dataset.from_tensor_slices((train_images, train_labels))
    train = train.map(scale).batch(GLOBAL_BATCH_SIZE)
    return train


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole training steps of a network in PyTorch, TensorFlow or JAX, timed: shuffling, batching, pixels / 255,
forward, backward, Adam. Prints one JSON line. compare.py runs it; each way of using a framework is a variant, so that
a framework is represented by its fastest one. Nothing is read back between steps, which flatters the peers: ours
computes loss and accuracy of each step."""

import argparse
import gzip
import json
import os
import pathlib
import time

HIDDEN, CLASSES, FILTERS, POOLED = 64, 10, 32, 13

# 3×3 convolutions with relu, those of True with 2×2 maxima behind them; then a dense layer of HIDDEN with relu and one of
# CLASSES. `flat` is what the first dense layer reads.
NETWORKS = {
    "course": {"input": (28, 28, 1), "convolutions": [(FILTERS, True)], "flat": POOLED * POOLED * FILTERS},
    "cifar10": {"input": (32, 32, 3), "convolutions": [(32, True), (64, True), (64, False)], "flat": 4 * 4 * 64},
    # He et al. 2016, projections where the size changes: (filters, stride) of each block. Not in JAX.
    "resnet20": {"input": (32, 32, 3), "blocks": [(16, 1)] * 3 + [(32, 2)] + [(32, 1)] * 2 + [(64, 2)] + [(64, 1)] * 2},
}


def read_idx(path, header):
    import numpy

    opened = gzip.open(path) if path.suffix == ".gz" else open(path, "rb")
    with opened as file:
        return numpy.frombuffer(file.read(), numpy.uint8, offset=header)


def load_mnist(folder):
    """Images (60000, 28, 28, 1) and labels (60000), both uint8."""

    def find(stem):
        for name in (stem + ".gz", stem):
            if (folder / name).exists():
                return folder / name
        raise SystemExit(f"{folder} has no {stem}[.gz]: name a folder with MNIST's IDX files by --data-dir")

    images = read_idx(find("train-images-idx3-ubyte"), 16).reshape(-1, 28, 28, 1)
    return images, read_idx(find("train-labels-idx1-ubyte"), 8)


def load_cifar10(folder):
    """Images (50000, 32, 32, 3) and labels, both uint8, from the binary version: any whole number of records a file."""
    import numpy

    files = sorted(folder.glob("data_batch_*.bin"))
    if not files:
        raise SystemExit(f"{folder} has no data_batch_1.bin: name a folder with CIFAR-10's binary version by --data-dir")
    records = numpy.concatenate([numpy.frombuffer(path.read_bytes(), numpy.uint8).reshape(-1, 3073) for path in files])
    return records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1).copy(), records[:, 0].copy()


def load(network, folder):
    return load_mnist(folder) if network == "course" else load_cifar10(folder)


def timed(steps, seconds, finish):
    """steps: an endless iterator that takes a training step each time; finish waits for what is under way."""
    for _ in range(10):
        next(steps)
    finish()
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        for _ in range(4):
            next(steps)
        count += 4
        finish_often = count % 64 == 0
        if finish_often:
            finish()  # a queue without end would be timed before it is worked off
    finish()
    return count, time.perf_counter() - begin


def torch_residual(network):
    import torch
    nn = torch.nn

    def convolution(channels, filters, side, stride):
        return nn.Sequential(nn.Conv2d(channels, filters, side, stride, padding=side // 2, bias=False),
                             nn.BatchNorm2d(filters, eps=1e-3, momentum=0.01))

    class Block(nn.Module):
        def __init__(self, channels, filters, stride):
            super().__init__()
            self.way = nn.Sequential(convolution(channels, filters, 3, stride), nn.ReLU(), convolution(filters, filters, 3, 1))
            self.shortcut = convolution(channels, filters, 1, stride) if stride > 1 else nn.Identity()

        def forward(self, x):
            return torch.relu(self.way(x) + self.shortcut(x))

    parts, channels = [convolution(network["input"][2], 16, 3, 1), nn.ReLU()], 16
    for filters, stride in network["blocks"]:
        parts.append(Block(channels, filters, stride))
        channels = filters
    return nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, CLASSES))


def tensorflow_residual(network):
    import tensorflow as tf
    layers = tf.keras.layers

    def convolution(x, filters, side, stride):
        x = layers.Conv2D(filters, side, strides=stride, padding="same", use_bias=False)(x)
        return layers.BatchNormalization()(x)

    images = layers.Input(network["input"])
    x = layers.ReLU()(convolution(images, 16, 3, 1))
    for filters, stride in network["blocks"]:
        way = convolution(layers.ReLU()(convolution(x, filters, 3, stride)), filters, 3, 1)
        x = layers.ReLU()(layers.Add()([way, convolution(x, filters, 1, stride) if stride > 1 else x]))
    return tf.keras.Model(images, layers.Dense(CLASSES)(layers.GlobalAveragePooling2D()(x)))


def torch_steps(network, variant, images, labels, batch, threads):
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(1)
    nn = torch.nn
    parts, channels = [], network["input"][2]
    for filters, pooled in network.get("convolutions", []):
        parts += [nn.Conv2d(channels, filters, 3), nn.ReLU()] + ([nn.MaxPool2d(2)] if pooled else [])
        channels = filters
    model = torch_residual(network) if "blocks" in network else nn.Sequential(
        *parts, nn.Flatten(), nn.Linear(network["flat"], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, CLASSES))
    layout = torch.channels_last if "channels-last" in variant else torch.contiguous_format
    model = model.to(memory_format=layout)
    fused = {"fused": True}
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7, **fused)
    loss_of = nn.CrossEntropyLoss()

    def forward_loss(x, y):
        return loss_of(model(x), y)

    if "compiled" in variant:
        forward_loss = torch.compile(forward_loss)
    x_all = torch.from_numpy(images.copy()).permute(0, 3, 1, 2).contiguous()
    y_all = torch.from_numpy(labels.astype("int64"))
    n = len(y_all)

    def steps():
        while True:
            order = torch.randperm(n)
            for first in range(0, n - batch + 1, batch):
                chosen = order[first:first + batch]
                x = x_all[chosen].to(torch.float32).div_(255).contiguous(memory_format=layout)
                optimizer.zero_grad(set_to_none=True)
                forward_loss(x, y_all[chosen]).backward()
                optimizer.step()
                yield

    return steps(), lambda: None, torch.__version__


def tensorflow_steps(network, variant, images, labels, batch, threads):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(threads)
    tf.keras.utils.set_random_seed(1)
    layers = tf.keras.layers
    parts = []
    for filters, pooled in network.get("convolutions", []):
        parts += [layers.Conv2D(filters, 3, activation="relu")] + ([layers.MaxPooling2D()] if pooled else [])
    model = tensorflow_residual(network) if "blocks" in network else tf.keras.Sequential([
        layers.Input(network["input"]), *parts, layers.Flatten(), layers.Dense(HIDDEN, activation="relu"),
        layers.Dense(CLASSES)])
    optimizer = tf.keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function(jit_compile="xla" in variant)
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    data = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(10000).repeat().batch(batch, drop_remainder=True)
    data = data.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y)).prefetch(tf.data.AUTOTUNE)
    last = [None]

    def steps():
        for x, y in data:
            last[0] = step(x, y)
            yield

    return steps(), lambda: last[0].numpy(), tf.__version__


def jax_steps(network, variant, images, labels, batch, threads):
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen=true intra_op_parallelism_threads={threads}"
    import jax
    import jax.numpy as jnp
    import numpy
    import optax

    rng = numpy.random.default_rng(1)

    def glorot(*shape):
        field = int(numpy.prod(shape[:-2]))
        limit = (6 / (field * (shape[-2] + shape[-1]))) ** 0.5
        return jnp.asarray(rng.uniform(-limit, limit, shape), jnp.float32)

    convolutions, channels = [], network["input"][2]
    for filters, _ in network["convolutions"]:
        convolutions.append((glorot(3, 3, channels, filters), jnp.zeros(filters)))
        channels = filters
    weights = {"convolutions": convolutions,
               "dense": glorot(network["flat"], HIDDEN), "dense_bias": jnp.zeros(HIDDEN),
               "logits": glorot(HIDDEN, CLASSES), "logits_bias": jnp.zeros(CLASSES)}
    optimizer = optax.adam(1e-3, eps=1e-7)

    def convolve(x, kernel):
        if "patches" in variant:  # the convolution as a product, which XLA's processor backend does faster
            height, width = x.shape[1] - 2, x.shape[2] - 2
            rows = [x[:, i:i + height, j:j + width] for i in range(3) for j in range(3)]
            return jnp.concatenate(rows, -1) @ kernel.reshape(-1, kernel.shape[-1])
        return jax.lax.conv_general_dilated(x, kernel, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def pool(x):
        if "patches" in variant:
            height, width = x.shape[1] // 2, x.shape[2] // 2
            return x[:, :2 * height, :2 * width].reshape(-1, height, 2, width, 2, x.shape[3]).max((2, 4))
        return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def loss_of(w, x, y):
        for (kernel, bias), (_, pooled) in zip(w["convolutions"], network["convolutions"]):
            x = jax.nn.relu(convolve(x, kernel) + bias)
            x = pool(x) if pooled else x
        h = jax.nn.relu(x.reshape(x.shape[0], -1) @ w["dense"] + w["dense_bias"])
        return optax.softmax_cross_entropy_with_integer_labels(h @ w["logits"] + w["logits_bias"], y).mean()

    @jax.jit
    def step(w, state, x, y):
        loss, gradient = jax.value_and_grad(loss_of)(w, x.astype(jnp.float32) / 255, y)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(w, updates), state, loss

    state, n, last = optimizer.init(weights), len(labels), [None]
    y_all = labels.astype("int32")

    def steps():
        nonlocal weights, state
        while True:
            order = rng.permutation(n)
            for first in range(0, n - batch + 1, batch):
                chosen = order[first:first + batch]
                weights, state, last[0] = step(weights, state, images[chosen], y_all[chosen])
                yield

    return steps(), lambda: last[0].block_until_ready(), jax.__version__


FRAMEWORKS = {
    "pytorch": (torch_steps, ["eager", "channels-last", "compiled", "compiled channels-last"]),
    "tensorflow": (tensorflow_steps, ["graph", "graph xla"]),
    "jax": (jax_steps, ["jit", "jit patches"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framework", choices=FRAMEWORKS, required=True)
    parser.add_argument("--variant", required=True)
    parser.add_argument("--network", choices=NETWORKS, default="course")
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data-dir", type=pathlib.Path, required=True)
    given = parser.parse_args()
    images, labels = load(given.network, given.data_dir)
    make, _ = FRAMEWORKS[given.framework]
    steps, finish, version = make(NETWORKS[given.network], given.variant, images, labels, given.batch, given.threads)
    count, seconds = timed(steps, given.seconds, finish)
    print(json.dumps({"framework": given.framework, "variant": given.variant, "version": version,
                      "imagesPerSecond": count * given.batch / seconds}))


if __name__ == "__main__":
    main()

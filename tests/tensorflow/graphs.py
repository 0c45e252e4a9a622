#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that are graphs, trained step by step here and by Keras in float64 and in float32 from the same weights.

    tfvenv/bin/python tests/tensorflow/graphs.py build/release/bin/strategylab-cli [--only TEXT] [--steps N]

Plain SGD, batches in the file's order. The loss of step 1 must be within 2e-6 of Keras's in float64, relative; over all steps
our distance from it at most three times that of Keras's own float32, plus 2e-6. ResNet-20 is built here as in the paper:
`code` must print the same program for Keras's file as for the network's name. The exit code is 1 where anything differs.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from keras_files import GRAPHS, KINDS, L, keras, np, write_records

BATCH = 32


def resnet20(x):
    def conv(y, filters, side, stride):
        return L.BatchNormalization()(L.Conv2D(filters, side, strides=stride, padding="same", use_bias=False)(y))

    y = L.ReLU()(conv(x, 16, 3, 1))
    for filters in (16, 32, 64):
        for block in range(3):
            stride = 2 if filters > 16 and block == 0 else 1
            z = conv(L.ReLU()(conv(y, filters, 3, stride)), filters, 3, 1)
            y = L.ReLU()(L.Add()([z, conv(y, filters, 1, stride) if stride > 1 else y]))
    return L.Dense(10)(L.GlobalAveragePooling2D()(y))


MODELS = {"resnet20": resnet20, **GRAPHS}
CHAINS = ["depthwise", "zero-padding", "global-average", "global-maximum", "layer-normalization", "activations"]


def model_of(name, shape, precision):
    keras.backend.clear_session()
    keras.config.set_floatx(precision)
    keras.config.set_dtype_policy(precision)
    keras.utils.set_random_seed(7)
    images = keras.Input(shape)
    if name in MODELS:
        return keras.Model(images, MODELS[name](images))
    return keras.Sequential([images, *KINDS[name]()])


def losses_of(model, precision, images, labels, steps, rate):
    model.compile(keras.optimizers.SGD(rate), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    pixels = images.astype(precision) / 255
    return [float(model.train_on_batch(pixels[at:at + BATCH], labels[at:at + BATCH])) for at in range(0, steps * BATCH, BATCH)
            if model.reset_metrics() is None]


def train(cli, folder, network, steps, rate):
    metrics = folder / "metrics.jsonl"
    command = [cli, "train", "--strategy", "default", "--devices", "cpu", "--dataset", "cifar10", "--data-dir", str(folder),
               "--metrics", str(metrics), "--optimizer", "sgd", "--learning-rate", str(rate), "--network", network,
               "--batch-per-replica", str(BATCH), "--steps", str(steps), "--shuffle-buffer", "0", "--eval-every", "0"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{result.stderr}")
    return [line["loss"] for line in map(json.loads, metrics.read_text().splitlines()) if line["event"] == "step"]


def program(cli, folder, network):
    text = subprocess.run([cli, "code", "--strategy", "default", "--dataset", "cifar10", "--data-dir", str(folder), "--network",
                           network, "--steps", "1"], capture_output=True, text=True, check=True).stdout
    return [line for line in text.splitlines() if "tf.keras.layers" in line or "tf.keras.Model" in line]


def check(name, cli, folder, images, labels, steps):
    rate = 0.05 if name == "resnet20" else 0.02
    path = str(folder / f"{name}.keras")
    single = model_of(name, images.shape[1:], "float32")
    single.save(path)
    weights = [w.astype("float64") for w in single.get_weights()]
    theirs = np.array(losses_of(single, "float32", images, labels, steps, rate))
    double = model_of(name, images.shape[1:], "float64")
    double.set_weights(weights)
    exact = np.array(losses_of(double, "float64", images, labels, steps, rate))
    ours = np.array(train(cli, folder, path, steps, rate))
    off, their_off = np.abs(ours - exact) / exact, np.abs(theirs - exact) / exact
    print(f"{name}: step 1 {off[0]:.1e} (Keras in float32 {their_off[0]:.1e}); in {steps} steps at most {off.max():.1e} "
          f"({their_off.max():.1e}); loss {exact[0]:.3f} to {exact[-1]:.3f}", flush=True)
    fine = off[0] <= 2e-6 and off.max() <= 3 * their_off.max() + 2e-6
    if name == "resnet20":
        fine = fine and program(cli, folder, path) == program(cli, folder, name)
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--only", default="")
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    random = np.random.default_rng(3)
    labels = np.arange(options.steps * BATCH + 64) % 10
    images = (random.integers(0, 90, (len(labels), 32, 32, 3)) + 16 * labels[:, None, None, None]).astype("uint8")
    bad = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        write_records(folder, images, labels, options.steps * BATCH)
        for name in [*MODELS, *CHAINS]:
            if options.only in name and not check(name, options.cli, folder, images, labels, options.steps):
                bad.append(name)
    print("; ".join(bad) + ": FAILED" if bad else "all as in Keras")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

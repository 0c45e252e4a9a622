#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keras's own files (.keras), both ways, a model for each kind of layer.

    tfvenv/bin/python tests/tensorflow/keras_files.py check build/release/bin/strategylab-cli
    tfvenv/bin/python tests/tensorflow/keras_files.py keep tests/core/keras

`check`: each model is saved by Keras, opened by `strategylab-cli train --network`, trained for some steps and saved by it;
Keras opens that file, evaluates it as we do (loss and accuracy on the same examples, within 1e-5), and goes on training with
`fit`. A model trained with a learning rate of next to nothing keeps Keras's weights and predictions (within 1e-5).
`keep` writes the small files and predictions that tst_keras_file reads without TensorFlow.
The examples are records of CIFAR-10's binary form, written here. Exit code 1 where anything differs.
"""
import argparse
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers as L  # noqa: E402

KINDS = {
    "dense": lambda: [L.Flatten(), L.Dense(10)],
    "no-bias": lambda: [L.Flatten(), L.Dense(10, use_bias=False)],
    "conv-valid": lambda: [L.Conv2D(3, 3, activation="relu"), L.Flatten(), L.Dense(10)],
    "conv-same-strides": lambda: [L.Conv2D(4, (3, 2), strides=2, padding="same", use_bias=False), L.Flatten(), L.Dense(10)],
    "conv-strides": lambda: [L.Conv2D(2, 3, strides=2), L.Conv2D(3, 2, padding="same"), L.Flatten(), L.Dense(10)],
    "max-pooling": lambda: [L.MaxPooling2D(), L.MaxPooling2D(3, strides=1, padding="same"), L.Flatten(), L.Dense(10)],
    "average-pooling": lambda: [L.AveragePooling2D((3, 2), strides=2, padding="same"), L.Flatten(), L.Dense(10)],
    "dropout": lambda: [L.Flatten(), L.Dropout(0.3), L.Dense(10)],
    "batch-normalization": lambda: [L.Conv2D(3, 3), L.BatchNormalization(), L.ReLU(), L.Flatten(), L.Dense(10)],
    "batch-normalization-plain": lambda: [L.Conv2D(3, 3), L.BatchNormalization(scale=False, center=False, momentum=0.9,
                                          epsilon=0.01), L.Activation("relu"), L.Flatten(), L.Dense(10)],
    "softmax-layer": lambda: [L.Flatten(), L.Dense(10), L.Softmax()],
    "softmax-inside": lambda: [L.Flatten(), L.Dense(10, activation="softmax")],
    "rescaling": lambda: [L.Rescaling(1 / 255), L.Flatten(), L.Dense(10)],
    "depthwise": lambda: [L.DepthwiseConv2D(3, depth_multiplier=2, activation="relu"),
                          L.DepthwiseConv2D(2, strides=2, padding="same", use_bias=False), L.Flatten(), L.Dense(10)],
    "zero-padding": lambda: [L.ZeroPadding2D(((1, 0), (2, 1))), L.Conv2D(3, 3), L.ZeroPadding2D(1), L.Flatten(), L.Dense(10)],
    "global-average": lambda: [L.Conv2D(5, 3), L.GlobalAveragePooling2D(), L.Dense(10)],
    "global-maximum": lambda: [L.Conv2D(5, 3), L.GlobalMaxPooling2D(), L.Dense(10)],
    "layer-normalization": lambda: [L.Conv2D(5, 3), L.LayerNormalization(), L.Flatten(), L.Dense(8),
                                    L.LayerNormalization(scale=False, epsilon=0.01), L.Dense(10)],
    "relu6": lambda: [L.Conv2D(3, 3, activation="relu6"), L.DepthwiseConv2D(3), L.ReLU(max_value=6.0), L.Flatten(), L.Dense(10)],
    "activations": lambda: [L.Conv2D(3, 3, activation="gelu"), L.Conv2D(3, 2, activation="silu"), L.LeakyReLU(0.1), L.Flatten(),
                            L.Dense(9, activation="tanh"), L.Dense(8, activation="sigmoid"), L.Activation("leaky_relu"),
                            L.Dense(10)],
}


def residual(x):
    y = L.Conv2D(4, 3, padding="same", activation="gelu")(x)
    z = L.Conv2D(4, 3, padding="same")(y)
    return L.Dense(10)(L.GlobalAveragePooling2D()(L.ReLU()(L.Add()([z, y]))))


def projected(x):
    y = L.BatchNormalization()(L.Conv2D(4, 3, padding="same", use_bias=False)(x))
    z = L.BatchNormalization()(L.Conv2D(6, 3, strides=2, padding="same", use_bias=False)(L.ReLU()(y)))
    shortcut = L.BatchNormalization()(L.Conv2D(6, 1, strides=2, padding="same", use_bias=False)(y))
    return L.Dense(10)(L.Flatten()(L.ReLU()(L.Add()([z, shortcut]))))


def concatenated(x):
    a, b = L.Conv2D(3, 1)(x), L.Conv2D(2, 3, padding="same", activation="relu")(x)
    y = L.Concatenate()([a, b, L.AveragePooling2D(3, strides=1, padding="same")(x)])
    y = L.Add()([y, y, L.DepthwiseConv2D(3, padding="same")(y)])
    return L.Dense(10)(L.Flatten()(L.MaxPooling2D(3, padding="same")(y)))


def parallel(x):  # here the activation is a layer, which moves its convolution away from the output
    a, b = L.Conv2D(3, 3, activation="relu")(x), L.Conv2D(3, 3, activation="gelu")(x)
    return L.Dense(10)(L.Flatten()(L.Add()([a, b])))


GRAPHS = {"graph-residual": residual, "graph-projected": projected, "graph-concatenated": concatenated,
          "graph-parallel": parallel}


def model_of(name, shape):
    """With variables that are all different, so that none can be taken for another."""
    keras.utils.set_random_seed(11)
    if name in GRAPHS:
        images = keras.Input(shape)
        model = keras.Model(images, GRAPHS[name](images))
    else:
        model = keras.Sequential([keras.Input(shape), *KINDS[name]()])
    noise = np.random.default_rng(5)

    def varied(w):  # kernels around zero, so that thousands of inputs do not add up to large numbers
        return w + noise.uniform(*((-0.05, 0.05) if w.ndim > 1 else (0.05, 0.25)), w.shape).astype("float32")

    for layer in model.layers:
        layer.set_weights([varied(w) for w in layer.get_weights()])
    return model


def ends_in_softmax(name):
    return name.startswith("softmax")


def pixels(count, shape):
    """As tst_keras_file makes them."""
    j = np.arange(int(np.prod(shape)))
    return np.stack([(131 * i + 37 * j + 11 * (j // 7)) % 256 for i in range(count)]).reshape(count, *shape).astype("uint8")


def given(name, images):
    return images.astype("float32") / (1 if name == "rescaling" else 255)


def keep(folder):
    shape, kept = (6, 6, 2), {}
    for name in [*KINDS, *GRAPHS]:
        model = model_of(name, shape)
        model.save(folder / f"{name}.keras")
        kept[name] = model.predict(given(name, pixels(3, shape)), verbose=0).tolist()
    (folder / "predictions.json").write_text(json.dumps(kept) + "\n")


def write_records(folder, images, labels, training=256):
    for file, part in (("data_batch_1.bin", slice(0, training)), ("test_batch.bin", slice(training, None))):
        planes = images[part].transpose(0, 3, 1, 2).reshape(-1, 3072)
        (folder / file).write_bytes(np.concatenate([labels[part, None], planes], axis=1).astype("uint8").tobytes())


def train(cli, folder, *options):
    metrics = folder / "metrics.jsonl"
    command = [cli, "train", "--strategy", "default", "--devices", "cpu", "--dataset", "cifar10", "--data-dir", str(folder),
               "--metrics", str(metrics), "--optimizer", "sgd", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{result.stderr}")
    lines = [json.loads(line) for line in metrics.read_text().splitlines()]
    return [line for line in lines if line["event"] == "eval"][-1]


def evaluated(model, name, images, labels):
    predicted = model.predict(given(name, images), verbose=0).astype("float64")
    if not ends_in_softmax(name):
        predicted = np.exp(predicted - predicted.max(axis=1, keepdims=True))
        predicted /= predicted.sum(axis=1, keepdims=True)
    return -np.log(predicted[np.arange(len(labels)), labels]).mean(), (predicted.argmax(axis=1) == labels).mean()


def same(what, ours, theirs, limit=1e-5):
    worst = float(np.max(np.abs(np.asarray(ours, "float64") - theirs) / np.maximum(1, np.abs(theirs))))
    if worst > limit:
        raise AssertionError(f"{what}: {worst:.2g} apart")
    return worst


def check_kind(name, cli, folder, images, labels):
    tests, answers = images[256:], labels[256:]
    theirs, ours, again = (str(folder / f"{each}.keras") for each in ("theirs", "ours", "again"))
    model = model_of(name, images.shape[1:])
    model.save(theirs)

    # Opened here: nearly nothing is learned, so that the weights and what they say stay.
    result = train(cli, folder, "--network", theirs, "--steps", "1", "--learning-rate", "1e-30", "--save", ours)
    back = keras.models.load_model(ours)
    trained_apart = "BatchNormalization" in str(model.to_json())  # a step moves the statistics, as it should
    # Whatever their order: an activation that is a layer of its own here moves its convolution among Keras's layers.
    sets = [sorted((w.numpy() for w in of.trainable_variables), key=lambda w: (w.shape, *w.flat[:1])) for of in (model, back)]
    for before, after in zip(*sets):
        same("a weight", after, before)
    plain = "dense" if name == "rescaling" else name  # what is saved here takes rescaled images
    worst = 0.0
    if not trained_apart:
        worst = same("predictions", back.predict(given(plain, tests), verbose=0), model.predict(given(name, tests), verbose=0))
    loss, accuracy = evaluated(back, plain, tests, answers)
    worst = max(worst, same("loss", result["testLoss"], loss), same("accuracy", result["testAccuracy"], accuracy))

    # Trained here, opened there, and gone on with; then back here.
    result = train(cli, folder, "--network", theirs, "--steps", "5", "--learning-rate", "0.01", "--momentum", "0.9",
                   "--save", ours)
    back = keras.models.load_model(ours)
    worst = max(worst, same("loss after training", result["testLoss"], evaluated(back, plain, tests, answers)[0]))
    if back.optimizer is None or abs(float(back.optimizer.momentum) - 0.9) > 1e-6:
        raise AssertionError("it is not compiled as it was trained")
    history = back.fit(given(plain, images[:256]), labels[:256], epochs=3, batch_size=64, verbose=0).history["loss"]
    if not np.all(np.isfinite(history)):
        raise AssertionError(f"fit: {history}")
    back.save(again)
    result = train(cli, folder, "--network", again, "--steps", "1", "--learning-rate", "1e-30", "--save", ours)
    if not trained_apart:
        worst = max(worst, same("loss after fit", result["testLoss"], evaluated(back, plain, tests, answers)[0]))
    return worst, history


def check(cli, only):
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        random = np.random.default_rng(3)
        labels = np.arange(320) % 10
        images = (random.integers(0, 90, (320, 32, 32, 3)) + 16 * labels[:, None, None, None]).astype("uint8")
        write_records(folder, images, labels)
        for name in [*KINDS, *GRAPHS]:
            if only not in name:
                continue
            try:
                worst, history = check_kind(name, cli, folder, images, labels)
                print(f"{name}: within {worst:.1g}; fit goes on: {', '.join(f'{loss:.3f}' for loss in history)}", flush=True)
            except (AssertionError, ValueError) as error:
                print(f"{name}: FAILED: {error}", flush=True)
                failed += 1
    return failed


def main():
    # No optimizer's variables are saved here, as it should be said; and many small models make many functions.
    warnings.filterwarnings("ignore", message="Skipping variable loading for optimizer")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "keep"])
    parser.add_argument("path", type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.what == "keep":
        keep(options.path)
        return 0
    return 1 if check(str(options.path), options.only) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes digits.idx.gz, the embedded data set, from digits.png of OpenCV's samples. See README.md beside this file.

The same picture gives the same content with any version of anything: the resampling is integer arithmetic with weights
written out here, and the order comes from SHA-256, not from a library's random numbers. Pillow only decodes the PNG.
"""
import argparse
import gzip
import hashlib
import math
import struct
import sys

import numpy as np
from PIL import Image

SOURCE_SHA256 = "60c917758ef97cc090f35cd8e293e4de691ef942847da0ff80dedab33d57c662"
CLASSES, PER_CLASS, TRAIN_PER_CLASS = 10, 500, 400
SMALL, LARGE, CENTRE = 20, 28, 14  # MNIST's centre of mass is pixel (14, 14) of 0..27, to half a pixel


def lanczos_weights():
    """(28, 20) integers, each row summing to 2^14: what each large pixel takes from the small ones."""
    scale = SMALL / LARGE
    rows = np.zeros((LARGE, SMALL), dtype=np.int64)
    for i in range(LARGE):
        centre = (i + 0.5) * scale - 0.5
        weights = [0.0] * SMALL
        for j in range(SMALL):
            x = abs(j - centre)
            if x < 3:
                weights[j] = 1.0 if x == 0 else 3 * math.sin(math.pi * x) * math.sin(math.pi * x / 3) / (math.pi * x) ** 2
        total = sum(weights)
        rows[i] = [round(w / total * 2**14) for w in weights]
        rows[i, rows[i].argmax()] += 2**14 - rows[i].sum()
    return rows


def enlarge(small):
    """(N, 20, 20) to (N, 28, 28), with 64 grey levels and the filter's faint ripple beside the strokes taken off."""
    weights = lanczos_weights()
    large = np.einsum("ai,nij,bj->nab", weights, small.astype(np.int64), weights)
    large = (large + 2**27) >> 28
    large = np.clip(large, 0, 255)
    large[large < 16] = 0
    large[large > 239] = 255
    return np.minimum(255, (large + 2) // 4 * 4)


def centred(image):
    """Shifted by whole pixels until the centre of mass is within half a pixel of (14, 14), as MNIST's are.

    Two sevens reach the lower edge and stay where they are, 0.52 and 0.50 of a pixel off, rather than lose ink.
    """
    total = int(image.sum())
    result = image
    for axis in (0, 1):
        moment = int((image.sum(axis=1 - axis) * np.arange(LARGE)).sum())
        shift = CENTRE - (2 * moment + total) // (2 * total)
        edge = np.take(result, range(LARGE - shift, LARGE) if shift > 0 else range(-shift), axis=axis)
        if not edge.any():
            result = np.roll(result, shift, axis=axis)
    return result


def order_key(purpose, index):
    return hashlib.sha256(f"{purpose} {index}".encode()).digest()


def idx_pair(images, labels):
    return (struct.pack(">IIII", 0x803, len(images), LARGE, LARGE) + images.astype(np.uint8).tobytes()
            + struct.pack(">II", 0x801, len(labels)) + labels.astype(np.uint8).tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", help="digits.png of OpenCV's samples")
    parser.add_argument("output", help="digits.idx.gz")
    arguments = parser.parse_args()

    with open(arguments.picture, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != SOURCE_SHA256:
            sys.exit(f"{arguments.picture} is not the picture this was written for: its SHA-256 differs.")
    sheet = np.array(Image.open(arguments.picture).convert("L"))
    small = sheet.reshape(50, SMALL, 100, SMALL).transpose(0, 2, 1, 3).reshape(-1, SMALL, SMALL)
    images = np.stack([centred(image) for image in enlarge(small)])
    labels = np.repeat(np.arange(CLASSES), PER_CLASS)

    train, test = [], []
    for digit in range(CLASSES):
        indices = sorted(range(digit * PER_CLASS, (digit + 1) * PER_CLASS), key=lambda i: order_key("split", i))
        train += indices[:TRAIN_PER_CLASS]
        test += indices[TRAIN_PER_CLASS:]
    content = b""
    for part in (train, test):
        part.sort(key=lambda i: order_key("order", i))
        content += idx_pair(images[part], labels[part])

    archive = gzip.compress(content, compresslevel=9, mtime=0)
    with open(arguments.output, "wb") as file:
        file.write(archive)
    print(f"content {len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}")
    print(f"archive {len(archive)} bytes, SHA-256 {hashlib.sha256(archive).hexdigest()}")


if __name__ == "__main__":
    main()

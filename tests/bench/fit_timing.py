#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the timing model's uncertain constants to the published rows, and predicts each publication by constants that have not seen it.

    tests/bench/fit_timing.py --cli BIN/strategylab-cli [--reference ../shared] [--write]

Minimises the truncated squared log error of throughput over the points that `validate` scores (quality A, no batch sweeps), each
publication weighing as the root of its points; what is off by more than kCap counts as kCap, because such a row has an effect that
the model lacks. A small weight holds each constant near its documented value. Coordinate descent with steps of 30, 10 and 3 %:
`validate` is not smooth, and takes 0.2 s. Then each publication is left out and the fit goes on without it from the documented values.

--write puts the fitted values into resources/timing-constants.csv, those without each publication into tests/core/timing-left-out.csv,
and the bands that come from the left-out errors into resources/timing-bands.csv. tst_validation computes both again.
"""
import argparse
import collections
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSTANTS = ROOT / "resources/timing-constants.csv"
MORE_ROWS = ROOT / "tests/core/more-scaling-rows.csv"
# Those that rest on published rows or on a guess: the documented value, and how far each may go. What was measured by itself is not
# here.
FITTED = {
    "straggler.gpu_sigma": (0.012, 0.002, 0.06),
    "straggler.cpu_sigma": (0.1, 0.02, 0.3),
    "board.k80_pair_loss": (0.05, 0.01, 0.1),
    "transport.rdma_share": (0.9, 0.4, 0.98),
    "transport.tcp_share": (0.6, 0.3, 0.95),
    "transport.tcp_max_gb_per_s": (5, 1, 8),
    "transport.cpu_tcp_gb_per_s": (0.7, 0.3, 1.5),
    "transport.grpc_gb_per_s": (1.0, 0.4, 2),
}
DOCUMENTED = {name: value for name, (value, _, _) in FITTED.items()}
PRIOR = 2e-4  # of a constant that is off its documented value by a factor of e^0.5
CAP = 0.3
BOUNDS = ["compute", "one-host", "network", "parameter-server"]

Point = collections.namedtuple("Point", "file id source devices error hard bound")


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    below = int(at)
    above = min(len(values) - 1, below + 1)
    return values[below] + (at - below) * (values[above] - values[below])


class Rows:
    """The published rows, and what the program predicts for them."""

    def __init__(self, cli, reference):
        self.cli = cli
        self.files = [reference / "reference/scaling-rows.csv", MORE_ROWS]
        self.source = {}
        for line in (reference / "reference/scaling-validation.md").read_text().splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 11 and re.fullmatch(r"R\d{3}", cells[1]):
                self.source[cells[1]] = cells[10]
        with open(MORE_ROWS) as file:
            for row in csv.DictReader(file):
                self.source.setdefault(row["id"], row["note"].split(" ")[0])
        self.known = {}

    def predicted(self, constants):
        """The scored points, by these constants instead of the built-in ones."""
        key = tuple(sorted((name, round(value, 9)) for name, value in constants.items()))
        if key not in self.known:
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
                file.write("key,value,unit,source\n")
                for name, value in constants.items():
                    file.write(f"{name},{value:.9g},,fit\n")
                file.flush()
                self.known[key] = [point for i in range(len(self.files)) for point in self.validate(i, file.name)]
        return self.known[key]

    def validate(self, file, constants):
        said = subprocess.run([self.cli, "validate", "--rows", self.files[file], "--constants", constants, "--json"],
                              capture_output=True, text=True, check=True).stdout
        return [Point(file, p["id"], self.source[p["id"]], p["devices"], math.log(p["predicted"] / p["measured"]), p["hard"], p["bound"])
                for p in json.loads(said)["points"] if p["quality"] == "A" and not p["batchSweep"]]

    def sources(self):
        return sorted({point.source for point in self.predicted(DOCUMENTED)})


def loss(rows, constants, without):
    points = rows.predicted(constants)
    count = collections.Counter(point.source for point in points)
    total = weights = 0
    for point in points:
        if point.source == without:
            continue
        weight = count[point.source] ** -0.5
        total += weight * min(abs(point.error), CAP) ** 2 / (CAP / 2)
        weights += weight
    prior = sum((math.log(constants[name] / DOCUMENTED[name]) / 0.5) ** 2 for name in FITTED)
    return total / weights + PRIOR * prior


def fit(rows, without=None):
    constants = dict(DOCUMENTED)
    best = loss(rows, constants, without)
    for factor in (1.3, 1.1, 1.03):
        for _ in range(3):
            before = best
            for name, (_, lowest, highest) in FITTED.items():
                for step in (factor, 1 / factor):
                    tried = dict(constants)
                    tried[name] = float(f"{min(highest, max(lowest, constants[name] * step)):.3g}")
                    found = loss(rows, tried, without)
                    if found < best - 1e-6:
                        best, constants = found, tried
                        break
            if best == before:
                break
    return constants


def summary(points):
    def of(chosen):
        errors = [abs(math.exp(point.error) - 1) for point in chosen]
        return f"{len(errors)} points, median {quantile(errors, 0.5):.1%}, p75 {quantile(errors, 0.75):.1%}, p90 {quantile(errors, 0.9):.1%}"

    first = [point for point in points if point.file == 0]
    return (f"{of(first)}; hard: {of([point for point in first if point.hard])}; "
            f"the other file: {of([point for point in points if point.file == 1])}")


def bands(points):
    """Of the first file, as `bound,points,low,high`: how much longer nine in ten steps took."""
    lines = ["bound,points,low,high"]
    for bound in BOUNDS:
        errors = [math.exp(point.error) - 1 for point in points if point.file == 0 and point.bound == bound]
        lines.append(f"{bound},{len(errors)},{quantile(errors, 0.05):.3f},{quantile(errors, 0.95):.3f}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--reference", type=pathlib.Path, default=ROOT / "../shared")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    rows = Rows(asked.cli, asked.reference)
    print("documented: ", summary(rows.predicted(DOCUMENTED)))
    fitted = fit(rows)
    print("fitted:     ", summary(rows.predicted(fitted)), flush=True)
    left_out, unseen, steady = io.StringIO(), [], []
    left_out.write("source,rows,key,value\n")
    for source in rows.sources():
        constants = fit(rows, source)
        own = [point for point in rows.predicted(constants) if point.source == source]
        unseen += own
        # The window's clock has devices that are all equally fast, so its bands are of predictions without stragglers.
        steady += [point for point in rows.predicted(constants | {"straggler.gpu_sigma": 0, "straggler.cpu_sigma": 0})
                   if point.source == source]
        ids = " ".join(sorted({point.id for point in own}))
        for name, value in constants.items():
            left_out.write(f"{source},{ids},{name},{value:g}\n")
        far = " ".join(f"{p.id}@{p.devices}:{math.exp(p.error) - 1:+.0%}" for p in own if abs(p.error) > 0.15)
        moved = {name: value for name, value in constants.items() if value != fitted[name]}
        print(f"without {source}: {moved} {far}", flush=True)
    print("left out:   ", summary(unseen))
    print("fitted constants:", fitted)
    print(bands(steady), end="")
    if not asked.write:
        return
    text = CONSTANTS.read_text()
    for name, value in fitted.items():
        text = re.sub(rf"(?m)^{re.escape(name)},[^,]*,", f"{name},{value:g},", text)
    CONSTANTS.write_text(text)
    (ROOT / "tests/core/timing-left-out.csv").write_text(left_out.getvalue())
    (ROOT / "resources/timing-bands.csv").write_text(bands(steady))


if __name__ == "__main__":
    main()

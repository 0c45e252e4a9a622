# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden trajectories on a real GPU: every strategy that must reproduce a case, at 1, 2, 4 and 8 replicas, within
the bounds of golden/README.md (1e-5 over the first 20 steps, 1e-4 over all). TPU cores are always simulated, and are not here."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from many import run_many


def setups(case):
    if case["replicas"] > 1:
        count = str(case["replicas"])
        for strategy in ("mirrored", "central-storage"):
            yield [f"--strategy={strategy}", f"--replicas={count}", f"--split={case['split']}"]
        return
    yield ["--strategy=one-device"]
    yield ["--strategy=default"]
    yield ["--strategy=parameter-server", "--replicas=1"]
    short = case["examples"] % case["global_batch"] != 0 and len(case["losses"]) * case["global_batch"] > case["examples"]
    for replicas in ("1",) if short else ("1", "2", "4", "8"):
        for reducer in ("auto", "ring", "tree", "halving-doubling", "one-device"):
            yield ["--strategy=mirrored", f"--replicas={replicas}", f"--reducer={reducer}"]
        yield ["--strategy=central-storage", f"--replicas={replicas}"]
        yield ["--strategy=multi-worker-mirrored", f"--replicas={replicas}"]
        if int(replicas) >= 4:
            yield ["--strategy=multi-worker-mirrored", f"--replicas={replicas}", "--hosts=2", "--reducer=hierarchical"]


def reproduce(given, path, setup):
    """What is wrong with one run, or nothing."""
    case = json.loads(path.read_text())
    losses = case["losses"][:given.steps]
    batch = "--batch-per-replica" if "parameter-server" in setup[0] else "--global-batch"
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as metrics:
        command = [given.cli, "train", "--devices=cuda", *setup, f"{batch}={case['global_batch']}",
                   f"--optimizer={case['optimizer']}", f"--learning-rate={case['learning_rate']}",
                   f"--train-examples={case['examples']}", "--dataset=mnist",
                   f"--data-dir={given.reference / 'mnist'}", "--shuffle-buffer=0", f"--steps={len(losses)}",
                   "--eval-every=0", f"--loss-scaling={case['loss_scaling']}",
                   f"--init={given.reference / 'golden' / 'init-11.safetensors'}", f"--metrics={metrics.name}"]
        if case["optimizer"] == "sgd":
            command.append(f"--momentum={case.get('momentum', 0)}")
        done = subprocess.run(command, capture_output=True, text=True)
        lines = [json.loads(line) for line in pathlib.Path(metrics.name).read_text().splitlines()]
    actual = [line["loss"] for line in lines if line["event"] == "step"]
    if done.returncode != 0 or len(actual) != len(losses):
        return f"ended with {done.returncode} after {len(actual)} steps: {done.stderr[-300:]}"
    errors = [abs(a / e - 1) for a, e in zip(actual, losses)]
    if max(errors[:20]) > 1e-5 or max(errors) > 1e-4:
        return f"off by {max(errors[:20]):.1e} in the first 20 steps, {max(errors):.1e} in all"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--reference", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, help="only the first so many of each case")
    parser.add_argument("--cases", help="only these, by name: adam-b64,sgd-b256")
    parser.add_argument("--one-setup", action="store_true", help="each case with its first strategy alone")
    parser.add_argument("--jobs", type=int, default=1, help="so many runs at once")
    given = parser.parse_args()
    paths = sorted((given.reference / "golden").glob("*.json"))
    if given.cases:
        names = given.cases.split(",")
        missing = set(names) - {path.stem for path in paths}
        if missing:
            sys.exit(f"no such cases in {given.reference / 'golden'}: {', '.join(sorted(missing))}")
        paths = [path for path in paths if path.stem in names]
    runs = [(path, setup) for path in paths
            for setup in list(setups(json.loads(path.read_text())))[:1 if given.one_setup else None]]
    failed = 0
    for (path, setup), wrong in run_many(lambda run: reproduce(given, *run), runs, given.jobs, "golden"):
        if wrong:
            print(f"{path.stem}: {' '.join(setup)}: {wrong}", flush=True)
            failed += 1
    print(f"{len(runs) - failed} of {len(runs)} set-ups reproduce their case")
    sys.exit(failed > 0 or not runs)


if __name__ == "__main__":
    main()

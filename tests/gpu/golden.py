# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden trajectories on a real GPU: every strategy that must reproduce a case, at 1, 2, 4 and 8 replicas, within
the bounds of golden/README.md (1e-5 over the first 20 steps, 1e-4 over all). TPU cores are always simulated, and are not here."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--reference", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, help="only the first so many of each case")
    given = parser.parse_args()
    failed = ran = 0
    for path in sorted((given.reference / "golden").glob("*.json")):
        case = json.loads(path.read_text())
        losses = case["losses"][:given.steps]
        for setup in setups(case):
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
            ran += 1
            name = f"{path.stem}: {' '.join(setup)}"
            actual = [line["loss"] for line in lines if line["event"] == "step"]
            if done.returncode != 0 or len(actual) != len(losses):
                print(f"{name}: ended with {done.returncode} after {len(actual)} steps: {done.stderr[-300:]}")
                failed += 1
                continue
            errors = [abs(a / e - 1) for a, e in zip(actual, losses)]
            if max(errors[:20]) > 1e-5 or max(errors) > 1e-4:
                print(f"{name}: off by {max(errors[:20]):.1e} in the first 20 steps, {max(errors):.1e} in all")
                failed += 1
    print(f"{ran - failed} of {ran} set-ups reproduce their case")
    sys.exit(failed > 0 or ran == 0)


if __name__ == "__main__":
    main()

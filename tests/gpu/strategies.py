# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs on a real GPU beside the same runs on the processor: losses agree, copies are identical, the same seed gives the
same bits twice, a resumed run those of one that never stopped. With several GPUs NCCL takes part; with one, as one rank;
where it is missing, not at all."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from many import run_many

COMMON = ["--dataset=digits", "--train-examples=1000", "--test-examples=100", "--global-batch=120", "--steps=20",
          "--optimizer=sgd", "--momentum=0.9", "--learning-rate=0.02", "--eval-every=10"]
SERVER = [option for option in COMMON if not option.startswith("--global-batch")] + ["--batch-per-replica=60"]


def train(cli, options, folder, name):
    metrics, weights = folder / f"{name}.jsonl", folder / f"{name}.safetensors"
    done = subprocess.run([cli, "train", *options, f"--metrics={metrics}", f"--save={weights}"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip()[-400:])
    lines = [json.loads(line) for line in metrics.read_text().splitlines()]
    return lines, weights.read_bytes()


def resumed(cli, options, folder):
    """The weights of the same run, stopped in the middle and taken up again."""
    checkpoints = folder / "checkpoints"
    shutil.rmtree(checkpoints, ignore_errors=True)
    options = [*options, f"--checkpoint-dir={checkpoints}", "--checkpoint-every=10"]
    train(cli, [*[o for o in options if not o.startswith("--steps")], "--steps=10"], folder, "half")
    return train(cli, [*options, "--resume"], folder, "resumed")[1]


def check(cli, run):
    """What is wrong with one run, a list of sentences."""
    server = "parameter-server" in run[0]
    options = run + (SERVER if server else COMMON)
    # A sum's last bit can move a bfloat16 operand by 2^-8.
    bound = 1e-2 if "--matmul=bfloat16" in run else 1e-3 if server else 1e-4
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            gpu, first = train(cli, ["--devices=cuda", *options], folder, "gpu")
            _, second = train(cli, ["--devices=cuda", *options], folder, "again")
            cpu, _ = train(cli, ["--devices=cpu", *[o for o in options if o != "--reducer=nccl"]], folder, "cpu")
        except RuntimeError as error:
            return [str(error)]
        for a, e in zip(gpu, cpu):
            if a["event"] == "step" and abs(a["loss"] / e["loss"] - 1) > bound:
                wrong.append(f"step {a['step']}: loss {a['loss']} instead of {e['loss']}")
            if a["event"] == "step" and not ("stepNs" in a and a["stepNs"] > 0):
                wrong.append(f"step {a['step']} has no measured time")
        if len(gpu) != len(cpu):
            wrong.append(f"{len(gpu)} events instead of {len(cpu)}")
        if gpu[-1].get("mirrorsIdentical") is False:
            wrong.append("the copies differ")
        if first != second:
            wrong.append("a second run has other bits")
        try:
            if resumed(cli, ["--devices=cuda", *options], folder) != first:
                wrong.append("a resumed run has other bits")
        except RuntimeError as error:
            wrong.append(f"resuming: {error}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, required=True, help="GPUs that NCCL may join; 0: there is no NCCL")
    parser.add_argument("--jobs", type=int, default=1, help="so many runs at once")
    given = parser.parse_args()
    runs = [["--strategy=default"], ["--strategy=one-device"]]
    for replicas in (1, 2, 4, 8):
        for reducer in ("ring", "tree", "halving-doubling", "one-device"):
            runs.append(["--strategy=mirrored", f"--replicas={replicas}", f"--reducer={reducer}"])
        runs.append(["--strategy=multi-worker-mirrored", f"--replicas={replicas}"])
        runs.append(["--strategy=central-storage", f"--replicas={replicas}"])
        runs.append(["--strategy=parameter-server", f"--replicas={replicas}"])
    runs.append(["--strategy=multi-worker-mirrored", "--replicas=4", "--hosts=2", "--reducer=hierarchical"])
    runs.append(["--strategy=mirrored", "--replicas=2", "--matmul=bfloat16"])
    runs += [["--strategy=sharded", f"--replicas={replicas}", f"--shard-stage={stage}", "--bytes-per-pack=1024"]
             for replicas in (1, 2, 4) for stage in (1, 2, 3)]
    runs += [["--strategy=gossip", f"--replicas={replicas}"] for replicas in (2, 3, 8)]
    runs += [["--strategy=mirrored", f"--replicas={n}", "--reducer=nccl"] for n in range(1, given.ranks + 1)]
    failed = 0
    for run, wrong in run_many(lambda run: check(given.cli, run), runs, given.jobs, "strategies"):
        failed += bool(wrong)
        for text in wrong[:3]:
            print(f"{' '.join(run)}: {text}", flush=True)
    print(f"{len(runs) - failed} of {len(runs)} runs agree with the processor's")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what `strategylab-cli code --check` prints on TensorFlow, and compares its losses with `strategylab-cli train`.

    python3 -m venv tfvenv && tfvenv/bin/pip install tensorflow-cpu
    tfvenv/bin/python tests/tensorflow/check_programs.py build/release/bin/strategylab-cli DATA_DIR [--only TEXT]

DATA_DIR has MNIST's four files. Every program runs in a process group of its own, with a time limit: a failed collective
spoils a process, and a worker whose partner never starts waits without end. First the programs without --check run to
their end; the first fourteen also as notebooks, cell by cell, where nbconvert and ipykernel are installed. TensorFlow is needed, so this is no part of .ci/run. The exit code is 1 where a loss is further from ours than 1e-4 (SGD) or 1e-3 (Adam), or a program does not run.
"""
import argparse
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

STRATEGIES = ["default", "one-device", "mirrored", "multi-worker-mirrored", "tpu", "central-storage", "parameter-server"]
LIMITS = {"sgd": 1e-4, "adam": 1e-3}
SGD, ADAM = ["--optimizer", "sgd", "--learning-rate", "0.05"], ["--optimizer", "adam"]
SHORT = ["--train-examples", "301", "--epochs", "3", "--global-batch"]  # the last batch of an epoch is short and uneven


def cases(steps):
    one_worker = {"parameter-server": ["--replicas", "1"]}
    for loop in ([], ["--loop"]):
        for strategy in STRATEGIES:
            for optimizer in (SGD, ADAM):
                yield strategy, one_worker.get(strategy, []) + optimizer + ["--steps", steps] + loop, True
    momentum = ["--optimizer", "sgd", "--learning-rate", "0.01", "--momentum", "0.9", "--steps", steps]
    for scaling in ("fit", "loop"):
        for loop in ([], ["--loop"]):
            for split in ("in-memory", "file"):
                yield "mirrored", ["--replicas", "4", *SGD, *SHORT, "128", "--split", split,
                                   "--loss-scaling", scaling] + loop, True
    yield "mirrored", ["--replicas", "4", *SGD, *SHORT, "130"], True
    yield "central-storage", ["--replicas", "3", *SGD, *SHORT, "130"], True
    yield "tpu", [*SGD, *SHORT, "128"], True
    yield "central-storage", ["--replicas", "1", *SGD, "--steps", steps], True  # whose fit is right
    yield "multi-worker-mirrored", ["--replicas", "4", "--shuffle-buffer", "0", *SGD, "--steps", steps], True
    yield "multi-worker-mirrored", ["--auto-shard", "off", "--train-examples", "300", *SGD, "--epochs", "2"], True
    yield "mirrored", ["--lr-scaling", "linear", "--warmup-epochs", "0.02", "--shuffle-buffer", "100", *momentum], True
    yield "one-device", ["--lr-scaling", "sqrt", "--warmup-epochs", "0.01", *momentum, "--loop"], True
    yield "parameter-server", ["--replicas", "1", "--parameter-servers", "2", "--partitioner", "fixed:2", *SGD,
                               "--steps", steps], True
    # Workers wait for nobody: that it runs.
    yield "parameter-server", ["--replicas", "3", "--parameter-servers", "2", *SGD, "--steps", steps], False


# Programs as a person gets them, without --check: that they run to their end and learn.
def plain_cases():
    few = ["--train-examples", "6400", "--test-examples", "1000", "--epochs", "2"]
    for loop in ([], ["--loop"]):
        for strategy in STRATEGIES:
            yield strategy, few + loop
    kept = ["--checkpoint-dir", "backup", "--save", "weights.safetensors", *few]
    for strategy in ("mirrored", "multi-worker-mirrored", "parameter-server", "central-storage"):
        yield strategy, kept + ["--eval-every", "20", "--checkpoint-every", "30", "--loop"]
        yield strategy, kept + ["--resume", "--steps", "60"]
    yield "mirrored", few + ["--split", "file", "--files", "4", "--loss-scaling", "loop", "--lr-scaling", "linear"]
    yield "multi-worker-mirrored", few + ["--split", "file", "--files", "4", "--bytes-per-pack", "1048576",
                                          "--reducer", "ring"]
    yield "multi-worker-mirrored", few + ["--split", "file", "--files", "4", "--auto-shard", "file"]
    yield "multi-worker-mirrored", few + ["--auto-shard", "off"]
    for partitioner in ("fixed:2", "min-size:1024", "max-size:100000"):
        yield "parameter-server", few + ["--parameter-servers", "2", "--partitioner", partitioner]
    for reducer in ("nccl", "hierarchical", "one-device"):
        yield "mirrored", few + ["--reducer", reducer, "--replicas", "4"]


# Executed by the kernel that runs this script, whatever kernels are registered.
def notebook_case(arguments, strategy, options, folder):
    _, notebook, _ = run([arguments.cli, "code", "--notebook", "--strategy", strategy, "--data-dir", arguments.data_dir,
                          *options], 60)
    open(os.path.join(folder, "program.ipynb"), "w").write(notebook)
    environment = os.path.join(folder, "share", "jupyter", "kernels", "python3")
    os.makedirs(environment)
    with open(os.path.join(environment, "kernel.json"), "w") as file:
        json.dump({"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Python 3",
                   "language": "python"}, file)
    paths = {"JUPYTER_PATH": os.path.join(folder, "share", "jupyter"),
             "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")}
    code, _, err = run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb",
                        "--ExecutePreprocessor.timeout=%d" % arguments.seconds, "program.ipynb"], arguments.seconds, folder,
                       paths)
    if code != 0:
        return code, "", err
    cells = json.load(open(os.path.join(folder, "done.ipynb")))["cells"]
    texts = ["".join(each.get("text", "")) for cell in cells for each in cell.get("outputs", [])]
    # A task that fails is the shell's, not the kernel's.
    failed = [text for text in texts if "Traceback (most recent call last)" in text]
    return (1, "", failed[0]) if failed else (0, "".join(texts), "")


def run(command, seconds, folder=None, variables=None):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                               cwd=folder, env={**os.environ, **(variables or {})})
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        out, err = "", "it took more than %d seconds" % seconds
    try:
        os.killpg(process.pid, signal.SIGKILL)  # what it may have left
    except ProcessLookupError:
        pass
    return process.wait(), out, err


def losses_of(cli, folder, options):
    metrics = os.path.join(folder, "metrics.jsonl")
    code, _, err = run([cli, "train", *options, "--metrics", metrics, "--devices", "simulated", "--matmul", "float32",
                        "--eval-every", "0"], 600)
    if code != 0:
        raise SystemExit("train %s: %s" % (" ".join(options), err))
    lines = [json.loads(line) for line in open(metrics)]
    return {line["step"]: line["loss"] for line in lines if line["event"] == "step"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("data_dir")
    parser.add_argument("--only", default="", help="cases whose words contain this")
    parser.add_argument("--init", help="first weights, instead of the seed's")
    parser.add_argument("--checks", action="store_true", help="not the programs without --check")
    parser.add_argument("--notebooks", action="store_true", help="the notebooks alone")
    parser.add_argument("--plain", action="store_true", help="the programs without --check alone")
    parser.add_argument("--steps", default="20")
    parser.add_argument("--seconds", type=int, default=300, help="of a program")
    arguments = parser.parse_args()
    failed = False
    cli = arguments.cli = shutil.copy(arguments.cli, tempfile.mkdtemp())  # it may be built anew meanwhile
    for strategy, options in plain_cases():
        name = " ".join([strategy, *options])
        if arguments.only not in name or arguments.checks or arguments.notebooks:
            continue
        with tempfile.TemporaryDirectory() as folder:
            _, program, err = run([cli, "code", "--strategy", strategy, "--data-dir", arguments.data_dir, *options], 60)
            open(os.path.join(folder, "program.py"), "w").write(program)
            code, out, err = run([sys.executable, "program.py"], arguments.seconds, folder)
            last = out.strip().splitlines()[-1:] or [""]
            print("%-110s %s" % (name, "runs: " + last[0][-60:] if code == 0 else "FAILED: exit code %d" % code), flush=True)
            if code != 0:
                failed = True
                print(err[-3000:], file=sys.stderr, flush=True)
    if arguments.plain:
        return 1 if failed else 0
    notebooks = not arguments.checks and all(importlib.util.find_spec(each) for each in ("nbconvert", "ipykernel"))
    for strategy, options in list(plain_cases())[:2 * len(STRATEGIES)] if notebooks else []:
        name = " ".join([strategy, *options])
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = notebook_case(arguments, strategy, options, folder)
            last = out.strip().splitlines()[-1:] or [""]
            print("%-110s %s" % ("notebook " + name,
                                 "runs: " + last[0][-60:] if code == 0 else "FAILED: exit code %d" % code), flush=True)
            if code != 0:
                failed = True
                print(err[-3000:], file=sys.stderr, flush=True)
    if arguments.notebooks:
        return 1 if failed else 0
    print("%-78s %5s %10s" % ("case", "steps", "largest"))
    for strategy, options, compared in cases(arguments.steps):
        name = " ".join([strategy, *options])
        if arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            common = ["--strategy", strategy, "--data-dir", arguments.data_dir, *options]
            common += ["--init", arguments.init] if arguments.init else []
            _, program, err = run([arguments.cli, "code", "--check", "--matmul", "float32", *common], 60)
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(program)
            code, out, err = run([sys.executable, path], arguments.seconds)
            theirs = {int(line.split()[1]): float(line.split()[2]) for line in out.splitlines() if line.startswith("LOSS ")}
            ours = losses_of(arguments.cli, folder, [option for option in common if option != "--loop"])
            if code != 0 or sorted(theirs) != sorted(ours):
                failed = True
                print("%-78s FAILED: %d of %d losses, exit code %d" % (name, len(theirs), len(ours), code), flush=True)
                print(err[-3000:], file=sys.stderr, flush=True)
                continue
            largest = max(abs(theirs[step] - ours[step]) for step in ours)
            limit = LIMITS["adam" if "adam" in options else "sgd"]
            wrong = compared and largest > limit
            failed = failed or wrong
            note = "TOO FAR" if wrong else "" if compared else "(not compared)"
            print("%-78s %5d %10.1e %s" % (name, len(ours), largest, note), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""Real processes on real GPUs beside one process: hop by hop the same bits, with NCCL the same losses; copies that are identical;
a worker that is stopped in the middle of NCCL's all-reduce is named in time. With one GPU two processes share it. Without NCCL
hop by hop alone."""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

COMMON = ["--strategy=multi-worker-mirrored", "--dataset=digits", "--train-examples=1000", "--test-examples=100",
          "--global-batch=120", "--steps=20", "--eval-every=10", "--threads=1"]
SECONDS = 5  # the deadline of the worker that is stopped


def run(cli, options, folder, name):
    metrics, weights = folder / f"{name}.jsonl", folder / f"{name}.safetensors"
    done = subprocess.run([cli, *options, *COMMON, f"--metrics={metrics}", f"--save={weights}"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip()[-600:])
    return [json.loads(line) for line in metrics.read_text().splitlines()], weights.read_bytes()


def compared(cli, workers, replicas, reducer, folder):
    """What is wrong, a list of sentences."""
    same = [f"--replicas={replicas}", f"--reducer={reducer}"]
    lines, bits = run(cli, ["launch", f"--workers={workers}", "--worker-devices=cuda", *same], folder, "together")
    one, expected = run(cli, ["train", "--devices=cuda", f"--hosts={workers}", *same], folder, "one")
    wrong = []
    if reducer != "nccl" and bits != expected:
        wrong.append("other bits than one process")
    for a, e in zip(lines, one):
        if a["event"] == "step" and abs(a["loss"] / e["loss"] - 1) > 1e-4:
            wrong.append(f"step {a['step']}: loss {a['loss']} instead of {e['loss']}")
    if len(lines) != len(one):
        wrong.append(f"{len(lines)} events instead of {len(one)}")
    if lines[-1].get("mirrorsIdentical") is False:
        wrong.append("the copies differ")
    return wrong


def processes(folder):
    """Those of a run that was given this folder, launch and mpirun among them: by number, each with its environment."""
    found = {}
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if str(folder).encode() in (place / "cmdline").read_bytes():
                found[int(place.name)] = (place / "environ").read_bytes().split(b"\0")
        except OSError:  # it has just ended
            pass
    return found


def end(launch, folder):
    """Ends all of a run, stopped processes too: what is left would share the GPUs with the checks that follow. Returns what
    they said. A process that has not begun its program yet has no command line to be found by, but it holds the pipe: so
    they are looked for until the pipe has ended."""
    said = None
    for _ in range(100):
        left = processes(folder)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if said is not None:
            if not left:
                break
            time.sleep(0.1)
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                said = launch.communicate(timeout=0.1)[1]
    return said or ""


def stopped(cli, workers, folder):
    """One worker gets SIGSTOP while all train: the others end, and say who it was."""
    checkpoints = folder / "endless"
    options = [option for option in COMMON if not option.startswith(("--steps", "--eval-every"))]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # from run.sh's timeout: as an exception it ends the run too
    launch = subprocess.Popen([cli, "launch", f"--workers={workers}", "--worker-devices=cuda", "--reducer=nccl", *options,
                               "--steps=100000000", "--eval-every=0", f"--deadline={SECONDS}", "--checkpoint-every=20",
                               f"--checkpoint-dir={checkpoints}"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        while launch.poll() is None and len(list(checkpoints.glob("*.safetensors"))) < 2:
            time.sleep(0.1)
        last = f"OMPI_COMM_WORLD_RANK={workers - 1}".encode()
        pid = next((pid for pid, environment in processes(checkpoints).items() if last in environment), None)
        if launch.poll() is not None or pid is None:
            return [f"it did not start: {end(launch, checkpoints)[-400:]}"]
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        said = launch.communicate(timeout=SECONDS + 60)[1]
    except subprocess.TimeoutExpired:
        return ["it has not ended"]
    finally:
        end(launch, checkpoints)
    took = time.monotonic() - began
    wrong = []
    if took > SECONDS + 10:
        wrong.append(f"it ended after {took:.1f} s")
    if launch.returncode != 1 or f"worker {workers - 1}" not in said:
        wrong.append(f"it ended with {launch.returncode} and said: {said[-400:]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, required=True, help="GPUs that NCCL may join; 0: there is no NCCL")
    given = parser.parse_args()
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        os.environ[name] = "1"
    runs = [(2, 2, "ring"), (2, 4, "hierarchical")]
    runs += [(workers, workers, "nccl") for workers in range(1, given.ranks + 1)]
    runs += [(2, given.ranks // 2 * 2, "nccl")] if given.ranks > 3 else []
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checks = [(f"{w} workers, {n} replicas, {reducer}", lambda w=w, n=n, r=reducer: compared(given.cli, w, n, r, folder))
                  for w, n, reducer in runs]
        if given.ranks > 1:
            checks.append(("a worker is stopped", lambda: stopped(given.cli, given.ranks, folder)))
        for what, check in checks:
            try:
                wrong = check()
            except RuntimeError as error:
                wrong = [str(error)]
            failed += bool(wrong)
            for text in wrong[:3]:
                print(f"{what}: {text}", flush=True)
    print(f"{len(checks) - failed} of {len(checks)} runs of processes are as they should be")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

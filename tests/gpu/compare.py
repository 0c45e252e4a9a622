# SPDX-License-Identifier: GPL-3.0-or-later
"""Training throughput on one GPU beside PyTorch's, in turn: eager, torch.compile, and the whole step as a CUDA graph, all
float32 (TF32 off), data set and shuffling on the GPU, fused Adam. A ratio is ours to the fastest of them in the same
round; the table has medians over the rounds, and their range. Ours computes loss, accuracy and their sums each step, and
the host reads them; the peers read nothing back, which flatters them. Required: 3 times at 64 and 256, 2 times at
1024 and 8192; a miss is said, and is exit code 1. Beside each: microseconds a step, the least that the operations and bytes
of a step take at this GPU's peak, and the dense layers' products alone, ours (one kernel after the other, with bias, relu and
sums) and cuBLAS's: where cuBLAS is clearly faster, our own kernels are the wrong choice. One PyTorch process (peer.py) serves a
whole batch size; before it, all that torch.compile needs is compiled side by side."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from many import run_many

REQUIRED = {64: 3.0, 256: 3.0, 1024: 2.0, 8192: 2.0}
VARIANTS = ["eager", "eager channels-last", "compiled", "graph", "graph channels-last", "compiled graph"]
PEER = pathlib.Path(__file__).with_name("peer.py")


class Peer:
    """A PyTorch process for one batch size; RuntimeError where it cannot answer."""

    def __init__(self, batch):
        self.process = subprocess.Popen([sys.executable, PEER, "--batch", str(batch)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, question):
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"PyTorch's process ended with {self.process.wait()}")
        reply = json.loads(line)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def fill(batches, jobs):
    """Inductor's cache, by processes side by side. What fails here fails again where it is timed, and is said there."""
    work = [(variant, batch) for batch in batches for variant in VARIANTS if "compiled" in variant]
    compile_one = lambda item: subprocess.run([sys.executable, PEER, "--fill", item[0], "--batch", str(item[1])],
                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    for _ in run_many(compile_one, work, jobs, "compiling"):
        pass


def bench(given, batch):
    command = [given.cli, "bench", "--devices", given.devices, "--replicas", "1", "--global-batch", str(batch), "--seconds",
               str(given.seconds), "--json"]
    if given.data_dir:
        command += ["--dataset", "mnist", "--data-dir", given.data_dir]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def compare(given, batch, peer):
    """One batch size, printed. Whether it is fast enough."""
    candidates, rounds, benches = list(VARIANTS), [], []
    for number in range(given.rounds):
        result = {}
        order = [None, *candidates]
        for who in order if number % 2 == 0 else reversed(order):
            if who is None:
                benches.append(bench(given, batch))
                result[None] = benches[-1]["runs"][0]["imagesPerSecond"]
                continue
            try:
                result[who] = peer.ask({"variant": who, "seconds": given.seconds})["imagesPerSecond"]
            except RuntimeError as error:  # torch.compile needs a compiler, for one: said, and left out
                print(f"batch {batch}: PyTorch {who} does not run here: {error}", file=sys.stderr)
                candidates.remove(who)
        if not candidates:
            raise RuntimeError("no variant of PyTorch runs here: nothing was compared")
        rounds.append(result)
        if number == 0:
            print(f"batch {batch}: " + ", ".join(f"{w} {result[w]:,.0f}" for w in candidates), file=sys.stderr)
            candidates = sorted(candidates, key=lambda w: -result[w])[:2]
    own = [r[None] for r in rounds]
    best = [max(r[w] for w in candidates if w in r) for r in rounds]
    ratios = [a / b for a, b in zip(own, best)]
    wanted = REQUIRED.get(batch, 0)
    verdict = "" if statistics.median(ratios) >= wanted else f"  BELOW the {wanted} that is required"
    print(f"global batch {batch:5}: ours {statistics.median(own):,.0f} images/s, the best PyTorch "
          f"{statistics.median(best):,.0f}, ratio {statistics.median(ratios):.2f} "
          f"({min(ratios):.2f} to {max(ratios):.2f}){verdict}", flush=True)
    fastest = min((each["runs"][0] for each in benches), key=lambda run: run["stepSeconds"])
    dense = min(sum(operation["seconds"] for operation in each["profile"]["operations"]
                    if operation["name"].startswith("dense")) for each in benches) * 1e6
    cublas = peer.ask({"dense": True})["microseconds"]
    print(f"                    a step {fastest['stepSeconds'] * 1e6:.1f} µs, at least "
          f"{fastest.get('floorSeconds', 0) * 1e6:.1f} µs by operations and bytes; dense layers {dense:.1f} µs, products by "
          f"cuBLAS {cublas:.1f} µs", flush=True)
    return not verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--data-dir", type=pathlib.Path, help="folder with MNIST's IDX files")
    parser.add_argument("--batches", default="64,256,1024,8192")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--jobs", type=int, default=4, help="processes that compile at once")
    parser.add_argument("--devices", default="cuda", help=argparse.SUPPRESS)  # cpu: a rehearsal
    given = parser.parse_args()
    batches = list(map(int, given.batches.split(",")))
    missed = 0
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", cache)
        fill(batches, given.jobs)
        for number, batch in enumerate(batches):
            with Peer(batch) as peer:
                if number == 0:
                    print(peer.ask({"environment": True})["environment"], flush=True)
                missed += not compare(given, batch, peer)
    print(f"{len(batches) - missed} of {len(batches)} batch sizes are as fast as required")
    sys.exit(missed > 0)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as failure:
        sys.exit(str(failure))

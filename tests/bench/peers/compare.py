# SPDX-License-Identifier: GPL-3.0-or-later
"""Times StrategyLab and its peers in turn and prints a table with ratios. Every program runs alone, on the same number
of threads and the same data; the order turns round by round, so that a machine that drifts slows all alike. A ratio is
ours to a peer's fastest variant in the same round; the table has medians over the rounds, and their range.
On a virtual machine, a timing from which the hypervisor took more than --most-stolen is taken again, whoever's it was,
up to five times; of these the one from which least was taken counts. run.sh starts it."""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from peer import FRAMEWORKS, NETWORKS

HERE = pathlib.Path(__file__).resolve().parent
TRIES = 5
OURS = {"course": [], "cifar10": ["--network", "cifar10", "--dataset", "cifar10"],
        "resnet20": ["--network", "resnet20", "--dataset", "cifar10"]}


def processor_ticks():
    """All processors' time since the start, and the part of it that the hypervisor gave to others (man 5 proc)."""
    ticks = [int(word) for word in open("/proc/stat").readline().split()[1:9]]
    return sum(ticks), ticks[7]


def least_stolen(most, measure):
    """(result, percent stolen from it, times measured): the first of TRIES from which at most `most` percent of the
    processors' time was stolen, else the least disturbed of them."""
    tries = []
    while not tries or (tries[-1][1] > most and len(tries) < TRIES):
        all_before, stolen_before = processor_ticks()
        result = measure()
        all_after, stolen_after = processor_ticks()
        tries.append((result, 100 * (stolen_after - stolen_before) / max(1, all_after - all_before)))
    return *min(tries, key=lambda one: one[1]), len(tries)


def last_line(command, environment=None):
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{ran.stderr[-2000:]}")
    return json.loads(ran.stdout.strip().splitlines()[-1])


def ours(given, batch):
    bench = last_line([given.cli, "bench", *OURS[given.network], "--replicas", "1", "--global-batch", str(batch),
                       "--seconds", str(given.seconds), "--threads", str(given.threads), "--data-dir", given.data_dir,
                       "--json"])
    return {"imagesPerSecond": bench["runs"][0]["imagesPerSecond"], "shareOfPeak": bench["runs"][0]["shareOfPeak"]}


def peer(given, batch, framework, variant):
    return last_line([sys.executable, HERE / "peer.py", "--framework", framework, "--variant", variant, "--network",
                      given.network, "--batch", str(batch), "--seconds", str(given.seconds), "--threads",
                      str(given.threads), "--data-dir", given.data_dir], {"OMP_NUM_THREADS": str(given.threads)})


def random_cifar10(folder):
    """CIFAR-10's files with random pixels and labels; the folder."""
    draw = random.Random(1)
    for name in [*(f"data_batch_{number}.bin" for number in range(1, 6)), "test_batch.bin"]:
        (folder / name).write_bytes(b"".join(bytes([draw.randrange(10)]) + draw.randbytes(3072) for _ in range(10000)))
    return folder


def spread(values, digits=0):
    def text(value):
        return f"{value:,.{digits}f}"
    return f"{text(statistics.median(values))} ({text(min(values))} to {text(max(values))})"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path, required=True, help="strategylab-cli, a release build")
    parser.add_argument("--network", choices=NETWORKS, default="course")
    parser.add_argument("--data-dir", required=True,
                        help="folder with MNIST's IDX files, for the others with CIFAR-10's binary version; or 'random', "
                        "for those: as many images of random pixels")
    parser.add_argument("--batches", default="64,256,1024")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most-stolen", type=float, default=1, help="percent of the processors' time")
    parser.add_argument("--variants", help="only these of peer.py's, as 'eager,graph,jit'; all of them by default")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.network != "course" and given.data_dir == "random":
            given.data_dir = random_cifar10(pathlib.Path(folder))
        compare(given)


def compare(given):
    wanted = given.variants and given.variants.split(",")
    for batch in map(int, given.batches.split(",")):
        candidates = [(framework, variant) for framework, (_, variants) in FRAMEWORKS.items() for variant in variants
                      if (not wanted or variant in wanted) and not (framework == "jax" and given.network == "resnet20")]
        # The first round finds each framework's fastest variant; the others take that one alone.
        rounds, versions, stolen, again = [], {}, [], 0
        for number in range(given.rounds):
            order = [None, *candidates]
            result = {}
            for who in order if number % 2 == 0 else reversed(order):
                print(f"batch {batch}, round {number + 1}: {'StrategyLab' if who is None else ' '.join(who)}",
                      file=sys.stderr)
                result[who], taken, tries = least_stolen(
                    given.most_stolen,
                    lambda: ours(given, batch) if who is None else peer(given, batch, *who))
                stolen.append(taken)
                again += tries - 1
                if who:
                    versions[who[0]] = result[who]["version"]
            rounds.append(result)
            if number == 0:
                for (framework, variant) in candidates:
                    print(f"    {framework} {variant}: {result[framework, variant]['imagesPerSecond']:,.0f} images/s",
                          file=sys.stderr)
                candidates = [max((who for who in candidates if who[0] == framework),
                                  key=lambda who: result[who]["imagesPerSecond"])
                              for framework in dict(candidates)]

        own = [result[None]["imagesPerSecond"] for result in rounds]
        share = [100 * result[None]["shareOfPeak"] for result in rounds]
        print(f"{given.network}, global batch {batch}, {given.threads} threads, {given.rounds} rounds: median (range)")
        print(f"    {'StrategyLab':34} {spread(own):>28} images/s, {spread(share, 1)} % of the multiply-add peak")
        for framework, variant in candidates:
            theirs = [result[framework, variant]["imagesPerSecond"] for result in rounds]
            ratios = [a / b for a, b in zip(own, theirs)]
            name = f"{framework} {versions[framework]} {variant}"
            print(f"    {name:34} {spread(theirs):>28} images/s, ours {spread(ratios, 2)} times")
        best = [max(result[who]["imagesPerSecond"] for who in candidates) for result in rounds]
        print(f"    {'the best peer of each round':34} {spread(best):>28} images/s, ours "
              f"{spread([a / b for a, b in zip(own, best)], 2)} times")
        print(f"    {'stolen by the hypervisor':34} {spread(stolen, 1):>28} % of the time of a timing; {again} taken "
              "again\n", flush=True)


if __name__ == "__main__":
    main()

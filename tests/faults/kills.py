#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Killed (SIGKILL) at random moments: tests/faults/kills.py BIN [--kills 200] [--seed 1] [--only KIND]. The kills are spread over
the kinds of work. After each, every file that has its final name is whole and what was there before is there; then the same
command, with --resume where it has checkpoints, goes on and ends well: training with the bits of a run that never stopped.
A line a kind: its kills, the most that was lost in seconds (what was done last lies in no file), files that did not open, and
what was amiss. Exit code 1 where a file did not open, something was amiss or more than 10 s were lost. BIN is the folder of the
programs. What the window keeps of runs is ui/tst_kill's, with 50 kills more."""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import disk
from disk import TRAINING, Work
from whole import fault, files, isPart

MOST_LOST = 10  # seconds
SLOWLY = ["--dataset", "digits", "--train-examples", "600", "--test-examples", "50", "--global-batch", "60", "--threads", "1"]


class Killed(Work):
    """Work that runs long enough to be killed in its midst."""
    longest = 1.5  # seconds after its first sign of life
    signs = "*"  # files that say that it is under way
    loses = "*"  # files whose times say what is kept

    def whole(self):
        """By a run that is not killed: what the end has to be."""

    def victims(self, process):
        return [process.pid]

    def same(self):
        return ""

    def once(self, draw):
        """A kill: seconds lost, files that are not whole, what is amiss; nothing where it had ended by itself."""
        before = {path: path.stat().st_mtime_ns for path in files(self.place)}
        process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env=self.environment(), start_new_session=True)
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until and not self.lives(before):
            time.sleep(0.002)
        began = time.time()
        time.sleep(draw.uniform(0, self.longest))
        if process.poll() is not None:
            process.communicate()
            return None
        now = time.time()
        for victim in self.victims(process):
            os.kill(victim, signal.SIGKILL)
        process.communicate(timeout=60)
        self.gone(process)
        kept = [path.stat().st_mtime for path in self.place.rglob(self.loses) if path.is_file() and before.get(path) != path.stat().st_mtime_ns]
        lost = now - max(kept, default=began)
        bad = [each for each in (fault(path) for path in files(self.place) if not isPart(path)) if each]
        return max(0.0, lost), bad, self.missing(before)

    def missing(self, before):
        """The newest checkpoints are kept, the others go."""
        return [f"lost {path.name}" for path in before if not path.exists() and not isPart(path) and not path.match("checkpoint-*")]

    def lives(self, before):
        def isNew(path):
            try:
                return before.get(path) != path.stat().st_mtime_ns
            except FileNotFoundError:  # a part that has just got its final name
                return False
        return any(isNew(path) for path in self.place.rglob(self.signs) if path.is_file())

    def environment(self):
        return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", QT_QPA_PLATFORM="offscreen", **self.settings())

    def gone(self, process):
        """Nothing of its session may be left."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            left = subprocess.run(["pgrep", "-s", str(process.pid), "-r", "R,S,D,T"], capture_output=True, text=True).stdout.split()
            if not left:
                return
            time.sleep(0.1)
        for pid in left:
            os.kill(int(pid), signal.SIGKILL)
        raise SystemExit(f"{len(left)} processes were left 30 s after the kill")


class Training(Killed):
    signs = "checkpoint-*.safetensors"
    loses = "checkpoint-*.safetensors"
    steps = 400

    def train(self, folder, *more):
        return self.cli("train", *SLOWLY, "--devices", "simulated", "--steps", self.steps, "--eval-every", 100, "--save", folder / "w.safetensors",
                        "--run", folder / "a.run", "--metrics", folder / "m.jsonl", "--checkpoint-dir", folder / "kept", "--checkpoint-every", 10, *more)

    def whole(self):
        reference = self.place.parent / "reference"
        reference.mkdir()
        self.must(self.train(reference))
        self.bits = (reference / "w.safetensors").read_bytes()

    def command(self):
        there = any(self.place.rglob("checkpoint-*.safetensors"))
        return self.train(self.place, *(["--resume"] if there else []))

    def same(self):
        return "" if (self.place / "w.safetensors").read_bytes() == self.bits else "other bits than of a run that was not killed"


class Launch(Training):
    steps = 300
    longest = 1

    def train(self, folder, *more):
        return self.cli("launch", "--workers", 2, *SLOWLY, "--steps", self.steps, "--eval-every", 0, "--save", folder / "w.safetensors",
                        "--run", folder / "a.run", "--checkpoint-dir", folder / "kept", "--checkpoint-every", 10, *more)


class ClassRun(Training):
    steps = 600

    def train(self, folder, *more):
        return self.cli("launch", "--strategy", "parameter-server", "--workers", 2, *SLOWLY[:6], "--batch-per-replica", 30, *SLOWLY[8:], "--steps",
                        self.steps, "--eval-every", 0, "--save", folder / "w.safetensors", "--run", folder / "a.run", "--checkpoint-dir", folder / "kept",
                        "--checkpoint-every", 20, *more)

    def whole(self):
        pass  # its order is its own; that it replays is what counts

    def same(self):
        code, said = self.run(self.cli("replay", "--json", self.place / "a.run"))
        return "" if code == 0 and f'"equalLosses":{self.steps}' in said.replace(" ", "") else "does not replay: " + said[-200:]


class Sweep(Killed):
    signs = loses = "*.run"
    longest = 2

    def command(self):
        return self.cli("sweep", "--replicas", "1,2", "--batch-per-replica", "10,20", "--learning-rates", "0.001,0.003,0.01,0.03", "--steps", 60,
                        *SLOWLY[:6], "--out", self.place / "cells", "--tensorboard", self.place / "events")

    def same(self):
        return "" if len(list(self.place.rglob("*.run"))) == 16 else "not all cells"


class Halving(Sweep):
    def command(self):
        return super().command() + ["--halving", "2"]

    def same(self):
        return "" if len(list(self.place.rglob("*.run"))) >= 16 else "not all cells"


class Saving(Killed):
    """Files are written over, again and again."""
    longest = 0.2

    def command(self):
        self.turn = getattr(self, "turn", 0) + 1
        p = self.place
        return self.cli("train", *TRAINING, "--steps", 3, "--seed", self.turn, "--run", p / "a.run", "--trace", p / "t.json", "--metrics", p / "m.jsonl",
                        "--save", p / ("w.keras" if self.turn % 2 else "w.safetensors"))


class Fetching(Killed, disk.Fetch):
    signs = loses = "*.gz*"
    longest = 0.7

    def __init__(self, options, place):
        disk.Fetch.__init__(self, options, place)
        self.server.pauseS = 0.004

    def same(self):
        return "" if len(list(self.place.rglob("*.gz"))) == 4 else "not all files"


class Window(Killed):
    """The window, which begins a lesson; its settings and its session."""
    longest = 6
    signs = "session.json"
    loses = "*"

    def settings(self):
        p = self.place
        return {"XDG_CONFIG_HOME": str(p / "config"), "XDG_DATA_HOME": str(p / "data"), "XDG_CACHE_HOME": str(p / "cache"), "HOME": str(p)}

    def command(self):
        return [str(self.options.programs / "strategylab"), "--lesson", "ring"]

    def missing(self, before):
        """Journals that nobody lists go; those that are listed are there."""
        lost = [path.name for path in before if not path.exists() and not isPart(path) and path.suffix in (".ini", ".json")]
        for session in self.place.rglob("session.json"):
            lost += [run["file"] for run in json.loads(session.read_text())["runs"] if not (session.parent / run["file"]).exists()]
        return ["lost " + each for each in lost]

    def finish(self):
        """Started once more, and asked to end."""
        process = subprocess.Popen(self.command()[:1], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env=self.environment(), start_new_session=True)
        time.sleep(3)
        process.terminate()
        said = process.communicate(timeout=60)[1]
        return process.returncode, said


KINDS = {"training": (Training, 32), "sweeps": (Sweep, 20), "halving sweeps": (Halving, 12), "saving": (Saving, 40), "fetching": (Fetching, 30),
         "launch": (Launch, 16), "a class": (ClassRun, 20), "lessons": (Window, 30)}


def killsOf(options, kind, work, times, draw):
    done, most, opened, amiss = 0, 0.0, [], []
    work.whole()
    tries = 0
    while done < times and tries < 6 * times:
        tries += 1
        told = work.once(draw)
        if told is not None:
            lost, bad, wrong = told
            done += 1
            most = max(most, lost)
            opened += bad
            amiss += wrong
            # Half of them are killed once more where they go on.
            if done < times and draw.random() < 0.5:
                continue
        code, said = work.finish() if hasattr(work, "finish") else work.run(work.command())
        if code not in (0, None):
            amiss.append(f"afterwards it ended with {code}: {said[-300:]}")
        elif wrong := work.same():
            amiss.append(wrong)
        opened += filter(None, (fault(path) for path in files(work.place) if not isPart(path)))
        if not isinstance(work, (Saving, Window)):
            shutil.rmtree(work.place)
            work.place.mkdir()
    return done, most, opened, amiss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=lambda path: Path(path).resolve())
    parser.add_argument("--reference", type=Path, default=Path(__file__).resolve().parents[3] / "shared", help="where mnist/ is")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    share = options.kills / sum(times for _, times in KINDS.values())
    print(f"{'killed in':16} {'kills':>6} {'lost at most':>13} {'not opened':>11} {'amiss':>6}")
    good, total = True, 0
    for kind, (make, times) in KINDS.items():
        if options.only and kind not in options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "place"
            place.mkdir()
            done, lost, opened, amiss = killsOf(options, kind, make(options, place), max(1, round(times * share)), draw)
        good = good and not opened and not amiss and lost <= MOST_LOST
        total += done
        print(f"{kind:16} {done:6} {lost:11.2f} s {len(opened):11} {len(amiss):6}", flush=True)
        for each in [*dict.fromkeys(opened + amiss)][:5]:
            print("  " + each.replace(folder, "…"))
    print(f"{'all':16} {total:6}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

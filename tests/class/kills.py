#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers, sleeping tabs and servers of a class that are lost, 20 of each, at random moments: how long until it is noticed,
whether each closure was done once, whether the lesson replays to the bit, and whether anything is left behind. Exit code 1
where one of these does not hold. Some 10 minutes: tests/class/kills.py build/release/bin"""
import argparse
import gzip
import json
import os
import random
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from client import ASLEEP, Class, Client, children, programs

NETWORK = ["--network", "mlp", "--eval-every", "0"]


def closures(run):
    """Of a run file, in the order of the updates."""
    with gzip.open(run, "rt") as lines:
        return [part[0] for line in lines if line.startswith('{"class"') for part in json.loads(line)["class"]]


def alive(pids):
    return [pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[1][:3]]


def verdict(options, run, steps, pids):
    """Each closure once; the replay; what is left behind."""
    done = closures(run)
    once = sorted(done) == list(range(1, steps + 1))
    replay = subprocess.run([options.programs / "strategylab-cli", "replay", "--json", run], capture_output=True, text=True)
    equal = json.loads(replay.stdout)["equalLosses"] if replay.stdout else 0
    left = alive(pids)
    return once and equal == steps and not left, (f"{steps} updates, {'each closure once' if once else 'CLOSURES AMISS'}, "
                                                  f"{equal} replayed to the bit, {len(left)} processes left")


class Lesson(Class):
    """With a run file; who works for it is started one by one."""

    def __init__(self, options, folder, steps, more=()):
        self.run = folder / "lesson.run"
        self.pids = []
        super().__init__(options.programs, ["--steps", str(steps), "--run", str(self.run), *NETWORK, *more])
        self.pids += [self.process.pid, self.server, *self.parameterServers]

    def more(self, count):
        began = [self.worker() for _ in range(count)]
        self.pids += [each.pid for each in began]
        return began

    def waitForUpdates(self, count):
        seen = len(self.updates)
        self.wait(lambda: len(self.updates) >= seen + count)

    def end(self):
        """Ctrl-C, for what was asked for is more than is needed; the updates that there were."""
        code = self.stop()
        return code, self.updates[-1][3] if self.updates else 0


def killed(options, folder):
    """SIGKILL, one of three; another takes its place."""
    room, times = Lesson(options, folder, 10_000_000), []
    workers = room.more(3)
    room.waitForUpdates(100)
    for _ in range(options.times):
        time.sleep(random.uniform(0.05, 0.3))
        victim = workers.pop(0)
        began = time.monotonic()
        victim.send_signal(signal.SIGKILL)
        room.wait(lambda: room.heard(" has left", began))
        times.append(room.heard(" has left", began) - began)
        victim.wait()
        workers += room.more(1)
        room.waitForUpdates(20)
    return finish(options, room, workers, times)


def frozen(options, folder):
    """SIGSTOP, one of three; then it goes on."""
    room, times = Lesson(options, folder, 10_000_000), []
    workers = room.more(3)
    room.waitForUpdates(100)
    while len(times) < options.times:
        time.sleep(random.uniform(0.05, 0.3))
        victim = random.choice(workers)
        began = time.monotonic()
        victim.send_signal(signal.SIGSTOP)
        room.wait(lambda: room.heard("closure goes to another", began) or time.monotonic() - began > 8)
        found = room.heard("closure goes to another", began)
        victim.send_signal(signal.SIGCONT)
        if found:  # else it had none, for it was between two
            times.append(found - began)
        room.waitForUpdates(20)
    return finish(options, room, workers, times)


def asleep(options, folder):
    """A page that goes to the background with a closure, and answers pings there: all at once, for it takes so long."""
    room, times, lock = Lesson(options, folder, 10_000_000), [], threading.Lock()
    workers = room.more(1)
    room.waitForUpdates(100)

    def tab():
        client = Client(room.link, patience=60)
        client.join()
        number = client.closure()[0]
        client.say(struct.pack("<BB", ASLEEP, 1))
        began = time.monotonic()
        while frame := client.hear():
            if frame[0] == 10 and struct.unpack("<Q", frame[1:9])[0] == number:  # refused: another does it
                break
        with lock:
            times.append(time.monotonic() - began)
        client.close()

    tabs = [threading.Thread(target=tab) for _ in range(options.times)]
    for each in tabs:
        time.sleep(random.uniform(0.01, 0.2))
        each.start()
    for each in tabs:
        each.join()
    room.waitForUpdates(100)
    return finish(options, room, workers, times)


def finish(options, room, workers, times):
    code, steps = room.end()
    for each in workers:
        each.wait(60)
    good, told = verdict(options, room.run, steps, room.pids) if code == 130 else (False, f"serve ended with {code}")
    return good and len(times) == options.times, times, told


def server(options, folder, victim=lambda room: room.server, deadly=signal.SIGKILL):
    """A signal to the class's program, or to one of its parameter servers; then the command that it gives, with two new
    workers."""
    kept, times, pids, resumed, redone = folder / "kept", [], [], [], 0
    more = ["--checkpoint-dir", str(kept), "--checkpoint-every", "50", "--parameter-servers", "2"]
    steps = 10_000_000
    for turn in range(options.times + 1):
        room = Lesson(options, folder, steps, more + (["--resume"] if turn else []))
        workers = room.more(2)
        pids += room.pids
        before = len(room.updates)
        room.wait(lambda: len(room.updates) > before + 100)
        if turn == options.times:
            break
        time.sleep(random.uniform(0.05, 0.5))
        began = time.monotonic()
        os.kill(victim(room), deadly)
        room.process.wait(60)
        times.append(time.monotonic() - began)
        room.wait(lambda: room.heard("--resume", began), 5) if room.process.poll() is None else time.sleep(0.1)
        if not room.heard("--resume", began):
            return False, times, "no command to go on: " + room.said[-1][1]
        for each in workers:
            each.kill()
            each.wait()
        redone += room.updates[-1][3] % 50
    code, last = room.end()
    for each in workers:
        each.wait(60)
    good, told = verdict(options, room.run, last, pids)
    return good and code == 130, times, told + f"; {redone} updates behind checkpoints done again"


def parameterServer(deadly):
    return lambda options, folder: server(options, folder, lambda room: random.choice(room.parameterServers), deadly)


KINDS = {"a worker killed": killed, "a worker frozen": frozen, "a tab asleep": asleep, "the class's program killed": server,
         "a parameter server killed": parameterServer(signal.SIGKILL),
         "a parameter server frozen": parameterServer(signal.SIGSTOP)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=programs, help="the folder of strategylab-cli and strategylab-class")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", help="one kind")
    options = parser.parse_args()
    print(f"{'lost':26} {'times':>5} {'noticed after: median':>22} {'longest':>8}  afterwards")
    all_good = True
    for name, kind in KINDS.items():
        if options.only and name != options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            good, times, told = kind(options, Path(folder))
        all_good = all_good and good
        print(f"{name:26} {len(times):5} {statistics.median(times):20.3f} s {max(times):6.3f} s  {told}"
              f"{'' if good else '  FAILED'}", flush=True)
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())

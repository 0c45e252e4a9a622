#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What strangers and malicious workers cost a class: for each attack the images/s of two honest workers in turn without and
with it, and the server's memory and descriptors. Exit code 1 where a worker was lost, or the server had more than --memory
MB. Some 15 minutes: tests/class/hostile.py build/release/bin

Class and workers have the first half of the processors, the attackers the other half. Other programs on this machine change
the images/s more than most attacks; so the slowness is told by processor time too, which they do not change: how many images
of the two a second of it, of server and workers together, comes to."""
import argparse
import os
import random
import socket
import statistics
import struct
import sys
import tempfile
import threading
import time
from collections import Counter

from client import ASLEEP, CHUNK, LEAVE, PULL, Class, Client, Watch, chunks, hello, programs, push, reason


class Attack:
    """One of them: `once` is called again and again in `threads` threads; how each ended is counted."""
    threads = 4

    def __init__(self, link):
        self.link, self.goes, self.ends, self.kept = link, True, Counter(), []

    def run(self):
        while self.goes:
            try:
                self.ends[self.once() or "done"] += 1
            except (OSError, ConnectionError) as error:
                self.ends[str(error) if isinstance(error, ConnectionError) and error.args[0] != 104 else "cut"] += 1

    def last(self, client):
        """What the server says last."""
        while frame := client.hear():
            if reason(frame) != "closed":
                return reason(frame)
        return "closed"


class WrongToken(Attack):
    def once(self):
        client = Client(self.link)
        client.say(hello(os.urandom(16)))
        return self.last(client)


class NoFrames(Attack):
    def once(self):
        client = Client(self.link)
        client.say(os.urandom(random.randrange(1, 60_000)))
        return self.last(client)


class WrongShapes(Attack):
    def once(self):
        client = Client(self.link)
        client.join()
        closure, version = client.closure()
        client.say(random.choice([push(closure, version, client.floats + 1), push(closure, version + 1, client.floats),
                                  push(closure + 9, version, client.floats), struct.pack("<BIHf", CHUNK, 7, 1, 0)]))
        return self.last(client)


class NotFinite(Attack):
    def once(self):
        client = Client(self.link)
        client.join()
        closure, version = client.closure()
        client.push(closure, version, struct.pack("<f", float("nan")) * client.floats)
        return self.last(client)


class ReplayedPush(Attack):
    """One push that counts, of zeros, and then the same for ever."""
    threads = 2

    def once(self):
        client = Client(self.link)
        client.join("elsewhere")
        closure, version = client.closure()
        values = b"\0" * (4 * client.floats)
        threading.Thread(target=self.drain, args=(client,), daemon=True).start()
        try:
            while self.goes:
                client.push(closure, version, values)
        finally:
            client.socket.shutdown(socket.SHUT_RDWR)  # else the other thread keeps it a worker

    def drain(self, client):
        try:
            self.ends[self.last(client)] += 1
        except OSError:
            pass


class Flood(Attack):
    def once(self):
        client = Client(self.link)
        client.join()
        threading.Thread(target=lambda: self.ignore(client), daemon=True).start()
        while True:
            client.say(struct.pack("<BB", ASLEEP, 0) if random.random() < 0.5 else bytes([PULL]))

    def ignore(self, client):
        try:
            self.last(client)
        except OSError:
            pass


class HalfOpen(Attack):
    """Connections of which half say nothing at all, and half no token."""
    threads = 2

    def once(self):
        if len(self.kept) > 400:
            self.kept.pop(0).close()
        self.kept.append(Client(self.link, shake=len(self.kept) % 2 == 0, patience=5))


class SlowReader(Attack):
    """They ask for everything and read nothing."""
    threads = 20

    def once(self):
        client = Client(self.link, receive=4096)
        client.say(hello(client.token))
        client.say(bytes([PULL]))
        while self.goes:
            time.sleep(0.2)
            client.say(b"", 10)  # a pong: it is there


class OtherOrigin(Attack):
    def once(self):
        Client(self.link, headers="Origin: http://example.org\r\n")


class LargeFrame(Attack):
    def once(self):
        client = Client(self.link)
        client.join()
        client.socket.sendall(struct.pack("!BBQ", 0x82, 0xFF, 1 << 62) + b"\0" * 4)
        return self.last(client)


class Joins(Attack):
    """In and out again, each from an address of its own, until there were --joins of them."""
    threads = 48
    pulls = False

    def source(self):
        return f"127.{random.randrange(1, 255)}.{random.randrange(256)}.{random.randrange(1, 255)}"

    def once(self):
        client = Client(self.link, source=self.source())
        try:
            client.join()
            if self.pulls:
                client.closure()
            client.say(bytes([LEAVE]))
            self.last(client)
        finally:
            client.close()

    def tries(self):
        return self.ends["done"]


class JoinsOfOne(Joins):
    """All from one address, so that most wait or are cut: --joins tries."""

    def source(self):
        return "127.9.9.9"

    def tries(self):
        return self.ends.total()


class JoinsThatPull(Joins):
    """They take variables along, 1.4 MB each."""
    pulls = True


class Liar(Attack):
    """Finite gradients of the right size that are none."""
    threads = 1

    def once(self):
        client = Client(self.link)
        client.join()
        began = time.monotonic()
        values = struct.pack("<f", 1e-3) * client.floats
        closure, version = client.closure()
        try:
            while self.goes:
                client.say(bytes([PULL]))
                client.push(closure, version, values)
                closure, version = client.variables()
        finally:
            self.kept.append(time.monotonic() - began)
            client.close()


ATTACKS = {"wrong tokens": WrongToken, "bytes that are no frames": NoFrames, "wrong shapes": WrongShapes, "NaN": NotFinite,
           "a push replayed": ReplayedPush, "a flood of frames": Flood, "half-open connections": HalfOpen,
           "slow readers": SlowReader, "other origins": OtherOrigin, "a frame of 2^62 bytes": LargeFrame,
           "false gradients": Liar, "joins": Joins, "joins of one address": JoinsOfOne,
           "joins that pull": JoinsThatPull}


def window(room, workers, goes_on):
    """Images/s of the honest, images in a second of processor time, and the server's watch."""
    watches = [Watch(pid) for pid in (room.server, *room.parameterServers, *(worker.pid for worker in workers))]
    began = time.monotonic()
    while goes_on(time.monotonic() - began):
        time.sleep(0.05)
    ended = time.monotonic()
    for watch in watches:
        watch.stop()
    images = room.images(began, ended, {0, 1})
    return images / (ended - began), images / sum(watch.cpu for watch in watches), watches[0]


def attacked(room, kind, options, workers, cores):
    """As window, while it is on, and the attack."""
    attack = kind(room.link)

    def run():
        if cores:
            os.sched_setaffinity(0, cores)  # of this thread
        attack.run()

    threads = [threading.Thread(target=run, daemon=True) for _ in range(kind.threads)]
    for thread in threads:
        thread.start()

    def goes_on(past):
        return attack.tries() < options.joins if isinstance(attack, Joins) else past < options.seconds

    rate, work, watch = window(room, workers, goes_on)
    attack.goes = False
    for client in attack.kept:
        if isinstance(client, Client):
            client.close()
    for thread in threads:
        thread.join(5)
    return rate, work, watch, attack


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=programs, help="the folder of strategylab-cli and strategylab-class")
    parser.add_argument("--seconds", type=float, default=5, help="of each window")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--joins", type=int, default=1000, help="of a window of theirs")
    parser.add_argument("--memory", type=float, default=250, help="MB that the server may have at most")
    parser.add_argument("--only", choices=ATTACKS, help="one attack")
    options = parser.parse_args()
    count = os.cpu_count()
    own, others = ([*range(count // 2)], [*range(count // 2, count)]) if count > 1 else (None, None)
    folder = tempfile.TemporaryDirectory()
    run = os.path.join(folder.name, "class.run")
    room = Class(options.programs, ["--steps", "100000000", "--eval-every", "0", "--replicas", "2", "--run", run], own)
    watcher = Watch(room.process.pid)
    workers = [room.worker(own) for _ in range(2)]
    room.wait(lambda: len(room.updates) > 200)
    quiet = Watch(room.server)
    time.sleep(1)
    quiet.stop()
    print(f"two workers, {quiet.memory:.0f} MB and {quiet.descriptors} descriptors of the server before; {count} processors")
    print(f"{'attack':26} {'images/s: without':>17} {'with':>6} {'a cpu second: without':>21} {'with':>6} {'change':>7} {'MB':>4} "
          f"{'descr.':>6}  how they ended")
    worst = 0
    for name, kind in ATTACKS.items():
        if options.only and name != options.only:
            continue
        without, during, ends, memory, descriptors, times = [], [], Counter(), 0, 0, []
        for _ in range(options.rounds):
            without.append(window(room, workers, lambda past: past < options.seconds)[:2])
            *rates, watch, attack = attacked(room, kind, options, workers, others)
            during.append(rates)
            ends += attack.ends
            memory, descriptors = max(memory, watch.memory), max(descriptors, watch.descriptors)
            times += [each for each in attack.kept if isinstance(each, float)]
            time.sleep(1)  # for what is left of it to go
        worst = max(worst, memory)
        changes = [w[1] / o[1] - 1 for w, o in zip(during, without)]
        change = statistics.median(changes)
        (rate, work), (rated, worked) = (map(statistics.median, zip(*each)) for each in (without, during))
        told = ", ".join(f"{count} {how}" for how, count in ends.most_common(3))
        told += "; changes " + " ".join(f"{each:+.1%}" for each in changes)
        if times:
            told += f"; found after {statistics.median(times):.1f} s in the middle, {max(times):.1f} s at most"
        print(f"{name:26} {rate:17.0f} {rated:6.0f} {work:21.0f} {worked:6.0f} {change:+7.1%} {memory:4.0f} {descriptors:6}  {told}",
              flush=True)
    watcher.stop()
    alive = all(worker.poll() is None for worker in workers)
    code = room.stop()
    for worker in workers:
        worker.wait(60)
    print(f"honest workers there to the end: {'yes' if alive else 'NO'}; serve ended with {code}; "
          f"the server had {worst:.0f} MB at most, who watches it {watcher.memory:.0f} MB; of {len(room.updates)} updates the "
          f"run file has {os.path.getsize(run) / 1000:.0f} kB, {len(room.said)} lines were said")
    return 0 if alive and code == 130 and worst <= options.memory else 1


if __name__ == "__main__":
    sys.exit(main())

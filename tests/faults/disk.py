#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks that are full or read-only, at each write in turn: tests/faults/disk.py BIN [--quick] [--only KIND]. For each kind
of work its writes are counted, and then the n-th fails, once with "No space left on device" (half of it is written, and
later ones succeed) and once with "Read-only file system" (nothing succeeds from then on). Each time the program must end, with a
sentence that names a file, the reason and what to do, and an exit code other than 0 unless nothing is lost; what was there before
is whole, no half file has its final name, and the same command works once the disk does. Of more than --most writes (250) of a
kind, each that differs from others in what it does to which file is taken, and others by chance (--seed). --quick takes
few. Exit code 1 where anything is amiss. BIN is the folder of the programs and of failing_writes.so."""
import argparse
import collections
import os
import random
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from whole import fault, files, isPart

TRAINING = ["--dataset", "digits", "--train-examples", "300", "--test-examples", "50", "--global-batch", "30", "--network", "mlp",
            "--threads", "1", "--devices", "simulated"]
PATIENCE = 60
REASONS = {"full": "No space left on device", "read-only": "Read-only file system"}


class Work:
    """A command; what it writes lies below `place`. `before` fills that, as an earlier run would have."""

    most = 10_000  # writes to try of it, for its runs take long

    def __init__(self, options, place):
        self.options, self.place = options, place

    def before(self):
        self.must([*self.command(), "--seed", "7"])

    def command(self):
        raise NotImplementedError

    def again(self):  # once the disk is well
        return self.command()

    def settings(self):
        return {}

    def cli(self, *words):
        return [str(self.options.programs / "strategylab-cli"), *map(str, words)]

    def run(self, command, settings=None):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", QT_QPA_PLATFORM="offscreen",
                           **self.settings(), **(settings or {}))
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment, start_new_session=True)
        try:
            self.waitFor(process)
            said = "".join(reversed(process.communicate(timeout=PATIENCE)))
            return process.returncode, said
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "hangs", "".join(filter(None, process.communicate()))

    def waitFor(self, process):
        """Until it may end."""

    def must(self, command):
        code, said = self.run(command)
        if code != 0:
            raise SystemExit(f"{' '.join(command)} ended with {code}: {said}")


class Train(Work):
    def outputs(self):
        p = self.place
        return ["--run", p / "a.run", "--metrics", p / "m.jsonl", "--trace", p / "t.json", "--tensorboard", p / "events",
                "--save", p / "w.safetensors", "--checkpoint-dir", p / "kept", "--checkpoint-every", "4"]

    def command(self):
        return self.cli("train", *TRAINING, "--steps", 12, *self.outputs())


class Resume(Train):
    """Some steps are there, and go on."""

    def before(self):
        self.must(self.cli("train", *TRAINING, "--steps", 8, *self.outputs()))

    def command(self):
        return super().command() + ["--resume"]


class Keras(Work):
    def command(self):
        return self.cli("train", *TRAINING, "--steps", 2, "--save", self.place / "w.keras")


class Compare(Work):
    def command(self):
        return self.cli("compare", "--strategies", "mirrored,parameter-server", *TRAINING[:6], "--network", "mlp",
                        "--global-batch", 32, "--steps", 4, "--report",
                        self.place / "report.html", "--run", self.place / "a.run", "--metrics", self.place / "m.jsonl")

    def before(self):
        self.must(self.command())


class Sweep(Work):
    def sweep(self, rates, *more):
        return self.cli("sweep", "--replicas", "1,2", "--batch-per-replica", 10, "--learning-rates", rates, "--steps", 9, *TRAINING[:6],
                        "--network", "mlp", "--out", self.place / "cells", "--tensorboard", self.place / "events", *more)

    def before(self):  # a part of it
        self.must(self.sweep("0.01"))

    def command(self):
        return self.sweep("0.001,0.01")


class Halving(Sweep):
    def command(self):
        return self.sweep("0.001,0.002,0.005,0.01,0.02", "--halving", 3)


class Launch(Work):
    """Real processes; worker 0 writes."""
    most = 12  # of a second each

    def command(self):
        p = self.place
        return self.cli("launch", "--workers", 2, *TRAINING[:-2], "--steps", 8, "--run", p / "a.run", "--save", p / "w.safetensors",
                        "--checkpoint-dir", p / "kept", "--checkpoint-every", 4)


class ClassRun(Work):
    """A class on this machine; its states, too."""
    most = 16

    def settings(self):
        return {"TMPDIR": str(self.place)}

    def command(self):
        p = self.place
        return self.cli("launch", "--strategy", "parameter-server", "--workers", 2, *TRAINING[:6], "--batch-per-replica", 15, *TRAINING[8:-2],
                        "--steps", 24, "--run", p / "a.run", "--save", p / "w.safetensors", "--checkpoint-dir", p / "kept",
                        "--checkpoint-every", 8)


class ResumedClass(ClassRun):
    def before(self):
        self.must(ClassRun.command(self))

    def command(self):
        return [word if word != "24" else "40" for word in super().command()] + ["--resume"]


class Picture(Work):
    more = []

    def command(self):
        return [str(self.options.programs / "strategylab"), "--render", str(self.place / self.file), *self.more, *TRAINING[:6]]

    def before(self):
        self.must(self.command())


class Png(Picture):
    file, more = "window.png", ["--size", "640x480"]


class Pdf(Picture):
    file = "poster.pdf"


class Svg(Picture):
    file = "poster.svg"


class Window(Work):
    """Begins a lesson, is told to end, and keeps its session and settings. What it says meanwhile, it shows."""
    most = 8
    seconds = 3

    def settings(self):
        p = self.place
        return {"XDG_CONFIG_HOME": str(p / "config"), "XDG_DATA_HOME": str(p / "data"), "XDG_CACHE_HOME": str(p.parent / "cache")}

    def before(self):
        self.must(self.command())

    def command(self):
        return [str(self.options.programs / "strategylab"), "--lesson", "ring"]

    def waitFor(self, process):
        time.sleep(self.seconds)
        process.terminate()


class Fetch(Work):
    """From a server that this script is (https_proxy, with a certificate of its own)."""
    most = 30

    def __init__(self, options, place):
        super().__init__(options, place)
        self.server = Mirror(options.reference / "mnist", place.parent)

    def settings(self):
        return {"https_proxy": self.server.address, "SSL_CERT_FILE": str(self.server.certificate)}

    def command(self):
        return self.cli("data", "fetch", "mnist", "--data-dir", self.place / "mnist")

    def before(self):  # one of the files
        (self.place / "mnist").mkdir()
        shutil.copy(self.options.reference / "mnist" / "t10k-labels-idx1-ubyte.gz", self.place / "mnist")


class Mirror(threading.Thread):
    """Any host's web server, of the files in a folder."""

    def __init__(self, folder, work):
        super().__init__(daemon=True)
        self.pauseS = 0  # behind each piece
        self.folder, self.certificate = folder, work / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", work / "key.pem", "-out", self.certificate,
                        "-days", "2", "-subj", "/CN=mirror", "-addext", "subjectAltName=DNS:*.s3.amazonaws.com,DNS:*.googleapis.com"],
                       check=True, capture_output=True)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(self.certificate, work / "key.pem")
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.start()

    def run(self):
        while True:
            threading.Thread(target=self.serve, args=(self.socket.accept()[0],), daemon=True).start()

    def serve(self, connection):
        try:
            self.head(connection)
            connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            connection = self.tls.wrap_socket(connection, server_side=True)
            head = self.head(connection)
            content = (self.folder / head.split()[1].decode().rsplit("/", 1)[1]).read_bytes()
            first = re.search(rb"(?i)range: bytes=(\d+)-", head)
            at = int(first[1]) if first else 0
            status = f"206 Partial Content\r\nContent-Range: bytes {at}-{len(content) - 1}/{len(content)}" if first else "200 OK"
            connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(content) - at}\r\n\r\n".encode())
            for piece in range(at, len(content), 1 << 16):
                connection.sendall(content[piece:min(piece + (1 << 16), len(content))])
                time.sleep(self.pauseS)
            connection.close()
        except OSError:  # the program has gone
            pass

    def head(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            got = connection.recv(4096)
            if not got:
                raise OSError("closed")
            head += got
        return head


KINDS = {"training": Train, "resuming": Resume, "a .keras file": Keras, "comparing": Compare, "a sweep": Sweep, "a halving sweep": Halving, "launch": Launch,
         "a class": ClassRun, "a class resumed": ResumedClass, "fetching": Fetch, "a picture": Png, "a poster, PDF": Pdf, "a poster, SVG": Svg, "the window": Window}


QUICK = 6  # the first ones: of the command line alone


class Trial:
    """One kind of work in a folder of its own, again and again."""

    def __init__(self, options, kind, folder):
        self.options = options
        self.place, self.state, self.log, self.kept = folder / "place", folder / "state", folder / "log", folder / "before"
        self.place.mkdir()
        self.work = KINDS[kind](options, self.place)
        self.work.before()
        shutil.copytree(self.place, self.kept)

    def restore(self):
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.kept, self.place)

    def names(self, folder):
        """A session's journals have other names each time."""
        return {path.relative_to(folder) for path in files(folder) if not path.name.startswith("run-2")}

    def watched(self, at, kind):
        """Runs it, with that write failing: exit code, what it said, how many have failed."""
        self.restore()
        self.state.write_bytes(bytes(8))
        settings = {"LD_PRELOAD": str(self.options.preload), "FAULT_PLACE": str(self.place) + "/", "FAULT_STATE": str(self.state),
                    "FAULT_LOG": str(self.log) if at == 0 else "", "FAULT_AT": str(at), "FAULT_KIND": kind}
        code, said = self.work.run(self.work.command(), settings)
        return code, said, struct.unpack("ii", self.state.read_bytes())[1]

    def writes(self):
        """What it does, in order, if nothing fails."""
        self.log.unlink(missing_ok=True)
        code, said, _ = self.watched(0, "full")
        if code != 0:
            raise SystemExit(f"without any fault it ended with {code}: {said}")
        self.expected = self.names(self.place)
        return [line.split(" ", 2)[1:] for line in self.log.read_text().splitlines()]

    def complaints(self, at, kind):
        """What is amiss where this write fails."""
        before = self.names(self.kept)
        code, said, failed = self.watched(at, kind)
        amiss = []
        if not failed:
            return [], ""
        there = self.names(self.place)
        last = said.strip().splitlines()[-1] if said.strip() else ""
        if code == "hangs" or code < 0:
            amiss.append(f"ended with {code}")
        if code == 0 and (self.expected - there):
            amiss.append(f"exit code 0 without {sorted(map(str, self.expected - there))}")
        if code != 0:
            sentence = [line for line in said.splitlines() if str(self.place) in line and REASONS[kind] in line]
            if not sentence:
                amiss.append(f"no sentence that names the file and why: {said.strip()[-300:]}")
            elif not re.search(r"[.] [A-Z]|: (choose|name) ", sentence[-1]):
                amiss.append("no word of what to do: " + sentence[-1])
        # What a resumed run would have replaced lies beside it: "m.before-step-13.jsonl".
        kept = {re.sub(r"[.]before-step-[0-9]+(-[0-9]+)?", "", str(path)) for path in there}
        # A run without --resume says at its start that its first checkpoint replaces an earlier run's.
        replaced = "this run's first one replaces them" in said and any(path.match("checkpoint-*.safetensors") for path in there)
        amiss += [f"lost {path}" for path in sorted(before - there) if not isPart(path) and str(path) not in kept
                  and not (replaced and path.match("checkpoint-*.safetensors"))]
        amiss += ["left " + str(path) for path in there if ".tmp" in path.name and kind == "full"]
        amiss += filter(None, (fault(path) for path in files(self.place) if not isPart(path)))
        code, again = self.work.run(self.work.again())
        if code != 0:
            amiss.append(f"afterwards it ended with {code}: {again.strip()[-300:]}")
        amiss += ["afterwards " + each for each in map(fault, files(self.place)) if each and not isPart(Path(each.split(':')[0]))]
        return amiss, last


def chosen(writes, most, seed):
    """Numbers of writes: all, or the first and last of each sort and others by chance."""
    if len(writes) <= most:
        return list(range(1, len(writes) + 1))
    sorts = collections.defaultdict(list)
    for number, (what, path) in enumerate(writes, 1):
        sorts[what, re.sub(r"\d+", "#", path)].append(number)
    draw = random.Random(seed)
    one = [numbers[0] for numbers in sorts.values()]
    more = [numbers[-1] for numbers in sorts.values()]
    draw.shuffle(one), draw.shuffle(more)
    rest = draw.sample(range(1, len(writes) + 1), len(writes))
    taken = list(dict.fromkeys(one + more + rest))[:most]
    return sorted(taken)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--preload", type=Path, help="failing_writes.so, where it is not in BIN")
    parser.add_argument("--reference", type=Path, default=Path(__file__).resolve().parents[3] / "shared", help="where mnist/ is")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--most", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.preload = (options.preload or options.programs / "failing_writes.so").resolve()
    options.programs = options.programs.resolve()
    bad = 0
    print(f"{'work':18} {'writes':>6} {'tried':>6} {'amiss':>6} {'seconds':>8}")
    for kind in options.only or (list(KINDS)[:QUICK] if options.quick else KINDS):
        began, amiss, sentences = time.monotonic(), 0, set()
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(options, kind, Path(folder))
            writes = trial.writes()
            numbers = chosen(writes, 3 if options.quick else min(options.most, trial.work.most), options.seed)
            for number in numbers:
                for reason in REASONS:
                    complaints, last = trial.complaints(number, reason)
                    sentences.add(re.sub(r"\d+", "#", last.replace(str(trial.place), "")))
                    for each in complaints:
                        print(f"  {kind}, write {number} of {len(writes)} ({' '.join(writes[number - 1])}), {reason}: {each}".replace(str(trial.place), "…"))
                    amiss += bool(complaints)
        if options.verbose:
            print("\n".join("    " + each for each in sorted(sentences)))
        print(f"{kind:18} {len(writes):6} {2 * len(numbers):6} {amiss:6} {time.monotonic() - began:8.1f}", flush=True)
        bad += amiss
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""A class's server and a client of it that says what it likes: for hostile.py and kills.py. Python's standard library
alone. The frames are core/protocol/frames.h's, over a WebSocket whose mask is 0."""
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = int(re.search(r"kProtocol = (\d+)", (ROOT / "core/protocol/frames.h").read_text())[1])
(HELLO, PULL, PUSH, ASLEEP, LEAVE, WELCOME, PICTURES, CLOSURE, VARIABLES, APPLIED, REFUSED, PAUSE, PROGRESS, END, DROPPED,
 CHUNK, SHORT_CHUNK) = range(17)
REASONS = re.findall(r"^  (\w+),", (ROOT / "core/protocol/frames.h").read_text().split("enum class Reason")[1].split("};")[0],
                     re.MULTILINE)
FLOATS_PER_CHUNK = 15 << 10


def hello(token, path="baseline", name=""):
    path, name = path.encode(), name.encode()
    return struct.pack("<BH", HELLO, PROTOCOL) + token + struct.pack("<H", len(path)) + path + struct.pack("<H", len(name)) + name


def push(closure, version, floats, loss=1.0, correct=0):
    return struct.pack("<BQQdIIQ", PUSH, closure, version, loss, correct, floats, 1000)


def chunks(values):
    """The frames of float32 values, which are bytes."""
    for at in range(0, len(values) // 4, FLOATS_PER_CHUNK):
        piece = values[4 * at:4 * (at + FLOATS_PER_CHUNK)]
        yield struct.pack("<BIH", CHUNK, at, len(piece) // 4) + piece


class Client:
    """A connection to a class. Raises OSError where it is refused or cut."""

    def __init__(self, link, shake=True, headers="", receive=None, patience=30, source=None):
        match = re.fullmatch(r"http://([\d.]+):(\d+)/#([0-9a-f]{32})", link)
        self.host, self.port, self.token = match[1], int(match[2]), bytes.fromhex(match[3])
        self.socket = socket.socket()
        if receive:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        if source:
            self.socket.bind((source, 0))
        self.socket.settimeout(patience)
        self.socket.connect((self.host, self.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes = b""
        self.floats = 0
        if shake:
            self.ask(f"GET /class HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                     f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n")
            if self.status != 101:
                raise ConnectionError(f"status {self.status}")

    def ask(self, request):
        self.socket.sendall(request.encode())
        while b"\r\n\r\n" not in self.bytes:
            self.more()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def more(self):
        got = self.socket.recv(1 << 18)
        if not got:
            raise ConnectionError("closed")
        self.bytes += got

    def take(self, count):
        while len(self.bytes) < count:
            self.more()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def say(self, payload, kind=2):
        size = len(payload)
        head = struct.pack("!BB", 0x80 | kind, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x80 | kind, 0xFE, size)
        self.socket.sendall(head + b"\0\0\0\0" + payload)

    def hear(self):
        """The next frame; pings are answered. b"": the other end closes."""
        while True:
            first, size = self.take(2)
            if size == 126:
                size = struct.unpack("!H", self.take(2))[0]
            payload = self.take(size)
            if first & 15 == 9:
                self.say(payload, 10)
            elif first & 15 == 8:
                return b""
            elif first & 15 == 2:
                return payload

    def join(self, path="baseline"):
        self.say(hello(self.token, path))
        welcome = self.hear()
        if welcome[0] != WELCOME:
            raise ConnectionError(reason(welcome))
        self.floats = sum(struct.unpack("<II", welcome[-9:-1]))

    def closure(self):
        """Pulls, and reads until the variables are there: closure and version."""
        self.say(bytes([PULL]))
        return self.variables()

    def variables(self):
        left, what = None, None
        while left != 0:
            frame = self.hear()
            if not frame or frame[0] == DROPPED:
                raise ConnectionError(reason(frame))
            if frame[0] == VARIABLES:
                closure, version, left = struct.unpack("<QQI", frame[1:])
                what = (closure, version)
            elif frame[0] == CHUNK and left is not None:
                left -= struct.unpack("<H", frame[5:7])[0]
        return what

    def push(self, closure, version, values, loss=1.0):
        self.say(push(closure, version, len(values) // 4, loss))
        for chunk in chunks(values):
            self.say(chunk)

    def close(self):
        self.socket.close()


def reason(frame):
    return REASONS[frame[1]] if frame and frame[0] == DROPPED else "closed"


class Class:
    """`strategylab-cli serve`, and what it says, with the time."""

    def __init__(self, programs, arguments, cores=None):
        self.programs = Path(programs)
        self.updates = []  # (time, worker, examples)
        self.said = []  # (time, line) on standard error
        self.waiting = threading.Condition()
        self.link = None
        self.process = subprocess.Popen(pinned(cores) + [self.programs / "strategylab-cli", "serve", "--json", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for stream, take in ((self.process.stdout, self.told), (self.process.stderr, self.complained)):
            threading.Thread(target=self.read, args=(stream, take), daemon=True).start()
        self.wait(lambda: self.link)
        self.server = children(self.process.pid)[0]
        self.parameterServers = children(self.server)

    def read(self, stream, take):
        for line in stream:
            now = time.monotonic()
            with self.waiting:
                take(now, line)
                self.waiting.notify_all()

    def told(self, now, line):
        line = json.loads(line)
        self.link = line.get("link", self.link)
        if line.get("event") == "step":
            self.updates.append((now, line.get("worker"), line["examples"], line["step"]))

    def complained(self, now, line):
        self.said.append((now, line.strip()))

    def wait(self, holds, patience=120):
        """Until it holds, which is asked whenever something was said."""
        with self.waiting:
            until = time.monotonic() + patience
            while not holds():
                self.waiting.wait(1)
                if self.process.poll() is not None and not holds():
                    raise SystemExit("the class has ended: " + " ".join(line for _, line in self.said[-3:]))
                if time.monotonic() > until:
                    raise SystemExit("waited too long; last: " + " ".join(line for _, line in self.said[-3:]))

    def heard(self, words, since):
        """When a line with these words first came after `since`."""
        return next((at for at, line in self.said if at >= since and words in line), None)

    def images(self, since, until, workers):
        with self.waiting:
            return sum(examples for at, worker, examples, _ in self.updates if since <= at < until and worker in workers)

    def worker(self, cores=None, patience=30_000):
        process = subprocess.Popen(pinned(cores) + [self.programs / "strategylab-class", "join"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        process.stdin.write(json.dumps({"link": self.link, "threads": 1, "patienceMs": patience}) + "\n")
        process.stdin.flush()
        return process

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


def pinned(cores):
    return ["taskset", "-c", ",".join(map(str, cores))] if cores else []


def children(pid):
    """Of all its threads."""
    return [int(each) for task in Path(f"/proc/{pid}/task").iterdir() for each in (task / "children").read_text().split()]


class Watch(threading.Thread):
    """How much memory and how many descriptors a process has at most, ten times a second, and its processor time."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.memory, self.descriptors, self.goes = pid, 0, 0, True
        self.cpu = self.seconds()
        self.start()

    def run(self):
        while self.goes:
            status = Path(f"/proc/{self.pid}/status").read_text()
            self.memory = max(self.memory, int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024)
            self.descriptors = max(self.descriptors, len(os.listdir(f"/proc/{self.pid}/fd")))
            time.sleep(0.1)

    def seconds(self):
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.goes = False
        self.join()
        self.cpu = self.seconds() - self.cpu


def programs(argument):
    folder = Path(argument)
    if not (folder / "strategylab-class").exists():
        sys.exit(f"{folder} has no strategylab-class: build it first (STRATEGYLAB_CLASS=1 app/run.sh, or .ci/run)")
    return folder

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens files that mean harm with the built programs, and says what came of it: the exit status, seconds, the most memory
of the program and what it started, and the last line of its words. None may crash, take over 10 s or 1 GB, or be opened.
  tests/hostile_files.py BIN-FOLDER
"""
import gzip, io, json, os, resource, struct, subprocess, sys, tempfile, time, zipfile

bin = os.path.abspath(sys.argv[1])
folder = tempfile.mkdtemp()
os.chdir(folder)
MOST_SECONDS, MOST_MB = 10, 1000
faults = 0


def put(name, data):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return name


def bomb(name, members, first=None):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, size in members:
            with archive.open(member, "w", force_zip64=True) as out:
                out.write(first or b"")
                for _ in range(size >> 20):
                    out.write(bytes(1 << 20))
    return name


def gzipBomb(name, head, megabytes, piece=b"\0" * (1 << 20)):
    with gzip.open(name, "wb", 1) as out:
        out.write(head)
        for _ in range(megabytes):
            out.write(piece)
    return name


def attempt(what, program, *options):
    global faults
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", HOME=folder, XDG_RUNTIME_DIR=folder)
    began = time.monotonic()
    with open("said", "wb+") as said:
        child = subprocess.Popen([os.path.join(bin, program), *options], stdout=said, stderr=said, env=environment)
        killer = None
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - began > 3 * MOST_SECONDS:
                child.kill()
            time.sleep(0.01)
        said.seek(0)
        words = [w for w in said.read().decode(errors="replace").splitlines() if "QStandardPaths" not in w and "propagateSize" not in w]
    seconds, megabytes = time.monotonic() - began, usage.ru_maxrss / 1024
    code = os.waitstatus_to_exitcode(status)
    bad = code <= 0 or seconds > MOST_SECONDS or megabytes > MOST_MB
    faults += bad
    print(f"{'FAULT' if bad else 'ok':5} {what:44} rc {code:3} {seconds:6.2f} s {megabytes:6.0f} MB  {words[-1][:110] if words else ''}", flush=True)


cli, window = "strategylab-cli", "strategylab"
train = (cli, "train", "--steps", "1", "--dataset", "digits")
render = (window, "--render", "out.png")
deep = "[" * 200_000 + "]" * 200_000
attempt(".slab, nested 200,000 deep", *render, put("deep.slab", '{"format":' + deep + "}"))
attempt(".slab of 5 MB", *render, put("long.slab", '{"a":"' + "x" * 5_000_000 + '"}'))
attempt(".slab with a count of 10^300", *render, put("count.slab", '{"format":"strategylab-experiment","version":1,"settings":{"replicas":1e300}}'))
attempt(".run, a gzip of 6 GB of one line", *render, gzipBomb("line.run", b"", 6144))
attempt(".run, a gzip of 3 GB of short lines", *render, gzipBomb("lines.run", b"", 3072, b"{}\n" * 349525))
attempt(".run, nested", *render, put("deep.run", gzip.compress(('{"a":' + deep + "}\n").encode())))
attempt("a CSV of 20 MB", *render, put("long.csv", "a,b\n" + "1,2\n" * 5_000_000))
attempt("a CSV of a million columns", *render, put("wide.csv", ",".join(["c"] * 1_000_000) + "\n"))
attempt("a lesson of 2 MB", *render, put("long.lesson", "# a\n" * 500_000))
attempt("catalogue of 5 MB", *train, "--catalogue", put("long.txt", "kind,id\n" * 700_000))
attempt("catalogue, one quote that never ends", *train, "--catalogue", put("quote.csv", 'kind,id,name\nlink,"' + "x" * 3_000_000))
attempt(".keras, a config of 4 GB", *train, "--network", bomb("config.keras", [("config.json", 1 << 32)]))
attempt(".keras, 60,000 members", *train, "--network", bomb("many.keras", [(f"../../m{i}", 0) for i in range(60_000)]))
attempt(".keras, nested", *train, "--network", bomb("deep.keras", [("config.json", 0)], deep.encode()))
attempt(".keras, weights that are none", *train, "--network", bomb("weights.keras", [("config.json", 0), ("model.weights.h5", 1 << 28)], b"{}"))
attempt("model.to_json() of 10^9 units", *train, "--network", put("units.json", json.dumps({"class_name": "Sequential", "config": {"layers": [
    {"class_name": "InputLayer", "config": {"batch_shape": [None, 28, 28, 1]}}, {"class_name": "Flatten", "config": {}},
    {"class_name": "Dense", "config": {"units": 10**9}}, {"class_name": "Dense", "config": {"units": 10}}]}})))
attempt("safetensors, a header of 2^63", *train, "--init", put("header.safetensors", struct.pack("<Q", 2**63) + b"{}"))
attempt("safetensors, a shape of 2^62", *train, "--init", put("shape.safetensors", struct.pack("<Q", 96) + json.dumps(
    {"a": {"dtype": "F32", "shape": [2**62, 4], "data_offsets": [0, 2**62]}}).ljust(96).encode()))
attempt("safetensors of 4 GB", *train, "--init", "sparse.safetensors") if os.truncate(put("sparse.safetensors", "x"), 1 << 32) is None else 0
idx = [("train-images-idx3-ubyte", 2051), ("t10k-images-idx3-ubyte", 2051), ("train-labels-idx1-ubyte", 2049), ("t10k-labels-idx1-ubyte", 2049)]
for name, magic in idx:
    gzipBomb(put("idx/" + name + ".gz", ""), struct.pack(">IIII", magic, 2**31 - 1, 28, 28), 4096 if "train-images" in name else 1)
attempt("IDX, 2^31 images and a gzip of 4 GB", cli, "train", "--steps", "1", "--dataset", "mnist", "--data-dir", "idx")
header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 28, 28), }"
npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
os.makedirs("npz")
bomb("npz/mnist.npz", [("x_train.npy", 1 << 32), ("y_train.npy", 1 << 20), ("x_test.npy", 1 << 20), ("y_test.npy", 1 << 20)], npy)
attempt("npz, 2^32 images and 4 GB of them", cli, "train", "--steps", "1", "--dataset", "mnist", "--data-dir", "npz")
put("check/checkpoint-000000000001.safetensors", struct.pack("<Q", 2**40) + b"{}")
attempt("a checkpoint with a header of 2^40", *train, "--checkpoint-dir", "check", "--resume")
attempt("a cluster of 10^18 hosts", cli, "sweep", "--timing-only", "--cluster", put("cluster.json", json.dumps(
    {"hostLink": "ib_edr", "hosts": [{"count": 10**18, "devices": {"v100": 8}, "link": "nvlink2"}]})))
attempt("a run file to replay, of nothing", cli, "replay", put("none.run", gzip.compress(b"{}\n")))
print(f"{faults} faults")
sys.exit(1 if faults else 0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a file is whole, by readers that share no code with the program: for disk.py and kills.py."""
import gzip
import json
import struct
import xml.etree.ElementTree as ElementTree
import zipfile


def lines(text):
    if text and not text.endswith("\n"):
        raise ValueError("ends inside a line")
    for line in text.splitlines():
        json.loads(line)


def jsonLines(path):
    lines(path.read_text())


def openedJsonLines(path):
    """That grows under its name: its last line may be cut off."""
    text = path.read_text()
    lines(text[:text.rfind("\n") + 1])


def run(path):
    with gzip.open(path, "rt") as file:  # an error where its end is missing
        lines(file.read())


def safetensors(path):
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:8 + size])
    ends = [value["data_offsets"][1] for name, value in header.items() if name != "__metadata__"]
    if max(ends) != len(content) - 8 - size:
        raise ValueError("other length than its header says")


def keras(path):
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() or sorted(archive.namelist()) != ["config.json", "metadata.json", "model.weights.h5"]:
            raise ValueError("not all members")
        if not archive.read("model.weights.h5").startswith(b"\x89HDF"):
            raise ValueError("no HDF5")


def events(path):
    """TensorBoard's, which is read as it grows: a last record that is cut off is left out by every reader."""
    content = path.read_bytes()
    at = records = 0
    while at + 12 <= len(content):
        size = struct.unpack("<Q", content[at:at + 8])[0]
        at += 16 + size
        records += at <= len(content)
    if records == 0 and content:
        raise ValueError("no record")


def ending(end):
    def check(path):
        if not path.read_bytes().rstrip().endswith(end):
            raise ValueError("its end is missing")
    return check


READERS = {".run": run, ".safetensors": safetensors, ".keras": keras, ".json": lambda path: json.loads(path.read_text()),
           ".slab": lambda path: json.loads(path.read_text()), ".jsonl": jsonLines, ".html": ending(b"</html>"),
           ".png": ending(b"IEND\xaeB`\x82"), ".pdf": ending(b"%%EOF"), ".svg": lambda path: ElementTree.parse(path),
           ".gz": lambda path: gzip.decompress(path.read_bytes()), ".strategylab": events}
OPENED = {"halving.jsonl", "class-updates.jsonl"}  # appended to under their names


def isPart(path):
    """What is told apart from a whole file by its name."""
    return path.name.endswith(".part") or ".tmp" in path.name


def fault(path):
    """Why it is not whole; "" where it is."""
    try:
        grows = path.name in OPENED or path.name.startswith("run-2")  # a session's journal
        (openedJsonLines if grows else READERS.get(path.suffix, lambda path: None))(path)
        return ""
    except Exception as error:  # whatever a reader says
        return f"{path.name}: {error}"


def files(place):
    return sorted(path for path in place.rglob("*") if path.is_file())

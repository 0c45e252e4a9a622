# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's side of compare.py, one process for one batch size: what was set up, compiled or captured stays warm between the
turns. Reads a JSON object a line and answers each with one: {"environment": true}, {"variant": NAME, "seconds": S}, {"dense": true}.
With --fill VARIANT it only compiles, so that inductor's cache (TORCHINDUCTOR_CACHE_DIR) has what the timed process then needs.
STRATEGYLAB_PEER_DEVICE=cpu rehearses without a GPU."""

import argparse
import json
import os
import sys
import time

import torch

DEVICE = torch.device(os.environ.get("STRATEGYLAB_PEER_DEVICE", "cuda"))
EXAMPLES = 60000


def make_step(variant, batch):
    nn, device = torch.nn, DEVICE
    layout = torch.channels_last if "channels-last" in variant else torch.contiguous_format
    model = nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(5408, 64), nn.ReLU(),
                          nn.Linear(64, 10)).to(device, memory_format=layout)
    graphed = "graph" in variant
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7, fused=True, capturable=graphed)
    loss_of = nn.CrossEntropyLoss()
    x_all = torch.randint(0, 256, (EXAMPLES, 1, 28, 28), dtype=torch.uint8, device=device)
    y_all = torch.randint(0, 10, (EXAMPLES,), device=device)
    chosen = torch.zeros(batch, dtype=torch.int64, device=device)

    def forward_loss(x, y):
        return loss_of(model(x), y)

    if "compiled" in variant:
        forward_loss = torch.compile(forward_loss)

    def step():
        x = (x_all[chosen].to(torch.float32) / 255).contiguous(memory_format=layout)
        optimizer.zero_grad(set_to_none=True)
        forward_loss(x, y_all[chosen]).backward()
        optimizer.step()

    def shuffled():
        while True:
            order = torch.randperm(EXAMPLES, device=device)
            for first in range(0, EXAMPLES - batch + 1, batch):
                yield order[first:first + batch]

    batches = shuffled()
    run = step
    if graphed:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(5):
                chosen.copy_(next(batches))
                step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        run = graph.replay

    def one():
        chosen.copy_(next(batches))
        run()

    one.needs = step  # a graph holds addresses alone: without this its weights and data would be freed
    return one


def synchronize():
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()


def images_per_second(one, batch, seconds):
    for _ in range(20):
        one()
    synchronize()
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        for _ in range(50):
            one()
        count += 50
        synchronize()
    return count * batch / (time.perf_counter() - begin)


def time_dense(batch):
    """Microseconds of the dense layers' products by cuBLAS: forward and backward, both layers, as one graph of many."""
    rows = [(torch.rand(batch, deep, device=DEVICE), torch.rand(deep, wide, device=DEVICE),
             torch.rand(batch, wide, device=DEVICE)) for deep, wide in ((5408, 64), (64, 10))]
    repeats = 20

    def products():
        for x, w, dy in rows:
            torch.mm(x, w)
            torch.mm(x.t(), dy)
            torch.mm(dy, w.t())

    products()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(repeats):
            products()
    best = float("inf")
    for _ in range(10):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        best = min(best, begin.elapsed_time(end) * 1e3 / repeats)
    return best


def answer(question, batch, warm):
    if "environment" in question:
        name = torch.cuda.get_device_name() if DEVICE.type == "cuda" else "the processor, a rehearsal"
        return {"environment": f"{name}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}"}
    if "dense" in question:
        return {"microseconds": time_dense(batch) if DEVICE.type == "cuda" else 0.0}
    variant = question["variant"]
    if variant not in warm:
        warm[variant] = make_step(variant, batch)
    return {"imagesPerSecond": images_per_second(warm[variant], batch, question["seconds"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--fill", metavar="VARIANT")
    given = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(1)
    if given.fill:
        make_step(given.fill, given.batch)()
        synchronize()
        return
    warm = {}
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line), given.batch, warm)
        except Exception as error:  # a variant that does not run here is said, and left out
            reply = {"error": f"{type(error).__name__}: {error}"[:2000]}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()

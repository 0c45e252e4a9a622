# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole training steps of the course network on several processes of one machine: StrategyLab's launch beside PyTorch's
DistributedDataParallel on Gloo and TensorFlow's MultiWorkerMirroredStrategy, timed in turn. Each process has its share of
the machine's cores; shuffling, batching, pixels / 255, forward, backward, all-reduce, Adam are in the time, as in
peer.py; start-up is not. Variants of a peer that help it on a processor are tried, and its best one counts.
    many.py --cli BIN/strategylab-cli --data-dir MNIST --pytorch VENV/bin/python --tensorflow VENV/bin/python
Prints a table; ratios are ours to the better peer's best in the same round."""

import argparse
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def worker_pytorch(given):
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    from peer import FILTERS, CLASSES, HIDDEN, POOLED, load_mnist

    torch.set_num_threads(given.threads)
    torch.manual_seed(1)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{given.port}", rank=given.rank,
                            world_size=given.processes)
    nn = torch.nn
    layout = torch.channels_last if "channels-last" in given.variant else torch.contiguous_format
    model = nn.Sequential(
        nn.Conv2d(1, FILTERS, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(POOLED * POOLED * FILTERS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, CLASSES)).to(memory_format=layout)
    model = DistributedDataParallel(model, gradient_as_bucket_view=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7, fused=True)
    loss_of = nn.CrossEntropyLoss()
    images, labels = load_mnist(given.data_dir)
    x_all = torch.from_numpy(images[given.rank::given.processes].copy()).permute(0, 3, 1, 2).contiguous()
    y_all = torch.from_numpy(labels[given.rank::given.processes].astype("int64"))
    batch, n = given.batch // given.processes, len(y_all)

    def steps():
        while True:
            order = torch.randperm(n)
            for first in range(0, n - batch + 1, batch):
                chosen = order[first:first + batch]
                x = x_all[chosen].to(torch.float32).div_(255).contiguous(memory_format=layout)
                optimizer.zero_grad(set_to_none=True)
                loss_of(model(x), y_all[chosen]).backward()
                optimizer.step()
                yield

    endless = steps()
    for _ in range(10):
        next(endless)
    # All stop after as many steps: the first process says how many.
    dist.barrier()
    begin = time.perf_counter()
    for _ in range(10):
        next(endless)
    count = torch.tensor([max(20, int(given.seconds / ((time.perf_counter() - begin) / 10)))])
    dist.broadcast(count, 0)
    dist.barrier()
    begin = time.perf_counter()
    for _ in range(int(count)):
        next(endless)
    dist.barrier()
    return int(count), time.perf_counter() - begin, torch.__version__


def worker_tensorflow(given):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    workers = [f"127.0.0.1:{given.port + i}" for i in range(given.processes)]
    os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": workers},
                                          "task": {"type": "worker", "index": given.rank}})
    import tensorflow as tf

    from peer import FILTERS, HIDDEN, CLASSES, load_mnist

    tf.config.threading.set_intra_op_parallelism_threads(given.threads)
    tf.config.threading.set_inter_op_parallelism_threads(max(2, given.threads))
    strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=tf.distribute.experimental.CommunicationOptions(
        implementation=tf.distribute.experimental.CommunicationImplementation.RING))
    images, labels = load_mnist(given.data_dir)
    data = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(10000).repeat().batch(given.batch, drop_remainder=True)
    data = data.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y)).prefetch(tf.data.AUTOTUNE)
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    data = strategy.experimental_distribute_dataset(data.with_options(options))
    with strategy.scope():
        layers = tf.keras.layers
        model = tf.keras.Sequential([
            layers.Input((28, 28, 1)), layers.Conv2D(FILTERS, 3, activation="relu"), layers.MaxPooling2D(),
            layers.Flatten(), layers.Dense(HIDDEN, activation="relu"), layers.Dense(CLASSES)])
        optimizer = tf.keras.optimizers.Adam(1e-3)
        optimizer.build(model.trainable_variables)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(loss_of(y, model(x, training=True))) / given.batch
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    endless = iter(data)

    # Several steps in one call, so that TensorFlow's own way to keep Python out of a step is used.
    @tf.function
    def some(count):
        loss = tf.constant(0.0)
        for _ in tf.range(count):
            x, y = next(endless)
            loss = strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica_step, args=(x, y)), axis=None)
        return loss

    some(tf.constant(10)).numpy()
    begin = time.perf_counter()
    some(tf.constant(10)).numpy()
    calls = tf.constant(max(2.0, given.seconds / (time.perf_counter() - begin)))
    calls = int(strategy.run(lambda: tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.MEAN, calls)).numpy())
    begin = time.perf_counter()
    for _ in range(calls):
        last = some(tf.constant(10))
    last.numpy()
    return calls * 10, time.perf_counter() - begin, tf.__version__


WORKERS = {"pytorch": (worker_pytorch, ["eager", "channels-last"]), "tensorflow": (worker_tensorflow, ["ring"])}


def free_ports(count):
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            first = probe.getsockname()[1]
        if first + count < 60000:
            return first


def peer(given, python, framework, variant, processes, batch):
    port = free_ports(processes)
    command = [python, __file__, "--worker", framework, "--variant", variant, "--processes", str(processes), "--batch",
               str(batch), "--port", str(port), "--threads", str(threads_of(given, processes)), "--seconds",
               str(given.seconds), "--data-dir", given.data_dir]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads_of(given, processes)), "GLOO_SOCKET_IFNAME": "lo"}
    running = [subprocess.Popen([*map(str, command), "--rank", str(rank)], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE) for rank in range(processes)]
    try:
        ended = [(process.communicate(timeout=given.seconds * 10 + 240), process.returncode) for process in running]
    finally:
        for process in running:
            process.kill()
    for (out, err), code in ended:
        if code != 0:
            raise SystemExit(f"{framework} failed:\n{err[-2000:]}")
    return json.loads(ended[0][0][0].strip().splitlines()[-1])


def ours(given, processes, batch):
    def images_per_second(steps):
        ran = subprocess.run([given.cli, "launch", "--workers", str(processes), "--dataset", "mnist", "--data-dir",
                              given.data_dir, "--global-batch", str(batch), "--threads", str(threads_of(given, processes)),
                              "--steps", str(steps), "--eval-every", "0"], capture_output=True, text=True)
        if ran.returncode != 0:
            raise SystemExit(f"launch failed:\n{ran.stderr[-2000:]}")
        found = re.search(r"measured, this program\s+([\d,.]+) images/s", ran.stdout)
        return float(found.group(1).replace(",", ""))

    first = images_per_second(40)
    return {"imagesPerSecond": images_per_second(max(40, int(first * given.seconds / batch))), "version": ""}


def threads_of(given, processes):
    return max(1, given.cores // processes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path)
    parser.add_argument("--pytorch", help="Python with PyTorch; left out: not timed")
    parser.add_argument("--tensorflow", help="Python with TensorFlow; left out: not timed")
    parser.add_argument("--data-dir", type=pathlib.Path, required=True)
    parser.add_argument("--counts", default="2,4", help="of processes")
    parser.add_argument("--batches", default="128,1024")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--worker", choices=WORKERS)
    for name in ("processes", "batch", "port", "rank", "threads"):
        parser.add_argument("--" + name, type=int)
    parser.add_argument("--variant")
    given = parser.parse_args()
    if given.worker:
        count, seconds, version = WORKERS[given.worker][0](given)
        print(json.dumps({"imagesPerSecond": count * given.batch / seconds, "version": version}), flush=True)
        os._exit(0)  # the others may have gone: nothing is said of it
    pythons = {name: getattr(given, name) for name in WORKERS if getattr(given, name)}
    for processes in map(int, given.counts.split(",")):
        for batch in map(int, given.batches.split(",")):
            who = [None] + [(name, variant) for name in pythons for variant in WORKERS[name][1]]
            rounds, versions = [], {}
            for number in range(given.rounds):
                result = {}
                for one in who if number % 2 == 0 else reversed(who):
                    took = ours(given, processes, batch) if one is None else peer(given, pythons[one[0]], *one, processes, batch)
                    result[one] = took["imagesPerSecond"]
                    versions[one] = took["version"]
                    print(f"    {processes} processes, batch {batch}, round {number + 1}: {one}: {result[one]:,.0f}",
                          file=sys.stderr, flush=True)
                rounds.append(result)
            print(f"{processes} processes, global batch {batch}, {threads_of(given, processes)} threads each: median images/s (range)")
            for one in who:
                values = [each[one] for each in rounds]
                name = "StrategyLab launch" if one is None else f"{one[0]} {versions[one]} {one[1]}"
                print(f"    {name:34} {statistics.median(values):10,.0f} ({min(values):,.0f} to {max(values):,.0f})")
            if len(who) > 1:
                ratios = [each[None] / max(each[one] for one in who[1:]) for each in rounds]
                print(f"    ours to the better peer's best     {statistics.median(ratios):10.2f} ({min(ratios):.2f} to "
                      f"{max(ratios):.2f}) times", flush=True)


if __name__ == "__main__":
    main()

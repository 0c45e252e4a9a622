# SPDX-License-Identifier: GPL-3.0-or-later
"""TensorFlow's ParameterServerStrategy and ours, two workers and one server on this machine, in turn: the course
network, Adam, float32 between the processes, 64 images a worker. Prints a table. Give it a Python with TensorFlow:
    PYTHON tests/bench/peers/servers.py --cli build/release/bin/strategylab-cli --data-dir MNIST_FOLDER [--rounds 3]
Each rate is of the updates behind the first --warm ones, by the clock of whoever applies them."""

import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROLE = "STRATEGYLAB_ROLE"  # of a process that this program starts: worker, ps or chief


def free_ports(count):
    opened = [socket.socket() for _ in range(count)]
    for each in opened:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in opened]
    for each in opened:
        each.close()
    return ports


def tasks(given):
    ports = iter(free_ports(given.workers + 2))
    return {"chief": [f"127.0.0.1:{next(ports)}"], "ps": [f"127.0.0.1:{next(ports)}"],
            "worker": [f"127.0.0.1:{next(ports)}" for _ in range(given.workers)]}


def serve():
    """A worker or the server, until it is killed."""
    import tensorflow as tf

    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id,
                         protocol="grpc").join()


def coordinate(given):
    """The chief: schedules the steps, and prints the images a second."""
    import tensorflow as tf

    from peer import load_mnist

    strategy = tf.distribute.ParameterServerStrategy(tf.distribute.cluster_resolver.TFConfigClusterResolver())
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    images, labels = load_mnist(pathlib.Path(given.data_dir))
    labels = labels.astype("int32")

    def dataset():
        data = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(10_000).repeat().batch(given.batch)
        return data.map(lambda x, y: (tf.cast(x, tf.float32) / 255, y)).prefetch(tf.data.AUTOTUNE)

    with strategy.scope():
        layers = tf.keras.layers
        model = tf.keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(32, 3, activation="relu"),
                                     layers.MaxPooling2D(), layers.Flatten(), layers.Dense(64, activation="relu"),
                                     layers.Dense(10)])
        optimizer = tf.keras.optimizers.Adam()
        optimizer.build(model.trainable_variables)
    iterator = iter(coordinator.create_per_worker_dataset(dataset))

    @tf.function
    def step(iterator):
        def replica(x, y):
            with tf.GradientTape() as tape:
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x, training=True))
                loss = tf.reduce_mean(losses)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
            return loss

        return strategy.run(replica, args=next(iterator))

    def run(steps):
        results = [coordinator.schedule(step, args=(iterator,)) for _ in range(steps)]
        coordinator.join()
        return results

    run(given.warm)
    began = time.perf_counter()
    losses = run(given.steps)
    took = time.perf_counter() - began
    print(json.dumps({"imagesPerSecond": given.batch * given.steps / took, "version": tf.__version__,
                      "loss": float(losses[-1].fetch())}), flush=True)
    os._exit(0)  # its clean-up waits for servers that are about to be killed


def theirs(given):
    cluster, others = tasks(given), []

    def start(role, index):
        config = {"cluster": cluster, "task": {"type": role, "index": index}}
        environment = {**os.environ, "TF_CONFIG": json.dumps(config), ROLE: role, "CUDA_VISIBLE_DEVICES": "-1",
                       "TF_CPP_MIN_LOG_LEVEL": "2", "GRPC_FAIL_FAST": "use_caller"}
        return subprocess.Popen([sys.executable, *sys.argv], env=environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)

    try:
        others = [start("ps", 0), *(start("worker", index) for index in range(given.workers))]
        printed, _ = start("chief", 0).communicate()
    finally:
        for each in others:
            each.kill()
            each.wait()
    if not printed.strip():
        raise SystemExit("TensorFlow's chief has said nothing: start it alone to see why")
    return json.loads(printed.strip().splitlines()[-1])


def ours(given):
    ran = subprocess.run([given.cli, "launch", "--strategy", "parameter-server", "--workers", str(given.workers),
                          "--batch-per-replica", str(given.batch), "--steps", str(given.warm + given.steps),
                          "--dataset", "mnist", "--data-dir", given.data_dir, "--eval-every", "0", "--json"],
                         capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit(ran.stderr[-2000:])
    steps = [line for line in map(json.loads, ran.stdout.splitlines()) if line.get("event") == "step"][given.warm:]
    took = sum(step["wallNs"] for step in steps) / 1e9
    return {"imagesPerSecond": sum(step["examples"] for step in steps) / took, "loss": steps[-1]["loss"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", required=True, help="strategylab-cli, a release build, strategylab-class beside it")
    parser.add_argument("--data-dir", required=True, help="folder with MNIST's IDX files")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64, help="images of a worker's step")
    parser.add_argument("--warm", type=int, default=100)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    role = os.environ.get(ROLE)
    if role is not None:
        sys.path.insert(0, str(HERE))
        return coordinate(given) if role == "chief" else serve()
    rates, ratios, version = {ours: [], theirs: []}, [], ""
    for number in range(given.rounds):
        result = {}
        for who in (ours, theirs) if number % 2 == 0 else (theirs, ours):
            result[who] = who(given)
            rates[who].append(result[who]["imagesPerSecond"])
            print(f"round {number + 1}, {who.__name__}: {rates[who][-1]:,.0f} images/s, loss "
                  f"{result[who]['loss']:.3f}", file=sys.stderr)
        version = result[theirs]["version"]
        ratios.append(rates[ours][-1] / rates[theirs][-1])
    print(f"{given.workers} workers, 1 server, {given.batch} images a worker, {given.rounds} rounds: median (range)")
    for name, values in (("StrategyLab", rates[ours]), (f"TensorFlow {version}", rates[theirs])):
        print(f"    {name:20} {statistics.median(values):>8,.0f} ({min(values):,.0f} to {max(values):,.0f}) images/s")
    print(f"    ours                 {statistics.median(ratios):>8.2f} ({min(ratios):.2f} to {max(ratios):.2f}) times")


if __name__ == "__main__":
    main()

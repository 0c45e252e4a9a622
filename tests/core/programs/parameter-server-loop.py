# ParameterServerStrategy, 2 workers: a custom training loop. Needs `pip install tensorflow` (made for 2.21 with Keras
# 3).
# A batch belongs to one worker's step; an epoch is so many steps of all workers together.
# Workers wait for nobody, so the losses of two runs differ.
# Keras 3 counts too few of several workers' updates, which Adam's bias correction uses.
# StrategyLab's devices are simulated (v100, nvlink2, eth_10g); TensorFlow uses the devices that it finds.
import atexit
import json
import math
import os
import signal
import socket

# Every task runs this program and finds its place in TF_CONFIG, which is set before it starts. On chief0:
#   TF_CONFIG='{"cluster": {"chief": ["chief0:2222"],
#                           "worker": ["worker0:2222", "worker1:2222"],
#                           "ps": ["ps0:2222"]},
#               "task": {"type": "chief", "index": 0}}'
# and the same with another task on each of the others:
#   {"type": "worker", "index": 0} on worker0
#   {"type": "worker", "index": 1} on worker1
#   {"type": "ps", "index": 0} on ps0
TASKS, started = {"chief": 1, "worker": 2, "ps": 1}, []
if "TF_CONFIG" not in os.environ:  # nobody set it: this machine stands in for all of them, a process each, without GPUs
    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    ports = []
    cluster = {kind: [] for kind in TASKS}
    for kind, count in TASKS.items():
        for _ in range(count):
            ports.append(socket.socket())
            ports[-1].bind(("localhost", 0))
            cluster[kind].append("localhost:%d" % ports[-1].getsockname()[1])
    for port in ports:
        port.close()
    tasks = [{"type": kind, "index": index} for kind in cluster for index in range(len(cluster[kind]))]
    mine = tasks[0]
    for task in tasks[1:]:
        process = os.fork()
        if process == 0:
            mine, started = task, []
            break
        started.append(process)
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": mine})
    atexit.register(lambda: [os.kill(process, signal.SIGKILL) for process in started])

import numpy as np
import tensorflow as tf

BATCH_SIZE_PER_REPLICA = 64
BUFFER_SIZE = 10000
EPOCHS = 1
SEED = 1  # TensorFlow's own weights and order: not those of StrategyLab's seed

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):  # workers and servers wait for what the coordinator sends them
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol="grpc").join()
strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)  # this task: it hands out steps
tf.keras.utils.set_random_seed(SEED)
print("replicas in sync:", strategy.num_replicas_in_sync)
GLOBAL_BATCH_SIZE = BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync  # of one worker's step

(train_images, train_labels), (test_images, test_labels) = tf.keras.datasets.mnist.load_data()
STEPS_PER_EPOCH = math.ceil(len(train_images) / GLOBAL_BATCH_SIZE)


def scale(image, label):
    return tf.cast(image, tf.float32)[..., tf.newaxis] / 255, label


train = tf.data.Dataset.from_tensor_slices((train_images, train_labels))
train = train.map(scale).cache().shuffle(BUFFER_SIZE).batch(GLOBAL_BATCH_SIZE).repeat()
test = tf.data.Dataset.from_tensor_slices((test_images, test_labels))
test = test.map(scale).batch(GLOBAL_BATCH_SIZE)

LEARNING_RATE = 0.001

with strategy.scope():  # what is created here is the strategy's
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(10),
    ])
    optimizer = tf.keras.optimizers.Adam(LEARNING_RATE)
    optimizer.build(model.trainable_variables)


def train_step(images, labels):  # what one replica does with its part
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        losses = tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        loss = tf.nn.compute_average_loss(losses)  # as fit: the mean of its own examples / replicas
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def distributed_train_step(batches):  # one worker's, of a batch of its own
    images, labels = next(batches)
    losses = strategy.run(train_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


def test_step(images, labels):
    answers = tf.argmax(model(images, training=False), axis=1)
    return tf.math.count_nonzero(answers == tf.cast(labels, tf.int64))


def evaluate():  # by the coordinator itself, which has every test image once
    right_in = tf.function(test_step)
    right = sum(int(right_in(images, labels)) for images, labels in test)
    print(f"test accuracy {right / len(test_images):.4f}")


batches = iter(coordinator.create_per_worker_dataset(train))  # every worker has all examples
step = 0
for epoch in range(1, EPOCHS + 1):
    losses = [coordinator.schedule(distributed_train_step, args=(batches,))
              for _ in range(STEPS_PER_EPOCH)]
    coordinator.join()  # no worker waits for another; only here all are waited for
    losses = coordinator.fetch(losses)
    step += len(losses)
    print(f"epoch {epoch}: loss {np.mean(losses):.4f}")
    evaluate()

for process in started:
    os.kill(process, signal.SIGKILL)
print(end="", flush=True)
os._exit(0)  # the servers are gone: TensorFlow's own clean-up would complain of each function

# MultiWorkerMirroredStrategy, 4 replicas: a custom training loop. Needs `pip install tensorflow` (made for 2.21 with
# Keras 3).
# Keras 3's fit does not run under MultiWorkerMirroredStrategy (it converts a PerReplica value to a tensor,
# keras-team/keras issue 20585). With tf_keras and TF_USE_LEGACY_KERAS=1 it does. So this is the custom loop.
# A worker without GPUs has one replica, so processes that stand in for workers are as many as the replicas.
# StrategyLab's devices are simulated (v100, nvlink2, eth_10g); TensorFlow runs on those that there are.
import atexit
import json
import math
import os
import signal
import socket
import tempfile

# Every task runs this program and finds its place in TF_CONFIG, which is set before it starts. On worker0:
#   TF_CONFIG='{"cluster": {"worker": ["worker0:2222", "worker1:2222"]},
#               "task": {"type": "worker", "index": 0}}'
# and the same with another task on each of the others:
#   {"type": "worker", "index": 1} on worker1
TASKS, started = {"worker": 4}, []
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
STEPS = 100
SEED = 1  # TensorFlow's own weights and order: not those of StrategyLab's seed
CHECKPOINT_DIR = "backup"

communication = tf.distribute.experimental.CommunicationOptions(
    bytes_per_pack=1048576, implementation=tf.distribute.experimental.CommunicationImplementation.RING)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=communication)  # waits for all workers
chief = strategy.cluster_resolver.task_id == 0  # worker 0; the others compute as it does, and are silent
tf.keras.utils.set_random_seed(SEED)
if chief:
    print("replicas in sync:", strategy.num_replicas_in_sync)
GLOBAL_BATCH_SIZE = BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync

(train_images, train_labels), (test_images, test_labels) = tf.keras.datasets.mnist.load_data()
STEPS_PER_EPOCH = math.ceil(len(train_images) / GLOBAL_BATCH_SIZE)
FILES = 4  # the training examples lie in so many


def write_records(folder):
    names = [f"{folder}/train-{i}.tfrecord" for i in range(FILES)]
    for name, images, labels in zip(names, np.array_split(train_images, FILES), np.array_split(train_labels, FILES)):
        with tf.io.TFRecordWriter(name) as file:
            for image, label in zip(images, labels):
                file.write(image.tobytes() + bytes([label]))
    return names


def parse(record):
    content = tf.io.decode_raw(record, tf.uint8)
    return tf.reshape(content[:-1], (28, 28)), content[-1]


def scale(image, label):
    return tf.cast(image, tf.float32)[..., tf.newaxis] / 255, label


folder = tempfile.TemporaryDirectory()
records = write_records(folder.name)
train = tf.data.TFRecordDataset(records).map(parse)
train = train.map(scale).cache().shuffle(BUFFER_SIZE, seed=SEED).batch(GLOBAL_BATCH_SIZE)
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
def distributed_train_step(images, labels):
    losses = strategy.run(train_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


def test_step(images, labels):
    answers = tf.argmax(model(images, training=False), axis=1)
    return tf.math.count_nonzero(answers == tf.cast(labels, tf.int64))


@tf.function
def distributed_test_step(images, labels):
    right = strategy.run(test_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, right, axis=None)


def evaluate():
    right = sum(int(distributed_test_step(images, labels)) for images, labels in test_batches)
    if chief:
        print(f"test accuracy {right / len(test_images):.4f}")


if not chief:  # all take part in saving; only one's files are kept
    CHECKPOINT_DIR = os.path.join(CHECKPOINT_DIR, f"of_worker_{strategy.cluster_resolver.task_id}")
steps_done = tf.Variable(0, dtype=tf.int64)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, steps_done=steps_done)
manager = tf.train.CheckpointManager(checkpoint, CHECKPOINT_DIR, max_to_keep=3)
checkpoint.restore(manager.latest_checkpoint)  # not the place in the epoch
train_batches = strategy.experimental_distribute_dataset(train)
test_batches = strategy.experimental_distribute_dataset(test)
step = int(steps_done)  # more than 0 where it goes on
epoch = step // STEPS_PER_EPOCH
while step < STEPS:
    epoch += 1
    losses = []
    for images, labels in train_batches:
        if step == STEPS:
            break
        step += 1
        losses.append(distributed_train_step(images, labels))
    if chief:
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}")
    evaluate()
    steps_done.assign(step)
    manager.save()

while started:  # they end as this one does
    os.waitpid(started.pop(), 0)

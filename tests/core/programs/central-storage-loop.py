# CentralStorageStrategy, 2 replicas: a custom training loop. Needs `pip install tensorflow` (made for 2.21 with Keras
# 3).
# StrategyLab's devices are simulated (v100, pcie3_x16); TensorFlow uses the devices that it finds.
import numpy as np
import tensorflow as tf

REPLICAS = 2
BATCH_SIZE_PER_REPLICA = 64
BUFFER_SIZE = 10000
EPOCHS = 1
SEED = 1  # TensorFlow's own weights and order: not those of StrategyLab's seed

devices = [f"GPU:{i}" for i in range(REPLICAS)]
if len(tf.config.list_physical_devices("GPU")) < REPLICAS:  # parts of this processor stand in for them
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * (REPLICAS + 1))
    devices = [f"CPU:{i + 1}" for i in range(REPLICAS)]
strategy = tf.distribute.experimental.CentralStorageStrategy(
    compute_devices=devices, parameter_device="CPU:0")  # where the one copy of every variable is
tf.keras.utils.set_random_seed(SEED)
print("replicas in sync:", strategy.num_replicas_in_sync)
GLOBAL_BATCH_SIZE = BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync

(train_images, train_labels), (test_images, test_labels) = tf.keras.datasets.mnist.load_data()


def scale(image, label):
    return tf.cast(image, tf.float32)[..., tf.newaxis] / 255, label


train = tf.data.Dataset.from_tensor_slices((train_images, train_labels))
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
    print(f"test accuracy {right / len(test_images):.4f}")


train_batches = strategy.experimental_distribute_dataset(train)
test_batches = strategy.experimental_distribute_dataset(test)
step = 0
for epoch in range(1, EPOCHS + 1):
    losses = []
    for images, labels in train_batches:
        step += 1
        losses.append(distributed_train_step(images, labels))
    print(f"epoch {epoch}: loss {np.mean(losses):.4f}")
    evaluate()

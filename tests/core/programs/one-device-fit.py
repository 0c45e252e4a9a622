# OneDeviceStrategy, 1 replica: Keras's fit. Needs `pip install tensorflow` (made for 2.21 with Keras 3).
# StrategyLab's devices are simulated (v100, nvlink2); TensorFlow uses the devices that it finds.
import numpy as np
import tensorflow as tf

BATCH_SIZE_PER_REPLICA = 64
BUFFER_SIZE = 10000
EPOCHS = 1
SEED = 1  # TensorFlow's own weights and order: not those of StrategyLab's seed

device = "GPU:0"
if not tf.config.list_physical_devices("GPU"):
    device = "CPU:0"
strategy = tf.distribute.OneDeviceStrategy(device)
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
    model.compile(
        optimizer=optimizer,
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"])

model.fit(train, epochs=EPOCHS)
model.evaluate(test)

// SPDX-License-Identifier: GPL-3.0-or-later
// Generates the input pipeline: where the examples come from, and how they become batches.
#include <cstdint>
#include <string>
#include <vector>

#include "core/codegen/parts.h"
#include "core/codegen/python.h"
#include "core/options/network_of.h"
#include "core/options/own_pictures.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

// Returns the shape of an example's pixels. Grey ones have no last axis.
std::vector<std::int64_t> pixelsOf(const ResolvedSettings& config) {
  const auto [height, width, channels] = imageShapeOf(config.dataset);
  std::vector<std::int64_t> shape{height, width, channels};
  if (takesOwnPictures(config)) shape = networkOf(config)->input();  // they are scaled
  if (shape.back() == 1) shape.pop_back();
  return shape;
}

// One folder per class. StrategyLab chooses test pictures by a hash, which Keras lacks. The program reads the pictures
// once: Keras shuffles them anew for each pass, and labels of a second pass would belong to others.
void addPictures(ProgramLines& lines, const ProgramParts& parts) {
  const std::vector<std::int64_t> input = networkOf(parts.config)->input();
  const bool grey = input.back() == 1;
  add(lines, {Beat::Input, Beat::Batch},
      R"(
# Folders without pictures are no classes, as in StrategyLab; Keras would count them.
classes = sorted({file.parent.name for file in pathlib.Path(DATA_DIR).glob("[!.]*/[!.]*")
                  if file.suffix.lower() in (".png", ".jpg", ".jpeg")})
# Every fifth picture is for testing: StrategyLab chooses others, and scales in a way of its own.
pictures = tf.keras.utils.image_dataset_from_directory(
    DATA_DIR, class_names=classes, batch_size=None, seed=)" +
          parts.kerasSeed() + ", color_mode=\"" + (grey ? "grayscale" : "rgb") +
          "\", image_size=" + shapeText({input[0], input[1]}) + R"()
images, labels = zip(*pictures)
images = np.stack(images).round().astype(np.uint8))" +
          (grey ? "[..., 0]" : "") + R"(
labels = np.array(labels, np.uint8)
tests = np.arange(len(labels)) % 5 == 0
train_images, train_labels = images[~tests], labels[~tests]
test_images, test_labels = images[tests], labels[tests])");
}

// Takes the folders and files that train takes (data/cifar10.h), in the same order.
void addCifar10(ProgramLines& lines) {
  addAside(lines, {Beat::Input, Beat::Batch}, R"(
def read_cifar10(names):  # labels, and the planes red, green and blue
    kinds = "", "cifar-10-batches-bin", "cifar-10-batches-py", "cifar-10-batches-py-target/cifar-10-batches-py"
    folders = [pathlib.Path(DATA_DIR, place, kind) for place in ("", "cifar10") for kind in kinds]
    folder, end = next((f, end) for f in folders for end in (".bin", "") if (f / f"test_batch{end}").exists())
    files = sorted(folder.glob(names + end), key=lambda file: (len(file.name), file.name))  # 10 after 9
    if end:
        records = np.concatenate([np.fromfile(file, np.uint8) for file in files]).reshape(-1, 3073)
        labels, planes = records[:, 0], records[:, 1:]
    else:  # the Python version, which Keras unpacks
        batches = [pickle.loads(file.read_bytes(), encoding="bytes") for file in files]
        labels, planes = (np.concatenate([batch[key] for batch in batches]) for key in (b"labels", b"data"))
    return planes.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), labels.astype(np.uint8)

)");
  add(lines, {Beat::Input, Beat::Batch}, R"(
train_images, train_labels = read_cifar10("data_batch_*[0-9]")
test_images, test_labels = read_cifar10("test_batch"))");
}

// Keras's mnist.npz takes the place of a folder's IDX files, as for train.
void addIdxFiles(ProgramLines& lines, bool fashion) {
  addAside(
      lines, {Beat::Input, Beat::Batch},
      std::string(R"(
def read_idx(name):  # a file of bytes with its dimensions in front
    folder = pathlib.Path(DATA_DIR)
    folders = folder, folder / )") +
          (fashion ? R"("fashion-mnist", folder / "FashionMNIST" / "raw")" : R"("mnist", folder / "MNIST" / "raw")") +
          R"(
    names = [name + dot + kind + end for dot in "-." for kind in ("idx3-ubyte", "idx1-ubyte") for end in ("", ".gz")]
    for path in [folder / name for folder in folders for name in )" +
          (fashion ? "names]:" : R"([*names, "mnist.npz"]]:
        if path.suffix == ".npz" and path.exists():
            return np.load(path)[("x_" if "images" in name else "y_") + ("train" if "train" in name else "test")])") +
          R"(
        if path.exists():
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            shape = np.frombuffer(content, ">i4", content[3], 4)
            return np.frombuffer(content, np.uint8, offset=4 + 4 * len(shape)).reshape(shape)
    raise FileNotFoundError(f"{name} in {DATA_DIR}")

)");
  add(lines, {Beat::Input, Beat::Batch}, R"(
train_images, train_labels = read_idx("train-images"), read_idx("train-labels")
test_images, test_labels = read_idx("t10k-images"), read_idx("t10k-labels"))");
}

void addReading(ProgramLines& lines, const ProgramParts& parts) {
  const ResolvedSettings& config = parts.config;
  if (!parts.idxFiles()) {
    const std::string set = parts.colour() ? "cifar10" : config.dataset == "fashion-mnist" ? "fashion_mnist" : "mnist";
    add(lines, {Beat::Input, Beat::Batch},
        "(train_images, train_labels), (test_images, test_labels) = tf.keras.datasets." + set + ".load_data()");
    if (parts.colour())
      add(lines, {Beat::Input, Beat::Batch},
          "train_labels, test_labels = train_labels[:, 0], test_labels[:, 0]  # Keras gives a column");
  } else if (takesOwnPictures(config)) {
    addPictures(lines, parts);
  } else if (parts.colour()) {
    addCifar10(lines);
  } else {
    addIdxFiles(lines, config.dataset == "fashion-mnist");
  }
  const auto first = [&lines](const char* which, const std::optional<std::int64_t>& count) {
    const std::string set = which;
    if (count) {
      const std::string part = "[:" + std::to_string(*count) + "]";
      add(lines, {Beat::Input, Beat::Batch},
          set + "_images, " + set + "_labels = " + set + "_images" + part + ", " + set + "_labels" + part);
    }
  };
  first("train", config.trainExamples);
  first("test", config.testExamples);
}

void addRecords(ProgramLines& lines, const ProgramParts& parts) {
  add(lines, {Beat::Input, Beat::Batch},
      "\nFILES = " + std::to_string(parts.config.files) + R"(  # the training examples lie in so many

def write_records(folder):
    names = [f"{folder}/train-{i}.tfrecord" for i in range(FILES)]
    for name, images, labels in zip(names, np.array_split(train_images, FILES), np.array_split(train_labels, FILES)):
        with tf.io.TFRecordWriter(name) as file:
            for image, label in zip(images, labels):
                file.write(image.tobytes() + bytes([label]))
    return names

def parse(record):
    content = tf.io.decode_raw(record, tf.uint8)
    return tf.reshape(content[:-1], )" +
          shapeText(pixelsOf(parts.config)) + R"(), content[-1]
)");
}

std::string policyOf(const ProgramParts& parts) {
  const ResolvedSettings& config = parts.config;
  if (!parts.info.synchronous) return "";
  // In one pipeline, OFF gives in-memory examples the batch sizes of those from files.
  if (config.split == SplitSource::File && !parts.recordFiles() && config.autoShard != AutoShard::Data) return "OFF";
  switch (config.autoShard) {
    case AutoShard::Auto:
      return config.hosts > 1 && !parts.recordFiles() ? "DATA" : "";
    case AutoShard::Data:
      return "DATA";
    case AutoShard::File:
      return "FILE";
    case AutoShard::Off:
      return "OFF";
  }
  return "";
}

void addStepsPerEpoch(ProgramLines& lines, const ProgramParts& parts) {
  const std::int64_t times = policyOf(parts) == "OFF" ? parts.config.hosts : 1;  // then every worker has all examples
  add(lines, {Beat::Input, Beat::Batch},
      "STEPS_PER_EPOCH = math.ceil(" + (times > 1 ? std::to_string(times) + " * " : "") +
          "len(train_images) / GLOBAL_BATCH_SIZE)");
}

// Returns the lines after the source of a data set.
std::string pipelineOf(const ProgramParts& parts) {
  std::string text = ".map(scale)";
  if (parts.ownOrder()) return text + ".batch(GLOBAL_BATCH_SIZE)";
  if (!parts.check()) text += ".cache()";
  if (parts.config.shuffleBuffer > 1)
    text += parts.info.synchronous ? ".shuffle(BUFFER_SIZE, seed=SEED)" : ".shuffle(BUFFER_SIZE)";
  text += ".batch(GLOBAL_BATCH_SIZE)";
  if (!parts.info.synchronous && !parts.check()) text += ".repeat()";
  return text;
}

void addPipelines(ProgramLines& lines, const ProgramParts& parts) {
  add(lines, {Beat::Input, Beat::Batch},
      "\n\ndef scale(image, label):\n    return tf.cast(image, tf.float32)" +
          std::string(pixelsOf(parts.config).size() == 3 ? "" : "[..., tf.newaxis]") + " / 255, label\n\n");
  const std::string policy = policyOf(parts);
  if (!policy.empty())
    add(lines, {Beat::Input, Beat::Batch, Beat::Distribute},
        R"(
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.)" +
            policy);
  const std::string with = policy.empty() ? "" : ".with_options(options)";
  if (parts.recordFiles())
    add(lines, {Beat::Input, Beat::Batch},
        "folder = tempfile.TemporaryDirectory()\nrecords = write_records(folder.name)");
  if (parts.check()) {
    std::string source = "tf.data.Dataset.from_tensor_slices((train_images, train_labels))";
    if (parts.ownOrder()) source = "tf.data.Dataset.from_tensor_slices((train_images[order], train_labels[order]))";
    if (parts.recordFiles()) source = "tf.data.TFRecordDataset(records).map(parse)";
    add(lines, {Beat::Input, Beat::Batch}, "\ndef train_of(epoch):  # from 1");
    if (parts.ownOrder() && !parts.recordFiles())
      addAside(lines, {Beat::Input, Beat::Batch}, "    order = order_of(epoch - 1, len(train_images))");
    add(lines, {Beat::Input, Beat::Batch}, "    train = " + source + "\n    train = train" + pipelineOf(parts) + with);
    if (parts.steps() && !parts.options.loop)
      add(lines, {Beat::Input, Beat::Batch}, "    train = train.take(STEPS - (epoch - 1) * STEPS_PER_EPOCH)");
    add(lines, {Beat::Input, Beat::Batch}, "    return train\n");
    return;
  }
  const std::string source = parts.recordFiles() ? "tf.data.TFRecordDataset(records).map(parse)"
                                                 : "tf.data.Dataset.from_tensor_slices((train_images, train_labels))";
  add(lines, {Beat::Input, Beat::Batch}, "train = " + source + "\ntrain = train" + pipelineOf(parts) + with);
  // The workers' correct answers are added up, so each test example may be on one worker only. AUTO, which stands where
  // there are no options, takes DATA for examples in memory; FILE finds no files.
  if (parts.evaluates())
    add(lines, {Beat::Evaluate},
        "test = tf.data.Dataset.from_tensor_slices((test_images, test_labels))\ntest = "
        "test.map(scale).batch(GLOBAL_BATCH_SIZE)" +
            (policy == "DATA" ? with : ""));
}

}  // namespace

void addReplicas(ProgramLines& lines, const ProgramParts& parts) {
  const ResolvedSettings& config = parts.config;
  add(lines, {Beat::Startup}, "tf.keras.utils.set_random_seed(" + parts.kerasSeed() + ")");
  add(lines, {Beat::Startup}, parts.spoken("", "print(\"replicas in sync:\", strategy.num_replicas_in_sync)"));
  if (config.sharesEvenly())
    add(lines, {Beat::Input, Beat::Batch},
        std::string("GLOBAL_BATCH_SIZE = BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync") +
            (parts.info.synchronous ? "" : "  # of one worker's step"));
}

void addData(ProgramLines& lines, const ProgramParts& parts) {
  add(lines, {}, "");
  addReading(lines, parts);
  if (parts.needsStepsPerEpoch()) addStepsPerEpoch(lines, parts);
  if (parts.steps() && parts.check() && !parts.options.loop)
    add(lines, {Beat::Input, Beat::Batch}, "EPOCHS = math.ceil(STEPS / STEPS_PER_EPOCH)");
  if (parts.recordFiles()) addRecords(lines, parts);
  addGenerator(lines, parts);
  addPipelines(lines, parts);
}

}  // namespace lab

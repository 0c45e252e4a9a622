// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: tf_cnn_benchmarks model definitions (tensorflow/benchmarks @8fb7907) for alexnet, vgg16, inception3, resnet
// v1; torchvision's for v1.5 and ResNeXt. Only convolutions and dense layers are counted.
#include "core/timing/model_presets.h"

#include <algorithm>
#include <cmath>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/suggest.h"
#include "core/timing/messages.h"

namespace lab {
namespace {

enum class Pad { Same, Valid };

// Builds a network layer by layer, keeping track of the image's size.
class NetBuilder {
 public:
  NetBuilder(std::string key, std::string name, int size, int channels) : h_(size), w_(size), channels_(channels) {
    net_.key = std::move(key);
    net_.name = std::move(name);
    net_.inputElements = static_cast<double>(size) * size * channels;
  }

  int channels() const { return channels_; }
  int size() const { return h_; }

  NetBuilder& conv(int out, int kh, int kw, int stride = 1, Pad pad = Pad::Same, bool norm = true, int groups = 1) {
    addConv(channels_, out, kh, kw, stride, pad, norm, groups);
    h_ = outSize(h_, kh, stride, pad);
    w_ = outSize(w_, kw, stride, pad);
    channels_ = out;
    return *this;
  }
  // Adds a convolution beside the main path, which reads `in` channels at the present size and leaves the size
  // unchanged.
  NetBuilder& sideConv(int in, int out, int kh, int kw, int stride = 1, Pad pad = Pad::Same, bool norm = true) {
    addConv(in, out, kh, kw, stride, pad, norm, 1);
    return *this;
  }
  NetBuilder& setChannels(int channels) {
    channels_ = channels;
    return *this;
  }
  NetBuilder& pool(int k, int stride, Pad pad = Pad::Valid) {
    h_ = outSize(h_, k, stride, pad);
    w_ = outSize(w_, k, stride, pad);
    return *this;
  }
  NetBuilder& globalPool() {
    h_ = w_ = 1;
    return *this;
  }
  NetBuilder& dense(int out) {
    const std::int64_t in = static_cast<std::int64_t>(h_) * w_ * channels_;
    LayerProfile layer;
    layer.name = "dense " + std::to_string(in) + "→" + std::to_string(out);
    layer.forwardMac = static_cast<double>(in) * out;
    layer.activations = out;
    layer.elementwisePasses = 2;
    layer.kernels = 1;
    layer.tensors = {in * out, out};
    net_.layers.push_back(layer);
    h_ = w_ = 1;
    channels_ = out;
    return *this;
  }
  ModelProfile done() { return std::move(net_); }

 private:
  static int outSize(int in, int k, int stride, Pad pad) {
    return pad == Pad::Same ? ceilDivide(in, stride) : (in - k) / stride + 1;
  }
  void addConv(int in, int out, int kh, int kw, int stride, Pad pad, bool norm, int groups) {
    const double oh = outSize(h_, kh, stride, pad), ow = outSize(w_, kw, stride, pad);
    const std::int64_t weights = static_cast<std::int64_t>(kh) * kw * (in / groups) * out;
    LayerProfile layer;
    layer.name =
        "conv" + std::to_string(kh) + "x" + std::to_string(kw) + " " + std::to_string(in) + "→" + std::to_string(out);
    layer.forwardMac = static_cast<double>(weights) * oh * ow;
    layer.activations = oh * ow * out;
    layer.elementwisePasses = norm ? 6 : 2;  // relu reads and writes; batch norm adds two passes (README.md, Device)
    layer.kernels = 1;
    layer.tensors = {weights, out};
    if (norm) layer.tensors.push_back(out);  // scale and shift, no bias
    net_.layers.push_back(layer);
  }

  ModelProfile net_;
  int h_, w_, channels_;
};

ModelProfile alexnet(const char* key, int size, int classes, bool mxnet) {
  NetBuilder net(key, "AlexNet, one tower", size, 3);
  if (mxnet)
    net.conv(96, 11, 11, 4, Pad::Valid, false).pool(3, 2).conv(256, 5, 5, 1, Pad::Same, false).pool(3, 2);
  else
    net.conv(64, 11, 11, 4, Pad::Valid, false).pool(3, 2).conv(192, 5, 5, 1, Pad::Same, false).pool(3, 2);
  net.conv(384, 3, 3, 1, Pad::Same, false).conv(mxnet ? 384 : 384, 3, 3, 1, Pad::Same, false);
  net.conv(256, 3, 3, 1, Pad::Same, false).pool(3, 2);
  return net.dense(4096).dense(4096).dense(classes).done();
}

ModelProfile vgg16(const char* key, const char* name, int size, std::vector<int> heads, bool norm) {
  NetBuilder net(key, name, size, 3);
  const int counts[] = {2, 2, 3, 3, 3}, widths[] = {64, 128, 256, 512, 512};
  for (int stage = 0; stage < 5; ++stage) {
    for (int i = 0; i < counts[stage]; ++i) net.conv(widths[stage], 3, 3, 1, Pad::Same, norm);
    net.pool(2, 2);
  }
  for (const int head : heads) net.dense(head);
  return net.done();
}

struct ResNetShape {
  const char* key;
  const char* name;
  std::vector<int> blocks;
  bool strideIn3x3 = false;
  int groups = 1;
  int widthFactor = 1;  // of the 3×3's channels, for ResNeXt
};

ModelProfile resnet(const ResNetShape& shape) {
  NetBuilder net(shape.key, shape.name, 224, 3);
  net.conv(64, 7, 7, 2).pool(3, 2, Pad::Same);
  for (int stage = 0; stage < 4; ++stage) {
    const int planes = 64 << stage, width = planes * shape.widthFactor;
    for (int block = 0; block < shape.blocks[static_cast<std::size_t>(stage)]; ++block) {
      const int stride = stage > 0 && block == 0 ? 2 : 1;
      const int in = net.channels();
      if (block == 0) net.sideConv(in, 4 * planes, 1, 1, stride);
      net.conv(width, 1, 1, shape.strideIn3x3 ? 1 : stride);
      net.conv(width, 3, 3, shape.strideIn3x3 ? stride : 1, Pad::Same, true, shape.groups);
      net.conv(4 * planes, 1, 1);
    }
  }
  return net.globalPool().dense(1000).done();
}

ModelProfile inception3(const char* key, int size) {
  NetBuilder net(key, "Inception v3, no auxiliary head", size, 3);
  net.conv(32, 3, 3, 2, Pad::Valid).conv(32, 3, 3, 1, Pad::Valid).conv(64, 3, 3).pool(3, 2);
  net.conv(80, 1, 1, 1, Pad::Valid).conv(192, 3, 3, 1, Pad::Valid).pool(3, 2);
  for (const int pooled : {32, 64, 64}) {
    const int in = net.channels();
    net.sideConv(in, 64, 1, 1).sideConv(in, 48, 1, 1).sideConv(48, 64, 5, 5).sideConv(in, 64, 1, 1);
    net.sideConv(64, 96, 3, 3).sideConv(96, 96, 3, 3).sideConv(in, pooled, 1, 1).setChannels(224 + pooled);
  }
  int in = net.channels();
  net.sideConv(in, 384, 3, 3, 2, Pad::Valid).sideConv(in, 64, 1, 1).sideConv(64, 96, 3, 3);
  net.sideConv(96, 96, 3, 3, 2, Pad::Valid).pool(3, 2).setChannels(480 + in);
  for (const int n : {128, 160, 160, 192}) {
    in = net.channels();
    net.sideConv(in, 192, 1, 1).sideConv(in, n, 1, 1).sideConv(n, n, 1, 7).sideConv(n, 192, 7, 1);
    net.sideConv(in, n, 1, 1).sideConv(n, n, 7, 1).sideConv(n, n, 1, 7).sideConv(n, n, 7, 1).sideConv(n, 192, 1, 7);
    net.sideConv(in, 192, 1, 1);
  }
  in = net.channels();
  net.sideConv(in, 192, 1, 1).sideConv(192, 320, 3, 3, 2, Pad::Valid).sideConv(in, 192, 1, 1);
  net.sideConv(192, 192, 1, 7).sideConv(192, 192, 7, 1).sideConv(192, 192, 3, 3, 2, Pad::Valid);
  net.pool(3, 2).setChannels(512 + in);
  for (int i = 0; i < 2; ++i) {
    in = net.channels();
    net.sideConv(in, 320, 1, 1).sideConv(in, 384, 1, 1).sideConv(384, 384, 1, 3).sideConv(384, 384, 3, 1);
    net.sideConv(in, 448, 1, 1).sideConv(448, 384, 3, 3).sideConv(384, 384, 1, 3).sideConv(384, 384, 3, 1);
    net.sideConv(in, 192, 1, 1).setChannels(2048);
  }
  return net.globalPool().dense(1001).done();
}

ModelProfile resnet9() {
  NetBuilder net("resnet9", "ResNet-9 for CIFAR-10", 32, 3);
  net.conv(64, 3, 3).conv(128, 3, 3).pool(2, 2).conv(128, 3, 3).conv(128, 3, 3);
  net.conv(256, 3, 3).pool(2, 2).conv(512, 3, 3).pool(2, 2).conv(512, 3, 3).conv(512, 3, 3);
  return net.globalPool().dense(10).done();
}

std::vector<ModelProfile> makePresets() {
  std::vector<ModelProfile> all;
  all.push_back(NetBuilder("course-cnn", "The course's MNIST CNN", 28, 1)
                    .conv(32, 3, 3, 1, Pad::Valid, false)
                    .pool(2, 2)
                    .dense(64)
                    .dense(10)
                    .done());
  all.push_back(NetBuilder("mnist-35095", "MNIST CNN of TensorFlow issue 35095", 28, 1)
                    .conv(48, 7, 7, 1, Pad::Valid, false)
                    .pool(2, 2)
                    .dense(24)
                    .dense(10)
                    .done());
  all.push_back(
      NetBuilder("mnist-mlp", "MLP 784-1024-1024-1024-10", 28, 1).dense(1024).dense(1024).dense(1024).dense(10).done());
  all.push_back(resnet9());
  all.push_back(vgg16("vgg16-cifar", "VGG-16 with batch norm, for CIFAR-10", 32, {512, 512, 10}, true));
  all.push_back(alexnet("alexnet", 227, 1001, false));
  all.push_back(alexnet("alexnet-mx", 224, 1000, true));
  all.push_back(vgg16("vgg16", "VGG-16", 224, {4096, 4096, 1000}, false));
  all.push_back(inception3("inception3", 299));
  all.push_back(inception3("inception3-224", 224));
  all.push_back(resnet({"resnet50", "ResNet-50 v1", {3, 4, 6, 3}}));
  all.push_back(resnet({"resnet50v15", "ResNet-50 v1.5", {3, 4, 6, 3}, true}));
  all.push_back(resnet({"resnet101", "ResNet-101 v1", {3, 4, 23, 3}}));
  all.push_back(resnet({"resnet101v15", "ResNet-101 v1.5", {3, 4, 23, 3}, true}));
  all.push_back(resnet({"resnet152", "ResNet-152 v1", {3, 8, 36, 3}}));
  all.push_back(resnet({"resnext50", "ResNeXt-50 32x4d", {3, 4, 6, 3}, true, 32, 2}));
  all.push_back(resnet({"resnext101", "ResNeXt-101 32x8d", {3, 4, 23, 3}, true, 32, 4}));
  return all;
}

constexpr double kFlopPerTrainingMac = 6;  // forward, by input, by weight: two FLOP each

}  // namespace

double ModelProfile::forwardMac() const {
  double sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.forwardMac;
  return sum;
}
double ModelProfile::activations() const {
  double sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.activations;
  return sum;
}
std::int64_t LayerProfile::parameters() const {
  std::int64_t sum = 0;
  for (const std::int64_t size : tensors) sum += size;
  return sum;
}
std::int64_t ModelProfile::parameters() const {
  std::int64_t sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.parameters();
  return sum;
}
std::int64_t ModelProfile::tensors() const {
  std::int64_t count = 0;
  for (const LayerProfile& layer : layers) count += std::ssize(layer.tensors);
  return count;
}
std::int64_t ModelProfile::statistics() const {
  std::int64_t sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.statistics;
  return sum;
}

const std::vector<ModelProfile>& modelPresets() {
  static const std::vector<ModelProfile> presets = makePresets();
  return presets;
}

const ModelProfile* findModelPreset(std::string_view key) {
  const auto found = std::ranges::find(modelPresets(), key, &ModelProfile::key);
  return found == modelPresets().end() ? nullptr : &*found;
}

const ModelProfile& modelPreset(std::string_view key) {
  if (const ModelProfile* found = findModelPreset(key)) return *found;
  std::vector<std::string> keys;
  for (const ModelProfile& preset : modelPresets()) keys.push_back(preset.key);
  throw UserError(say::nameOneOfThese, unknownName(say::modelWord, key, keys));
}

ModelProfile scaledTo(ModelProfile profile, double trainingGflop, double parameters) {
  LAB_CHECK(trainingGflop > 0 && parameters > 0);
  const double arithmetic = trainingGflop * 1e9 / (kFlopPerTrainingMac * profile.forwardMac());
  const double variables = parameters / static_cast<double>(profile.parameters());
  for (LayerProfile& layer : profile.layers) {
    layer.forwardMac *= arithmetic;
    layer.activations *= arithmetic;
    for (std::int64_t& size : layer.tensors)
      size = std::max<std::int64_t>(1, std::llround(static_cast<double>(size) * variables));
  }
  return profile;
}

ModelProfile profileFromTotals(const std::string& key, double trainingGflop, std::int64_t parameters,
                               std::int64_t largestTensor, int tensors) {
  LAB_CHECK(parameters > 0 && largestTensor > 0 && largestTensor <= parameters && tensors > 0);
  constexpr double kMostlyDense = 0.4;
  const bool dense = static_cast<double>(largestTensor) > kMostlyDense * static_cast<double>(parameters);
  ModelProfile profile =
      scaledTo(modelPreset(dense ? "vgg16" : "resnet50"), trainingGflop, static_cast<double>(parameters));
  profile.key = profile.name = key;
  // Makes as many layers as the number of variables requires: some are split or merged, but only in the count of
  // kernels.
  const double ratio = tensors / static_cast<double>(profile.tensors());
  if (std::llround(ratio) > 1) {
    std::vector<LayerProfile> layers;
    const auto parts = static_cast<std::int64_t>(std::llround(ratio));
    for (const LayerProfile& layer : profile.layers)
      for (std::int64_t i = 0; i < parts; ++i) {
        LayerProfile piece = layer;
        piece.forwardMac /= static_cast<double>(parts);
        piece.activations /= static_cast<double>(parts);
        for (std::int64_t& size : piece.tensors) size = size * (i + 1) / parts - size * i / parts;
        std::erase(piece.tensors, 0);
        layers.push_back(std::move(piece));
      }
    profile.layers = std::move(layers);
  }
  return profile;
}

}  // namespace lab

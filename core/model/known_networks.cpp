// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/known_networks.h"

#include <array>
#include <span>
#include <utility>

#include "core/model/network_builder.h"

namespace lab {
namespace {

using Builder = NetworkBuilder;
using Shape = std::vector<std::int64_t>;
using Window = NetworkBuilder::Window;

constexpr int kInput = NetworkBuilder::kInput;
constexpr std::int64_t kImageNet = 1000, kWithBackground = 1001;  // classes; tf_cnn_benchmarks has one more
const Shape kImage{224, 224, 3}, kSmallImage{32, 32, 3}, kDigit{28, 28, 1};

NeuralNetwork makeResNet20() {
  constexpr int kStages = 3, kBlocks = 3;
  Builder net;
  int at = net.convNormRelu(kInput, 16, {3, 3});
  for (int stage = 0; stage < kStages; ++stage)
    for (int block = 0; block < kBlocks; ++block) {
      const std::int64_t filters = 16 << stage;
      const bool shrinks = stage > 0 && block == 0;
      const int first = net.convNormRelu(at, filters, {3, 3, shrinks ? 2 : 1});
      // Keras puts layers at equal distance from the output next to each other.
      const int second = net.conv(first, filters, {3, 3});
      const int projection = shrinks ? net.conv(at, filters, {1, 1, 2}) : at;
      const int normed = net.norm(second);
      at = net.relu(net.sum(normed, shrinks ? net.norm(projection) : at));
    }
  return net.end(net.globalAverage(at), 10, "resnet20", kSmallImage);
}

NeuralNetwork course() {
  Builder net;
  const int pooled = net.maxPool(net.convRelu(kInput, 32, {.height = 3, .width = 3, .same = false}), 2, 2);
  return net.end(net.denseRelu(net.flatten(pooled), 64), 10, "course-cnn", kDigit);
}

NeuralNetwork issue35095() {
  Builder net;
  const int pooled = net.maxPool(net.convRelu(kInput, 48, {.height = 7, .width = 7, .same = false}), 2, 2);
  return net.end(net.denseRelu(net.flatten(pooled), 24), 10, "mnist-35095", kDigit);
}

NeuralNetwork wideMlp() {
  Builder net;
  int at = net.flatten(kInput);
  for (int i = 0; i < 3; ++i) at = net.denseRelu(at, 1024);
  return net.end(at, 10, "mnist-mlp", kDigit);
}

NeuralNetwork resnet9() {
  Builder net;
  const auto pair = [&net](int at, std::int64_t filters) {
    return net.sum(at, net.convNormRelu(net.convNormRelu(at, filters, {3, 3}), filters, {3, 3}));
  };
  int at = net.convNormRelu(net.convNormRelu(kInput, 64, {3, 3}), 128, {3, 3});
  at = pair(net.maxPool(at, 2, 2), 128);
  at = net.maxPool(net.convNormRelu(at, 256, {3, 3}), 2, 2);
  at = pair(net.maxPool(net.convNormRelu(at, 512, {3, 3}), 2, 2), 512);
  return net.end(net.globalMax(at), 10, "resnet9", kSmallImage);
}

struct Vgg16 {
  std::string key;
  Shape image;
  std::int64_t width = 0, classes = 0;  // of the dense layers; of the last
  bool norm = false;
};

NeuralNetwork vgg16(const Vgg16& shape) {
  constexpr std::array<std::pair<int, std::int64_t>, 5> kStages{{{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}}};
  Builder net;
  int at = kInput;
  for (const auto& [count, filters] : kStages) {
    for (int i = 0; i < count; ++i)
      at = shape.norm ? net.convNormRelu(at, filters, {3, 3}) : net.convRelu(at, filters, {3, 3});
    at = net.maxPool(at, 2, 2);
  }
  at = net.denseRelu(net.denseRelu(net.flatten(at), shape.width), shape.width);
  return net.end(at, shape.classes, shape.key, shape.image);
}

NeuralNetwork alexnet(std::string key, std::int64_t size, std::array<std::int64_t, 2> filters, std::int64_t classes) {
  Builder net;
  int at = net.convRelu(kInput, filters[0], {.height = 11, .width = 11, .stride = 4, .same = false});
  at = net.convRelu(net.maxPool(at, 3, 2), filters[1], {5, 5});
  at = net.convRelu(net.convRelu(net.maxPool(at, 3, 2), 384, {3, 3}), 384, {3, 3});
  at = net.maxPool(net.convRelu(at, 256, {3, 3}), 3, 2);
  at = net.denseRelu(net.denseRelu(net.flatten(at), 4096), 4096);
  return net.end(at, classes, std::move(key), {size, size, 3});
}

struct ResNet {
  std::string key;
  std::array<int, 4> blocks{};
  bool strideIn3x3 = false;
  std::int64_t groups = 1, widthFactor = 1;  // of the 3×3 convolutions: ResNeXt's cardinality; factor on their filters
};

NeuralNetwork resnet(const ResNet& shape) {
  Builder net;
  int at = net.maxPool(net.convNormRelu(kInput, 64, {7, 7, 2}), 3, 2, true);
  for (std::size_t stage = 0; stage < shape.blocks.size(); ++stage) {
    const std::int64_t planes = std::int64_t{64} << stage, width = planes * shape.widthFactor;
    for (int block = 0; block < shape.blocks[stage]; ++block) {
      const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      const int shortcut = block == 0 ? net.norm(net.conv(at, 4 * planes, {1, 1, stride})) : at;
      at = net.convNormRelu(at, width, {1, 1, shape.strideIn3x3 ? 1 : stride});
      at = net.convNormRelu(at, width, {3, 3, shape.strideIn3x3 ? stride : 1, true, shape.groups});
      at = net.relu(net.sum(shortcut, net.norm(net.conv(at, 4 * planes, {}))));
    }
  }
  return net.end(net.globalAverage(at), kImageNet, shape.key, kImage);
}

// Convolutions one after the other, all of stride 1 and the same size.
int chain(Builder& net, int at, std::initializer_list<std::array<std::int64_t, 3>> layers) {
  for (const auto& [filters, height, width] : layers) at = net.convNormRelu(at, filters, {height, width});
  return at;
}

constexpr Window kHalving{3, 3, 2, false};

// Inception v3's blocks, in tf_cnn_benchmarks' order.
int inceptionA(Builder& net, int in, std::int64_t pooled) {
  const int one = chain(net, in, {{64, 1, 1}});
  const int five = chain(net, in, {{48, 1, 1}, {64, 5, 5}});
  const int twice = chain(net, in, {{64, 1, 1}, {96, 3, 3}, {96, 3, 3}});
  return net.concatenate({one, five, twice, chain(net, net.averagePool(in, 3), {{pooled, 1, 1}})});
}

int inceptionB(Builder& net, int in) {
  const int three = net.convNormRelu(in, 384, kHalving);
  const int twice = net.convNormRelu(chain(net, in, {{64, 1, 1}, {96, 3, 3}}), 96, kHalving);
  return net.concatenate({three, twice, net.maxPool(in, 3, 2)});
}

int inceptionC(Builder& net, int in, std::int64_t n) {
  const int one = chain(net, in, {{192, 1, 1}});
  const int seven = chain(net, in, {{n, 1, 1}, {n, 1, 7}, {192, 7, 1}});
  const int twice = chain(net, in, {{n, 1, 1}, {n, 7, 1}, {n, 1, 7}, {n, 7, 1}, {192, 1, 7}});
  return net.concatenate({one, seven, twice, chain(net, net.averagePool(in, 3), {{192, 1, 1}})});
}

int inceptionD(Builder& net, int in) {
  const int three = net.convNormRelu(chain(net, in, {{192, 1, 1}}), 320, kHalving);
  const int seven = net.convNormRelu(chain(net, in, {{192, 1, 1}, {192, 1, 7}, {192, 7, 1}}), 192, kHalving);
  return net.concatenate({three, seven, net.maxPool(in, 3, 2)});
}

int inceptionE(Builder& net, int in) {
  const int one = chain(net, in, {{320, 1, 1}});
  const int three = chain(net, in, {{384, 1, 1}});
  const int across = chain(net, three, {{384, 1, 3}}), down = chain(net, three, {{384, 3, 1}});
  const int twice = chain(net, in, {{448, 1, 1}, {384, 3, 3}});
  const int twiceAcross = chain(net, twice, {{384, 1, 3}}), twiceDown = chain(net, twice, {{384, 3, 1}});
  const int pooled = chain(net, net.averagePool(in, 3), {{192, 1, 1}});
  return net.concatenate({one, across, down, twiceAcross, twiceDown, pooled});
}

NeuralNetwork inception3(std::string key, std::int64_t size) {
  Builder net;
  int at = net.convNormRelu(kInput, 32, kHalving);
  at = net.convNormRelu(net.convNormRelu(at, 32, {3, 3, 1, false}), 64, {3, 3});
  at = net.convNormRelu(net.maxPool(at, 3, 2), 80, {1, 1});
  at = net.maxPool(net.convNormRelu(at, 192, {3, 3, 1, false}), 3, 2);
  for (const std::int64_t pooled : {32, 64, 64}) at = inceptionA(net, at, pooled);
  at = inceptionB(net, at);
  for (const std::int64_t n : {128, 160, 160, 192}) at = inceptionC(net, at, n);
  at = inceptionD(net, at);
  at = inceptionE(net, inceptionE(net, at));
  return net.end(net.globalAverage(at), kWithBackground, std::move(key), {size, size, 3});
}

constexpr std::array<int, 4> k50{3, 4, 6, 3}, k101{3, 4, 23, 3}, k152{3, 8, 36, 3};

}  // namespace

const NeuralNetwork& resnet20Network() {
  static const NeuralNetwork network = makeResNet20();
  return network;
}

const std::vector<KnownNetwork>& timedNetworks() {
  static const std::vector<KnownNetwork> all{
      {"course-cnn", "The course's MNIST CNN", course},
      {"mnist-35095", "MNIST CNN of TensorFlow issue 35095", issue35095},
      {"mnist-mlp", "MLP 784-1024-1024-1024-10", wideMlp},
      {"resnet9", "ResNet-9 for CIFAR-10", resnet9},
      {"vgg16-cifar", "VGG-16 with batch norm, for CIFAR-10",
       [] {
         return vgg16({"vgg16-cifar", kSmallImage, 512, 10, true});
       }},
      {"alexnet", "AlexNet, one tower, 64 and 192 filters, 227 × 227",
       [] {
         return alexnet("alexnet", 227, {64, 192}, kWithBackground);
       }},
      {"alexnet-mx", "AlexNet, one tower, 96 and 256 filters, 224 × 224",
       [] {
         return alexnet("alexnet-mx", 224, {96, 256}, kImageNet);
       }},
      {"vgg16", "VGG-16",
       [] {
         return vgg16({"vgg16", kImage, 4096, kImageNet});
       }},
      {"inception3", "Inception v3, no auxiliary head, 299 × 299", [] { return inception3("inception3", 299); }},
      {"inception3-224", "Inception v3, no auxiliary head, 224 × 224",
       [] { return inception3("inception3-224", 224); }},
      {"resnet50", "ResNet-50 v1",
       [] {
         return resnet({"resnet50", k50});
       }},
      {"resnet50v15", "ResNet-50 v1.5",
       [] {
         return resnet({"resnet50v15", k50, true});
       }},
      {"resnet101", "ResNet-101 v1",
       [] {
         return resnet({"resnet101", k101});
       }},
      {"resnet101v15", "ResNet-101 v1.5",
       [] {
         return resnet({"resnet101v15", k101, true});
       }},
      {"resnet152", "ResNet-152 v1",
       [] {
         return resnet({"resnet152", k152});
       }},
      {"resnext50", "ResNeXt-50 32x4d",
       [] {
         return resnet({"resnext50", k50, true, 32, 2});
       }},
      {"resnext101", "ResNeXt-101 32x8d",
       [] {
         return resnet({"resnext101", k101, true, 32, 4});
       }},
  };
  return all;
}

}  // namespace lab

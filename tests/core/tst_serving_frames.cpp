// SPDX-License-Identifier: GPL-3.0-or-later
// Frames between a class's server and its workers: each one arrives as it was sent; a frame that is cut off, longer
// than it claims, or has impossible texts or counts is refused before it takes any memory.
#include <QTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/protocol/class_link.h"
#include "core/protocol/frames.h"
#include "core/protocol/wire_values.h"

using namespace lab;
using namespace lab::serving;

namespace {

constexpr std::uint64_t kLarge = std::numeric_limits<std::uint64_t>::max();

std::vector<Frame> everyFrame() {
  Token token{};
  for (std::size_t i = 0; i < token.size(); ++i) token[i] = static_cast<std::uint8_t>(200 + i);
  return {Hello{.token = token, .path = "avx512", .name = "Zoë 🦦"},
          Pull{},
          Push{.closure = kLarge,
               .version = 12,
               .lossSum = -1.5e300,
               .correct = 63,
               .floats = 347146,
               .computeNs = 1'500'000},
          Asleep{.asleep = true},
          Leave{},
          Welcome{.worker = 65535,
                  .name = "Otter 7",
                  .strategy = "parameter-server",
                  .network = "input 28 28 1\nflatten f\ndense d units=10\n",
                  .seed = 1,
                  .steps = 200,
                  .mostExamples = 64,
                  .digits = true,
                  .weights = 7850,
                  .statistics = 0,
                  .wire = Wire::Bfloat16},
          Pictures{.pictureBytes = 4, .indices = {0, 3999}, .labels = {9, 255}, .pixels = {1, 2, 3, 4, 5, 6, 7, 8}},
          Closure{.number = 1, .step = 3, .globalOffset = 64, .scale = 1.0F / 64, .examples = {5, 0, 17}},
          serving::Variables{.closure = 1, .version = kLarge, .floats = 7850},
          Applied{.closure = 1, .version = 2, .staleness = 39, .loss = 2.3},
          Refused{.closure = 4, .reason = Reason::GivenToAnother},
          Pause{.paused = true},
          Progress{.updates = 120, .workers = 17, .loss = 0.25},
          End{.steps = 200},
          Dropped{.reason = Reason::NormTooLarge},
          Chunk{.first = 15360, .values = {1, -0.0F, 3.5F}},
          ShortChunk{.first = 30720, .values = {0x3f80, 0x8000, 0xffff}}};
}

// Finds the count by its bytes, so that the place of a frame's text or values is not repeated here.
FrameBytes withCount(FrameBytes bytes, std::uint16_t is, std::uint16_t becomes) {
  for (std::size_t i = 1; i + 2 <= bytes.size(); ++i) {
    std::uint16_t here = 0;
    std::memcpy(&here, bytes.data() + i, sizeof here);
    if (here != is) continue;
    std::memcpy(bytes.data() + i, &becomes, sizeof becomes);
    return bytes;
  }
  return {};
}

}  // namespace

class TestServingFrames : public QObject {
  Q_OBJECT

 private slots:
  void eachComesBackAsItWas() {
    const std::vector<Frame> frames = everyFrame();
    QCOMPARE(frames.size(), std::variant_size_v<Frame>);  // a new kind belongs here
    for (std::size_t i = 0; i < frames.size(); ++i) {
      QCOMPARE(frames[i].index(), i);
      const FrameBytes bytes = encode(frames[i]);
      const std::optional<Frame> back = decode(bytes);
      QVERIFY2(back.has_value(), std::to_string(i).c_str());
      QVERIFY2(*back == frames[i], std::to_string(i).c_str());
    }
  }

  void whatIsCutOffOrTooLongIsRefused() {
    for (const Frame& frame : everyFrame()) {
      FrameBytes bytes = encode(frame);
      for (std::size_t size = 0; size < bytes.size(); ++size) QVERIFY(!decode({bytes.data(), size}).has_value());
      bytes.push_back(0);
      QVERIFY(!decode(bytes).has_value());
      bytes.resize(kMostFrameBytes + 1);
      QVERIFY(!decode(bytes).has_value());
    }
  }

  // Browsers write names in lower case and IPv6 addresses in their shortest form, whatever the link says.
  void anAddressIsWrittenAsBrowsersDo_data() {
    QTest::addColumn<QString>("listen");
    QTest::addColumn<QString>("host");
    QTest::newRow("name") << "School.Example:8443"
                          << "school.example:8443";
    QTest::newRow("IPv4") << "192.168.1.20:8080"
                          << "192.168.1.20:8080";
    QTest::newRow("IPv6 in capitals") << "[2001:DB8::1]:8080"
                                      << "[2001:db8::1]:8080";
    QTest::newRow("IPv6 in full") << "[2001:0db8:0:0:0:0:0:1]:8080"
                                  << "[2001:db8::1]:8080";
  }
  void anAddressIsWrittenAsBrowsersDo() {
    QFETCH(QString, listen);
    QFETCH(QString, host);
    const ClassAddress address = parseListenAddress(listen.toStdString());
    QCOMPARE(QString::fromStdString(address.text()), host);
    QVERIFY(isOwnRequest(address, true, host.toStdString(), "https://" + host.toStdString()));
    const std::string key = "/#00112233445566778899aabbccddeeff";
    QCOMPARE(parseClassLink("http://" + listen.toStdString() + key).text(), "http://" + host.toStdString() + key);
  }

  void whatIsNoAddressIsRefused() {
    for (const char* text : {"[fe80::1%eth0]:8080", "[1:2]:8080", "[0:0:0:0:0:0:0:0]:8080", "a b:80", ":80"})
      QVERIFY_THROWS_EXCEPTION(UserError, parseListenAddress(text));
  }

  void everyPrefixOfOneIsNoOther() {
    QVERIFY(!decode({}).has_value());
    for (int kind = 0; kind < 256; ++kind) {
      const FrameBytes bytes{static_cast<std::uint8_t>(kind)};
      QCOMPARE(decode(bytes).has_value(), kind == 1 || kind == 4);  // Pull and Leave say nothing more
    }
  }

  void countsBeyondWhatIsThereAreRefused() {
    const FrameBytes chunk = encode(Chunk{.first = 0x01010101, .values = std::vector<float>(777, 1)});
    QVERIFY(decode(chunk).has_value());
    for (const std::uint16_t count : {0, 776, 778, 15361, 65535}) QVERIFY(!decode(withCount(chunk, 777, count)));
    const FrameBytes halves = encode(ShortChunk{.first = 0x01010101, .values = std::vector<std::uint16_t>(777, 1)});
    for (const std::uint16_t count : {0, 776, 778, 30721, 65535}) QVERIFY(!decode(withCount(halves, 777, count)));
    const FrameBytes closure = encode(Closure{.examples = std::vector<std::uint32_t>(777, 0x01010101)});
    for (const std::uint16_t count : {0, 776, 778, 4097, 65535}) QVERIFY(!decode(withCount(closure, 777, count)));
    const FrameBytes pictures = encode(Pictures{.pictureBytes = 3,
                                                .indices = std::vector<std::uint32_t>(777, 0x01010101),
                                                .labels = std::vector<std::uint8_t>(777, 1),
                                                .pixels = std::vector<std::uint8_t>(3 * 777, 1)});
    QVERIFY(decode(pictures).has_value());
    for (const std::uint16_t count : {0, 776, 778, 4097, 65535}) QVERIFY(!decode(withCount(pictures, 777, count)));
  }

  void theLargestFit() {
    QVERIFY(encode(Chunk{.values = std::vector<float>(kMostFloatsPerChunk)}).size() <= kMostFrameBytes);
    QVERIFY(encode(ShortChunk{.values = std::vector<std::uint16_t>(kMostShortsPerChunk)}).size() <= kMostFrameBytes);
    QVERIFY(encode(Closure{.examples = std::vector<std::uint32_t>(kMostClosureExamples)}).size() <= kMostFrameBytes);
    QVERIFY(encode(Welcome{.name = std::string(kMostNameBytes, 'n'),
                           .strategy = std::string(kMostNameBytes, 's'),
                           .network = std::string(kMostNetworkBytes, 'x')})
                .size() <= kMostFrameBytes);
    QVERIFY(encode(Hello{.path = std::string(kMostPathBytes, 'p'), .name = std::string(kMostNameBytes, 'n')}).size() <=
            kMostHelloBytes);
    QVERIFY(encode(Pictures{.pictureBytes = kMostPictureBytes,
                            .indices = {0},
                            .labels = {0},
                            .pixels = std::vector<std::uint8_t>(kMostPictureBytes)})
                .size() <= kMostFrameBytes);
  }

  void aPieceOfALargerArrayIsTheSameChunk() {
    std::vector<float> values(100);
    Rng rng(3);
    for (float& value : values) value = static_cast<float>(rng.uniform());
    const std::vector<float> piece(values.begin() + 20, values.begin() + 70);
    QCOMPARE(encodeChunk(20, std::span(values).subspan(20, 50)), encode(Chunk{.first = 20, .values = piece}));
    std::vector<std::uint16_t> upper;
    for (const float value : piece)
      upper.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
    QCOMPARE(encodeChunk(20, std::span(values).subspan(20, 50), Wire::Bfloat16),
             encode(ShortChunk{.first = 20, .values = upper}));
  }

  // A chunk viewed in place equals what decode() returns.
  void aChunkIsSeenWhereItLies() {
    for (const Frame& frame : everyFrame()) {
      FrameBytes bytes = encode(frame);
      const auto view = viewChunk(bytes);
      QCOMPARE(view.has_value(), std::holds_alternative<Chunk>(frame) || std::holds_alternative<ShortChunk>(frame));
      if (!view) continue;
      std::vector<float> values(view->count());
      view->copyTo(values.data());
      QCOMPARE(encodeChunk(view->first, values, view->wire), bytes);
      for (std::size_t size = 0; size < bytes.size(); ++size) QVERIFY(!viewChunk({bytes.data(), size}));
      bytes.push_back(0);
      QVERIFY(!viewChunk(bytes));
    }
    QVERIFY(!viewChunk(withCount(encode(Chunk{.first = 0x01010101, .values = std::vector<float>(777, 1)}), 777, 0)));
  }

  // Weights of either kind and statistics arrive intact; chunks out of turn, of the other kind or too many are refused.
  void valuesGoThereInChunks_data() {
    QTest::addColumn<int>("statistics");
    QTest::addColumn<bool>("isShort");
    for (const int statistics : {0, 70'000})
      for (const bool isShort : {false, true})
        QTest::addRow("%d statistics, %s", statistics, isShort ? "bfloat16" : "float32") << statistics << isShort;
  }
  void valuesGoThereInChunks() {
    QFETCH(int, statistics);
    QFETCH(bool, isShort);
    const WireShape shape{100'001, static_cast<std::size_t>(statistics), isShort ? Wire::Bfloat16 : Wire::Float32};
    std::vector<float> values(shape.floats());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = i < shape.weights ? static_cast<float>(i % 256) : 1 / (1 + static_cast<float>(i));
    std::vector<FrameBytes> chunks;
    std::int64_t bytes = 0;
    for (std::size_t at = 0; at < values.size();) {
      chunks.push_back(nextChunk(shape, values, at));
      bytes += std::ssize(chunks.back()) - 7;
    }
    QCOMPARE(bytes, shape.bytes());
    QCOMPARE(bytes, (isShort ? 2 : 4) * 100'001 + 4 * statistics);
    IncomingValues incoming, passing;
    QVERIFY(!incoming.take(*viewChunk(chunks.front())));  // nobody has announced it
    incoming.begin(shape);
    passing.begin(shape, false);
    QVERIFY(!incoming.take(*viewChunk(chunks.back())));
    const std::vector<float> two(2, 1);
    QVERIFY(!incoming.take(*viewChunk(encodeChunk(0, two, isShort ? Wire::Float32 : Wire::Bfloat16))));
    for (const FrameBytes& each : chunks) QVERIFY(incoming.take(*viewChunk(each)) && passing.take(*viewChunk(each)));
    QCOMPARE(incoming.left(), std::size_t{0});
    QVERIFY(!incoming.take(*viewChunk(encodeChunk(static_cast<std::uint32_t>(values.size()), two))));
    QVERIFY(incoming.values() == values);
    QVERIFY(passing.left() == 0 && passing.values().empty());
    // Shorts do not run into the statistics.
    incoming.begin({3, 3, Wire::Bfloat16});
    QVERIFY(!incoming.take(*viewChunk(encodeChunk(0, std::span(values).first(4), Wire::Bfloat16))));
  }

  void textsAreUtf8WithoutControlCharacters() {
    const auto isTaken = [](const std::string& name) {
      FrameBytes bytes = encode(Hello{.path = "x", .name = std::string(name.size(), 'n')});
      std::memcpy(bytes.data() + bytes.size() - name.size(), name.data(), name.size());
      return decode(bytes).has_value();
    };
    for (const std::string name : {"", "Anna", "Zoë", "数字", "🦦"}) QVERIFY2(isTaken(name), name.c_str());
    for (const std::string name :
         {"a\n", "\x1b[2J", "\x7f", "\xc2\x85", "\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
          "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\x80", "\xe2\x80\xae", "\xe2\x81\xa6"})
      QVERIFY2(!isTaken(name), QByteArray::fromStdString(name).toHex().constData());
  }

  // The teacher's window shows it in a tool tip, where <b> would be bold.
  void aPathIsOneWord() {
    const auto isTaken = [](const std::string& path) {
      FrameBytes bytes = encode(Hello{.path = std::string(path.size(), 'p')});
      const std::size_t at = bytes.size() - 2 - path.size();  // before the empty name
      std::memcpy(bytes.data() + at, path.data(), path.size());
      return decode(bytes).has_value();
    };
    for (const std::string path : {"", "avx512", "baseline", "sve_2"}) QVERIFY2(isTaken(path), path.c_str());
    for (const std::string path : {"<b>x", "<img src=/x>", "a b", "AVX", "\xc3\xab", "&lt;"})
      QVERIFY2(!isTaken(path), path.c_str());
  }

  void signsAndReasonsAreThoseThereAre() {
    for (int value = 0; value < 256; ++value) {
      FrameBytes asleep = encode(Asleep{}), dropped = encode(Dropped{});
      asleep.back() = dropped.back() = static_cast<std::uint8_t>(value);
      QCOMPARE(decode(asleep).has_value(), value <= 1);
      QCOMPARE(decode(dropped).has_value(), value < kReasons);
    }
  }

  void wiresAreThoseThereAre() {
    for (int value = 0; value < 256; ++value) {
      FrameBytes welcome = encode(Welcome{});
      welcome.back() = static_cast<std::uint8_t>(value);
      QCOMPARE(decode(welcome).has_value(), value < kWires);
    }
  }

  void tokensAreTextAndBack() {
    Token token{};
    for (std::size_t i = 0; i < token.size(); ++i) token[i] = static_cast<std::uint8_t>(17 * i);
    const std::string text = textOf(token);
    QCOMPARE(text.size(), std::size_t{32});
    QVERIFY(tokenFrom(text) == token);
    for (const std::string& wrong : {std::string(), text.substr(1), text + "0", "G" + text.substr(1)})
      QVERIFY(!tokenFrom(wrong));
    QVERIFY(equalInConstantTime(token, token));
    for (std::size_t i = 0; i < token.size(); ++i) {
      Token other = token;
      other[i] ^= 0x80;
      QVERIFY(!equalInConstantTime(token, other));
    }
  }
};

QTEST_GUILESS_MAIN(TestServingFrames)
#include "tst_serving_frames.moc"

// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <random>

using namespace binade;
using nlohmann::json;
using wire::FrameReader;
using wire::Message;

namespace {

std::vector<Message> someMessages() {
  return {
      wire::Request{7, "engine.hello", wire::encode(wire::Hello{1, "binade", "0.1"})},
      wire::Request{8, "run.start", wire::encode(wire::StartRun{test::sampleConfig()})},
      wire::Response{7, wire::encode(wire::Welcome{1, "0.1", "2.11.0", "CPU, 2 threads", true, false})},
      wire::Response{8, wire::Failure{wire::kUnknownMethod, "There is no method a.b.", "Update the engine.", "batch"}},
      wire::Response{9, json(nullptr)},
      wire::Notification{"run.started", wire::encode(test::sampleStarted())},
      wire::Notification{"run.steps",
                         wire::encode(wire::StepBatch{{test::sampleStep(0, 12), test::sampleStep(1, 12)}})},
      wire::Notification{"run.event", wire::encode(test::sampleEvent(4))},
  };
}

std::string framed(const std::string& body) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(body.size() >> 8 * i));
  return bytes + body;
}

std::string failureOf(const std::string& bytes) {
  FrameReader reader;
  reader.feed(bytes);
  try {
    const auto message = reader.next();
    return message ? "a message was read" : "more bytes are awaited";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Takes the payload apart as the receiver of its method does: the decoder behind the frames is fuzzed as well.
void decodePayload(const Message& message) {
  const auto* request = std::get_if<wire::Request>(&message);
  const auto* notification = std::get_if<wire::Notification>(&message);
  if (request != nullptr && request->method == "engine.hello") wire::decode<wire::Hello>(request->params);
  if (request != nullptr && request->method == "run.start") wire::decode<wire::StartRun>(request->params);
  if (notification == nullptr) return;
  if (notification->method == "run.started") wire::decode<wire::RunStarted>(notification->params);
  if (notification->method == "run.steps") wire::decode<wire::StepBatch>(notification->params);
  if (notification->method == "run.event") wire::decode<wire::Event>(notification->params);
}

/// Feeds bytes and takes everything that comes; true where each failure was an Error and the reader kept its bounds.
bool survives(const std::string& bytes) {
  FrameReader reader;
  reader.feed(bytes);
  while (!reader.lost()) {
    try {
      const auto message = reader.next();
      if (!message) break;
      decodePayload(*message);
    } catch (const Error&) {
    }
  }
  return reader.pending() <= bytes.size();
}

}  // namespace

class Frames : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyKindOfMessageComesBackAsItWas();
  void chunksOfAnySizeGiveTheSameMessages_data();
  void chunksOfAnySizeGiveTheSameMessages();
  void theLengthIsFourBytesLowestFirst();
  void aMalformedMessageIsSkippedAndTheNextIsRead();
  void anImpossibleLengthLosesTheStreamAtOnce();
  void whatNoEncoderOfOursWritesIsRefused_data();
  void whatNoEncoderOfOursWritesIsRefused();
  void anEnvelopeThatIsNotJsonRpcIsRefused_data();
  void anEnvelopeThatIsNotJsonRpcIsRefused();
  void everyTruncationIsAnErrorOrAWait();
  void randomBytesGiveErrorsOnly();
};

void Frames::everyKindOfMessageComesBackAsItWas() {
  QVERIFY(!someMessages().empty());
  for (const Message& message : someMessages()) {
    FrameReader reader;
    reader.feed(wire::frame(message));
    const auto back = reader.next();
    QVERIFY(back.has_value());
    QVERIFY(*back == message);
    QVERIFY(!reader.next().has_value());
    QCOMPARE(reader.pending(), std::size_t{0});
  }
}

void Frames::chunksOfAnySizeGiveTheSameMessages_data() {
  QTest::addColumn<int>("chunk");
  for (const int chunk : {1, 2, 3, 7, 64, 4096, 1 << 20}) QTest::addRow("%d bytes", chunk) << chunk;
}

void Frames::chunksOfAnySizeGiveTheSameMessages() {
  QFETCH(int, chunk);
  const auto expected = someMessages();
  std::string bytes;
  for (const Message& message : expected) bytes += wire::frame(message);
  FrameReader reader;
  std::vector<Message> got;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    reader.feed(std::string_view(bytes).substr(at, chunk));
    while (auto message = reader.next()) got.push_back(std::move(*message));
  }
  QVERIFY(got == expected);
}

void Frames::theLengthIsFourBytesLowestFirst() {
  const std::string bytes =
      wire::frame(wire::Notification{"engine.log", wire::encode(wire::LogLine{"info", std::string(300, 'x')})});
  const auto byte = [&](int i) { return static_cast<unsigned char>(bytes[i]); };
  QCOMPARE(std::size_t{byte(0)} + 256u * byte(1) + 65536u * byte(2) + 16777216u * byte(3), bytes.size() - 4);
  QVERIFY(bytes.size() > 260);
}

void Frames::aMalformedMessageIsSkippedAndTheNextIsRead() {
  const Message good = wire::Request{1, "run.pause", json::object()};
  FrameReader reader;
  reader.feed(framed("\xff\xff\xff") + wire::frame(good));
  QVERIFY_EXCEPTION_THROWN(reader.next(), Error);
  QVERIFY(!reader.lost());
  QVERIFY(*reader.next() == good);
}

void Frames::anImpossibleLengthLosesTheStreamAtOnce() {
  FrameReader reader;
  reader.feed(std::string("\x01\x00\x00\x04", 4));  // 64 MiB and a byte
  QVERIFY_EXCEPTION_THROWN(reader.next(), Error);
  QVERIFY(reader.lost());
  reader.feed(std::string(1 << 20, 'x'));
  QCOMPARE(reader.pending(), std::size_t{0});
  QVERIFY_EXCEPTION_THROWN(reader.next(), Error);

  FrameReader largest;
  largest.feed(std::string("\x00\x00\x00\x04", 4));  // exactly 64 MiB may come
  QVERIFY(!largest.next().has_value());
}

void Frames::whatNoEncoderOfOursWritesIsRefused_data() {
  QTest::addColumn<QByteArray>("body");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* name, const std::string& body, const char* message) {
    QTest::newRow(name) << QByteArray::fromStdString(body) << QString::fromUtf8(message);
  };
  row("empty", "", "A message is truncated (byte 0)");
  row("text cut",
      "\x65"
      "ab",
      "A message is truncated (byte 1)");
  row("length cut", "\x79\x01", "A message is truncated (byte 1)");
  row("text of 2^64-1 bytes", "\x7b\xff\xff\xff\xff\xff\xff\xff\xff", "A message is truncated (byte 9)");
  row("list of 2^63 values", std::string("\x9b\x80\0\0\0\0\0\0\0", 9),
      "A message announces more values than it has bytes (byte 9)");
  row("map of 2^63 pairs", std::string("\xbb\x80\0\0\0\0\0\0\0", 9),
      "A message announces more values than it has bytes (byte 9)");
  row("indefinite list", "\x9f\x01\xff", "A message has a length of an unsupported kind (byte 1)");
  row("tag", "\xc0\x01", "A message has a tag (byte 1)");
  row("number as key", "\xa1\x01\x01", "A message has a key that is not a string (byte 2)");
  row("undefined", "\xf7", "A message has a value of an unsupported kind (byte 1)");
  row("two values", "\x01\x02", "A message has bytes after its end (byte 1)");
  row("a million lists", std::string(1 << 20, '\x81'), "A message is nested too deeply (byte 32)");
  row("5 million empty objects", "\x9a" + std::string("\x00\x4c\x4b\x40", 4) + std::string(5000000, '\xa0'),
      "A message has too many values (byte 4194308)");
}

void Frames::whatNoEncoderOfOursWritesIsRefused() {
  QFETCH(QByteArray, body);
  QFETCH(QString, message);
  QCOMPARE(QString::fromStdString(failureOf(framed(body.toStdString()))), message);
}

void Frames::anEnvelopeThatIsNotJsonRpcIsRefused_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* text, const char* message) {
    QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(message);
  };
  row("[1]", "A message must be an object");
  row(R"({"id":1,"method":"a"})", "A message must have \"jsonrpc\": \"2.0\"");
  row(R"({"jsonrpc":2,"id":1,"method":"a"})", "jsonrpc must be a string, not a number");
  row(R"({"jsonrpc":"2.0"})", "A message has neither a method nor an id");
  row(R"({"jsonrpc":"2.0","id":1})", "A response has neither a result nor an error");
  row(R"({"jsonrpc":"2.0","id":"x","method":"a"})", "id must be a whole number, not a string");
  row(R"({"jsonrpc":"2.0","id":1,"method":4})", "method must be a string, not a number");
  row(R"({"jsonrpc":"2.0","id":1,"error":"no"})", "error must be an object");
  row(R"({"jsonrpc":"2.0","id":1,"error":{"code":"no"}})", "code must be a whole number, not a string");
}

void Frames::anEnvelopeThatIsNotJsonRpcIsRefused() {
  QFETCH(QString, text);
  QFETCH(QString, message);
  std::string body;
  json::to_cbor(json::parse(text.toStdString()), body);
  QCOMPARE(QString::fromStdString(failureOf(framed(body))), message);
}

void Frames::everyTruncationIsAnErrorOrAWait() {
  for (const Message& message : someMessages()) {
    const std::string whole = wire::frame(message);
    const std::size_t stride = whole.size() / 200 + 1;
    for (std::size_t size = 0; size < whole.size(); size += stride) {
      // As it arrives: the reader waits. With the length mended to fit: an error.
      QCOMPARE(failureOf(whole.substr(0, size)), std::string("more bytes are awaited"));
      if (size < 4) continue;
      const std::string outcome = failureOf(framed(whole.substr(4, size - 4)));
      QVERIFY2(outcome != "a message was read" && outcome != "more bytes are awaited", outcome.c_str());
    }
  }
}

void Frames::randomBytesGiveErrorsOnly() {
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    std::string body(random() % 300, '\0');
    for (char& byte : body) byte = static_cast<char>(random());
    QVERIFY(survives(round % 2 == 0 ? framed(body) : body));
  }
}

BINADE_SUITE(Frames);
#include "tst_frames.moc"

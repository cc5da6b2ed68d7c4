// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"
#include "engine/wire/run_gate.h"
#include "tests/app/odd_json.h"
#include "tests/fuzz/plain_readers.h"
#include "tests/support/mutations.h"
#include "tests/wire/samples.h"

#include <optional>
#include <random>
#include <variant>

namespace binade::fuzz {

namespace {

using nlohmann::json;

/// Decodes the content as every type that a message may contain: the receiver of any method may get it.
template <class... T>
void decode_as_each(const json& content, wire::TypeList<T...> /*types*/) {
  const auto decode = [&](auto type) {
    try {
      wire::decode<decltype(type)>(content);
    } catch (const Error&) {
    }
  };
  (decode(T{}), ...);
}

/// As the explorer receives it: checked against the run, and then the same if it is sent on.
void admit(const wire::Notification& notification, wire::RunGate& gate) {
  std::optional<wire::RunNotification> decoded = wire::decode_notification(notification);
  if (!decoded) return;
  std::visit(
      [&]<class T>(T& value) {
        const json sent = wire::encode(value);
        const json again = wire::encode(wire::decode<T>(sent));
        if (json::to_cbor(again) != json::to_cbor(sent)) throw Fault("sent on, it differs: " + notification.method);
        if constexpr (requires { gate.admit(value); }) static_cast<void>(gate.admit(value));
      },
      *decoded);
}

void receive(const wire::Message& message, wire::RunGate& gate) {
  if (const auto* request = std::get_if<wire::Request>(&message)) {
    decode_as_each(request->params, wire::Payloads{});
  } else if (const auto* response = std::get_if<wire::Response>(&message)) {
    if (const auto* result = std::get_if<json>(&response->outcome)) decode_as_each(*result, wire::Payloads{});
  } else {
    admit(std::get<wire::Notification>(message), gate);
  }
}

/// Receives a stream to its end. The first message that is refused refuses it; the ones behind it are received too.
std::string read_stream(const std::string& bytes) {
  wire::RunGate gate([](const wire::Misfit& misfit) {
    if (misfit.text().empty()) throw Fault("a misfit without a text");
  });
  wire::FrameReader frames;
  std::optional<Error> refusal;
  std::string content;
  const auto feed = [&](std::string_view part) {
    frames.feed(part);
    while (!frames.lost()) {
      try {
        const auto message = frames.next();
        if (!message) break;
        content += wire::encode_message(*message).dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
        receive(*message, gate);
      } catch (const Error& error) {
        if (!refusal) refusal = error;
      }
    }
  };
  feed(std::string_view(bytes).substr(0, bytes.size() / 3));  // a message arrives in parts
  feed(std::string_view(bytes).substr(bytes.size() / 3));
  if (refusal) throw Error(*refusal);
  if (frames.pending() > 0) throw Error(ErrorCode::kUsage, "The stream was cut");
  return content;
}

template <class T>
std::string sent(const T& value) {
  return wire::frame(wire::notification_of(value));
}

/// Streams of a run that has begun, one for each kind of message.
std::vector<std::string> valid_streams() {
  const std::string begin = sent(test::sampleStarted());
  return {begin,
          begin + sent(wire::StepBatch{{test::sampleStep(0), test::sampleStep(1)}}),
          begin + sent(test::sampleEvent(0)),
          begin + sent(test::samplePolicyApplied(1, 0)),
          begin + sent(test::sampleProfile(0)),
          begin + sent(test::sampleCasts(0, 0)),
          begin + sent(test::sampleComparison(0)),
          begin + sent(test::sampleSilentReport(0)),
          begin + sent(wire::ScalerChanged{0, {}, 4096}),
          begin + sent(wire::Rewound{0, "a.safetensors"}),
          begin + sent(wire::Finished{wire::Outcome::kCompleted, 1, "", ""}),
          wire::frame(wire::Request{8, "run.start", wire::encode(wire::StartRun{test::sampleConfig()})}),
          wire::frame(wire::Response{9, wire::encode(test::sampleModel())}),
          wire::frame(wire::Response{10, wire::encode(test::sampleSavings(0))}),
          wire::frame(wire::Response{8, wire::Failure{wire::kUnknownMethod, "There is no method a.b.", "", "batch"}})};
}

constexpr std::size_t kLengthSize = 4;

std::string framed(const std::string& body) {
  std::string bytes;
  for (std::size_t i = 0; i < kLengthSize; ++i) bytes.push_back(static_cast<char>(body.size() >> (8 * i)));
  return bytes + body;
}

/// Bodies of the frames; what no length announces is the last one.
std::vector<std::string> bodies_of(const std::string& stream) {
  std::vector<std::string> bodies;
  for (std::size_t at = 0; at < stream.size();) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < kLengthSize && at + i < stream.size(); ++i) {
      size |= std::size_t{static_cast<unsigned char>(stream[at + i])} << (8 * i);
    }
    at = std::min(at + kLengthSize, stream.size());
    bodies.push_back(stream.substr(at, size));
    at += bodies.back().size();
  }
  return bodies;
}

/// Damages the stream, or one message with a length that fits again: its bytes, or one value in valid CBOR.
Mutation damaged_stream(const std::string& stream, std::uint32_t seed) {
  test::Mutator mutator(seed);
  if (seed % 4 == 0) return {mutator.bytes(stream)};
  std::vector<std::string> bodies = bodies_of(stream);
  if (bodies.empty()) return {stream};
  std::string& body = bodies[mutator.below(bodies.size())];
  json message = json::from_cbor(body, /*strict=*/true, /*allow_exceptions=*/false);
  if (seed % 4 == 1 || message.is_discarded()) {
    body = mutator.bytes(body);
  } else {
    std::mt19937 random(seed);
    for (std::size_t changes = 1 + mutator.below(2); changes > 0; --changes) test::makeOdd(message, random);
    body.clear();
    json::to_cbor(message, body);
  }
  std::string damaged;
  for (const std::string& each : bodies) damaged += framed(each);
  return {damaged};
}

}  // namespace

const Reader& wire_reader() {
  static const Reader reader{"wire", ".frames", "", valid_streams, read_stream, damaged_stream};
  return reader;
}

int one_wire(const std::uint8_t* data, std::size_t size) {
  return one(wire_reader(), data, size);
}

}  // namespace binade::fuzz

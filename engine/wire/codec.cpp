// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/codec.h"

#include "engine/wire/archive.h"
#include "engine/wire/utf8.h"

#include <cmath>

namespace binade::wire {

using nlohmann::json;

template <Payload T>
json encode(const T& value) {
  return Writer<json>::make(value);
}

template <Payload T>
T decode(const json& object) {
  T value;
  Reader::read(object, Place{}, ReadRules{}, value);
  return value;
}

namespace {

/// Spells the numbers that JSON has none for.
void spell(json& value) {
  if (value.is_structured()) {
    for (json& each : value) spell(each);
  } else if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (std::isnan(number)) value = nullptr;
    if (std::isinf(number)) value = number > 0 ? kInfinity : kMinusInfinity;
  }
}

}  // namespace

template <Payload T>
std::string encode_text(const T& value) {
  json object = encode(value);
  spell(object);
  return object.dump();
}

template <Payload T>
T decode_text(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) throw Error(ErrorCode::kUsage, "is no JSON");
  T value;
  Reader::read(object, Place{}, ReadRules{.spelt = true}, value);
  return value;
}

// Every payload, so that nobody else needs to see archive.h.
#define BINADE_PAYLOAD(T)                       \
  template json encode(const T& v);             \
  template T decode(const json& object);        \
  template std::string encode_text(const T& v); \
  template T decode_text(const std::string& text)
BINADE_PAYLOAD(CastLedger);
BINADE_PAYLOAD(Float32Comparison);
BINADE_PAYLOAD(DataArrays);
BINADE_PAYLOAD(DataPreview);
BINADE_PAYLOAD(ListArrays);
BINADE_PAYLOAD(Hello);
BINADE_PAYLOAD(PreviewData);
BINADE_PAYLOAD(Welcome);
BINADE_PAYLOAD(InspectModel);
BINADE_PAYLOAD(StartRun);
BINADE_PAYLOAD(SetScale);
BINADE_PAYLOAD(PolicySet);
BINADE_PAYLOAD(StateChanged);
BINADE_PAYLOAD(LogLine);
BINADE_PAYLOAD(StepBatch);
BINADE_PAYLOAD(ModelInfo);
BINADE_PAYLOAD(ObserveConfig);
BINADE_PAYLOAD(ObserveCost);
BINADE_PAYLOAD(Profile);
BINADE_PAYLOAD(ProfileConfig);
BINADE_PAYLOAD(RunConfig);
BINADE_PAYLOAD(StepRecord);
BINADE_PAYLOAD(Diagnosis);
BINADE_PAYLOAD(Event);
BINADE_PAYLOAD(Evaluated);
BINADE_PAYLOAD(PolicyApplied);
BINADE_PAYLOAD(RunStarted);
BINADE_PAYLOAD(Finished);
BINADE_PAYLOAD(ScalerConfig);
BINADE_PAYLOAD(CheckpointInfo);
BINADE_PAYLOAD(Rewound);
BINADE_PAYLOAD(ScalerChanged);
BINADE_PAYLOAD(ListCheckpoints);
BINADE_PAYLOAD(CheckpointList);
BINADE_PAYLOAD(LoadCheckpoint);
BINADE_PAYLOAD(SaveModel);
BINADE_PAYLOAD(SilentFault);
BINADE_PAYLOAD(SilentReport);
#undef BINADE_PAYLOAD

namespace {

json encode_one(const Request& request) {
  return {{"jsonrpc", "2.0"}, {"id", request.id}, {"method", request.method}, {"params", request.params}};
}

json encode_one(const Notification& notification) {
  return {{"jsonrpc", "2.0"}, {"method", notification.method}, {"params", notification.params}};
}

json encode_one(const Response& response) {
  json object{{"jsonrpc", "2.0"}, {"id", response.id}};
  if (const auto* failure = std::get_if<Failure>(&response.outcome)) {
    object["error"] = {{"code", failure->code},
                       {"message", valid_utf8(failure->message)},
                       {"data", {{"hint", valid_utf8(failure->hint)}}}};
  } else {
    object["result"] = std::get<json>(response.outcome);
  }
  return object;
}

/// A field of the envelope, which JSON-RPC lets be absent: its default then.
template <class T>
T optional_field(const json& object, const char* name, T value) {
  const Place root;
  const auto found = object.find(name);
  if (found != object.end()) Reader::read(*found, Place{&root, name}, ReadRules{}, value);
  return value;
}

Failure decode_failure(const json& error) {
  if (!error.is_object()) throw Error(ErrorCode::kUsage, "error must be an object");
  Failure failure;
  failure.code = optional_field(error, "code", 0);
  failure.message = optional_field(error, "message", std::string());
  const auto data = error.find("data");
  if (data != error.end() && data->is_object()) failure.hint = optional_field(*data, "hint", std::string());
  return failure;
}

}  // namespace

json encode_message(const Message& message) {
  return std::visit([](const auto& each) { return encode_one(each); }, message);
}

Message decode_message(const json& object) {
  if (!object.is_object()) throw Error(ErrorCode::kUsage, "A message must be an object");
  if (optional_field(object, "jsonrpc", std::string()) != "2.0") {
    throw Error(ErrorCode::kUsage, "A message must say that it is JSON-RPC 2.0");
  }
  const bool has_id = object.contains("id");
  const auto id = optional_field<std::int64_t>(object, "id", 0);
  if (object.contains("method")) {
    auto method = optional_field(object, "method", std::string());
    json params = object.value("params", json::object());
    if (!has_id) return Notification{std::move(method), std::move(params)};
    return Request{id, std::move(method), std::move(params)};
  }
  if (!has_id) throw Error(ErrorCode::kUsage, "A message has neither a method nor an id");
  if (const auto error = object.find("error"); error != object.end()) return Response{id, decode_failure(*error)};
  const auto result = object.find("result");
  if (result == object.end()) throw Error(ErrorCode::kUsage, "A response has neither a result nor an error");
  return Response{id, *result};
}

}  // namespace binade::wire

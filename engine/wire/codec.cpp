// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/codec.h"

#include "engine/wire/archive.h"
#include "engine/wire/nesting.h"
#include "engine/wire/utf8.h"

#include <cmath>

namespace binade::wire {

using nlohmann::json;

// Only this file includes archive.h, which compiles slowly.
json codec::encode(VariantTypes<Payloads>::ConstPointers value) {
  return std::visit([](const auto* each) { return Writer<json>::make(*each); }, value);
}

void codec::decode(const json& object, VariantTypes<Payloads>::Pointers value) {
  std::visit([&object](auto* each) { Reader::read(object, Place{}, ReadRules{}, *each); }, value);
}

void codec::spell(json& value) {
  if (value.is_structured()) {
    for (json& each : value) spell(each);
  } else if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (std::isnan(number)) value = nullptr;
    if (std::isinf(number)) value = number > 0 ? kInfinity : kMinusInfinity;
  }
}

void codec::decode_text(const std::string& text, VariantTypes<Payloads>::Pointers value) {
  if (is_too_deep(text)) throw Error(ErrorCode::kUsage, "has lists and objects that are nested too deeply");
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) throw Error(ErrorCode::kUsage, "is not JSON");
  std::visit([&object](auto* each) { Reader::read(object, Place{}, ReadRules{.spelt = true}, *each); }, value);
}

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
                       {"data", {{"hint", valid_utf8(failure->hint)}, {"field", valid_utf8(failure->field)}}}};
    if (!failure->sha256.empty()) {
      json& data = object["error"]["data"];
      data["sha256"] = failure->sha256;
      data["unsafe"] = json::array();
      for (const UnsafeCode& each : failure->unsafe) {
        data["unsafe"].push_back({{"record", valid_utf8(each.record)},
                                  {"line", each.line},
                                  {"code", valid_utf8(each.code)},
                                  {"why", valid_utf8(each.why)}});
      }
    }
  } else {
    object["result"] = std::get<json>(response.outcome);
  }
  return object;
}

/// Reads a field of the envelope that JSON-RPC allows to be absent; `value` is its default.
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
  if (data == error.end() || !data->is_object()) return failure;
  failure.hint = optional_field(*data, "hint", std::string());
  failure.field = optional_field(*data, "field", std::string());
  failure.sha256 = optional_field(*data, "sha256", std::string());
  const auto unsafe = data->find("unsafe");
  if (unsafe == data->end() || !unsafe->is_array()) return failure;
  for (const json& each : *unsafe) {
    if (!each.is_object()) continue;
    failure.unsafe.push_back({optional_field(each, "record", std::string()),
                              optional_field(each, "line", std::int64_t{0}),
                              optional_field(each, "code", std::string()), optional_field(each, "why", std::string())});
  }
  return failure;
}

template <class... T>
std::optional<RunNotification> decode_as(TypeList<T...> /*types*/, const Notification& notification) {
  std::optional<RunNotification> found;
  const auto try_as = [&]<class Each>(TypeList<Each> /*type*/) {
    if (notification.method == kRouteOf<Each>.method) found.emplace(decode<Each>(notification.params));
    return found.has_value();
  };
  static_cast<void>((try_as(TypeList<T>{}) || ...));
  return found;
}

}  // namespace

std::optional<RunNotification> decode_notification(const Notification& notification) {
  return decode_as(Received{}, notification);
}

json encode_message(const Message& message) {
  return std::visit([](const auto& each) { return encode_one(each); }, message);
}

Message decode_message(const json& object) {
  if (!object.is_object()) throw Error(ErrorCode::kUsage, "A message must be an object");
  if (optional_field(object, "jsonrpc", std::string()) != "2.0") {
    throw Error(ErrorCode::kUsage, "A message must have \"jsonrpc\": \"2.0\"");
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

// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/search_json.h"

#include "engine/formats/error.h"
#include "engine/wire/enum_text.h"
#include "engine/wire/utf8.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace binade::tuning {

using nlohmann::json;

namespace {

constexpr std::array<std::pair<search::Goal, std::string_view>, 4> kGoals{{{search::Goal::kTime, "time"},
                                                                           {search::Goal::kMemory, "memory"},
                                                                           {search::Goal::kCasts, "casts"},
                                                                           {search::Goal::kRepair, "repair"}}};
constexpr const char* kUp = "Infinity";
constexpr const char* kDown = "-Infinity";

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kBadFile, what);
}

template <class Enum>
Enum decode_word(const json& object) {
  const auto value = wire::from_word<Enum>(object.get<std::string>());
  if (!value) refuse(object.dump() + " is not known");
  return *value;
}

formats::Format decode_format(const json& object) {
  const auto format = formats::parse(object.get<std::string>());
  if (!format) refuse(object.dump() + " is no number format");
  return *format;
}

void encode_optional(json& object, const char* key, const std::optional<double>& value) {
  if (value) object[key] = encode_number(*value);
}

std::optional<double> decode_optional(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  return decode_number(*found);
}

json encode_decision(const policy::Decision& decision) {
  return {{"kind", wire::word(decision.kind)},
          {"format", formats::name(decision.format)},
          {"backward", formats::name(decision.backward)},
          {"execution", wire::word(decision.execution)},
          {"overflow", wire::word(decision.overflow)},
          {"rule", decision.rule},
          {"block", decision.block},
          {"products", json::parse(policy::to_json(decision.products))}};
}

policy::Decision decode_decision(const json& object) {
  policy::Decision decision;
  decision.kind = decode_word<policy::Decision::Kind>(object.at("kind"));
  decision.format = decode_format(object.at("format"));
  decision.backward = decode_format(object.at("backward"));
  decision.execution = decode_word<policy::Execution>(object.at("execution"));
  decision.overflow = decode_word<formats::Overflow>(object.at("overflow"));
  decision.rule = object.at("rule").get<int>();
  decision.block = object.at("block").get<int>();
  const auto products = object.find("products");  // older states lack it
  if (products != object.end()) decision.products = policy::parse_products(products->dump(), "products");
  return decision;
}

json encode_call(const search::CallEvidence& call) {
  json object{{"call", wire::valid_utf8(call.call)},
              {"now", encode_decision(call.now)},
              {"error", encode_number(call.error)},
              {"gradient_error", encode_number(call.gradient_error)},
              {"amplifies", encode_number(call.amplifies)},
              {"lost", encode_number(call.lost)},
              {"overflowed", call.overflowed},
              {"casts", encode_number(call.casts)},
              {"cast_bytes", encode_number(call.cast_bytes)},
              {"seconds", encode_number(call.seconds)},
              {"operations", encode_number(call.operations)},
              {"output_bytes", encode_number(call.output_bytes)}};
  encode_optional(object, "doublings_left", call.doublings_left);
  return object;
}

search::CallEvidence decode_call(const json& object) {
  search::CallEvidence call;
  call.call = object.at("call").get<std::string>();
  call.now = decode_decision(object.at("now"));
  call.error = decode_number(object.at("error"));
  call.gradient_error = decode_number(object.at("gradient_error"));
  call.amplifies = decode_number(object.at("amplifies"));
  call.doublings_left = decode_optional(object, "doublings_left");
  call.lost = decode_number(object.at("lost"));
  call.overflowed = object.at("overflowed").get<bool>();
  call.casts = decode_number(object.at("casts"));
  call.cast_bytes = decode_number(object.at("cast_bytes"));
  call.seconds = decode_number(object.at("seconds"));
  call.operations = decode_number(object.at("operations"));
  call.output_bytes = decode_number(object.at("output_bytes"));
  return call;
}

search::Point decode_point(const json& object) {
  search::Point point;
  point.policy = policy::parse_policy(object.at("policy").dump(), "policy");
  point.changed = object.at("changed").get<std::vector<std::string>>();
  point.attempt = object.at("attempt").get<std::int64_t>();
  point.holds = object.at("holds").get<bool>();
  point.proof.verdict = decode_word<wire::TrialVerdict>(object.at("verdict"));
  point.proof.gap = decode_number(object.at("gap"));
  point.proof.gap_noise =
      decode_optional(object, "gap_noise").value_or(point.proof.gap_noise);  // older states lack both
  point.proof.base_loss = decode_optional(object, "base_loss").value_or(point.proof.base_loss);
  point.proof.cost = decode_number(object.at("cost"));
  point.proof.cost_noise = decode_number(object.at("cost_noise"));
  point.proof.base_cost = decode_optional(object, "base_cost");
  point.proof.evaluation = decode_optional(object, "evaluation");
  point.proof.base_evaluation = decode_optional(object, "base_evaluation");
  point.proof.reason = object.at("reason").get<std::string>();
  return point;
}

}  // namespace

std::string_view name(search::Goal goal) {
  for (const auto& [each, text] : kGoals) {
    if (each == goal) return text;
  }
  return {};
}

std::string_view name(search::End end) {
  switch (end) {
    case search::End::kNothingLeft:
      return "nothing_left";
    case search::End::kTries:
      return "tries";
    case search::End::kTime:
      return "time";
    case search::End::kCancelled:
      return "cancelled";
    case search::End::kNone:
      break;
  }
  return {};
}

std::optional<search::Goal> parse_goal(std::string_view text) {
  for (const auto& [each, known] : kGoals) {
    if (known == text) return each;
  }
  return std::nullopt;
}

json encode_number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? kUp : kDown;
  return value;
}

double decode_number(const json& object) {
  if (object.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (object == kUp) return std::numeric_limits<double>::infinity();
  if (object == kDown) return -std::numeric_limits<double>::infinity();
  return object.get<double>();
}

json encode(const search::Order& order) {
  json limits{{"fixed", order.limits.fixed}, {"formats", json::array()}};
  for (const formats::Format& format : order.limits.formats) limits["formats"].push_back(formats::name(format));
  encode_optional(limits, "evaluation", order.limits.evaluation);
  return {{"policy", json::parse(policy::to_json(order.base))},
          {"for", name(order.goal)},
          {"limits", std::move(limits)},
          {"seed", order.seed}};
}

json encode(const search::StepEvidence& evidence) {
  json calls = json::array();
  for (const search::CallEvidence& call : evidence.calls) calls.push_back(encode_call(call));
  json object{{"calls", std::move(calls)},
              {"step_seconds", encode_number(evidence.step_seconds)},
              {"peak_bytes", encode_number(evidence.peak_bytes)}};
  encode_optional(object, "seconds_per_byte", evidence.seconds_per_byte);
  return object;
}

search::StepEvidence decode_evidence(const json& object) {
  search::StepEvidence evidence;
  for (const json& call : object.at("calls")) evidence.calls.push_back(decode_call(call));
  evidence.step_seconds = decode_number(object.at("step_seconds"));
  evidence.peak_bytes = decode_number(object.at("peak_bytes"));
  evidence.seconds_per_byte = decode_optional(object, "seconds_per_byte");
  return evidence;
}

json encode(const search::Point& point, const std::string& file) {
  json object{{"attempt", point.attempt},
              {"changed", json::array()},
              {"holds", point.holds},
              {"verdict", wire::word(point.proof.verdict)},
              {"gap", encode_number(point.proof.gap)},
              {"gap_noise", encode_number(point.proof.gap_noise)},
              {"base_loss", encode_number(point.proof.base_loss)},
              {"cost", encode_number(point.proof.cost)},
              {"cost_noise", encode_number(point.proof.cost_noise)},
              {"reason", wire::valid_utf8(point.proof.reason)},
              {"file", wire::valid_utf8(file)},
              {"policy", json::parse(policy::to_json(point.policy))}};
  for (const std::string& call : point.changed) object["changed"].push_back(wire::valid_utf8(call));
  encode_optional(object, "base_cost", point.proof.base_cost);
  encode_optional(object, "evaluation", point.proof.evaluation);
  encode_optional(object, "base_evaluation", point.proof.base_evaluation);
  return object;
}

json encode(const search::Progress& progress) {
  json proven = json::array();
  for (const search::Point& point : progress.proven) proven.push_back(encode(point, {}));
  return {{"tries", progress.tries},
          {"seconds", encode_number(progress.seconds)},
          {"proven", std::move(proven)},
          {"done", progress.done},
          {"sentence", wire::valid_utf8(progress.sentence)}};
}

search::Progress decode_progress(const json& object) {
  search::Progress progress;
  progress.tries = object.at("tries").get<std::int64_t>();
  progress.seconds = decode_number(object.at("seconds"));
  for (const json& point : object.at("proven")) progress.proven.push_back(decode_point(point));
  progress.done = object.at("done").get<bool>();
  progress.sentence = object.at("sentence").get<std::string>();
  return progress;
}

}  // namespace binade::tuning

// SPDX-License-Identifier: Apache-2.0
#include "engine/run/orders.h"

#include "engine/formats/error.h"
#include "engine/wire/codec.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace binade::run {

namespace {

using nlohmann::json;

/// A message of this size holds the level of a plain step. Objects are longer.
constexpr std::size_t kPlainSize = 1;

constexpr std::array kOutcomes{wire::Outcome::kCompleted, wire::Outcome::kStopped, wire::Outcome::kCancelled,
                               wire::Outcome::kFailed};

bool is_plain(const Orders& orders) {
  return orders.run_step && !orders.end && !orders.policy && orders.scales.empty() && orders.scalers.empty() &&
         !orders.observe && !orders.profile && orders.loads.empty();
}

}  // namespace

Orders orders_of(const Control::Next& next) {
  Orders orders;
  orders.run_step = next.run_step;
  orders.policy = next.policy;
  orders.scales = next.scales;
  orders.scalers = next.scalers;
  orders.observe = next.observe;
  orders.profile = next.profile;
  for (const Control::FileRequest& request : next.files) {
    if (request.kind == Control::FileRequest::Kind::kLoadCheckpoint) orders.loads.push_back(request.policy);
  }
  return orders;
}

std::string encode(const Orders& orders) {
  if (is_plain(orders)) return std::string(kPlainSize, static_cast<char>(orders.level));
  json object;
  object["run_step"] = orders.run_step;
  object["level"] = orders.level;
  object["end"] = orders.end;
  object["outcome"] = static_cast<int>(orders.outcome);
  if (orders.policy) object["policy"] = wire::encode(*orders.policy);
  object["scales"] = orders.scales;
  object["scalers"] = json::array();
  for (const wire::ScalerConfig& scaler : orders.scalers) object["scalers"].push_back(wire::encode(scaler));
  if (orders.observe) object["observe"] = wire::encode(*orders.observe);
  if (orders.profile) object["profile"] = wire::encode(*orders.profile);
  object["loads"] = json::array();
  for (const auto& policy : orders.loads) object["loads"].push_back(policy ? wire::encode(*policy) : json());
  const std::vector<std::uint8_t> bytes = json::to_cbor(object);
  return {bytes.begin(), bytes.end()};
}

Orders decode_orders(const std::string& bytes) {
  Orders orders;
  if (bytes.size() == kPlainSize) {
    orders.run_step = true;
    orders.level = static_cast<unsigned char>(bytes.front());
    return orders;
  }
  try {
    const json object = json::from_cbor(bytes.begin(), bytes.end());
    orders.run_step = object.at("run_step").get<bool>();
    orders.level = object.at("level").get<int>();
    orders.end = object.at("end").get<bool>();
    orders.outcome = kOutcomes.at(object.at("outcome").get<std::size_t>());
    if (object.contains("policy")) orders.policy = wire::decode<wire::PolicySet>(object["policy"]);
    orders.scales = object.at("scales").get<std::vector<std::pair<std::string, double>>>();
    for (const json& scaler : object.at("scalers")) orders.scalers.push_back(wire::decode<wire::ScalerConfig>(scaler));
    if (object.contains("observe")) orders.observe = wire::decode<wire::ObserveConfig>(object["observe"]);
    if (object.contains("profile")) orders.profile = wire::decode<wire::ProfileConfig>(object["profile"]);
    for (const json& policy : object.at("loads")) {
      auto& load = orders.loads.emplace_back();
      if (!policy.is_null()) load = wire::decode<wire::PolicySet>(policy);
    }
  } catch (const std::exception& error) {
    throw Error(ErrorCode::kInternal, std::string("The orders of rank 0 cannot be read: ") + error.what(),
                "Ranks of different versions of Binade cannot train together.");
  }
  return orders;
}

}  // namespace binade::run

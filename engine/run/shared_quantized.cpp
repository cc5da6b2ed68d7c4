// SPDX-License-Identifier: Apache-2.0
#include "engine/run/shared_quantized.h"

#include "engine/ranks/shared_training.h"
#include "engine/wire/codec.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace binade::run {

namespace {

using nlohmann::json;
using silent::QuantizedSeen;
using Alternative = std::optional<scaled::BlockStats> QuantizedSeen::*;

constexpr std::array<std::pair<const char*, Alternative>, 3> kAlternatives{
    {{"stochastic", &QuantizedSeen::stochastic},
     {"transformed", &QuantizedSeen::transformed},
     {"current", &QuantizedSeen::current}}};

auto place_of(const wire::QuantizedOperand& operand) {
  return std::tuple(operand.site, operand.product, operand.operand, operand.format);
}
using Place = decltype(place_of(wire::QuantizedOperand()));

json encoded(std::vector<wire::QuantizedOperand> operands) {
  return wire::encode(wire::QuantizedStep{0, std::move(operands)});
}

/// An alternative travels as an operand with its statistics.
std::string packed(const std::vector<QuantizedSeen>& own) {
  if (own.empty()) return {};
  std::vector<wire::QuantizedOperand> operands;
  for (const QuantizedSeen& each : own) operands.push_back(each.operand);
  json all{{"operands", encoded(std::move(operands))}};
  for (const auto& [name, alternative] : kAlternatives) {
    std::vector<wire::QuantizedOperand> measured;
    for (const QuantizedSeen& each : own) {
      if (!(each.*alternative)) continue;
      measured.push_back(each.operand);
      measured.back().stats = *(each.*alternative);
    }
    all[name] = encoded(std::move(measured));
  }
  const std::vector<std::uint8_t> bytes = json::to_cbor(all);
  return {bytes.begin(), bytes.end()};
}

std::vector<QuantizedSeen> unpacked(const std::string& bytes) {
  std::vector<QuantizedSeen> seen;
  if (bytes.empty()) return seen;
  const json all = json::from_cbor(bytes.begin(), bytes.end());
  std::map<Place, std::size_t> places;
  wire::QuantizedStep step = wire::decode<wire::QuantizedStep>(all.at("operands"));
  for (wire::QuantizedOperand& each : step.operands) {
    places.emplace(place_of(each), seen.size());
    seen.push_back({.operand = std::move(each), .stochastic = {}, .transformed = {}, .current = {}});
  }
  for (const auto& [name, alternative] : kAlternatives) {
    const wire::QuantizedStep measured = wire::decode<wire::QuantizedStep>(all.at(name));
    for (const wire::QuantizedOperand& each : measured.operands) {
      seen[places.at(place_of(each))].*alternative = each.stats;
    }
  }
  return seen;
}

}  // namespace

void add_quantized(std::vector<QuantizedSeen>& own, std::vector<QuantizedSeen> other) {
  std::map<Place, std::size_t> places;
  for (std::size_t i = 0; i < own.size(); ++i) places.emplace(place_of(own[i].operand), i);
  for (QuantizedSeen& each : other) {
    const auto found = places.find(place_of(each.operand));
    if (found == places.end()) {
      own.push_back(std::move(each));
      continue;
    }
    QuantizedSeen& seen = own[found->second];
    wire::QuantizedOperand& operand = seen.operand;
    operand.executions = std::max(operand.executions, each.operand.executions);
    if (operand.operand == policy::Operand::kWeight) continue;
    operand.stats.add(each.operand.stats);
    if (each.operand.stale) operand.stale = std::max(*each.operand.stale, operand.stale.value_or(*each.operand.stale));
    for (const auto& [name, alternative] : kAlternatives) {
      std::optional<scaled::BlockStats>& measured = seen.*alternative;
      if (measured && each.*alternative) {
        measured->add(*(each.*alternative));
      } else {
        measured.reset();
      }
    }
  }
  // What only other ranks have quantized follows at its place.
  std::ranges::sort(own, {}, [](const QuantizedSeen& each) { return place_of(each.operand); });
}

void share_quantized(ranks::SharedTraining& shared, std::vector<QuantizedSeen>& own) {
  const auto by_rank = shared.group().gather(shared.leads() ? std::string() : packed(own));
  for (std::size_t rank = 1; rank < by_rank.size(); ++rank) add_quantized(own, unpacked(by_rank[rank]));
}

}  // namespace binade::run

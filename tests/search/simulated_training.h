// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace binade::test {

/// Number in [0, below), equal on all machines.
inline std::size_t draw(std::mt19937_64& random, std::size_t below) {
  return static_cast<std::size_t>(random() % below);
}

/// Op calls of two modules with alternating ops, each in `format` by a base list.
inline search::StepEvidence some_calls(std::size_t count, const formats::Format& format) {
  search::StepEvidence evidence;
  for (std::size_t i = 0; i < count; ++i) {
    search::CallEvidence call;
    const std::string module = i < count / 2 ? "encoder" : "decoder";
    call.call = module + ".layer" + std::to_string(i) + (i % 3 == 0 ? "/aten::linear#0" : "/aten::relu#0");
    call.now.kind = policy::Decision::Kind::kFormat;
    call.now.format = format;
    call.seconds = 0.001;
    call.output_bytes = 4096;
    evidence.calls.push_back(std::move(call));
  }
  evidence.step_seconds = 0.001 * static_cast<double>(count);
  evidence.peak_bytes = 4096 * static_cast<double>(count);
  return evidence;
}

/// Formats that a policy's rules give to op calls, which must be named singly; the others keep theirs.
inline std::vector<formats::Format> formats_under(const policy::Policy& policy, const search::StepEvidence& evidence) {
  std::vector<formats::Format> formats;
  for (const search::CallEvidence& call : evidence.calls) {
    formats::Format format = call.now.format;
    for (const policy::SiteRule& rule : policy.sites) {
      if (rule.match == call.call) format = rule.format;
    }
    formats.push_back(format);
  }
  return formats;
}

/// Which op calls a policy has in float32.
inline std::vector<bool> raised_under(const policy::Policy& policy, const search::StepEvidence& evidence) {
  std::vector<bool> raised;
  for (const formats::Format& format : formats_under(policy, evidence)) raised.push_back(format == formats::kFloat32);
  return raised;
}

/// A case of repair: op calls in float16, some of which need float32.
struct PlantedRepair {
  search::Order order;
  search::StepEvidence evidence;
  std::set<std::size_t> culprits;

  bool holds(const std::vector<bool>& raised) const {
    return std::all_of(culprits.begin(), culprits.end(), [&raised](std::size_t each) { return raised[each]; });
  }
};

/// How much the evidence says about the culprits.
enum class Evidence {
  kTopEight,  ///< they have eight ranks at random
  kUseless,   ///< it ranks all op calls at random
};

/// 20 to 120 op calls with the given number of culprits.
inline PlantedRepair planted_repair(std::uint64_t seed, std::size_t culprits, Evidence quality) {
  std::mt19937_64 random(seed);
  PlantedRepair planted;
  planted.order.goal = search::Goal::kRepair;
  planted.order.seed = seed;
  planted.evidence = some_calls(20 + draw(random, 101), formats::kFloat16);
  auto& calls = planted.evidence.calls;
  while (planted.culprits.size() < culprits) planted.culprits.insert(draw(random, calls.size()));
  std::set<std::size_t> suspects;
  if (quality == Evidence::kTopEight) {
    suspects = planted.culprits;
    while (suspects.size() < 8) suspects.insert(draw(random, calls.size()));
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const double noise = static_cast<double>(draw(random, 1000)) / 1e6;
    calls[i].error = suspects.count(i) != 0 ? 0.1 + noise : noise;
  }
  return planted;
}

/// Proves by a function of what is in float32, and counts.
class SimulatedRepair {
 public:
  SimulatedRepair(const search::StepEvidence& evidence, std::function<bool(const std::vector<bool>&)> holds)
      : evidence_(evidence), holds_(std::move(holds)) {}

  search::Proof operator()(const policy::Policy& policy) {
    ++tries;
    search::Proof proof;
    proof.verdict =
        holds_(raised_under(policy, evidence_)) ? wire::TrialVerdict::kInsideNoise : wire::TrialVerdict::kDiverged;
    return proof;
  }

  std::int64_t tries = 0;

 private:
  const search::StepEvidence& evidence_;
  std::function<bool(const std::vector<bool>&)> holds_;
};

/// The cheapest point that holds; fails a precondition of its caller if there is none.
inline const search::Point* cheapest(const search::Progress& progress) {
  const search::Point* best = nullptr;
  for (const search::Point& point : progress.proven) {
    if (point.holds && (!best || point.proof.cost < best->proof.cost)) best = &point;
  }
  return best;
}

/// Training in which bfloat16 halves the time of an op call, a cast costs as much as half an op call, and each op call
/// of `fragile` in a low format makes the loss worse.
class SimulatedTraining {
 public:
  SimulatedTraining(const search::StepEvidence& evidence, std::set<std::size_t> fragile)
      : evidence_(evidence), fragile_(std::move(fragile)) {}

  search::Proof operator()(const policy::Policy& policy) {
    ++tries;
    const std::vector<formats::Format> formats = formats_under(policy, evidence_);
    std::vector<formats::Format> before;
    for (const search::CallEvidence& call : evidence_.calls) before.push_back(call.now.format);
    search::Proof proof;
    proof.cost = cost(formats);
    proof.base_cost = cost(before);
    proof.verdict = wire::TrialVerdict::kInsideNoise;
    for (const std::size_t each : fragile_) {
      if (formats[each] == formats::kFloat32) continue;
      proof.verdict = wire::TrialVerdict::kWorse;
      proof.gap += 0.1;
    }
    return proof;
  }

  double cost(const std::vector<formats::Format>& formats) const {
    double seconds = 0;
    formats::Format last = formats::kFloat32;
    for (std::size_t i = 0; i < formats.size(); ++i) {
      const double own = evidence_.calls[i].seconds;
      seconds += formats[i] == formats::kFloat32 ? own : own / 2;
      if (formats[i] != last) seconds += kCast;
      last = formats[i];
    }
    return seconds;
  }

  std::int64_t tries = 0;

 private:
  static constexpr double kCast = 0.0005;
  const search::StepEvidence& evidence_;
  std::set<std::size_t> fragile_;
};

}  // namespace binade::test

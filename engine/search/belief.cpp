// SPDX-License-Identifier: Apache-2.0
#include "engine/search/belief.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace binade::search {

namespace {

constexpr double kGoodEvidence = 0.8;  ///< probability that ranks say something before anything is known
constexpr double kSetApart = 0.9;      ///< part of it that the needed ones are among those set apart, if any are
constexpr double kBehind = 0.002;      ///< relative probability of a candidate behind those
constexpr double kFirstRanks = 5;      ///< rank from which on a candidate of good evidence is less likely than not
constexpr double kSurest = 0.9;        ///< no candidate is more likely to be needed than this, however many are

/// Relative probability by rank if the evidence is good: flat over the first ranks, then falling with the cube.
std::vector<double> good_ranks(std::size_t candidates) {
  std::vector<double> weights(candidates);
  for (std::size_t rank = 0; rank < candidates; ++rank) {
    weights[rank] = 1 / (1 + std::pow(static_cast<double>(rank) / kFirstRanks, 3));
  }
  return weights;
}

/// Relative probability by rank if the needed candidates are among the first `set_apart`.
std::vector<double> first_ranks(std::size_t candidates, std::size_t set_apart) {
  std::vector<double> weights(candidates, kBehind);
  std::fill_n(weights.begin(), std::min(set_apart, candidates), 1.0);
  return weights;
}

}  // namespace

Belief::Belief(std::size_t candidates, std::size_t set_apart) {
  const double apart = set_apart > 0 ? kGoodEvidence * kSetApart : 0;
  if (apart > 0) {
    const std::vector<double> first = first_ranks(candidates, set_apart);
    add(apart * 0.25, first, 1);
    add(apart * 0.25, first, 2);
    add(apart * 0.25, first, 4);
    add(apart * 0.25, first, kSurest * static_cast<double>(set_apart));
  }
  const std::vector<double> good = good_ranks(candidates);
  add((kGoodEvidence - apart) * 0.4, good, 1);
  add((kGoodEvidence - apart) * 0.3, good, 2);
  add((kGoodEvidence - apart) * 0.3, good, 4);
  const std::vector<double> flat(candidates, 1);
  const auto count = static_cast<double>(candidates);
  add((1 - kGoodEvidence) * 0.4, flat, 1);
  add((1 - kGoodEvidence) * 0.4, flat, 4);
  add((1 - kGoodEvidence) * 0.1, flat, count / 8);
  add((1 - kGoodEvidence) * 0.1, flat, count / 2);
}

void Belief::add(double prior, const std::vector<double>& by_rank, double expected) {
  Hypothesis hypothesis{std::log(prior), by_rank};
  const double sum = std::accumulate(by_rank.begin(), by_rank.end(), 0.0);
  for (double& each : hypothesis.needed) each = std::min(kSurest, each * expected / sum);
  hypotheses_.push_back(std::move(hypothesis));
}

std::vector<double> Belief::weights(const Known& known) const {
  std::vector<double> weights;
  for (const Hypothesis& hypothesis : hypotheses_) {
    double logarithm = hypothesis.logarithm;
    for (const std::size_t each : known.needed) logarithm += std::log(hypothesis.needed[each]);
    for (const std::size_t each : known.superfluous) logarithm += std::log1p(-hypothesis.needed[each]);
    weights.push_back(logarithm);
  }
  const double largest = *std::max_element(weights.begin(), weights.end());
  for (double& each : weights) each = std::exp(each - largest);
  return weights;
}

Changes Belief::pool(const Changes& of, const Known& known) const {
  const std::vector<double> weight = weights(known);
  const std::size_t count = hypotheses_.size();
  // Probability that all of `of` are superfluous. It is excluded if these are the suspects.
  std::vector<double> excluded(count, 0);
  double total = 0;
  for (std::size_t h = 0; h < count; ++h) {
    if (!known.suspects.empty()) {
      excluded[h] = 1;
      for (const std::size_t each : of) excluded[h] *= 1 - hypotheses_[h].needed[each];
    }
    total += weight[h] * (1 - excluded[h]);
  }
  std::vector<double> clean(count, 1);
  const std::size_t most = known.suspects.empty() ? of.size() : of.size() - 1;
  std::size_t best = 1;
  double best_distance = 2;
  for (std::size_t size = 1; size <= most; ++size) {
    double chance = 0;
    for (std::size_t h = 0; h < count; ++h) {
      clean[h] *= 1 - hypotheses_[h].needed[of[of.size() - size]];
      chance += weight[h] * (clean[h] - excluded[h]);
    }
    const double distance = std::abs(chance / total - 0.5);
    if (distance > best_distance) break;  // the chance falls with the size
    best_distance = distance;
    best = size;
  }
  return Changes(of.end() - static_cast<std::ptrdiff_t>(best), of.end());
}

}  // namespace binade::search

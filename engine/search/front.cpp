// SPDX-License-Identifier: Apache-2.0
#include "engine/search/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::search {

namespace {

/// The gap for comparisons. It is unknown (NaN) if the base gave no finite loss; then only the cost counts.
double known_gap(const Proof& proof) {
  return std::isnan(proof.gap) ? std::numeric_limits<double>::infinity() : proof.gap;
}

/// The cost for comparisons: times of two tries differ with the load of the machine, which the base shows too.
double cost_beside_base(const Proof& proof) {
  return proof.base_cost ? proof.cost - *proof.base_cost : proof.cost;
}

/// Whether `a` is at least as good as `b` in cost and gap, and better in one.
bool beats(const Proof& a, const Proof& b) {
  const double gap = known_gap(a);
  const double other_gap = known_gap(b);
  const double cost = cost_beside_base(a);
  const double other_cost = cost_beside_base(b);
  return cost <= other_cost && gap <= other_gap && (cost < other_cost || gap < other_gap);
}

}  // namespace

std::vector<Point> front(const Progress& progress, double base_cost) {
  std::vector<Point> points;
  for (const Point& point : progress.proven) {
    const Proof& proof = point.proof;
    if (!point.holds || !(proof.base_cost.value_or(base_cost) - proof.cost > proof.cost_noise)) continue;
    const bool beaten = std::any_of(progress.proven.begin(), progress.proven.end(),
                                    [&](const Point& other) { return other.holds && beats(other.proof, proof); });
    const bool repeated = std::any_of(points.begin(), points.end(), [&proof](const Point& other) {
      return cost_beside_base(other.proof) == cost_beside_base(proof) && known_gap(other.proof) == known_gap(proof);
    });
    if (!beaten && !repeated) points.push_back(point);
  }
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return cost_beside_base(a.proof) < cost_beside_base(b.proof);
  });
  return points;
}

}  // namespace binade::search

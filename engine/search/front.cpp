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

/// Whether `a` is at least as good as `b` in cost and gap, and better in one.
bool beats(const Proof& a, const Proof& b) {
  const double gap = known_gap(a);
  const double other = known_gap(b);
  return a.cost <= b.cost && gap <= other && (a.cost < b.cost || gap < other);
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
      return other.proof.cost == proof.cost && known_gap(other.proof) == known_gap(proof);
    });
    if (!beaten && !repeated) points.push_back(point);
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.proof.cost < b.proof.cost; });
  return points;
}

}  // namespace binade::search

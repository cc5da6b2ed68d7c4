// SPDX-License-Identifier: Apache-2.0
#include "profiler/normal_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::profiler {

namespace {

/// With more unknowns, errors are computed from each unknown's neighbours alone, which makes them slightly too small.
constexpr std::size_t kMostInverted = 512;
constexpr double kSettled = 1e-4;  // percentage points

/// Returns the diagonal of a positive definite matrix's inverse, by Cholesky decomposition; infinite in rows whose
/// pivot vanishes.
std::vector<double> inverse_diagonal(std::vector<double> matrix, std::size_t n) {
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return matrix[i * n + j]; };
  std::vector<bool> lost(n, false);
  for (std::size_t j = 0; j < n; ++j) {
    const double before = at(j, j);
    double pivot = before;
    for (std::size_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
    if (!(pivot > 1e-9 * std::max(before, 1e-300))) {
      lost[j] = true;
      pivot = 1;
      for (std::size_t k = 0; k < j; ++k) at(j, k) = 0;
    }
    const double root = std::sqrt(pivot);
    at(j, j) = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      double value = lost[j] ? 0 : at(i, j);
      if (!lost[j]) {
        for (std::size_t k = 0; k < j; ++k) value -= at(i, k) * at(j, k);
      }
      at(i, j) = value / root;
    }
  }
  // Column j of the inverse of L; the inverse's diagonal is the sum of squares down a column.
  std::vector<double> diagonal(n, 0), column(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    column[j] = 1 / at(j, j);
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k) sum += at(i, k) * column[k];
      column[i] = -sum / at(i, i);
    }
    for (std::size_t i = j; i < n; ++i) diagonal[j] += column[i] * column[i];
    if (lost[j]) diagonal[j] = std::numeric_limits<double>::infinity();
  }
  return diagonal;
}

}  // namespace

NormalEquations::NormalEquations(std::size_t unknowns)
    : diagonal_(unknowns), right_(unknowns), shared_(unknowns), shares_(unknowns), neighbours_(unknowns) {
  if (unknowns <= kMostInverted) triangle_.resize(unknowns * unknowns);
}

double& NormalEquations::product(std::uint32_t one, std::uint32_t other) {
  const auto [low, high] = std::minmax(one, other);
  if (!triangle_.empty()) return triangle_[low * diagonal_.size() + high];
  for (Neighbour& each : neighbours_[low]) {
    if (each.unknown == high) return each.product;
  }
  neighbours_[low].push_back({high, 0});
  return neighbours_[low].back().product;
}

void NormalEquations::list_neighbours() {
  if (listed_) return;
  listed_ = true;
  const std::size_t n = diagonal_.size();
  std::vector<std::vector<Neighbour>> upper(n);
  upper.swap(neighbours_);
  for (std::size_t i = 0; i < n && !triangle_.empty(); ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (triangle_[i * n + j] > 0) upper[i].push_back({static_cast<std::uint32_t>(j), triangle_[i * n + j]});
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (const Neighbour& each : upper[i]) {
      neighbours_[i].push_back(each);
      neighbours_[each.unknown].push_back({static_cast<std::uint32_t>(i), each.product});
    }
  }
}

void NormalEquations::add(const std::vector<Entry>& row, double y) {
  ++rows_;
  squares_ += y * y;
  double total = 0;
  for (const Entry& entry : row) total += entry.weight;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto [unknown, weight] = row[i];
    diagonal_[unknown] += weight * weight;
    right_[unknown] += weight * y;
    shared_[unknown] += weight * y / total;
    shares_[unknown] += weight;
    for (std::size_t j = i + 1; j < row.size(); ++j) {
      product(unknown, row[j].unknown) += weight * row[j].weight;
    }
  }
}

std::vector<double> NormalEquations::start(double most) const {
  std::vector<double> values(diagonal_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (shares_[i] > 0) values[i] = std::clamp(shared_[i] / shares_[i], 0.0, most);
  }
  return values;
}

void NormalEquations::solve(std::vector<double>& values, double most, int sweeps) {
  list_neighbours();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (diagonal_[i] <= 0) continue;
      double rest = right_[i];
      for (const Neighbour& each : neighbours_[i]) rest -= each.product * values[each.unknown];
      const double value = std::clamp(rest / diagonal_[i], 0.0, most);
      moved = std::max(moved, std::abs(value - values[i]));
      values[i] = value;
    }
    if (moved < kSettled) return;
  }
}

double NormalEquations::residual(const std::vector<double>& values) {
  list_neighbours();
  double sum = squares_;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double row = diagonal_[i] * values[i];
    for (const Neighbour& each : neighbours_[i]) row += each.product * values[each.unknown];
    sum += values[i] * (row - 2 * right_[i]);
  }
  return std::max(0.0, sum);
}

std::vector<double> NormalEquations::errors(const std::vector<double>& values) {
  list_neighbours();
  const std::size_t n = values.size();
  std::vector<double> errors(n, std::numeric_limits<double>::infinity());
  if (rows_ <= n) return errors;
  const double variance = residual(values) / static_cast<double>(rows_ - n);
  std::vector<double> inverse(n);
  if (n <= kMostInverted) {
    std::vector<double> matrix(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      matrix[i * n + i] = diagonal_[i];
      for (const Neighbour& each : neighbours_[i]) matrix[i * n + each.unknown] = each.product;
    }
    inverse = inverse_diagonal(std::move(matrix), n);
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      double left = diagonal_[i];
      for (const Neighbour& each : neighbours_[i]) {
        if (diagonal_[each.unknown] > 0) left -= each.product * each.product / diagonal_[each.unknown];
      }
      inverse[i] = left > 1e-9 * diagonal_[i] ? 1 / left : std::numeric_limits<double>::infinity();
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (diagonal_[i] > 0) errors[i] = std::sqrt(variance * inverse[i]);
  }
  return errors;
}

}  // namespace binade::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::profiler {

/// Bounded least squares with few unknowns per row: sum of weight * u = y. Rows are folded into the normal equations,
/// so the cost of solving does not depend on their number. Add all rows before solving.
class NormalEquations {
 public:
  struct Entry {
    std::uint32_t unknown;
    double weight;
  };

  explicit NormalEquations(std::size_t unknowns);

  void add(const std::vector<Entry>& row, double y);
  std::size_t rows() const { return rows_; }

  /// Returns a starting point: each row's value, distributed to its unknowns by weight.
  std::vector<double> start(double most) const;
  /// Coordinate descent within [0, most], starting from `values`. Stops early at convergence.
  void solve(std::vector<double>& values, double most, int sweeps);
  /// Returns the sum of squared residuals for `values`.
  double residual(const std::vector<double>& values);
  /// Returns the standard error of each value; infinite if the rows do not determine it.
  std::vector<double> errors(const std::vector<double>& values);

 private:
  struct Neighbour {
    std::uint32_t unknown;
    double product;
  };
  double& product(std::uint32_t one, std::uint32_t other);
  /// Builds each unknown's list of neighbours from the folded products.
  void list_neighbours();

  std::size_t rows_ = 0;
  double squares_ = 0;                    // sum of y * y
  std::vector<double> diagonal_, right_;  // sums of w * w and of w * y
  std::vector<double> shared_, shares_;   // for start()
  // Off-diagonal products: the upper triangle of a small matrix, which is fastest to add to, otherwise lists.
  std::vector<double> triangle_;
  std::vector<std::vector<Neighbour>> neighbours_;  // in both directions after list_neighbours()
  bool listed_ = false;
};

}  // namespace binade::profiler

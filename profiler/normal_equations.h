// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::profiler {

/// Bounded least squares with few unknowns a row: sum of weight * u = y. Rows are folded into the normal equations as
/// they come, so that solving costs the same for a thousand rows and a million. First all rows, then solving.
class NormalEquations {
 public:
  struct Entry {
    std::uint32_t unknown;
    double weight;
  };

  explicit NormalEquations(std::size_t unknowns);

  void add(const std::vector<Entry>& row, double y);
  std::size_t rows() const { return rows_; }

  /// Each row's value given to its unknowns by weight: where solving begins.
  std::vector<double> start(double most) const;
  /// Coordinate descent within 0..most from `values`; ends early where nothing moves any more.
  void solve(std::vector<double>& values, double most, int sweeps);
  /// Sum of squares that `values` leaves unexplained.
  double residual(const std::vector<double>& values);
  /// Standard error of each value; infinite where the rows do not determine it.
  std::vector<double> errors(const std::vector<double>& values);

 private:
  struct Neighbour {
    std::uint32_t unknown;
    double product;
  };
  double& product(std::uint32_t one, std::uint32_t other);
  /// Lists each unknown's neighbours out of what was folded.
  void list_neighbours();

  std::size_t rows_ = 0;
  double squares_ = 0;                    // sum of y * y
  std::vector<double> diagonal_, right_;  // sums of w * w and of w * y
  std::vector<double> shared_, shares_;   // for start()
  // Products off the diagonal: a triangle of the whole matrix where it is small, which is fastest to add to, else
  // lists.
  std::vector<double> triangle_;
  std::vector<std::vector<Neighbour>> neighbours_;  // both ways, once list_neighbours() has run
  bool listed_ = false;
};

}  // namespace binade::profiler

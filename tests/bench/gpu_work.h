// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/bins.h"

#include <nlohmann/json_fwd.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::bench::gpu {

/// Square matrix products of one size in one format.
struct ProductCase {
  const char* name;  ///< `bfloat16-8192`
  std::int64_t size;
  at::ScalarType dtype;
  bool tf32;
};
const std::vector<ProductCase>& product_cases();
/// Throws Error{kUsage} if there is no case of that name.
const ProductCase& product_case(const std::string& name);

/// Computes the products of one case on the first GPU.
class Products {
 public:
  explicit Products(const ProductCase& of);
  void run(int count);
  double operations() const;  ///< floating-point operations of one product

 private:
  ProductCase case_;
  at::Tensor a_, b_, c_;
};

/// Waits for the first GPU to finish its work.
void wait();

/// Returns an attribute of the first GPU by CUDA's number, or 0.
int device_attribute(int attribute);

/// Starts or stops ncu's profiling if it runs and was told to wait for that; otherwise does nothing.
void profiler_range(bool on);

/// Runs the products for `seconds`, with pauses of 10 ms, so that the power limit does not change the clock. Returns
/// their number.
int busy(Products& products, double seconds);

/// Returns the channel's time-weighted mean over bins in which multiprocessors were active for more than `above`
/// percent, or nullopt if there are none.
std::optional<double> mean_of(const std::vector<profiler::Bin>& bins, profiler::Channel channel, double above);

/// Prints one line of JSON to standard output.
void print(const nlohmann::ordered_json& line);

}  // namespace binade::bench::gpu

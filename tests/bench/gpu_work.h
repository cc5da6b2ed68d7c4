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
/// Throws Error{kUsage} where there is none of that name.
const ProductCase& product_case(const std::string& name);

/// The products of one case on the first GPU.
class Products {
 public:
  explicit Products(const ProductCase& of);
  void run(int count);
  double operations() const;  ///< of one product

 private:
  ProductCase case_;
  at::Tensor a_, b_, c_;
};

/// Waits until the first GPU has done what it was given.
void wait();

/// An attribute of the first GPU by CUDA's number, or 0.
int device_attribute(int attribute);

/// Switches ncu's eyes on or off, where it looks and was told to wait for it; nothing otherwise.
void profiler_range(bool on);

/// Runs the products for a while, with rests of 10 ms, so that the power limit does not move the clock; returns how
/// many.
int busy(Products& products, double seconds);

/// The channel's mean by time over bins in which multiprocessors worked for more than `above` percent; nothing where
/// there is none.
std::optional<double> mean_of(const std::vector<profiler::Bin>& bins, profiler::Channel channel, double above);

/// One line of JSON on standard output.
void print(const nlohmann::ordered_json& line);

}  // namespace binade::bench::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/train/training.h"
#include "engine/wire/profile.h"
#include "profiler/step_estimate.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::trial {

/// What a step under a policy needs besides time.
struct StepCost {
  double casts = wire::kNotMeasured;       ///< copies made by casts
  double cast_bytes = wire::kNotMeasured;  ///< bytes written by them
  double peak_bytes = wire::kNotMeasured;  ///< the most memory of tensors beyond that held before
  std::optional<double> loss{};            ///< of the step; nullopt: it failed
};

/// Runs step `step` of the training, which changes it, and counts its casts and memory. Counting makes it slower. A
/// step that fails has no figures.
StepCost measure_step(train::Training& training, std::int64_t step);

/// A matrix product that a site computes in a step.
struct SiteProduct {
  int site = 0;
  profiler::MatrixShape shape;
  double calls = 0;
};

/// Finds the matrix products of a step by one forward of the next batch, without changing the training. Empty if the
/// forward fails.
std::vector<SiteProduct> find_products(train::Training& training);

/// The products with the formats that a policy gives their sites.
std::vector<profiler::StepProduct> with_formats(const std::vector<SiteProduct>& products,
                                                const policy::Resolved& policy);

}  // namespace binade::trial

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"
#include "engine/wire/model_info.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace binade::silent {

/// The relative error of a softmax's weights where its largest logit is rounded to `format`: e to the power of half the
/// spacing of numbers there, less 1.
double weight_error(double logit, const formats::Format& format);

/// Follows what goes into each softmax over a run.
class Logits {
 public:
  /// How often logits must have multiplied since they were first seen to have grown: training moves them by less.
  static constexpr double kGrown = 4;
  /// Error of the weights from which grown logits count: five times that of a bfloat16 output's own rounding.
  static constexpr double kError = 0.05;
  /// And from which they count whether they have grown or not: no weight is known to its first digit.
  static constexpr double kAnyway = 0.25;
  /// Beyond it, whatever the format, one weight is 1 and the others carry no gradient: e^-50 is nothing in float32.
  static constexpr double kSaturated = 50;

  std::vector<Sign> signs(const Evidence& evidence, std::int64_t step, std::span<const wire::SiteInfo> sites);

  /// Sentences about softmaxes inside fused kernels, of which only a bound is known.
  std::vector<std::string> hidden(std::span<const wire::SiteInfo> sites) const;

 private:
  struct First {
    double largest = 0;
    std::int64_t step = 0;
    bool bound = false;
    double newest = 0;
  };
  std::map<int, First> first_;  ///< by site
};

}  // namespace binade::silent

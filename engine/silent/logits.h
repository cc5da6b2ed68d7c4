// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"

#include <map>
#include <vector>

namespace binade::silent {

/// Relative error of a softmax's weights if its largest logit is rounded to `format`: e to the power of half the
/// spacing of numbers there, minus 1.
double weight_error(double logit, const formats::Format& format);

/// Follows the inputs of each softmax over a run.
class Logits {
 public:
  /// Growth since the first observation from which logits count as grown; normal training changes them by less.
  static constexpr double kGrown = 4;
  /// Error of the weights from which grown logits are a symptom: five times that of rounding the output to bfloat16.
  static constexpr double kError = 0.05;
  /// Error from which they are a symptom even if they have not grown: no weight has a correct first digit.
  static constexpr double kAnyway = 0.25;
  /// Grown logits from here on are a symptom in any format: one weight is 1 and the others have no gradient, as e^-50
  /// vanishes beside 1 in float32.
  static constexpr double kSaturated = 50;

  /// Symptoms of one step.
  std::vector<Symptom> symptoms(const Evidence& evidence, std::int64_t step);

  /// Softmaxes inside fused kernels, for which only a bound is known.
  std::vector<wire::SilentGap> hidden() const;

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

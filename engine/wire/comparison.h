// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// Difference between one site of a step under the policy and the same step in float32; the worst over its calls. An
/// error is |a - b| / |b| in the Euclidean norm, where b is float32's value. It is infinite if a is not finite where b
/// is. Where b is NaN nothing is counted.
struct SiteDifference {
  int site = 0;
  int calls = 0;
  double forward = 0;  ///< error of the output
  /// Part of `forward` that this op adds, rather than inherits from its arguments: the error against the op in float32
  /// on the policy run's own arguments. For consecutive additions in a loop: the error of their sum against the same
  /// sum in float32.
  double added = 0;
  /// True if `added` was measured that way. Otherwise (ops that draw random numbers, write an argument, fail in
  /// float32 or lack the memory for it) it is estimated as sqrt(forward² - arrived²).
  bool measured = false;
  std::optional<double> gradient;  ///< error of the gradient at the output
  std::optional<double> cosine;    ///< cosine between the two gradients at the output
  /// Error that the site's backward adds: its outgoing gradients against the op's backward in float32 on the policy
  /// run's own arguments and gradient. nullopt if each of them is summed over several sites, or if the op could not be
  /// rerun.
  std::optional<double> gradient_added;
  /// The largest error among the arguments, and the output's error that results from it: that of the op in float32 on
  /// the policy run's arguments. A ratio above 1 means that the call amplifies errors, by cancellation or a steep
  /// slope. If the op could not be rerun, it is assumed to pass errors on unchanged.
  double arrived = 0;
  double inherited = 0;
  /// The largest value that `added` grows to on the way to the loss: `added` times the largest product of inherited /
  /// arrived along its users. Squares of several executions are summed; for a chain of additions it is the error of the
  /// whole chain. Never less than `added`, and at most about the output error of `becomes_at`. `becomes_at` is -1 if it
  /// does not grow.
  double becomes = 0;
  int becomes_at = -1;
  double zeroed = 0;                           ///< share of the output's norm that the call itself set to 0
  std::optional<double> gradient_zeroed = {};  ///< share of a gradient's norm that the site's backward set to 0
  friend bool operator==(const SiteDifference&, const SiteDifference&) = default;
};

/// A deviation of the reference run from the model in float32: a cast of the model that it removes, or a place that
/// stays in a lower format.
struct ReferenceNote {
  enum class Kind {
    kLiftedCast,  ///< the model itself casts to a format of 16 bits or fewer; the reference uses float32
    kLowResult,   ///< an op call still gives a result in such a format, because it writes a tensor that has it
    kParameter,   ///< a parameter in such a format, from the model or from Apex's level
    kBuffer,
    kInput,
    kOpaque,     ///< a call is chosen at run time: the casts inside it stay
    kCastsKept,  ///< the model does not run without its own casts, which all stay; `name` is the reason
  };
  Kind kind = Kind::kLiftedCast;
  int site = -1;       ///< for kLiftedCast and kLowResult
  std::string name;    ///< name of the parameter, buffer or input
  std::string format;  ///< `float16`: format of the result, parameter, buffer or input
  friend bool operator==(const ReferenceNote&, const ReferenceNote&) = default;
};

/// One step under the policy, compared with the same step in float32.
struct Float32Comparison {
  std::int64_t step = 0;
  double loss = 0;  ///< under the policy; may be NaN
  double float32_loss = 0;
  double scale = 1;                           ///< loss scale of the policy's run
  std::vector<SiteDifference> sites;          ///< in execution order
  std::vector<ReferenceNote> reference = {};  ///< by kind
  friend bool operator==(const Float32Comparison&, const Float32Comparison&) = default;
};

}  // namespace binade::wire

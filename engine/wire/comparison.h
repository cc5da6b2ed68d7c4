// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// Difference between one site of a step under the policy and the same step in float32; with several calls, the worst
/// of each. Errors are |a - b| / |b| in the Euclidean norm, b being float32's; infinite if a is not finite and b is.
struct SiteDifference {
  int site = 0;
  int calls = 0;
  double forward = 0;                    ///< error of the output
  double added = 0;                      ///< part of it that arose here and not in the arguments
  bool measured = false;                 ///< `added` was measured; otherwise it is estimated from the arguments' errors
  std::optional<double> gradient;        ///< error of the gradient that arrives at the output
  std::optional<double> cosine;          ///< cosine between the two gradients there
  std::optional<double> gradient_added;  ///< error that the site's backward added
  double arrived = 0;                    ///< largest error among the arguments
  double inherited = 0;  ///< error of the output due to the arguments alone: of the op in float32 on the policy's
                         ///< arguments
  double becomes = 0;    ///< the most that `added` grows to on the way to the loss; never less than `added`
  int becomes_at = -1;   ///< site where it is largest; -1: it does not grow
  double zeroed = 0;     ///< share of the output's norm that the call itself set to 0
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// How one site of a step under the policy differs from the same step in float32; of several calls the worst each.
/// Errors are |a - b| / |b| in the Euclidean norm, b being float32's; infinite where a is not finite and b is.
struct SiteDifference {
  int site = 0;
  int calls = 0;
  double forward = 0;                    ///< of the output
  double added = 0;                      ///< the part of it that came in here and not with the arguments
  bool measured = false;                 ///< `added` was measured; else it is estimated from what arguments brought
  std::optional<double> gradient;        ///< of the gradient that arrives at the output
  std::optional<double> cosine;          ///< between the two gradients there
  std::optional<double> gradient_added;  ///< error that the site's backward added
  double arrived = 0;                    ///< the largest error among what the call was given
  double inherited = 0;                  ///< of the output, from there alone: of the op in float32 on what it was given
  double becomes = 0;                    ///< the most that `added` grows to on the way to the loss; never less
  int becomes_at = -1;                   ///< the site at which it is that; -1: it does not grow
  double zeroed = 0;                     ///< share of the output's norm that the call itself made 0
  std::optional<double> gradient_zeroed = {};  ///< share of a gradient's norm that the site's backward made 0
  friend bool operator==(const SiteDifference&, const SiteDifference&) = default;
};

/// What is to be known of the run in float32: a cast of the model's own that it leaves out, or where it is not float32.
struct ReferenceNote {
  enum class Kind {
    kLiftedCast,  ///< the model casts to a format of 16 bits or fewer itself; in the reference that is float32
    kLowResult,   ///< an op call gives a result of such a format all the same, as it writes a tensor that has it
    kParameter,   ///< of the model, or of the level, in such a format
    kBuffer,
    kInput,
    kOpaque,     ///< a call is chosen while running: the casts inside it stay
    kCastsKept,  ///< the model does not run without its own casts, which all stay; `name` is the reason
  };
  Kind kind = Kind::kLiftedCast;
  int site = -1;       ///< of kLiftedCast and kLowResult
  std::string name;    ///< of a parameter, a buffer, an input
  std::string format;  ///< `float16`: of a result, a parameter, a buffer, an input
  friend bool operator==(const ReferenceNote&, const ReferenceNote&) = default;
};

/// One step under the policy beside the same in float32.
struct Float32Comparison {
  std::int64_t step = 0;
  double loss = 0;  ///< under the policy; may be NaN
  double float32_loss = 0;
  double scale = 1;                           ///< of the policy's run
  std::vector<SiteDifference> sites;          ///< in execution order
  std::vector<ReferenceNote> reference = {};  ///< by kind
  friend bool operator==(const Float32Comparison&, const Float32Comparison&) = default;
};

}  // namespace binade::wire

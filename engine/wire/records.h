// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/policy/resolve.h"
#include "engine/wire/event.h"
#include "engine/wire/model_info.h"
#include "engine/wire/ranks.h"
#include "engine/wire/run_config.h"
#include "engine/wire/silent_fault.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// A tensor that a run observes; `id` identifies it in every StepRecord. Declared once, in `new_tensors` of the first
/// StepRecord that contains it.
struct WatchedTensor {
  enum class Kind : std::uint8_t {
    kOutput,          ///< forward value of a site, one per output; before rounding if execution is emulated
    kOutputGradient,  ///< gradient that arrives at the site's output
    /// Gradient that the site's backward gives for one argument, before rounding if emulated. In native execution,
    /// except for weights, only if it is not already the output gradient of another site, as it is for an output with a
    /// single use.
    kInputGradient,
    /// An argument of a site before its cast; `format` is the cast's target. A call whose argument already has that
    /// format adds nothing, because the argument is another site's output.
    kInput,
    kParameter,          ///< a stored parameter, before the optimizer's step
    kParameterGradient,  ///< its gradient as passed to the optimizer: unscaled, before clipping
  };
  int id = 0;
  int site = 0;  ///< for a parameter, the first op call that uses it; -1: none was observed
  Kind kind = Kind::kOutput;
  std::string argument;    ///< `weight`; for a parameter its name: `fc1.weight`; for a further output its index: `1`
  formats::Format format;  ///< format that holds it; overflow and underflow count against its limits
  bool emulated = false;
  friend bool operator==(const WatchedTensor&, const WatchedTensor&) = default;
};

/// Whether the tensor is a gradient of any kind.
constexpr bool is_gradient(const WatchedTensor& tensor) {
  using enum WatchedTensor::Kind;
  return tensor.kind == kOutputGradient || tensor.kind == kInputGradient || tensor.kind == kParameterGradient;
}

/// Whether the tensor is a gradient of the scaled loss: the loss scale shifts it, and safe scales depend on it.
constexpr bool is_scaled(const WatchedTensor& tensor) {
  return is_gradient(tensor) && tensor.kind != WatchedTensor::Kind::kParameterGradient;
}

struct Observation {
  int tensor = 0;  ///< WatchedTensor::id
  formats::TensorStats stats;
  friend bool operator==(const Observation&, const Observation&) = default;
};

/// State of one scaler in a step of a run with several.
struct ScalerStep {
  double scale = 1;
  double next_scale = 1;
  bool found_inf = false;  ///< a gradient of its losses was not finite
  friend bool operator==(const ScalerStep&, const ScalerStep&) = default;
};

/// One optimizer step. `observations` of tensors for which is_scaled() is true are scaled by `scale`.
struct StepRecord {
  std::int64_t step = 0;  ///< counted from 0
  double loss = 0;        ///< unscaled; may be NaN or infinite
  double scale = 1;       ///< loss scale of this step; with several scalers, the first one's
  double next_scale = 1;  ///< after update(): larger after growth, smaller after back-off
  bool found_inf = false;
  bool stepped = true;  ///< false: the optimizer's step was skipped
  double learning_rate = 0;
  double gradient_norm = std::numeric_limits<double>::quiet_NaN();  ///< unscaled; NaN if a gradient is not finite
  double seconds = 0;                                               ///< wall time of the step
  double observe_seconds = 0;                                       ///< part of `seconds` spent observing
  int policy_revision = 0;
  std::vector<ScalerStep> scalers;  ///< one per scaler if there are several, in the order of RunConfig::scalers
  std::vector<WatchedTensor> new_tensors;
  std::vector<Observation> observations;  ///< of all ranks together
  std::vector<RankFacts> ranks;           ///< one per rank of a run on several, by rank
  friend bool operator==(const StepRecord&, const StepRecord&) = default;
};

struct Evaluated {
  std::int64_t step = 0;
  double accuracy = 0;  ///< share of held-out examples classified correctly, 0..1; NaN without classes or with random
                        ///< labels
  double loss = 0;      ///< mean of each loss over examples, or over labels that count; NaN if there is none
  friend bool operator==(const Evaluated&, const Evaluated&) = default;
};

/// A policy is in force from `step` on.
struct PolicyApplied {
  int revision = 0;
  std::int64_t step = 0;
  policy::Policy policy;
  std::vector<policy::Decision> decisions;  ///< indexed by site
  std::vector<policy::Finding> findings;
  friend bool operator==(const PolicyApplied&, const PolicyApplied&) = default;
};

struct RunStarted {
  RunConfig config;
  ModelInfo model;  ///< the loss's sites come last, with the path `loss`
  PolicyApplied policy;
  std::string run_file;         ///< absolute path; empty if nothing is recorded
  std::string device;           ///< description: `CPU, 2 threads`
  std::vector<RankInfo> ranks;  ///< of a run on several, by rank; empty: one process
  friend bool operator==(const RunStarted&, const RunStarted&) = default;
};

/// A checkpoint file with the state before step `step`.
struct CheckpointInfo {
  std::string file;
  std::int64_t step = 0;
  std::string reason;  ///< `step`, `edit` (before a policy came into force), `try` (for one), `end`, `request`
  int policy_revision = 0;
  std::string model;
  std::uint64_t bytes = 0;
  std::int64_t saved = 0;        ///< seconds since 1970, UTC
  std::optional<double> loss{};  ///< of the preceding step; empty if there was none
  friend bool operator==(const CheckpointInfo&, const CheckpointInfo&) = default;
};

/// The run continues from the state in `file`; the next step is `step`.
struct Rewound {
  std::int64_t step = 0;
  std::string file;
  friend bool operator==(const Rewound&, const Rewound&) = default;
};

/// The user changed a scaler; in force from `step` on.
struct ScalerChanged {
  std::int64_t step = 0;
  ScalerConfig scaler;
  double scale = 1;
  friend bool operator==(const ScalerChanged&, const ScalerChanged&) = default;
};

/// What a person wrote about a step. A step has one note: a later one replaces it, and an empty text removes it.
struct Note {
  std::int64_t step = 0;
  std::string text;
  std::int64_t written = 0;  ///< seconds since 1970, UTC
  friend bool operator==(const Note&, const Note&) = default;
};

enum class Outcome : std::uint8_t { kCompleted, kStopped, kCancelled, kFailed };

struct Finished {
  Outcome outcome = Outcome::kCompleted;
  std::int64_t steps = 0;
  std::string message;  ///< for kFailed
  std::string hint;
  friend bool operator==(const Finished&, const Finished&) = default;
};

enum class RunState : std::uint8_t { kIdle, kLoading, kRunning, kPaused, kFinished };

std::string name(WatchedTensor::Kind kind);
std::string name(Outcome outcome);
std::string name(RunState state);

}  // namespace binade::wire

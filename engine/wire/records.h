// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/policy/resolve.h"
#include "engine/wire/diagnosis.h"
#include "engine/wire/model_info.h"
#include "engine/wire/run_config.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// A tensor that a run watches; `id` names it in every StepRecord. Declared once, in RunStarted, or later in the
/// first StepRecord that carries it (`new_tensors`).
struct WatchedTensor {
  enum class Kind : std::uint8_t {
    kOutput,          ///< forward value of a site, or each of several, before rounding where execution is emulated
    kOutputGradient,  ///< gradient that arrives at the site's output
    /// Gradient that leaves the site's backward for one argument, before rounding where emulated. Natively, except of
    /// weights, only where no other tensor is the same: what the only use of a site's output sends arrives there.
    kInputGradient,
    /// An argument of a site before it is cast on the way in; `format` is the one it is cast to. Calls whose argument
    /// comes in that format already show nothing: its maker's output is what they get.
    kInput,
    kParameter,          ///< a parameter as it is stored, before the optimizer's step
    kParameterGradient,  ///< its gradient as the optimizer is given it: unscaled, before clipping
  };
  int id = 0;
  int site = 0;  ///< of a parameter the op call that takes it first; -1: none was seen to
  Kind kind = Kind::kOutput;
  std::string argument;    ///< `weight`; of a parameter its name: `fc1.weight`; of a further result its number: `1`
  formats::Format format;  ///< the format that holds it; overflow and underflow count against it
  bool emulated = false;
  friend bool operator==(const WatchedTensor&, const WatchedTensor&) = default;
};

/// Whether backward made it: of any kind.
constexpr bool is_gradient(const WatchedTensor& tensor) {
  using enum WatchedTensor::Kind;
  return tensor.kind == kOutputGradient || tensor.kind == kInputGradient || tensor.kind == kParameterGradient;
}

/// Whether it is a gradient of the scaled loss: a change of the loss scale shifts it, and safe scales depend on it.
constexpr bool is_scaled(const WatchedTensor& tensor) {
  return is_gradient(tensor) && tensor.kind != WatchedTensor::Kind::kParameterGradient;
}

struct Observation {
  int tensor = 0;  ///< WatchedTensor::id
  formats::TensorStats stats;
  friend bool operator==(const Observation&, const Observation&) = default;
};

/// One scaler in a step of a run that has several.
struct ScalerStep {
  double scale = 1;
  double next_scale = 1;
  bool found_inf = false;  ///< a gradient of its losses was not finite
  friend bool operator==(const ScalerStep&, const ScalerStep&) = default;
};

/// Everything about one optimizer step. In `observations` what is_scaled() is scaled by `scale`.
struct StepRecord {
  std::int64_t step = 0;  ///< from 0
  double loss = 0;        ///< unscaled; may be NaN or infinite
  double scale = 1;       ///< loss scale used in this step; of several scalers the first one's
  double next_scale = 1;  ///< after update(): larger means growth, smaller means back-off
  bool found_inf = false;
  bool stepped = true;  ///< false: the optimizer was skipped
  double learning_rate = 0;
  double gradient_norm = std::numeric_limits<double>::quiet_NaN();  ///< unscaled; NaN where a gradient is not finite
  double seconds = 0;                                               ///< wall time of the step
  double observe_seconds = 0;                                       ///< part of it spent observing
  int policy_revision = 0;
  std::vector<ScalerStep> scalers;  ///< where there are several: each, in the order of RunConfig::scalers
  std::vector<WatchedTensor> new_tensors;
  std::vector<Observation> observations;
  friend bool operator==(const StepRecord&, const StepRecord&) = default;
};

/// A tensor that took part in an event, in the order in which it was met.
struct EventTensor {
  int tensor = 0;  ///< WatchedTensor::id
  int site = 0;
  std::uint64_t non_finite = 0;
  std::uint64_t overflow = 0;  ///< finite before rounding, beyond the format
  float largest = 0;           ///< largest finite magnitude before rounding
  friend bool operator==(const EventTensor&, const EventTensor&) = default;
};

/// Something that a person should hear of: mostly, that went beyond a format.
struct Event {
  enum class Kind : std::uint8_t {
    kGradientOverflow,  ///< found_inf: the step was skipped
    kForwardOverflow,   ///< a site's output was not finite
    kNonFiniteLoss,
    kScaleWarning,  ///< skips that are not by design: the sentence has the likely cause
    kDiverged,      ///< losses in a row were not finite: the run pauses
    kOutOfMemory,   ///< the step was given up and undone: the run pauses, or ends where its optimizer was in mid-step
    kFixHeld,       ///< a fix that a person took over has kept its calls finite for many steps
    kFixFailed,     ///< the loss scale has fallen under a fix that a person took over: taken back in words
    kSilent,        ///< nothing is infinite, but values are lost: underflow, updates, a dead call
  };
  std::int64_t step = 0;
  Kind kind = Kind::kGradientOverflow;
  double scale = 1;
  std::vector<EventTensor> tensors;      ///< earliest in execution order first
  std::string sentence;                  ///< what a person reads first
  std::optional<Diagnosis> diagnosis{};  ///< what a replay of the step found
  friend bool operator==(const Event&, const Event&) = default;
};

struct Evaluated {
  std::int64_t step = 0;
  double accuracy = 0;  ///< share of the test half, 0..1; NaN where nothing can be right: no classes, drawn labels
  double loss = 0;      ///< each loss a mean over examples, or over labels that count; NaN where there is none
  friend bool operator==(const Evaluated&, const Evaluated&) = default;
};

/// A policy has come into force: from `step` on.
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
  ModelInfo model;  ///< the loss's sites come last; their path is `loss`
  PolicyApplied policy;
  std::string run_file;  ///< absolute; empty where nothing is recorded
  std::string device;    ///< a sentence: `CPU, 2 threads`
  friend bool operator==(const RunStarted&, const RunStarted&) = default;
};

/// A checkpoint in a file: the state before step `step`.
struct CheckpointInfo {
  std::string file;
  std::int64_t step = 0;
  std::string reason;  ///< `step`, `edit` (before a policy came into force), `end`, `asked`
  int policy_revision = 0;
  std::string model;
  std::uint64_t bytes = 0;
  std::int64_t saved = 0;        ///< seconds since 1970, UTC
  std::optional<double> loss{};  ///< of the step before it; nothing where there was none
  friend bool operator==(const CheckpointInfo&, const CheckpointInfo&) = default;
};

/// The run went back, or on: the next step is `step`, from the state in `file`.
struct Rewound {
  std::int64_t step = 0;
  std::string file;
  friend bool operator==(const Rewound&, const Rewound&) = default;
};

/// A person changed a scaler: from `step` on.
struct ScalerChanged {
  std::int64_t step = 0;
  ScalerConfig scaler;
  double scale = 1;
  friend bool operator==(const ScalerChanged&, const ScalerChanged&) = default;
};

enum class Outcome : std::uint8_t { kCompleted, kStopped, kCancelled, kFailed };

struct Finished {
  Outcome outcome = Outcome::kCompleted;
  std::int64_t steps = 0;
  std::string message;  ///< of kFailed
  std::string hint;
  friend bool operator==(const Finished&, const Finished&) = default;
};

enum class RunState : std::uint8_t { kIdle, kLoading, kRunning, kPaused, kFinished };

std::string name(WatchedTensor::Kind kind);
std::string name(Event::Kind kind);
std::string name(Outcome outcome);
std::string name(RunState state);

}  // namespace binade::wire

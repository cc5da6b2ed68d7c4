// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/wire/diagnosis.h"
#include "engine/wire/silent_fault.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What a run reports beside its steps: overflows and other trouble. Facts, of which `engine/words` makes sentences. A
// few members are texts by the code that found them, which are shown whole and never taken apart: docs/architecture.md,
// rule 7, lists them.

namespace binade::wire {

/// A tensor involved in an event.
struct EventTensor {
  int tensor = 0;  ///< WatchedTensor::id
  int site = 0;
  std::uint64_t non_finite = 0;
  std::uint64_t overflow = 0;  ///< values finite before rounding and beyond the format
  float largest = 0;           ///< largest finite magnitude before rounding
  std::uint64_t nan = 0;       ///< part of non_finite
  friend bool operator==(const EventTensor&, const EventTensor&) = default;
};

/// What is known of a non-finite step without a replay.
struct NotFinite {
  enum class Loss : std::uint8_t { kFinite, kInfinite, kNaN };
  Loss loss = Loss::kFinite;
  bool by_scaler = false;   ///< a scaler found a non-finite gradient; otherwise only the gradient norm shows it
  std::string parameter{};  ///< the first parameter with a non-finite gradient; empty: unknown
  friend bool operator==(const NotFinite&, const NotFinite&) = default;
};

/// Clipping would have set every gradient to 0, or hidden an infinity: the step was skipped.
struct ClipRefused {
  std::string parameter{};  ///< the first parameter with a non-finite gradient; empty: only the norm was not finite
  bool by_norm = true;      ///< the norm was to be clipped; otherwise the values
  friend bool operator==(const ClipRefused&, const ClipRefused&) = default;
};

/// Unexpected skipped steps.
struct ScaleTrouble {
  std::string message{};  ///< the scaler's own sentence
  std::string cause{};    ///< the likely cause and what to do, or the cause that a replay proved
  friend bool operator==(const ScaleTrouble&, const ScaleTrouble&) = default;
};

/// The last losses were not finite.
struct Diverged {
  bool is_nan = false;        ///< of the last loss; otherwise it is infinite
  std::int64_t in_a_row = 1;  ///< number of such losses
  bool scaled = false;        ///< a scaler was active
  bool pauses = false;        ///< the run pauses; otherwise it ends
  friend bool operator==(const Diverged&, const Diverged&) = default;
};

/// Memory ran out, or the optimizer failed in the middle of its step.
struct OutOfMemory {
  std::string message{};      ///< the allocator's or the optimizer's; it names the op call if known
  bool in_optimizer = false;  ///< some parameters have been updated and others not: the run ends
  friend bool operator==(const OutOfMemory&, const OutOfMemory&) = default;
};

/// The op calls of adopted rules stayed finite.
struct FixHeld {
  std::vector<policy::SiteRule> rules{};
  std::int64_t steps = 0;  ///< so many in a row
  friend bool operator==(const FixHeld&, const FixHeld&) = default;
};

/// The loss scale fell below 1 under rules, which are therefore not enough.
struct FixFailed {
  std::vector<policy::SiteRule> rules{};
  double from = 1;  ///< loss scale of step `since`, from which on the rules were in force
  std::int64_t since = 0;
  double to = 1;       ///< loss scale after this step
  bool given = false;  ///< the run began with the rules; otherwise they were adopted
  friend bool operator==(const FixFailed&, const FixFailed&) = default;
};

/// A silent fault that the run's report has from now on; the worst of several new ones of its kind.
struct SilentFaultFound {
  SilentFault fault{};
  std::uint64_t more = 0;  ///< number of the others
  friend bool operator==(const SilentFaultFound&, const SilentFaultFound&) = default;
};

/// Something to report to the user; mostly a value beyond its format.
struct Event {
  enum class Kind : std::uint8_t {
    kGradientOverflow,  ///< found_inf: the step was skipped
    kForwardOverflow,   ///< an output of a site was not finite
    kNonFiniteLoss,
    kScaleWarning,  ///< unexpected skipped steps
    kDiverged,      ///< several losses in a row were not finite: the run pauses
    kOutOfMemory,  ///< the step was abandoned and undone: the run pauses, or ends if the optimizer was in the middle of
                   ///< its step
    kFixHeld,      ///< an adopted fix has kept its op calls finite for many steps
    kFixFailed,    ///< the loss scale fell below 1 under an adopted fix, which is therefore not enough
    kSilent,       ///< precision is lost without infinities: underflow, lost updates, a dead call
  };
  using Facts = std::variant<std::monostate, NotFinite, ClipRefused, ScaleTrouble, Diverged, OutOfMemory, FixHeld,
                             FixFailed, SilentFaultFound>;
  std::int64_t step = 0;
  Kind kind = Kind::kGradientOverflow;
  double scale = 1;
  std::vector<EventTensor> tensors{};    ///< earliest in execution order first
  Facts facts{};                         ///< of the kind; empty if tensors and diagnosis say all
  std::optional<Diagnosis> diagnosis{};  ///< result of replaying the step
  std::optional<int> rank{};             ///< whose examples it is about; empty: those of all ranks, or one process
  friend bool operator==(const Event&, const Event&) = default;
};

std::string name(Event::Kind kind);

}  // namespace binade::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/data_preview.h"
#include "engine/wire/messages.h"
#include "engine/wire/observe_cost.h"
#include "engine/wire/profile.h"
#include "engine/wire/silent_fault.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace binade::wire {

/// A value of a run that cannot be: where it stands, and what is wrong with it.
struct Misfit {
  std::string list;       ///< of the item's lists the one, `new_tensors`; empty: the item itself
  std::size_t index = 0;  ///< place in that list
  std::string field;      ///< `site`, `diagnosis.roots[2].site`
  std::string what;       ///< `is 1000000000, and the run has 40 op calls`

  /// `new_tensors[3].site is 1000000000, and the run has 40 op calls`
  std::string text() const;
};

/// Stands between what comes of a run, off the wire or out of a file, and the code that indexes, counts and sorts by
/// it. What is decoded has the right types; here its numbers are held against the run that they belong to: op calls
/// that are there, steps in their order, counts from 0, figures that are finite where they must be. `admit` takes the
/// parts of a value that cannot be out of it, reports each, and returns whether the rest can be shown. A plain object;
/// one thread at a time.
class RunGate {
 public:
  using Report = std::function<void(const Misfit&)>;

  explicit RunGate(Report report) : report_(std::move(report)) {}

  /// Whether a run has begun: nothing else of a run means anything before.
  bool is_open() const { return open_; }
  /// Forgets the run.
  void close() { open_ = false; }
  /// Takes what is told of a run that began elsewhere, in a file or in another engine, and has so many op calls.
  void open(std::size_t sites);

  /// The configuration is not looked at: wire::check() does that.
  bool admit(RunStarted& started);
  bool admit(StepRecord& step);
  bool admit(Event& event);
  bool admit(Evaluated& evaluated);
  bool admit(PolicyApplied& applied);
  bool admit(ScalerChanged& change);
  bool admit(CheckpointInfo& saved);
  bool admit(Rewound& rewound);
  bool admit(Profile& profile);
  bool admit(CastLedger& casts);
  bool admit(Float32Comparison& comparison);
  bool admit(SilentReport& report);
  bool admit(ObserveCost& cost);
  bool admit(StateChanged& state);
  bool admit(LogLine&) { return true; }
  bool admit(Finished& finished);

  // Of no run.
  bool admit(ModelInfo& model);
  bool admit(DataPreview& preview);
  bool admit(DataArrays&) { return true; }

 private:
  template <class Part, class Look>
  void sift(std::vector<Part>& parts, const char* list, Look look);
  bool holds(const Misfit& misfit);

  Report report_;
  bool open_ = false;
  std::size_t sites_ = 0;
  std::size_t scalers_ = 0;
  std::int64_t last_step_ = -1;  ///< -1: none yet
  bool any_step_ = false;
};

}  // namespace binade::wire

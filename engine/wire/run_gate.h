// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/attach.h"
#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/data_preview.h"
#include "engine/wire/messages.h"
#include "engine/wire/observe_cost.h"
#include "engine/wire/profile.h"
#include "engine/wire/quantized.h"
#include "engine/wire/savings.h"
#include "engine/wire/silent_fault.h"
#include "engine/wire/trial.h"
#include "engine/wire/what_if.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace binade::wire {

/// An invalid value in a message of a run: its place and what is wrong with it.
struct Misfit {
  std::string list;       ///< list of the item that contains it, `new_tensors`; empty: the item itself
  std::size_t index = 0;  ///< index in that list
  std::string field;      ///< `site`, `diagnosis.roots[2].site`
  std::string what;       ///< `is 1000000000, and the run has 40 op calls`

  /// The complete text: `new_tensors[3].site is 1000000000, and the run has 40 op calls`.
  std::string text() const;
};

/// Validates what arrives from a run, over the wire or from a file, before code indexes, counts or sorts by it.
/// Decoding has checked types; this checks numbers against the run: sites that exist, steps in order, counts from 0,
/// finite figures. `admit` removes invalid parts of a value, reports each, and returns whether the rest can be used.
/// The explorer's end of the pipe and the reader of run files have one each, so no code behind them checks again. A run
/// that cannot begin ends the engine's connection; everything else continues. One thread at a time.
class RunGate {
 public:
  using Report = std::function<void(const Misfit&)>;

  explicit RunGate(Report report) : report_(std::move(report)) {}

  /// Whether a run has begun; before that, nothing else of a run is admitted.
  bool is_open() const { return open_; }
  /// Ends the run.
  void close() { open_ = false; }
  /// Begins a run from elsewhere, a file or another engine, that has this number of op calls.
  void open(std::size_t sites);

  /// Does not check the configuration: see wire::check().
  bool admit(RunStarted& started);
  bool admit(StepRecord& step);
  /// Removes the steps that cannot be used; false if none is left.
  bool admit(StepBatch& batch);
  bool admit(Event& event);
  bool admit(Evaluated& evaluated);
  bool admit(PolicyApplied& applied);
  bool admit(ScalerChanged& change);
  bool admit(CheckpointInfo& saved);
  bool admit(Rewound& rewound);
  bool admit(Profile& profile);
  bool admit(CastLedger& casts);
  bool admit(Float32Comparison& comparison);
  bool admit(QuantizedStep& quantized);
  bool admit(WhatIf& what_if);
  bool admit(Savings& savings);
  bool admit(SilentReport& report);
  bool admit(Trial& trial);
  bool admit(Note& note);
  bool admit(ObserveCost& cost);
  bool admit(StateChanged& state);
  bool admit(LogLine&) { return true; }
  bool admit(Finished& finished);
  bool admit(Peers& peers);
  bool admit(CaughtUp& caught_up);
  bool admit(LinkMark& mark);
  bool admit(LinkDetail& detail);

  // Not part of a run.
  bool admit(ModelInfo& model);
  bool admit(DataPreview& preview);
  bool admit(DataArrays&) { return true; }

 private:
  template <class Part, class CheckPart>
  void sift(std::vector<Part>& parts, const char* list, CheckPart check_part);
  bool holds(const Misfit& misfit);

  Report report_;
  bool open_ = false;
  std::size_t sites_ = 0;
  std::size_t scalers_ = 0;
  int ranks_ = 0;
  std::int64_t last_step_ = -1;  ///< -1: none yet
  bool any_step_ = false;
};

}  // namespace binade::wire

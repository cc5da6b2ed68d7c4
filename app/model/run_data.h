// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/band_track.h"
#include "app/model/call_forms.h"
#include "app/model/histogram_track.h"
#include "app/model/profile_track.h"
#include "app/model/quantized_track.h"
#include "app/model/rank_track.h"
#include "app/model/run_past.h"
#include "app/model/step_series.h"
#include "app/model/step_trends.h"
#include "engine/wire/notifications.h"
#include "views/values/long_list.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace binade::app {

/// One optimizer step for the charts: a StepRecord without its observations.
struct StepPoint {
  std::int64_t step = 0;
  double loss = 0;
  double scale = 1;
  double next_scale = 1;
  double learning_rate = 0;
  double gradient_norm = 0;
  double seconds = 0;
  int policy_revision = 0;
  bool found_inf = false;
  bool stepped = true;

  /// Whether charts mark it: the step was skipped, or the loss scale changed after it.
  bool isMarked() const { return !stepped || next_scale != scale; }
};

/// A tensor's scan at one step, or of several in a row: its extremes, without a histogram.
struct ScanPoint {
  std::int64_t step = 0;  ///< the newest of several
  double scale = 1;
  float largest = 0;
  bool censored = false;
  std::uint64_t overflow = 0;
  std::uint64_t non_finite = 0;
  std::uint64_t nan_or_above = 0;  ///< NaN and +inf, which masks do not contain
  std::int64_t first_step = 0;     ///< the oldest of several
};

/// A watched tensor with its histograms over the run and its scans. On a CPU, outputs have scans only, and gradients
/// have scans on steps between two histograms.
struct TensorTrack {
  static constexpr std::size_t kMostScans = 64;
  static constexpr std::size_t kMostOlderScans = 32;

  wire::WatchedTensor tensor;
  HistogramTrack histograms;
  std::deque<ScanPoint> scans;           ///< the newest, oldest first, at most kMostScans
  std::vector<ScanPoint> older_scans{};  ///< those before, several in one, at most kMostOlderScans
  int scans_in_one = 1;                  ///< in each of older_scans: 1, 2, 4, ...
  int scans_in_last = 0;                 ///< in the last of older_scans

  void addScan(std::int64_t step, double scale, const formats::TensorStats& stats);
  /// Removes `step` and later ones.
  void dropFrom(std::int64_t step);
  /// The newest scan at or before a step, or that includes it; null: none.
  const ScanPoint* scanAt(std::int64_t step) const;

 private:
  void keepOld(const ScanPoint& scan);
};

/// A number of steps, added in order.
struct CountedSteps {
  std::int64_t count = 0;
  std::int64_t last = -1;

  /// Counts a step once.
  void add(std::int64_t step) {
    if (step != last) ++count;
    last = step;
  }
};

/// Events that are counted but no longer kept.
struct ForgottenEvents {
  CountedSteps steps;       ///< with any event
  CountedSteps non_finite;  ///< in which something was not finite
};

/// Steps of a site whose events are no longer kept; counted like overflowsAt().
struct ForgottenSteps {
  CountedSteps own;
  CountedSteps cast;
  CountedSteps earlier;
};

/// The data of a RunModel, which has the functions that read and change it. Movable, so that a run that was read on
/// another thread can be shown as a whole.
struct RunData {
  enum class Source { kNone, kLive, kFile };

  Source source_ = Source::kNone;
  wire::RunStarted started_;
  wire::RunState state_ = wire::RunState::kIdle;
  std::optional<wire::Finished> finished_;
  views::LongList<StepPoint> steps_;
  StepSeries step_series_;
  views::LongList<StepPoint> marked_steps_;  ///< those of steps_ that charts mark
  StepTrends trends_;
  views::LongList<wire::ScalerStep> scalers_;  ///< all scalers of each step in sequence; empty with one scaler
  std::size_t scalers_a_step_ = 0;
  RankTrack ranks_;
  std::vector<ScalerEdit> scaler_edits_;
  std::vector<wire::Event> events_;
  std::vector<wire::Evaluated> evaluations_;
  std::vector<wire::CheckpointInfo> checkpoints_;
  std::vector<wire::PolicyApplied> policies_;
  RunPast past_;
  std::vector<wire::Trial> trials_;
  std::vector<wire::Note> notes_;  ///< by step, one per step
  std::map<int, TensorTrack> tensors_;
  std::map<int, std::vector<int>> tensors_of_site_;
  std::map<int, std::vector<int>> events_of_site_;
  ForgottenEvents forgotten_;
  std::map<int, ForgottenSteps> forgotten_of_site_;
  std::vector<bool> executed_;        ///< by site
  std::vector<int> first_producers_;  ///< by site; -1: an argument of forward, or unknown
  CallForms call_forms_;
  std::int64_t observed_steps_ = 0;
  views::LongList<std::int64_t> observed_at_;  ///< those steps, without rewound ones
  std::int64_t observed_before_ = 0;           ///< observed steps before the newest policy
  BandTrack band_;
  ProfileTrack profile_;
  std::vector<wire::CastLedger> casts_;
  std::optional<wire::Float32Comparison> comparison_;
  QuantizedTrack quantized_;
  std::optional<wire::SilentReport> silent_;
};

}  // namespace binade::app

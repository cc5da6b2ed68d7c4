// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/differences.h"
#include "engine/record/damage.h"
#include "engine/record/run_reader.h"
#include "engine/report/envelope.h"
#include "engine/wire/rank_totals.h"
#include "engine/words/event_text.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace binade::report {

/// A policy that came into force after the first one.
struct PolicyEdit {
  int revision = 0;
  std::int64_t step = 0;
  std::vector<policy::Difference> differences;  ///< from the policy before it
  std::size_t op_calls = 0;                     ///< that run differently since
};

using HistoryItem = std::variant<PolicyEdit, wire::ScalerChanged, wire::Rewound, wire::Note>;

/// Times of an op call in the profiled steps, as sums over steps.
struct TimeSums {
  double calls = 0;
  double forward = 0;
  double backward = 0;
  double accumulate = 0;
  bool emulated = false;
  wire::SiteProfile newest;  ///< without kernels
};

/// What a report needs of a run file, besides statistics of tensors. Its size does not depend on the number of steps,
/// except for 8 bytes a step that was not finite, 16 bytes an event and 24 bytes an evaluation.
struct RunContent {
  static constexpr std::size_t kMostNonFinite = 200;     ///< rows kept of steps that were not finite
  static constexpr std::size_t kMostEventsOfAKind = 60;  ///< events kept of each kind
  static constexpr std::size_t kMostOfAList = 200;       ///< checkpoints, Tries and lines of the log

  std::string file;
  std::map<std::string, std::string> environment;
  std::optional<wire::RunStarted> started;
  wire::PolicyApplied policy;  ///< in force at the end
  std::optional<wire::Finished> finished;

  std::int64_t steps = 0;  ///< recorded, without those undone by a rewind
  std::int64_t first_step = 0;
  std::int64_t last_step = -1;
  std::optional<wire::StepRecord> last;
  double seconds = 0;  ///< of all recorded steps, also the undone ones
  Envelope loss;
  Envelope loss_scale;
  Envelope gradient_norm;
  Envelope step_milliseconds;
  Envelope overflows;  ///< steps with a non-finite gradient

  wire::RankTotals ranks;  ///< of all recorded steps, also the undone ones
  Envelope slowest_rank;   ///< milliseconds
  Envelope fastest_rank;

  std::vector<std::int64_t> non_finite_steps;
  std::vector<wire::StepRecord> non_finite;  ///< the first of these
  std::vector<std::pair<std::int64_t, wire::Event::Kind>> all_events;
  std::vector<wire::Event> events;

  std::vector<HistoryItem> history;
  std::vector<wire::CheckpointInfo> checkpoints;  ///< the newest
  std::size_t all_checkpoints = 0;
  std::vector<wire::Evaluated> evaluations;
  std::vector<wire::Trial> tries;  ///< the newest; a rewind does not undo them
  std::size_t all_tries = 0;
  std::vector<wire::LogLine> log;  ///< the first warnings and errors
  std::size_t all_log = 0;

  std::int64_t profiled_steps = 0;
  double profiled_seconds = 0;                        ///< sum over these steps
  std::optional<wire::Profile> profile;               ///< the newest, without bins and op calls
  std::map<int, TimeSums> times;                      ///< by op call
  std::map<int, wire::CastLedger> casts;              ///< by policy revision
  std::map<int, wire::SilentReport> silent;           ///< by policy revision
  std::optional<wire::Float32Comparison> comparison;  ///< the newest

  std::map<int, wire::WatchedTensor> tensors;
  words::NameBook names;

  const std::vector<wire::SiteInfo>& sites() const;
  /// `fc1 (linear)`; a number if the run has no such op call.
  std::string place(int site) const;
};

/// Reads all records. `go_on` is asked now and then, with the number of steps so far; reading ends when it returns
/// false. Rows that cannot be read are left out and are in the reader's Damage. Throws Error{kBadFile} if nothing can
/// be read.
RunContent read_content(const record::RunReader& reader, const std::string& file,
                        const std::function<bool(std::int64_t steps)>& go_on);

/// Whether the step is listed as not finite: its loss or a gradient was not, or a scaler skipped it.
bool is_not_finite(const wire::StepRecord& step);

}  // namespace binade::report

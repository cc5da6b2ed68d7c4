// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace binade::scaler {

/// Input of ScaleWatch for one step.
struct WatchedStep {
  std::int64_t step = 0;
  double scale = 1;                      ///< the loss scale that the step used, or the scale after its update
  bool found_inf = false;                ///< the step was skipped
  std::optional<bool> finite_loss = {};  ///< nullopt: not checked
  std::string first_parameter = {};      ///< name of the first parameter with a non-finite gradient; empty: unknown
  std::string held_by = {};  ///< why the scale cannot fall, such as "it is a fixed scale"; empty: it can fall
};

enum class Trouble : std::uint8_t {
  kRepeatedSkips,    ///< many in a row after training had started
  kCollapsingScale,  ///< the scale fell below 1
  kFrequentSkips     ///< more than growth alone explains
};

struct ScaleWarning {
  Trouble trouble = Trouble::kRepeatedSkips;
  std::int64_t step = 0;   ///< the step at which it was detected
  std::int64_t skips = 0;  ///< skips that led to it
  double scale = 1;
  std::string message;  ///< one sentence that states the problem
  std::string cause;    ///< the likely cause, and what to do
};

struct WatchOptions {
  std::int64_t growth_interval = 2000;  ///< the scaler's interval: one overflow per interval is expected
  std::int64_t repeated = 5;            ///< skips in a row that trigger a warning, once a step has succeeded
  std::int64_t window = 200;            ///< number of steps over which skips are counted
};

/// Distinguishes expected skips from trouble. Expected are skips while the initial scale comes down, and one after each
/// growth. Each trouble is reported once, and again only after it had ended. Works on plain values, without tensors.
class ScaleWatch {
 public:
  explicit ScaleWatch(const WatchOptions& options = {}) : options_(options) {}

  /// Takes the steps in order. Returns the most serious trouble that this step is the first to show, if any.
  std::optional<ScaleWarning> step(const WatchedStep& step);

  /// The scale was set by hand, so skips are expected again until a step succeeds.
  void scale_was_set() { calibrating_ = true; }
  void set_growth_interval(std::int64_t interval) { options_.growth_interval = interval; }

 private:
  std::optional<Trouble> trouble(const WatchedStep& step);
  std::string likely_cause(const WatchedStep& step) const;

  WatchOptions options_;
  bool calibrating_ = true;  ///< no step has succeeded since the scale was set
  std::int64_t in_a_row_ = 0;
  std::string parameter_;                ///< of the first skip in the row
  bool always_same_parameter_ = true;    ///< within the row
  std::deque<std::int64_t> skips_;       ///< within the window
  std::deque<std::int64_t> unreported_;  ///< those of skips_ after calibration that no warning has covered
  bool said_repeated_ = false;
  bool said_collapsing_ = false;
  bool said_frequent_ = false;
};

}  // namespace binade::scaler

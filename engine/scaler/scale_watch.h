// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace binade::scaler {

/// What ScaleWatch is told of a step.
struct WatchedStep {
  std::int64_t step = 0;
  double scale = 1;                      ///< the loss scale that the step ran with, or that its update left
  bool found_inf = false;                ///< it was skipped
  std::optional<bool> finite_loss = {};  ///< nothing: nobody looked
  std::string first_parameter = {};      ///< the first with a gradient that is not finite, empty where unknown
  std::string held_by = {};              ///< why the scale cannot fall, "it is static"; empty: it falls where it has to
};

enum class Trouble : std::uint8_t {
  kRepeatedSkips,    ///< many in a row after training had begun
  kCollapsingScale,  ///< the scale fell below 1
  kFrequentSkips     ///< more than growth alone explains
};

struct ScaleWarning {
  Trouble trouble = Trouble::kRepeatedSkips;
  std::int64_t step = 0;   ///< at which it was noticed
  std::int64_t skips = 0;  ///< that led to it
  double scale = 1;
  std::string message;  ///< what is wrong, in a sentence
  std::string cause;    ///< the likely cause, and what to do
};

struct WatchOptions {
  std::int64_t growth_interval = 2000;  ///< of the scaler: one overflow in each is by design
  std::int64_t repeated = 5;            ///< skips in a row that are worth a word, once a step has succeeded
  std::int64_t window = 200;            ///< steps over which skips are counted
};

/// Tells skips that are by design (coming down from the first scale, while it does fall; one after each growth) from
/// trouble. Says each trouble once, and again only after it was over. Plain values in and out; knows no tensors.
class ScaleWatch {
 public:
  explicit ScaleWatch(const WatchOptions& options = {}) : options_(options) {}

  /// Every step in its order. The most serious trouble that it shows for the first time, if any.
  std::optional<ScaleWarning> step(const WatchedStep& step);

  /// The scale was set by hand: coming down from it is by design again.
  void scale_was_set() { calibrating_ = true; }
  void set_growth_interval(std::int64_t interval) { options_.growth_interval = interval; }

 private:
  std::optional<Trouble> trouble(const WatchedStep& step);
  std::string likely_cause(const WatchedStep& step) const;

  WatchOptions options_;
  bool calibrating_ = true;  ///< no step has succeeded since the scale was set
  std::int64_t in_a_row_ = 0;
  std::string parameter_;              ///< that of the first skip in the row
  bool always_same_parameter_ = true;  ///< in the row
  std::deque<std::int64_t> skips_;     ///< within the window
  std::deque<std::int64_t> untold_;    ///< of these, those after calibration that no trouble was told of
  bool said_repeated_ = false;
  bool said_collapsing_ = false;
  bool said_frequent_ = false;
};

}  // namespace binade::scaler

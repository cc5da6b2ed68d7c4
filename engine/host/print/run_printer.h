// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/print/profile_report.h"
#include "engine/host/print/still_working.h"
#include "engine/host/print/watched_report.h"
#include "engine/run/listener.h"
#include "engine/wire/rank_totals.h"
#include "engine/words/event_text.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::host {

/// Prints a run: one JSON object a line on standard output, or sentences, with a progress bar on a terminal. Reports on
/// standard error if set-up or a step takes long.
class RunPrinter : public run::Listener {
 public:
  explicit RunPrinter(bool json);

  void receive(wire::NotificationRef notification) override {
    notification.visit([this](const auto& value) { take(value); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  // What is printed or kept for the end; the rest is neither.
  void take(const wire::StateChanged& change);
  void take(const wire::RunStarted& started);
  void take(const wire::StepRecord& step);
  void take(const wire::Event& event);
  void take(const wire::SilentReport& report);
  void take(const wire::ObserveCost& cost) { cost_ = cost; }
  void take(const wire::Profile& profile);
  void take(const wire::Evaluated& evaluated);
  void take(const wire::ScalerChanged& change) const;
  void take(const wire::CheckpointInfo& saved);
  void take(const wire::LogLine& line);
  void take(const wire::Finished& finished);
  void take(const auto& /*other*/) {}

  void print_step(const wire::StepRecord& step);
  /// Prints the scales that changed; returns false if none did.
  bool print_scales(const wire::StepRecord& step);
  void draw_bar(const wire::StepRecord& step);
  void clear_bar();
  /// Returns whether an event with the same first cause was printed before. If so, counts it for the summary at the
  /// end.
  bool is_repeated(const wire::Event& event);
  void print_event(const wire::Event& event);
  void print_end(const wire::Finished& finished);
  /// `, scale 2^16`; empty if no scaler is enabled.
  std::string scale_part(double scale) const;
  bool all_skipped() const { return met_ > 0 && skipped_ == met_; }

  bool json_;
  bool terminal_;  ///< standard error is a terminal: the bar is drawn there
  bool bar_drawn_ = false;
  std::int64_t steps_ = 0;
  std::int64_t met_ = 0;  ///< steps received
  std::int64_t skipped_ = 0;
  bool scaled_ = true;
  std::vector<std::string> scaler_ids_;
  wire::ObserveConfig observe_;
  bool examines_ = false;  ///< the run updates nothing; its diagnoses are its result
  std::string run_file_;   ///< empty: not recorded
  /// Step suggested for `replay`: the first with kept state, preferably not harmless.
  std::optional<std::int64_t> replay_step_;
  bool replay_step_is_harmless_ = true;
  struct Repeats {
    std::string sentence;  ///< newest one with a fix, else the first
    std::int64_t more = 0;
    std::int64_t last = 0;
  };
  std::vector<std::pair<std::string, Repeats>> reported_;  ///< keyed by first cause
  std::vector<wire::SiteInfo> infos_;
  std::vector<std::string> sites_;  ///< their names
  ProfileReport profile_;
  std::optional<wire::SilentReport> silent_;  ///< the newest
  words::NameBook names_;
  WatchedReport watched_;
  std::optional<wire::ObserveCost> cost_;
  bool measures_cost_ = false;
  wire::RankTotals ranks_;
  Clock::time_point made_ = Clock::now();
  Clock::time_point begun_ = made_;  ///< when training began, after set-up
  Clock::time_point printed_;        ///< when a step was last printed
  StillWorking working_;
  Clock::time_point drawn_;
};

}  // namespace binade::host

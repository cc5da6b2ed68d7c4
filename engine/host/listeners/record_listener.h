// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_writer.h"
#include "engine/run/listener.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace binade::host {

/// Records every notification of a run in a run file. A disk that fails is reported once; training goes on.
class RecordListener : public run::Listener {
 public:
  /// Creates the file. Throws what RunWriter throws. `report` is called on the recorder's thread if writing fails
  /// later.
  explicit RecordListener(const std::string& path, std::function<void(const wire::LogLine&)> report = {});

  /// Returns why recording stopped, or nullopt while the file is complete.
  std::optional<Error> failure() const { return writer_.failure(); }
  /// Returns the number of steps committed to the file.
  std::int64_t recorded_steps() const { return writer_.committed_steps(); }

  void on_started(const wire::RunStarted& started) override;
  void on_step(const wire::StepRecord& step) override;
  void on_event(const wire::Event& event) override;
  void on_policy(const wire::PolicyApplied& applied) override;
  void on_evaluated(const wire::Evaluated& evaluated) override;
  void on_scaler(const wire::ScalerChanged& change) override;
  void on_checkpoint(const wire::CheckpointInfo& saved) override;
  void on_rewound(const wire::Rewound& rewound) override;
  void on_casts(const wire::CastLedger& casts) override;
  void on_comparison(const wire::Float32Comparison& comparison) override;
  void on_silent(const wire::SilentReport& report) override;
  void on_profile(const wire::Profile& profile) override;
  /// Keeps the newest; on_finished() records it as a log line.
  void on_observe_cost(const wire::ObserveCost& cost) override { cost_ = cost; }
  void on_log(const wire::LogLine& line) override;
  void on_finished(const wire::Finished& finished) override;

 private:
  record::RunWriter writer_;
  std::optional<wire::ObserveCost> cost_;
};

}  // namespace binade::host

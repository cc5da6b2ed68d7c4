// SPDX-License-Identifier: Apache-2.0
#include "engine/host/listeners/record_listener.h"

#include "engine/host/process/environment.h"
#include "engine/host/process/log.h"
#include "engine/run/observe_cost.h"

namespace binade::host {

namespace {

using Report = std::function<void(const wire::LogLine&)>;

record::WriterOptions options_for(Report report) {
  record::WriterOptions options;
  options.environment = environment();
  options.on_failure = [report = std::move(report)](const Error& error) {
    const std::string text =
        std::string("Recording has stopped, training goes on. ") + error.what() + ". " + error.hint;
    log("error", text);
    if (report) report({"error", text});
  };
  return options;
}

}  // namespace

RecordListener::RecordListener(const std::string& path, Report report)
    : writer_(path, options_for(std::move(report))) {}

void RecordListener::on_started(const wire::RunStarted& started) {
  writer_.add(started);
}
void RecordListener::on_step(const wire::StepRecord& step) {
  writer_.add(step);
}
void RecordListener::on_event(const wire::Event& event) {
  writer_.add(event);
}
void RecordListener::on_policy(const wire::PolicyApplied& applied) {
  writer_.add(applied);
}
void RecordListener::on_evaluated(const wire::Evaluated& evaluated) {
  writer_.add(evaluated);
}
void RecordListener::on_scaler(const wire::ScalerChanged& change) {
  writer_.add(change);
}
void RecordListener::on_checkpoint(const wire::CheckpointInfo& saved) {
  writer_.add(saved);
}
void RecordListener::on_rewound(const wire::Rewound& rewound) {
  writer_.add(rewound);
}
void RecordListener::on_casts(const wire::CastLedger& casts) {
  writer_.add(casts);
}
void RecordListener::on_comparison(const wire::Float32Comparison& comparison) {
  writer_.add(comparison);
}
void RecordListener::on_silent(const wire::SilentReport& report) {
  writer_.add(report);
}
void RecordListener::on_profile(const wire::Profile& profile) {
  writer_.add(profile);
}
void RecordListener::on_log(const wire::LogLine& line) {
  writer_.add(line);
}

void RecordListener::on_finished(const wire::Finished& finished) {
  if (cost_) writer_.add(wire::LogLine{"info", run::text_of(*cost_)});
  writer_.add(finished);
  try {
    writer_.close();
  } catch (const Error&) {
    // on_failure has reported it.
  }
}

}  // namespace binade::host

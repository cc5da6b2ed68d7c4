// SPDX-License-Identifier: Apache-2.0
#include "engine/host/record_listener.h"

#include "engine/host/log.h"

namespace binade::host {

namespace {

record::WriterOptions options_for(const std::string& path) {
  record::WriterOptions options;
  options.environment = {{"program", "binade-engine"}};
  options.on_failure = [path](const Error& error) {
    log("error", "Recording to " + path + " has stopped: " + error.what() + " " + error.hint + " Training goes on.");
  };
  return options;
}

}  // namespace

RecordListener::RecordListener(const std::string& path) : writer_(path, options_for(path)) {}

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
void RecordListener::on_log(const wire::LogLine& line) {
  writer_.add(line);
}

void RecordListener::on_finished(const wire::Finished& finished) {
  writer_.add(finished);
  try {
    writer_.close();
  } catch (const Error&) {
    // on_failure has said it.
  }
}

}  // namespace binade::host

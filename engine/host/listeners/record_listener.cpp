// SPDX-License-Identifier: Apache-2.0
#include "engine/host/listeners/record_listener.h"

#include "engine/host/process/environment.h"
#include "engine/host/process/log.h"
#include "engine/words/observe_cost_text.h"

namespace binade::host {

namespace {

using Report = std::function<void(const wire::LogLine&)>;

record::WriterOptions options_for(Report report) {
  record::WriterOptions options;
  options.environment = environment();
  options.on_failure = [report = std::move(report)](const Error& error) {
    const std::string text =
        std::string("Recording has stopped. Training continues. ") + error.what() + ". " + error.hint;
    log("error", text);
    if (report) report({"error", text});
  };
  return options;
}

}  // namespace

RecordListener::RecordListener(const std::string& path, Report report)
    : writer_(path, options_for(std::move(report))) {}

void RecordListener::receive(wire::NotificationRef notification) {
  notification.visit(wire::Overloaded{
      [this](const wire::ObserveCost& cost) { cost_ = cost; },
      [this](const wire::Finished& finished) { finish(finished); },
      [this]<class T>(const T& value) {
        if constexpr (wire::OneOf<T, wire::Recorded>) writer_.add(value);
      },
  });
}

void RecordListener::finish(const wire::Finished& finished) {
  if (cost_) writer_.add(wire::LogLine{"info", words::observe_cost_text(*cost_)});
  writer_.add(finished);
  try {
    writer_.close();
  } catch (const Error&) {
    // on_failure has reported it.
  }
}

}  // namespace binade::host

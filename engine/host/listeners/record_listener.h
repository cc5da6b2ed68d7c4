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

  /// Steps and events are queued for the recorder's thread; waits only as RunWriter::add() does.
  void receive(wire::NotificationRef notification) override;

 private:
  void finish(const wire::Finished& finished);

  record::RunWriter writer_;
  std::optional<wire::ObserveCost> cost_;  ///< the newest; becomes a line of the log at the end
};

}  // namespace binade::host

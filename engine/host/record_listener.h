// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_writer.h"
#include "engine/train/listener.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace binade::host {

/// Puts everything a run tells into a run file. A disk that fails is reported once, on the log; training goes on.
class RecordListener : public train::Listener {
 public:
  /// Creates the file. Throws what RunWriter throws. `report`, if given, hears on the recorder's thread that the file
  /// could not be written on.
  explicit RecordListener(const std::string& path, std::function<void(const wire::LogLine&)> report = {});

  /// Why the file lacks what came last; nothing while it is whole.
  std::optional<Error> failure() const { return writer_.failure(); }
  /// Steps that are in the file for certain.
  std::int64_t recorded_steps() const { return writer_.committed_steps(); }

  /// Steps and events are queued for the recorder's thread; waits only as RunWriter::add() does.
  void receive(wire::NotificationRef notification) override;

 private:
  void finish(const wire::Finished& finished);

  record::RunWriter writer_;
  std::optional<wire::ObserveCost> cost_;  ///< the newest; becomes a line of the log at the end
};

}  // namespace binade::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/interchange/new_path.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace binade::interchange {

/// A place in a trace: thread `thread` of process `process`.
struct TraceTrack {
  int process = 1;
  int thread = 1;
};

/// A trace in the JSON object format of the Trace Event Format (Google, revision of October 2016), which Perfetto and
/// chrome://tracing open. Times are nanoseconds. Throws as NewFile.
class TraceFile {
 public:
  explicit TraceFile(std::string path);

  void name_process(int process, const std::string& name);
  void name_track(TraceTrack track, const std::string& name);
  /// Slices of a track lie in order, side by side or inside each other.
  void slice(TraceTrack track, const std::string& name, const char* category, std::int64_t begin, std::int64_t duration,
             nlohmann::ordered_json args);
  void instant(TraceTrack track, const std::string& name, const char* category, std::int64_t time,
               nlohmann::ordered_json args);
  /// Does nothing if `value` is not finite, because a counter cannot show it.
  void counter(int process, const std::string& name, const char* unit, std::int64_t time, double value);
  /// Ends the array and the file.
  void close();

 private:
  void write(const nlohmann::ordered_json& event);

  NewFile file_;
  bool first_ = true;
};

/// Nanoseconds, for a trace; nullopt for a time that is not measured or that no run can have.
std::optional<std::int64_t> nanoseconds(double seconds);

/// A number for the arguments of a slice. NaN and infinities, which JSON lacks, become text.
nlohmann::ordered_json argument(double value);

}  // namespace binade::interchange

// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/trace_file.h"

#include <cmath>
#include <utility>

namespace binade::interchange {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongestRun = 1e9;  ///< seconds; 30 years

/// The format counts in microseconds; three digits behind the point are nanoseconds.
double microseconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1000;
}

Json event_of(const char* phase, TraceTrack track, const std::string& name) {
  return {{"ph", phase}, {"pid", track.process}, {"tid", track.thread}, {"name", name}};
}

}  // namespace

std::optional<std::int64_t> nanoseconds(double seconds) {
  if (!(seconds >= 0 && seconds <= kLongestRun)) return std::nullopt;
  return std::llround(seconds * 1e9);
}

Json argument(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

TraceFile::TraceFile(std::string path) : file_(std::move(path)) {
  file_.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
}

void TraceFile::name_process(int process, const std::string& name) {
  write({{"ph", "M"}, {"pid", process}, {"name", "process_name"}, {"args", {{"name", name}}}});
}

void TraceFile::name_track(TraceTrack track, const std::string& name) {
  Json event = event_of("M", track, "thread_name");
  event["args"] = {{"name", name}};
  write(event);
}

void TraceFile::slice(TraceTrack track, const std::string& name, const char* category, std::int64_t begin,
                      std::int64_t duration, Json args) {
  Json event = event_of("X", track, name);
  event["cat"] = category;
  event["ts"] = microseconds(begin);
  event["dur"] = microseconds(duration);
  event["args"] = std::move(args);
  write(event);
}

void TraceFile::instant(TraceTrack track, const std::string& name, const char* category, std::int64_t time, Json args) {
  Json event = event_of("i", track, name);
  event["cat"] = category;
  event["ts"] = microseconds(time);
  event["s"] = "p";  // a mark across the whole process
  event["args"] = std::move(args);
  write(event);
}

void TraceFile::counter(int process, const std::string& name, const char* unit, std::int64_t time, double value) {
  if (!std::isfinite(value)) return;
  write({{"ph", "C"}, {"pid", process}, {"name", name}, {"ts", microseconds(time)}, {"args", {{unit, value}}}});
}

void TraceFile::close() {
  file_.write("\n]}\n");
  file_.close();
}

void TraceFile::write(const Json& event) {
  if (!std::exchange(first_, false)) file_.write(",\n");
  file_.write(event.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace binade::interchange

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/interchange/new_path.h"
#include "engine/interchange/protobuf.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The messages of an event file that Binade writes: Event, Summary, HistogramProto, and TensorProto with text. Field
// numbers as in the .proto files of TensorBoard 2.21.

namespace binade::interchange {

/// A histogram: bucket i counts the values from limit i - 1 (the first: from `smallest`) to `limits[i]`.
struct EventHistogram {
  double smallest = 0;
  double largest = 0;
  double values = 0;  ///< their number
  std::vector<double> limits;
  std::vector<double> counts;
};

/// The figures of one step.
class EventSummary {
 public:
  /// TensorBoard stores scalars as float32. NaN and infinities stay.
  void scalar(std::string_view tag, double value);
  void histogram(std::string_view tag, const EventHistogram& histogram);
  /// TensorBoard shows the text as Markdown.
  void text(std::string_view tag, std::string_view markdown);

  bool empty() const { return values_.bytes().empty(); }
  const ProtoMessage& values() const { return values_; }

 private:
  ProtoMessage values_;
};

/// An event file: TFRecords, each with one Event. Throws as NewFile.
class EventFile {
 public:
  /// `wall`: seconds since 1970, here and below; absent if not known.
  EventFile(std::string path, std::optional<double> wall);

  void add(const EventSummary& summary, std::int64_t step, std::optional<double> wall);
  /// TensorBoard drops what it has from `step` on: the run was rewound to it.
  void restart(std::int64_t step, std::optional<double> wall);
  void close() { file_.close(); }

 private:
  void write(const ProtoMessage& event);

  NewFile file_;
};

}  // namespace binade::interchange

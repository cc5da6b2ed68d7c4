// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/tensorboard_events.h"

#include "engine/interchange/crc32c.h"

#include <utility>

namespace binade::interchange {

namespace {

namespace event_field {
constexpr int kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7;
}
namespace session_field {
constexpr int kStatus = 1;
constexpr std::int64_t kStart = 1;
}  // namespace session_field
namespace summary_field {
constexpr int kValue = 1;
}
namespace value_field {
constexpr int kTag = 1, kSimpleValue = 2, kHistogram = 5, kTensor = 8, kMetadata = 9;
}
namespace histogram_field {
constexpr int kMin = 1, kMax = 2, kNum = 3, kLimits = 6, kCounts = 7;
}
namespace tensor_field {
constexpr int kDtype = 1, kShape = 2, kStrings = 8;
constexpr std::int64_t kString = 7;  // DataType
}  // namespace tensor_field
namespace shape_field {
constexpr int kDim = 2, kSize = 1;
}
namespace metadata_field {
constexpr int kPlugin = 1, kPluginName = 1, kDataClass = 4;
constexpr std::int64_t kTensorClass = 2;
}  // namespace metadata_field

ProtoMessage event_at(std::optional<double> wall) {
  ProtoMessage event;
  if (wall) event.number(event_field::kWallTime, *wall);
  return event;
}

}  // namespace

void EventSummary::scalar(std::string_view tag, double value) {
  ProtoMessage message;
  message.text(value_field::kTag, tag).single(value_field::kSimpleValue, static_cast<float>(value));
  values_.message(summary_field::kValue, message);
}

void EventSummary::histogram(std::string_view tag, const EventHistogram& histogram) {
  ProtoMessage figures;
  figures.number(histogram_field::kMin, histogram.smallest)
      .number(histogram_field::kMax, histogram.largest)
      .number(histogram_field::kNum, histogram.values)
      .numbers(histogram_field::kLimits, histogram.limits)
      .numbers(histogram_field::kCounts, histogram.counts);
  ProtoMessage message;
  message.text(value_field::kTag, tag).message(value_field::kHistogram, figures);
  values_.message(summary_field::kValue, message);
}

void EventSummary::text(std::string_view tag, std::string_view markdown) {
  ProtoMessage dim, shape, tensor, plugin, metadata, message;
  dim.integer(shape_field::kSize, 1);
  shape.message(shape_field::kDim, dim);
  tensor.integer(tensor_field::kDtype, tensor_field::kString)
      .message(tensor_field::kShape, shape)
      .text(tensor_field::kStrings, markdown);
  plugin.text(metadata_field::kPluginName, "text");
  metadata.message(metadata_field::kPlugin, plugin).integer(metadata_field::kDataClass, metadata_field::kTensorClass);
  message.text(value_field::kTag, tag).message(value_field::kTensor, tensor).message(value_field::kMetadata, metadata);
  values_.message(summary_field::kValue, message);
}

EventFile::EventFile(std::string path, std::optional<double> wall) : file_(std::move(path)) {
  write(event_at(wall).text(event_field::kFileVersion, "brain.Event:2"));
}

void EventFile::add(const EventSummary& summary, std::int64_t step, std::optional<double> wall) {
  write(event_at(wall).integer(event_field::kStep, step).message(event_field::kSummary, summary.values()));
}

void EventFile::restart(std::int64_t step, std::optional<double> wall) {
  ProtoMessage log;
  log.integer(session_field::kStatus, session_field::kStart);
  write(event_at(wall).integer(event_field::kStep, step).message(event_field::kSessionLog, log));
}

void EventFile::write(const ProtoMessage& event) {
  const std::string& data = event.bytes();
  std::string record;
  append_fixed(record, std::uint64_t{data.size()});
  append_fixed(record, masked_crc32c(record));
  record += data;
  append_fixed(record, masked_crc32c(data));
  file_.write(record);
}

}  // namespace binade::interchange

// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_history_line.h"

#include "app/model/site_name.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::app {

namespace {

/// Doublings left in one column of a tensor's histograms. NaN for one without a finite non-zero value.
double headroomOf(const HistogramTrack::Column& column, const formats::Format& format) {
  if (column.overflow > 0) return 0;
  if (!(column.largest > 0) || column.non_finite > 0) return std::numeric_limits<double>::quiet_NaN();
  return std::log2(format.overflow_limit() / static_cast<double>(column.largest));
}

}  // namespace

QList<double> headroomHistory(const RunModel& run, int site, int points) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = -1;
  for (const int id : run.tensorsOf(site)) {
    const TensorTrack& track = *run.tensor(id);
    if (isOfParameter(track.tensor) || track.histograms.empty()) continue;
    first = std::min(first, track.histograms.column(0).first_step);
    last = std::max(last, track.histograms.column(track.histograms.size() - 1).last_step);
  }
  if (last < first || points < 1) return {};
  QList<double> line(points, std::numeric_limits<double>::quiet_NaN());
  const double steps = static_cast<double>(last - first + 1);
  for (const int id : run.tensorsOf(site)) {
    const TensorTrack& track = *run.tensor(id);
    if (isOfParameter(track.tensor)) continue;
    for (int i = 0; i < track.histograms.size(); ++i) {
      const HistogramTrack::Column column = track.histograms.column(i);
      const double part = static_cast<double>(column.last_step - first) / steps;
      double& point = line[std::clamp(static_cast<int>(part * points), 0, points - 1)];
      point = std::fmin(point, headroomOf(column, track.tensor.format));
    }
  }
  return line;
}

}  // namespace binade::app

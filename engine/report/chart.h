// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/axis.h"
#include "engine/report/envelope.h"
#include "engine/report/html.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::report {

/// One line of a chart.
struct Series {
  const Envelope* values = nullptr;
  std::string name{};        ///< shown if the chart has several lines
  const char* style = "s1";  ///< class that colours it: `s1`, `s2`
  bool sparse = false;       ///< only some steps have a value, and the line joins these
};

/// A step that a vertical line marks.
struct StepMark {
  std::int64_t step = 0;
  std::string label{};
};

/// A chart of values over steps.
struct Chart {
  std::string id{};
  std::string title{};
  std::string says{};  ///< sentence below it
  Axis::Scale scale = Axis::Scale::kLinear;
  /// On a linear scale, positive values of very different size get a scale of powers of 10.
  bool may_use_powers = false;
  std::vector<Series> series{};
  const Envelope* band = nullptr;  ///< an area between the extremes of its columns, behind the lines; may be null
  std::string band_name{};
  const Envelope* marks = nullptr;  ///< columns with values get a mark at the bottom; may be null
  std::string marks_name{};
  std::vector<StepMark> edits{};
};

/// The range of steps that the page's charts share.
struct StepRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// The chart as a figure with inline SVG. Its caption says how many steps share a column, and how often a value was not
/// finite. Without any value it says that none was recorded.
Html chart_html(const Chart& chart, const StepRange& range);

/// Marks on the horizontal axis: round numbers of steps.
std::vector<std::int64_t> step_marks(const StepRange& range);

// The size of the drawing, and the area for data in it.
inline constexpr double kChartWidth = 960;
inline constexpr double kPlotLeft = 64;
inline constexpr double kPlotRight = 946;

/// The place of a step between kPlotLeft and kPlotRight.
double place_of_step(double step, const StepRange& range);

}  // namespace binade::report

// SPDX-License-Identifier: Apache-2.0
#include "engine/report/chart.h"

#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::report {

namespace {

constexpr double kHeight = 232;
constexpr double kTop = 18;
constexpr double kBottom = 200;
constexpr std::size_t kMostEdits = 40;  // more lines would hide the curve
constexpr double kManyTimes = 50;       // ratio of extremes from which powers of 10 show more than a linear scale
constexpr std::int64_t kMostStepMarks = 8;

std::string grouped_steps(std::int64_t count) {
  return words::grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(0, count)));
}

struct Extremes {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  double lowest_positive = std::numeric_limits<double>::infinity();
  std::int64_t width = 1;
  std::int64_t not_finite = 0;
  bool any() const { return lowest <= highest; }
};

Extremes extremes_of(const Chart& chart) {
  Extremes found;
  const auto stretch = [&found](const Envelope& values) {
    for (const Envelope::Column& column : values.columns()) {
      if (!column.has_values()) continue;
      found.lowest = std::min(found.lowest, column.lowest);
      found.highest = std::max(found.highest, column.highest);
      if (column.lowest > 0) found.lowest_positive = std::min(found.lowest_positive, column.lowest);
    }
  };
  if (chart.band != nullptr) stretch(*chart.band);
  for (const Series& series : chart.series) {
    found.width = std::max(found.width, series.values->width());
    for (const Envelope::Column& column : series.values->columns()) found.not_finite += column.not_finite;
    stretch(*series.values);
  }
  return found;
}

Axis axis_of(const Chart& chart, const Extremes& found) {
  const bool positive = found.lowest > 0;
  const bool powers = chart.scale != Axis::Scale::kLinear ||
                      (chart.may_use_powers && positive && found.highest > kManyTimes * found.lowest);
  if (!powers || !std::isfinite(found.lowest_positive)) return {Axis::Scale::kLinear, found.lowest, found.highest};
  const Axis::Scale scale = chart.scale == Axis::Scale::kLinear ? Axis::Scale::kPowersOf10 : chart.scale;
  return {scale, found.lowest_positive, found.highest};
}

/// Draws into one SVG.
class Drawing {
 public:
  Drawing(const Chart& chart, const StepRange& range, const Axis& axis) : chart_(chart), range_(range), axis_(axis) {}

  std::string svg() {
    out_ = "<svg viewBox=\"0 0 " + coordinate(kChartWidth) + " " + coordinate(kHeight) +
           "\" role=\"img\" aria-label=\"" + text(chart_.title).markup + "\">\n";
    grid();
    if (chart_.band != nullptr) band({.values = chart_.band, .style = "s2"});
    for (const Series& series : chart_.series) {
      if (series.values->width() > 1) band(series);
      line(series);
      not_finite(*series.values);
    }
    if (chart_.marks != nullptr) bottom_marks(*chart_.marks);
    edits();
    return out_ + "</svg>\n";
  }

 private:
  static std::string at(double x, double y) { return coordinate(x) + "," + coordinate(y); }
  double y_of(double value) const {
    const double place = axis_.place(value);
    // A value at or below 0 has no place among powers: it is drawn at the lower edge.
    return kBottom - (kBottom - kTop) * (std::isfinite(place) ? std::clamp(place, 0.0, 1.0) : 0);
  }
  double x_of(const Envelope& values, std::size_t column) const {
    const auto width = static_cast<double>(values.width());
    return place_of_step(static_cast<double>(values.first()) + (static_cast<double>(column) + 0.5) * width - 0.5,
                         range_);
  }

  void grid() {
    for (const Axis::Mark& mark : axis_.marks()) {
      const std::string y = coordinate(y_of(mark.value));
      out_ += "<line class=\"grid\" x1=\"" + coordinate(kPlotLeft) + "\" x2=\"" + coordinate(kPlotRight) + "\" y1=\"" +
              y + "\" y2=\"" + y + "\"/><text class=\"tick end\" x=\"" + coordinate(kPlotLeft - 8) + "\" y=\"" +
              coordinate(y_of(mark.value) + 4) + "\">" + text(mark.label).markup + "</text>\n";
    }
    for (const std::int64_t step : step_marks(range_)) {
      out_ += "<text class=\"tick mid\" x=\"" + coordinate(place_of_step(static_cast<double>(step), range_)) +
              "\" y=\"" + coordinate(kBottom + 20) + "\">" + grouped_steps(step) + "</text>\n";
    }
  }

  /// Calls `draw` with the indices of columns that have values, as far as one line joins them.
  template <class Draw>
  static void each_run(const Series& series, Draw draw) {
    const auto& columns = series.values->columns();
    std::vector<std::size_t> joined;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].has_values()) {
        joined.push_back(i);
      } else if (!joined.empty() && (!series.sparse || columns[i].not_finite > 0)) {
        draw(joined);
        joined.clear();
      }
    }
    if (!joined.empty()) draw(joined);
  }

  /// The extremes of every column as an area.
  void band(const Series& series) {
    const Envelope& values = *series.values;
    each_run(series, [&](const std::vector<std::size_t>& columns) {
      std::string points;
      for (const std::size_t i : columns) points += at(x_of(values, i), y_of(values.columns()[i].highest)) + " ";
      for (auto i = columns.rbegin(); i != columns.rend(); ++i)
        points += at(x_of(values, *i), y_of(values.columns()[*i].lowest)) + " ";
      points.pop_back();
      out_ += std::string("<polygon class=\"band ") + series.style + "\" points=\"" + points + "\"/>\n";
    });
  }

  /// The values, or the mean of each column. A single value becomes a dot.
  void line(const Series& series) {
    const Envelope& values = *series.values;
    each_run(series, [&](const std::vector<std::size_t>& columns) {
      std::string points;
      for (const std::size_t i : columns) points += at(x_of(values, i), y_of(values.columns()[i].mean())) + " ";
      if (columns.size() == 1) points += points;
      points.pop_back();
      out_ += std::string("<polyline class=\"line ") + series.style + "\" points=\"" + points + "\"/>\n";
    });
  }

  /// A triangle at the upper edge of every column with a value that is not finite.
  void not_finite(const Envelope& values) {
    std::string path;
    for (std::size_t i = 0; i < values.columns().size(); ++i) {
      if (values.columns()[i].not_finite == 0) continue;
      path += "M" + at(x_of(values, i), kTop - 2) + "l-3,-7h6z";
    }
    if (!path.empty()) out_ += "<path class=\"bad\" d=\"" + path + "\"/>\n";
  }

  void bottom_marks(const Envelope& marks) {
    std::string path;
    for (std::size_t i = 0; i < marks.columns().size(); ++i) {
      if (marks.columns()[i].has_values()) path += "M" + at(x_of(marks, i), kBottom) + "v-9";
    }
    if (!path.empty()) out_ += "<path class=\"mark\" d=\"" + path + "\"/>\n";
  }

  void edits() {
    for (std::size_t i = 0; i < std::min(chart_.edits.size(), kMostEdits); ++i) {
      const StepMark& edit = chart_.edits[i];
      const std::string x = coordinate(place_of_step(static_cast<double>(edit.step), range_));
      out_ += "<line class=\"edit\" x1=\"" + x + "\" x2=\"" + x + "\" y1=\"" + coordinate(kTop) + "\" y2=\"" +
              coordinate(kBottom) + "\"><title>" + text(edit.label).markup + "</title></line>\n";
    }
  }

  const Chart& chart_;
  const StepRange& range_;
  const Axis& axis_;
  std::string out_;
};

Html caption_of(const Chart& chart, const Extremes& found) {
  Html caption = text(chart.says);
  if (chart.series.size() > 1) {
    for (const Series& series : chart.series)
      caption += {std::string(" <span class=\"key ") + series.style + "\">" + text(series.name).markup + "</span>"};
  }
  if (chart.band != nullptr && !chart.band->empty())
    caption += {" <span class=\"key s2\">" + text(chart.band_name).markup + "</span>"};
  if (chart.marks != nullptr && !chart.marks->empty())
    caption += {" <span class=\"key mark\">" + text(chart.marks_name).markup + "</span>"};
  if (!chart.edits.empty()) caption += {" <span class=\"key edit\">edits</span>"};
  if (chart.edits.size() > kMostEdits)
    caption += text(" The first " + std::to_string(kMostEdits) + " of " + std::to_string(chart.edits.size()) +
                    " edits are marked.");
  if (found.width > 1) {
    caption += text(" Each column combines " + grouped_steps(found.width) +
                    " steps: the area spans their smallest and largest value, the line is their mean.");
  }
  if (found.not_finite > 0) {
    caption += text(" Triangles at the top: " + grouped_steps(found.not_finite) +
                    (found.not_finite == 1 ? " value was not finite." : " values were not finite."));
  }
  return caption;
}

}  // namespace

double place_of_step(double step, const StepRange& range) {
  if (range.last <= range.first) return (kPlotLeft + kPlotRight) / 2;
  const double share = (step - static_cast<double>(range.first)) / static_cast<double>(range.last - range.first);
  return kPlotLeft + (kPlotRight - kPlotLeft) * std::clamp(share, 0.0, 1.0);
}

std::vector<std::int64_t> step_marks(const StepRange& range) {
  if (range.last <= range.first) return {range.first};
  const std::int64_t rough = (range.last - range.first + kMostStepMarks - 1) / kMostStepMarks;
  std::int64_t unit = 1;
  while (unit * 10 <= rough) unit *= 10;
  const std::int64_t gap = rough <= unit       ? unit
                           : rough <= 2 * unit ? 2 * unit
                           : rough <= 5 * unit ? 5 * unit
                                               : 10 * unit;
  std::vector<std::int64_t> marks;
  for (std::int64_t step = (range.first + gap - 1) / gap * gap; step <= range.last; step += gap) marks.push_back(step);
  return marks;
}

Html chart_html(const Chart& chart, const StepRange& range) {
  Html figure{"<figure id=\"" + text(chart.id).markup + "\">\n" + heading(3, chart.id + "-title", chart.title).markup};
  const Extremes found = extremes_of(chart);
  if (!found.any() && found.not_finite == 0) return figure + note("No value was recorded.") + Html{"</figure>\n"};
  // Without a finite value, the marks of the others are drawn over an empty scale.
  const Axis axis = found.any() ? axis_of(chart, found) : Axis(Axis::Scale::kLinear, 0, 1);
  figure += {Drawing(chart, range, axis).svg()};
  return figure + element("figcaption", caption_of(chart, found)) + Html{"</figure>\n"};
}

}  // namespace binade::report

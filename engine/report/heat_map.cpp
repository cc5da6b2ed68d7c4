// SPDX-License-Identifier: Apache-2.0
#include "engine/report/heat_map.h"

#include "engine/report/typography.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace binade::report {

namespace {

constexpr double kNames = 250;  // width of the column of names
constexpr double kRowHeight = 14;
constexpr double kLegend = 40;
constexpr std::size_t kLongestName = 36;

/// The end of a long name, which differs more than its beginning. Does not cut a character.
std::string shortened(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  std::size_t from = name.size() - kLongestName;
  while (from < name.size() && (static_cast<unsigned char>(name[from]) & 0xc0) == 0x80) ++from;
  return "…" + name.substr(from);
}

struct HeatScale {
  double lowest = 0;
  double highest = 0;
  bool any = false;

  explicit HeatScale(const std::vector<HeatRow>& rows) {
    for (const HeatRow& row : rows) {
      for (const Envelope::Column& column : row.exponents.columns()) {
        if (!column.has_values()) continue;
        lowest = any ? std::min(lowest, column.highest) : column.highest;
        highest = any ? std::max(highest, column.highest) : column.highest;
        any = true;
      }
    }
  }
  std::size_t color(double exponent) const {
    const double share = highest > lowest ? (exponent - lowest) / (highest - lowest) : 1;
    return static_cast<std::size_t>(std::clamp(static_cast<int>(share * kHeatColors), 0, kHeatColors - 1));
  }
};

/// Cells of one colour as one path, which is several times shorter than one element a cell.
class CellPaths {
 public:
  explicit CellPaths(double cell) : height_("v" + coordinate(kRowHeight - 1) + "h-"), least_(cell) {}

  void add(std::size_t color, double x, double y, double width) {
    const std::string across = coordinate(std::max(width, least_));
    paths_.at(color) += "M" + coordinate(x) + "," + coordinate(y) + "h" + across + height_ + across + "z";
  }
  void add_bad(double x, double y, double width) { add(kHeatColors, x, y, width); }

  std::string svg() const {
    std::string out;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (paths_[i].empty()) continue;
      const std::string style = i == kHeatColors ? "bad" : "h" + std::to_string(i);
      out += "<path class=\"" + style + "\" d=\"" + paths_[i] + "\"/>\n";
    }
    return out;
  }

 private:
  std::array<std::string, kHeatColors + 1> paths_;
  std::string height_;
  double least_;
};

std::string legend(const HeatScale& scale, double y) {
  std::string out;
  const double cell = 22;
  double x = kNames;
  const auto label = [&out, y](double at, const char* anchor, const std::string& words) {
    out += "<text class=\"tick " + std::string(anchor) + "\" x=\"" + coordinate(at) + "\" y=\"" + coordinate(y + 10) +
           "\">" + text(words).markup + "</text>\n";
  };
  label(x - 8, "end", power_text(2, static_cast<int>(std::floor(scale.lowest))));
  for (int i = 0; i < kHeatColors; ++i, x += cell) {
    out += "<rect class=\"h" + std::to_string(i) + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
           "\" width=\"22\" height=\"12\"/>";
  }
  label(x + 8, "start", power_text(2, static_cast<int>(std::ceil(scale.highest))));
  out +=
      "<rect class=\"bad\" x=\"" + coordinate(x + 70) + "\" y=\"" + coordinate(y) + "\" width=\"22\" height=\"12\"/>";
  label(x + 100, "start", "not finite");
  return out;
}

}  // namespace

Html heat_map_html(const std::string& title, const std::vector<HeatRow>& rows, const StepRange& range) {
  const HeatScale scale(rows);
  const double steps = static_cast<double>(range.last - range.first + 1);
  const double across = kPlotRight - kNames;
  CellPaths cells(1);
  std::string names;
  double y = 2;
  for (const HeatRow& row : rows) {
    names += "<text class=\"tick end\" x=\"" + coordinate(kNames - 8) + "\" y=\"" + coordinate(y + kRowHeight - 4) +
             "\"><title>" + text(row.name).markup + "</title>" + text(shortened(row.name)).markup + "</text>\n";
    const auto width = static_cast<double>(row.exponents.width());
    for (std::size_t i = 0; i < row.exponents.columns().size(); ++i) {
      const Envelope::Column& column = row.exponents.columns()[i];
      const double x = kNames + across * static_cast<double>(i) * width / steps;
      const double right = std::min(kPlotRight, x + across * width / steps);
      if (column.not_finite > 0) {
        cells.add_bad(x, y, right - x);
      } else if (column.has_values()) {
        cells.add(scale.color(column.highest), x, y, right - x);
      }
    }
    y += kRowHeight;
  }
  std::string marks;
  for (const std::int64_t step : step_marks(range)) {
    const double x = kNames + across * (static_cast<double>(step - range.first) + 0.5) / steps;
    marks += "<text class=\"tick mid\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y + 14) + "\">" +
             words::grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(0, step))) + "</text>\n";
  }
  const std::string height = coordinate(y + kLegend + 4);
  return {"<svg viewBox=\"0 0 " + coordinate(kChartWidth) + " " + height + "\" role=\"img\" aria-label=\"" +
          text(title).markup + "\">\n" + names + cells.svg() + marks + (scale.any ? legend(scale, y + 24) : "") +
          "</svg>\n"};
}

}  // namespace binade::report

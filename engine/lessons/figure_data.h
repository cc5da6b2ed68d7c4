// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::lessons {

/// What a drawer colours a part by.
enum class Role {
  kPlain,
  kNormal,     ///< held with full precision
  kSubnormal,  ///< held with fewer bits
  kZero,       ///< became 0
  kOverflow,   ///< became infinity or NaN
  kPast,       ///< for comparison: the same without what the figure shows
  kQuoted,     ///< a figure from elsewhere
};

enum class AxisScale { kLinear, kLog2, kLog10 };

struct Axis {
  std::string label;
  AxisScale scale = AxisScale::kLinear;
  double low = 0;  ///< a value, also on logarithmic axes
  double high = 1;
};

struct Point {
  double x = 0;
  double y = 0;  ///< not finite or, on a logarithmic axis, not positive: no point here
};

/// Points in order of x, drawn as a line, or as steps that hold each y up to the next x.
struct Series {
  std::string title;
  std::vector<Point> points = {};
  std::optional<formats::Format> format = {};  ///< gives the colour
  Role role = Role::kPlain;
  bool steps = false;
  bool filled = false;  ///< down to the x axis: a histogram
};

/// A bar from `from` to `to`. Bar `row` stands at x = row and extends along y; in a panel with `rows` it lies in that
/// row, counted from the top, and extends along x. An extent beyond the axis goes on: the drawer cuts it.
struct Bar {
  std::size_t row = 0;
  double from = 0;
  double to = 0;
  std::string text = {};  ///< the value, beside the bar
  std::optional<formats::Format> format = {};
  Role role = Role::kPlain;
};

/// A line across a panel at a position of one axis.
struct Mark {
  double at = 0;
  std::string label = {};
  bool on_x = true;
  Role role = Role::kPlain;
};

/// A shaded part of a panel between two positions of one axis. Without a label it has no edge.
struct Band {
  double from = 0;
  double to = 0;
  std::string label = {};
  bool on_x = true;
  Role role = Role::kPlain;
  std::optional<formats::Format> format = {};  ///< whose limit is at `from`; gives the edge's colour
};

/// One pair of axes and what is drawn in it.
struct Panel {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Bar> bars;
  std::vector<std::string> bar_labels;  ///< one for each row of bars
  bool rows = false;                    ///< bars lie in rows; the y axis is not used
  std::vector<Mark> marks;
  std::vector<Band> bands;
};

/// A cell of a table that takes part in what the figure shows at the position of its slider.
struct CellMark {
  std::size_t row = 0;
  std::size_t column = 0;
  bool strong = false;  ///< the cell itself, not only its row or column
};

struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  std::vector<CellMark> marks = {};  ///< each cell at most once
};

/// A named result. Texts refer to it as `{figure.fact}`.
struct Fact {
  std::string name;
  double value = 0;
  std::string text;
};

/// Position of a figure's slider in this data. Its value is the parameter's or, if `exponent`, the exponent of 2.
struct SliderState {
  std::string label;
  double low = 0;  ///< the kind's, or lower if the value of the lesson is
  double high = 0;
  double value = 0;
  bool exponent = false;
};

/// A computed figure: all that a drawer, an export or a screen reader needs. A plain value.
struct FigureData {
  std::string title;
  std::vector<Panel> panels;  ///< from top to bottom; they do not share axes
  Table table;
  std::vector<Fact> facts;
  std::string text;    ///< the figure in words, one paragraph
  std::string source;  ///< of quoted figures; empty for computed ones
  std::optional<SliderState> slider;

  bool quoted() const { return !source.empty(); }
  /// Null for an unknown name.
  const Fact* fact(std::string_view name) const;
};

}  // namespace binade::lessons

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/chart.h"
#include "engine/report/envelope.h"
#include "engine/report/html.h"

#include <string>
#include <vector>

namespace binade::report {

/// One row of a heat map: a parameter, and an exponent of 2 for each observed step. Non-finite steps are those of the
/// envelope.
struct HeatRow {
  std::string name;
  Envelope exponents;
};

/// Colours that the exponents of all rows are divided into.
inline constexpr int kHeatColors = 10;

/// Rows of cells as inline SVG with a legend. A cell has the colour of its column's largest exponent; columns without
/// an observed step stay empty. All rows have the same columns.
Html heat_map_html(const std::string& title, const std::vector<HeatRow>& rows, const StepRange& range);

}  // namespace binade::report

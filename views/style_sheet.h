// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme.h"

#include <QString>

namespace binade::views {

/// The application's style sheet: docks, tabs, bars, buttons, fields and tables on the 8 px grid.
/// Dynamic properties: a QPushButton with `primary` true is the dark one of a pair; a QToolButton with `segment` true
/// is one of a row of arrangements; a QLabel with `tone` `second`, `third` or `crimson` has that colour, with `badge`
/// true an outline.
QString styleSheet(const Colors& colors);

}  // namespace binade::views

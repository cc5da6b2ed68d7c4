// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "views/values/roles.h"

#include <QString>

namespace binade::app {

/// The format of an op call under the newest policy, as shown in every table.
struct SiteFormat {
  QString name;  ///< `float16`; empty if undecided
  QString note;  ///< `follows`, `promote`, `refused`; empty if the format is its own
  views::CellExecution execution = views::CellExecution::kNative;
};

/// Returns an op call's format. Without a format of its own, or if it writes an argument, it is the observed format of
/// its output.
SiteFormat siteFormat(const RunModel& run, int site);

/// Returns an op call's format at a step, for figures from before an edit. Its name is empty if the op call followed
/// its inputs then and has a format of its own now, since the observed format is no longer known.
SiteFormat siteFormatAt(const RunModel& run, int site, std::int64_t step);

/// siteFormatAt() as a cell for views::FormatDelegate.
Cell formatCellAt(const RunModel& run, int site, std::int64_t step);

/// An op call's name as a cell for views::CallDelegate.
Cell callCell(const RunModel& run, int site);

}  // namespace binade::app

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

/// What it ran in at a step: what is shown beside figures of before an edit. Where it had no format of its own then,
/// and has one now, what it was held in is not known.
SiteFormat siteFormatAt(const RunModel& run, int site, std::int64_t step);

/// The same as a cell for views::FormatDelegate.
Cell formatCellAt(const RunModel& run, int site, std::int64_t step);

/// An op call's name as a cell for views::CallDelegate.
Cell callCell(const RunModel& run, int site);

}  // namespace binade::app

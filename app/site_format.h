// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cell_model.h"
#include "app/run_model.h"
#include "views/table/roles.h"

#include <QString>

namespace binade::app {

/// What an op call runs in under the newest policy, as every table shows it.
struct SiteFormat {
  QString name;  ///< `float16`; empty where nothing is decided
  QString note;  ///< `follows`, `promote`, `refused`; empty where the format is its own
  views::CellExecution execution = views::CellExecution::kNative;
};

/// A call without a format of its own, or that writes an argument, holds what its output was seen to be held in.
SiteFormat siteFormat(const RunModel& run, int site);

/// What it ran in at a step: what is shown beside figures of before an edit. Where it had no format of its own then,
/// and has one now, what it was held in is not known.
SiteFormat siteFormatAt(const RunModel& run, int site, std::int64_t step);

/// The same as cells for views::FormatDelegate.
Cell formatCell(const RunModel& run, int site);
Cell formatCellAt(const RunModel& run, int site, std::int64_t step);

/// An op call's name as a cell for views::CallDelegate.
Cell callCell(const RunModel& run, int site);

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cell_model.h"
#include "app/run_model.h"
#include "views/table/roles.h"

#include <QList>
#include <QString>

namespace binade::app {

struct SourceBadge {
  QString text;
  views::BadgeStyle style = views::BadgeStyle::kNone;
};
/// The badge of a source by its wire name: `COUNTERS`, `KERNELS`, `NVML`, `CPU CLOCK`, `RECORDED`, `NONE`. A measured
/// source that is only joined to op calls by an estimate says `ESTIMATE`.
SourceBadge badgeOf(const std::string& source, bool estimate = false);

namespace profile_column {
enum Column { kCall, kFormat, kTime, kShare, kForward, kBackward, kTensor, kSource, kWhy, kColumns };
}

QList<CellModel::Column> profileColumns();
/// The longest first. Ids are sites. Times of emulated op calls are hatched and say so: they are the emulation's.
QList<CellRow> profileRows(const RunModel& run, const wire::Profile& profile);

/// Kernels of an op call, for the tool tip; empty where none were recorded.
QString kernelsText(const wire::SiteProfile& site);

/// One op call in whole: why not more, the edit that would change it, its kernels.
QString profileDetail(const RunModel& run, const wire::SiteProfile& site);

/// What the op calls of a step took together, and what lies outside of them.
QString profileSummary(const RunModel& run, const wire::Profile& profile);

}  // namespace binade::app

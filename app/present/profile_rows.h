// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "views/values/roles.h"

#include <QList>
#include <QString>

namespace binade::app {

struct SourceBadge {
  QString text;
  views::BadgeStyle style = views::BadgeStyle::kNone;
};
/// The badge of a source by its wire name: `COUNTERS`, `KERNELS`, `NVML`, `CPU CLOCK`, `RECORDED`, `NOT MEASURED`.
/// `ESTIMATE` for a measured source that is attributed to op calls by estimation.
SourceBadge badgeOf(const std::string& source, bool estimate = false);

namespace profile_column {
enum Column { kCall, kFormat, kTime, kShare, kForward, kBackward, kTensor, kSource, kWhy, kColumns };
}

QList<CellModel::Column> profileColumns();
/// True if some op call has a tensor-core share. The column of the shares is hidden otherwise.
bool hasTensorShares(const wire::Profile& profile);
/// Returns the rows, the longest time first. Ids are sites. Times of emulated op calls are hatched, since they measure
/// the emulation. The source is that of the shares if there are any: `NONE` for an op call without one.
QList<CellRow> profileRows(const RunModel& run, const wire::Profile& profile);

/// Kernels of an op call, for the tool tip; empty if none were recorded.
QString kernelsText(const wire::SiteProfile& site);

/// Full text for one op call: why its tensor-core use is not higher, the edit that would change it, its kernels.
QString profileDetail(const RunModel& run, const wire::SiteProfile& site);

/// The time of a step's op calls, of the other work in the step, and of observing.
QString profileSummary(const RunModel& run, const wire::Profile& profile);

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/present/call_counts.h"

#include "app/model/translate.h"
#include "views/values/numbers.h"

#include <algorithm>

namespace binade::app {

namespace {

bool isOfLoss(const wire::SiteInfo& site) {
  return site.key.path == "loss" || site.key.path.starts_with("loss.");
}

}  // namespace

CallCounts callCounts(const wire::ModelInfo& model) {
  CallCounts counts;
  counts.model = static_cast<int>(model.sites.size());
  counts.executed = counts.model;
  return counts;
}

CallCounts callCounts(const RunModel& run) {
  CallCounts counts;
  for (const wire::SiteInfo& site : run.sites()) {
    ++(isOfLoss(site) ? counts.loss : counts.model);
    if (hasRow(run, site.id)) ++counts.executed;
  }
  counts.known = knowsEveryCall(run);
  return counts;
}

bool knowsEveryCall(const RunModel& run) {
  return hasSites(run.profile().latest());
}

bool hasRow(const RunModel& run, int site) {
  const bool any_known = run.hasObservations() || knowsEveryCall(run);
  return !any_known || run.isExecuted(site);
}

QString callsText(const CallCounts& counts) {
  const QString all = counts.all() == 1 ? tr("1 op call") : tr("%1 op calls").arg(views::grouped(counts.all()));
  return counts.loss == 0 ? all : tr("%1, %2 of the loss").arg(all, views::grouped(counts.loss));
}

QString hiddenCallsText(const CallCounts& counts, int shown) {
  const int hidden = counts.others() - shown;
  if (shown > 0) {
    const QString rows = counts.known ? tr("%1 never executed").arg(views::grouped(shown))
                                      : tr("%1 not observed so far").arg(views::grouped(shown));
    return hidden <= 0 ? rows : tr("%1, %2 more hidden").arg(rows, views::grouped(hidden));
  }
  if (hidden <= 0) return {};
  if (counts.known)
    return hidden == 1 ? tr("1 never executed is hidden")
                       : tr("%1 never executed are hidden").arg(views::grouped(hidden));
  return hidden == 1 ? tr("1 not observed so far is hidden")
                     : tr("%1 not observed so far are hidden").arg(views::grouped(hidden));
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/docks/profile_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/profile_rows.h"
#include "app/present/shown_words.h"
#include "views/table/bar_key.h"
#include "views/table/delegates.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableView>

#include <algorithm>

namespace binade::app {

using namespace profile_column;

ProfileDock::ProfileDock(RunModel* run, Selection* selection, QWidget* parent)
    : RankingDock({.id = QStringLiteral("profile"),
                   .title = tr("Time per op call"),
                   .about = tr("Op calls by time"),
                   .columns = profileColumns(),
                   .widths = {280, 150, 300, 92, 84, 84, 260, 128, 300},
                   .least = {140, 128, 150, 92, 84, 84, 150, 124, 120},
                   .call = kCall,
                   .formats = {kFormat}},
                  run, selection, parent),
      key_(new views::BarKey(tr("forward"), tr("backward"))),
      measure_(new QCheckBox(tr("Measure"))),
      start_(new QPushButton(tr("Measure op calls"))),
      detail_(addDetail(tr("Selected op call"))) {
  measure_->setToolTip(tr("Times every op call, and measures tensor-core use if the device supports it"));
  measure_->setWhatsThis(
      tr("Times each op call in the observed steps. Tensor-core use of the device comes from the counters of the GPU; "
         "that of an op call is estimated from them. Where the counters cannot be read, only times are shown, and the "
         "dock says why."));
  addControl(key_);
  addControl(measure_);
  empty()->addButton(start_);
  for (const int bar : {kTime, kTensor}) table()->setItemDelegateForColumn(bar, new views::BarDelegate(table()));
  table()->setItemDelegateForColumn(kSource, new views::BadgeDelegate(table()));
  connect(measure_, &QCheckBox::toggled, this, &ProfileDock::profilingRequested);
  connect(start_, &QPushButton::clicked, this, [this] { Q_EMIT profilingRequested(true); });
  connect(run, &RunModel::reset, this, &ProfileDock::update);
  connect(run, &RunModel::profileChanged, this, &ProfileDock::update);
  connect(run, &RunModel::policyAdded, this, &ProfileDock::update);
  connect(run, &RunModel::shownStepChanged, this, &ProfileDock::update);
  connect(run, &RunModel::stateChanged, this, &ProfileDock::updateState);
  update();
}

void ProfileDock::update() {
  const wire::Profile& profile = run().shownProfile();
  setRows(profileRows(run(), profile));
  const QString when = shownText(run(), hasSites(profile) ? profile.last_step : -1);
  setSummary((when.isEmpty() ? QString() : when + QStringLiteral(" · ")) + profileSummary(run(), profile));
  table()->setColumnHidden(kTensor, !hasTensorShares(profile));
  chosenChanged();
  updateState();
}

void ProfileDock::chosenChanged() {
  const qlonglong id = chosen();
  const auto& sites = run().shownProfile().sites;
  const auto found =
      std::find_if(sites.begin(), sites.end(), [id](const wire::SiteProfile& each) { return each.site == id; });
  detail_->setVisible(found != sites.end());
  if (found != sites.end()) detail_->setText(profileDetail(run(), *found));
}

void ProfileDock::updateState() {
  const bool on = run().config().profile.level != "off";
  const QSignalBlocker quiet(measure_);
  measure_->setChecked(on);
  measure_->setEnabled(run().whyNoEdit().isEmpty());
  const bool timed = hasSites(run().shownProfile());
  empty()->setEmpty(!timed);
  key_->setVisible(timed);
  start_->setVisible(run().whyNoEdit().isEmpty() && !on);
  if (on && run().isActive()) {
    const bool paused = run().state() == wire::RunState::kPaused;
    empty()->setText(tr("Measuring…"), paused ? tr("The run is paused. The first results appear after the next steps.")
                                              : tr("The first results appear after the next steps."));
  } else {
    empty()->setText(run().shownStep() && hasSites(run().profile().latest()) ? tr("Op calls were not timed yet.")
                                                                             : tr("Op calls are not timed."),
                     run().isActive()  ? tr("Timing op calls slows each step slightly.")
                     : run().isEmpty() ? tr("The time of each op call appears here when a run is profiled.")
                                       : tr("This run was not profiled. Set \"profile\" in the run description, or use "
                                            "binade-engine train --profile times."));
  }
}

}  // namespace binade::app

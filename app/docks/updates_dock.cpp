// SPDX-License-Identifier: Apache-2.0
#include "app/docks/updates_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/shown_words.h"
#include "app/present/update_rows.h"
#include "views/look_at_number.h"
#include "views/values/numbers.h"

#include <algorithm>

namespace binade::app {

UpdatesDock::UpdatesDock(RunModel* run, Selection* selection, QWidget* parent)
    : RankingDock({.id = QStringLiteral("updates"),
                   .title = tr("Updates"),
                   .about = tr("Parameter updates, largest loss first"),
                   .columns = updateColumns(),
                   .widths = {300, 110, 130, 110, 110, 110, 130, 80},
                   .least = {120, 90, 120, 84, 84, 84, 110, 60},
                   .formats = {update_column::kFormat}},
                  run, selection, parent) {
  views::addLookEntry(table(), this);
  connect(run, &RunModel::reset, this, &UpdatesDock::update);
  connect(run, &RunModel::statisticsRead, this, &UpdatesDock::update);
  connect(run, &RunModel::silentChanged, this, &UpdatesDock::update);
  connect(run, &RunModel::stateChanged, this, &UpdatesDock::update);
  connect(run, &RunModel::shownStepChanged, this, &UpdatesDock::update);
  update();
}

const wire::ParameterUpdate* UpdatesDock::updateOf(qlonglong id) const {
  const auto& report = run().silent();
  if (!report || id < 0 || static_cast<std::size_t>(id) >= report->updates.size()) return nullptr;
  return &report->updates[static_cast<std::size_t>(id)];
}

std::vector<int> UpdatesDock::sitesOf(qlonglong id) const {
  const wire::ParameterUpdate* update = updateOf(id);
  const TensorTrack* parameter = update == nullptr ? nullptr : parameterTensor(run(), update->parameter);
  return parameter == nullptr || parameter->tensor.site < 0 ? std::vector<int>()
                                                            : std::vector<int>{parameter->tensor.site};
}

void UpdatesDock::publish(qlonglong id) {
  RankingDock::publish(id);
  const wire::ParameterUpdate* update = updateOf(id);
  const TensorTrack* parameter = update == nullptr ? nullptr : parameterTensor(run(), update->parameter);
  if (parameter != nullptr && !parameter->histograms.empty()) selection().setTensor(parameter->tensor.id);
}

void UpdatesDock::update() {
  const auto& report = run().silent();
  const bool any = report && !report->updates.empty();
  empty()->setEmpty(!any);
  if (!any) {
    const bool ended = !run().isEmpty() && !run().isActive();
    empty()->setText(ended ? tr("No update of this run was observed.") : tr("No update observed yet."),
                     tr("The update of each parameter, and the part that rounding loses, appears here after the next "
                        "observed step."));
    return setRows({});
  }
  setRows(updateRows(*report));
  const auto losing = std::count_if(report->updates.begin(), report->updates.end(),
                                    [](const wire::ParameterUpdate& each) { return each.lost > 0; });
  const auto count = static_cast<std::int64_t>(report->updates.size());
  const QString later = laterText(run(), report->last_step);
  setSummary((later.isEmpty() ? QString() : later + QStringLiteral(" · ")) +
             tr("%1 parameters · %2")
                 .arg(views::grouped(count),
                      losing == 0 ? tr("no update is lost")
                                  : tr("%1 lose part of their update to rounding").arg(views::grouped(losing))));
}

}  // namespace binade::app

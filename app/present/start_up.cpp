// SPDX-License-Identifier: Apache-2.0
#include "app/present/start_up.h"

#include "app/model/translate.h"
#include "views/values/numbers.h"

namespace binade::app {

bool continuesStartUp(const RunModel& run, int event) {
  const auto& events = run.events();
  const auto at = static_cast<std::size_t>(event);
  if (event < 0 || event >= kMostStartUpEvents || at >= events.size()) return false;
  const wire::ScalerConfig& scaler = run.config().scaler;
  if (!scaler.enabled || scaler.fixed) return false;
  const wire::Event& now = events[at];
  if (now.kind != wire::Event::Kind::kGradientOverflow) return false;
  if (now.scale < 1) return false;
  if (now.diagnosis && now.diagnosis->verdict != wire::Verdict::kBenign) return false;
  if (at == 0) return run.steps().empty() || now.step <= run.steps().front().step + kStartUpSteps;
  const wire::Event& before = events[at - 1];
  if (now.step > before.step + kStartUpSteps) return false;
  return now.scale < before.scale || (scaler.hysteresis > 1 && now.scale == before.scale);
}

int startUpEvents(const RunModel& run) {
  int count = 0;
  while (continuesStartUp(run, count)) ++count;
  return count;
}

QString startUpTitle(const RunModel& run) {
  return tr("Start-up: %1 is too high").arg(views::scaleText(run.events().front().scale));
}

}  // namespace binade::app

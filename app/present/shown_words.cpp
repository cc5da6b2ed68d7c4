// SPDX-License-Identifier: Apache-2.0
#include "app/present/shown_words.h"

#include "app/model/translate.h"
#include "views/values/numbers.h"

namespace binade::app {

QString laterText(const RunModel& run, std::int64_t step) {
  if (run.isShown(step)) return {};
  return tr("of step %1, after the shown one").arg(views::grouped(step));
}

QString shownText(const RunModel& run, std::int64_t observed) {
  const auto shown = run.shownStep();
  if (!shown) return {};
  if (observed == *shown) return tr("step %1").arg(views::grouped(*shown));
  if (observed < 0) return tr("step %1, not observed until then").arg(views::grouped(*shown));
  return tr("step %1, observed at %2").arg(views::grouped(*shown), views::grouped(observed));
}

}  // namespace binade::app

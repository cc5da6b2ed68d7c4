// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/run_losses.h"

#include "app/model/translate.h"
#include "engine/policy/base_policy.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::app {

namespace {

// The format in which a base list computes most op calls; it gives the colour.
formats::Format mainFormat(policy::Base base) {
  if (base == policy::Base::kAllFloat32 || base == policy::Base::kApexO0) return formats::kFloat32;
  const auto preset = policy::base_policy(policy::name(base));
  return preset ? preset->low : formats::kFloat16;
}

double highest(const std::vector<TrainingLosses>& trainings) {
  double top = 0;
  for (const TrainingLosses& each : trainings) {
    for (const lessons::Point& point : each.losses) {
      if (std::isfinite(point.y)) top = std::max(top, point.y);
    }
  }
  return top > 0 ? top * 1.05 : 1;
}

// A training has the same colour in every panel and while it runs: that of its format. The first one has another if it
// is not in float32, because those it is compared with usually share its format.
lessons::Series lineOf(const TrainingLosses& training, bool first) {
  const formats::Format format = mainFormat(training.training.policy);
  const bool own = first && format != formats::kFloat32;
  return {.title = training.training.name,
          .points = training.losses,
          .format = own ? std::nullopt : std::optional(format),
          .role = own ? lessons::Role::kPast : lessons::Role::kPlain};
}

lessons::Panel panelOf(std::vector<lessons::Series> series, std::int64_t steps, double top) {
  lessons::Panel panel;
  panel.title = series.back().title;
  panel.x = {
      .label = tr("step").toStdString(), .low = 0, .high = static_cast<double>(std::max<std::int64_t>(steps, 1))};
  panel.y = {.label = tr("loss").toStdString(), .low = 0, .high = top};
  panel.series = std::move(series);
  return panel;
}

std::string lossText(double loss) {
  return std::isnan(loss) ? "–" : views::figure(loss).toStdString();
}

}  // namespace

double TrainingLosses::lastLoss() const {
  const std::size_t count = std::min(kLast, losses.size());
  if (count == 0) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (std::size_t i = losses.size() - count; i < losses.size(); ++i) sum += losses[i].y;
  return sum / static_cast<double>(count);
}

lessons::FigureData lossFigure(const std::vector<TrainingLosses>& trainings, std::int64_t steps) {
  lessons::FigureData figure;
  figure.title = tr("Losses of the trainings").toStdString();
  figure.table.heads = {tr("training").toStdString(), tr("steps").toStdString(), tr("skipped").toStdString(),
                        tr("loss, last ten steps").toStdString()};
  if (trainings.empty()) return figure;
  const double top = highest(trainings);
  const TrainingLosses& first = trainings.front();
  if (trainings.size() == 1 || trainings[1].losses.empty()) {
    figure.panels.push_back(panelOf({lineOf(first, true)}, steps, top));
  }
  for (std::size_t i = 0; i < trainings.size(); ++i) {
    const TrainingLosses& each = trainings[i];
    if (i > 0 && !each.losses.empty()) {
      figure.panels.push_back(panelOf({lineOf(first, true), lineOf(each, false)}, steps, top));
    }
    const std::string& name = each.training.name;
    const double loss = each.lastLoss();
    figure.table.rows.push_back(
        {name, std::to_string(each.losses.size()), std::to_string(each.skipped), lossText(loss)});
    figure.facts.push_back({name, loss, lossText(loss)});
    if (each.losses.empty()) continue;
    figure.text += (figure.text.empty() ? "" : " ") + tr("%1 ends at a loss of %2 after %3 steps, %4 of them skipped.")
                                                          .arg(QString::fromStdString(name))
                                                          .arg(QString::fromStdString(lossText(loss)))
                                                          .arg(views::grouped(each.losses.size()))
                                                          .arg(views::grouped(each.skipped))
                                                          .toStdString();
  }
  return figure;
}

}  // namespace binade::app

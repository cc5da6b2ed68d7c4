// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/run_history.h"

#include <algorithm>
#include <cstddef>

namespace binade::host {

namespace {

bool is_plain(const wire::StepRecord& step) {
  return step.stepped && step.new_tensors.empty();
}

}  // namespace

void RunHistory::add(wire::NotificationRef notification) {
  notification.visit(wire::Overloaded{
      [this](const wire::LogLine& line) {
        if (line.level != "progress") entries_.add(line);
      },
      [this](const wire::StepRecord& step) {
        step_ = step.step + 1;
        entries_.add(step);
      },
      [this](const wire::Rewound& rewound) {
        step_ = rewound.step;
        entries_.add(rewound);
      },
      [this]<class T>(const T& value) {
        if constexpr (wire::OneOf<T, wire::Sent>) entries_.add(value);
      },
  });
}

wire::CaughtUp RunHistory::pass_to(const std::function<void(Outgoing)>& take, bool slow_link) const {
  const auto& entries = entries_.entries();
  wire::CaughtUp lacks{.step = step_, .steps = entries_.left_out().steps, .statistics = entries_.left_out().statistics};
  const auto is_step = [](const Outgoing& item) { return std::holds_alternative<wire::StepRecord>(item); };
  const auto is_observed = [](const Outgoing& item) {
    const auto* step = std::get_if<wire::StepRecord>(&item);
    return step != nullptr && !step->observations.empty();
  };
  std::int64_t later = slow_link ? std::count_if(entries.begin(), entries.end(), is_step) : 0;
  std::int64_t later_observed = slow_link ? std::count_if(entries.begin(), entries.end(), is_observed) : 0;
  for (const Outgoing& item : entries) {
    const auto* step = std::get_if<wire::StepRecord>(&item);
    if (!slow_link || step == nullptr) {
      take(item);
      continue;
    }
    const auto statistics = static_cast<std::int64_t>(step->observations.size());
    const bool is_newest_observed = statistics > 0 && --later_observed == 0;
    if (later-- > kStepsOnSlowLink && is_plain(*step)) {
      ++lacks.steps;
      lacks.statistics += statistics;
      continue;
    }
    wire::StepRecord kept = *step;
    if (!is_newest_observed) {
      lacks.statistics += statistics;
      kept.observations = {};
    }
    take(std::move(kept));
  }
  return lacks;
}

}  // namespace binade::host

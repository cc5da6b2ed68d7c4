// SPDX-License-Identifier: Apache-2.0
#include "app/model/vanished_overflow.h"

#include <algorithm>

namespace binade::app {

namespace {

constexpr std::int64_t kLooksWithout = 5;

bool lasts(const RunModel& run, const wire::SilentReport& report, const wire::SilentFault& fault) {
  if (fault.kind != wire::SilentFault::Kind::kVanishedOverflow) return false;
  const std::int64_t steps = report.last_step - report.first_step + 1;
  const std::int64_t apart = std::max<std::int64_t>(1, steps / std::max<std::int64_t>(1, report.observed_steps));
  const std::int64_t now = run.steps().empty() ? report.last_step : run.shownPoint().step;
  return now - fault.last_step <= kLooksWithout * apart;
}

template <class Wanted>
const wire::SilentFault* find(const RunModel& run, const Wanted& wanted) {
  if (!run.shownSilent()) return nullptr;
  const auto& faults = run.shownSilent()->faults;
  const auto found = std::find_if(faults.begin(), faults.end(), [&](const wire::SilentFault& fault) {
    return wanted(fault) && lasts(run, *run.shownSilent(), fault);
  });
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace

const wire::SilentFault* vanishedOverflowAt(const RunModel& run, int site) {
  return find(run, [site](const wire::SilentFault& fault) { return fault.site == site; });
}

const wire::SilentFault* worstVanishedOverflow(const RunModel& run) {
  return find(run, [](const wire::SilentFault&) { return true; });
}

}  // namespace binade::app

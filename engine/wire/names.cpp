// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/enum_text.h"

#include <algorithm>

namespace binade::wire {

std::string name(WatchedTensor::Kind kind) {
  return std::string(word(kind));
}
std::string name(Event::Kind kind) {
  return std::string(word(kind));
}
std::string name(Direction direction) {
  return std::string(word(direction));
}
std::string name(Root::Fault fault) {
  return std::string(word(fault));
}
std::string name(Verdict verdict) {
  return std::string(word(verdict));
}
std::string name(SilentFault::Kind kind) {
  return std::string(word(kind));
}
SilentVerdict verdict_of(const SilentReport& report) {
  if (!report.faults.empty()) return SilentVerdict::kFaults;
  return report.observed_steps < SilentReport::kFewestObservedSteps ? SilentVerdict::kNotKnownYet
                                                                    : SilentVerdict::kNone;
}
std::string name(SilentVerdict verdict) {
  switch (verdict) {
    case SilentVerdict::kFaults:
      return "faults";
    case SilentVerdict::kNone:
      return "none";
    case SilentVerdict::kNotKnownYet:
      break;
  }
  return "not_known_yet";
}
MoreObservedSteps more_observed_steps(const SilentReport& report, std::int64_t every) {
  MoreObservedSteps more;
  const std::int64_t interval = std::max<std::int64_t>(every, 1);
  const std::int64_t lacking = SilentReport::kFewestObservedSteps - report.observed_steps;
  // The first one may come sooner than after a whole interval.
  const std::int64_t next = (report.last_step + interval) / interval * interval;
  if (lacking > 0) more.steps = next + (lacking - 1) * interval - report.last_step;
  const std::int64_t enough = report.steps() / SilentReport::kFewestObservedSteps;
  if (enough < interval) more.every = enough;
  return more;
}
std::string name(Outcome outcome) {
  return std::string(word(outcome));
}
std::string name(RunState state) {
  return std::string(word(state));
}

}  // namespace binade::wire

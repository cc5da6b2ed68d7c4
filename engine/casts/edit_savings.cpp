// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/edit_savings.h"

#include "engine/autocast/ledger.h"
#include "engine/graph/failure.h"
#include "engine/words/cast_text.h"

#include <algorithm>
#include <chrono>
#include <exception>

namespace binade::casts {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

void EditSavings::reset() {
  present_.reset();
  savings_.clear();
  seconds_ = 0;
}

double EditSavings::seconds_of_next() const {
  // Two forwards under the current policy, and two under the edited one.
  return present_ ? 4 * present_->seconds : 0;
}

bool EditSavings::try_next(const wire::CastLedger& casts) {
  const auto is_open = [this](const wire::CastLine& line) {
    return line.edit_format && !savings_.contains(words::cast_edit(line));
  };
  const auto line = std::find_if(casts.lines.begin(), casts.lines.end(), is_open);
  if (line == casts.lines.end()) return false;
  const auto start = Clock::now();
  const std::string edit = words::cast_edit(*line);
  Saving& saving = savings_[edit];
  try {
    // Measured anew: bytes may depend on the batch, and times vary.
    present_ = try_forward(training_, training_.policy);
    policy::Policy edited = training_.config.policy;
    policy::SiteRule& rule = edited.sites.emplace_back();
    rule.match = line->edit_match;
    rule.format = *line->edit_format;
    const auto resolved = train::resolve(training_, edited, training_.policy->revision);
    const TriedForward seen = try_forward(training_, resolved);
    // A step has one forward per micro-batch.
    const auto batches = static_cast<double>(training_.config.accumulate);
    saving.left = seen.cast_arguments;
    saving.bytes = (seen.bytes - present_->bytes) * batches;
    if (shows_time(training_, *training_.policy) && shows_time(training_, *resolved)) {
      saving.seconds = (seen.seconds - present_->seconds) * batches;
    }
  } catch (const std::exception& error) {
    // With other formats an op may fail, or memory may run out.
    failures_.push_back("What " + edit +
                        " would save is not known, because trying it failed: " + graph::reason_of(error));
  }
  seconds_ += seconds_since(start);
  return true;
}

bool EditSavings::is_left(const wire::CastLine& line, const Saving& saving) const {
  const auto same = [&](const std::pair<int, int>& left) {
    const auto& [site, argument] = left;
    if (site != line.site) return false;
    if (argument == autocast::CastLedger::kInside) return line.argument.empty();
    const graph::Site& at = *training_.sites[static_cast<std::size_t>(site)];
    return at.argument_names[static_cast<std::size_t>(argument)] == line.argument;
  };
  return std::any_of(saving.left.begin(), saving.left.end(), same);
}

void EditSavings::fill(wire::CastLedger& casts) const {
  for (wire::CastLine& line : casts.lines) {
    const auto known = line.edit_format ? savings_.find(words::cast_edit(line)) : savings_.end();
    if (known == savings_.end()) continue;
    if (is_left(line, known->second)) {
      line.edit_match.clear();
      line.edit_format.reset();
      continue;
    }
    line.edit_bytes = known->second.bytes;
    line.edit_seconds = known->second.seconds;
  }
}

}  // namespace binade::casts

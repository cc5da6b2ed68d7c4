// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/edit_savings.h"

#include "engine/autocast/ledger.h"
#include "engine/graph/failure.h"
#include "engine/train/batch_pass.h"
#include "engine/train/training_state_guard.h"
#include "engine/words/cast_text.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>

namespace binade::casts {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Emulated formats take a different time than native ones, and on a device the host's time does not show the work.
bool shows_time(const train::Training& training, const policy::Resolved& policy) {
  const auto emulated = [](const policy::Decision& decision) {
    return decision.kind == policy::Decision::Kind::kFormat && decision.execution == policy::Execution::kEmulated;
  };
  return training.device.is_cpu() && std::none_of(policy.sites.begin(), policy.sites.end(), emulated);
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

EditSavings::Forward EditSavings::forward(const std::shared_ptr<const policy::Resolved>& policy) {
  Forward seen;
  train::TrainingStateGuard guard(training_);
  const at::NoGradGuard no_history;
  for (const bool again : {false, true}) {
    if (again) guard.restore();
    const batches::Batch batch = train::on_device(training_, training_.data->peek(0));
    autocast::CastLedger ledger;
    autocast::Autocast casts(training_.device.type());
    casts.set_policy(policy);
    casts.set_ledger(&ledger);
    const std::array<graph::SiteHook*, 1> hooks{&casts};
    const auto start = Clock::now();
    train::BatchPass pass(training_, casts, batch, hooks);
    pass.run_losses();
    const double seconds = seconds_since(start);
    seen.seconds = again ? std::min(seen.seconds, seconds) : seconds;
    seen.bytes = static_cast<double>(ledger.total().bytes);
  }
  return seen;
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
    present_ = forward(training_.policy);  // measured anew: bytes may depend on the batch, and times vary
    policy::Policy edited = training_.config.policy;
    policy::SiteRule& rule = edited.sites.emplace_back();
    rule.match = line->edit_match;
    rule.format = *line->edit_format;
    const auto resolved = train::resolve(training_, edited, training_.policy->revision);
    const Forward seen = forward(resolved);
    // A step has one forward per micro-batch.
    const auto batches = static_cast<double>(training_.config.accumulate);
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

void EditSavings::fill(wire::CastLedger& casts) const {
  for (wire::CastLine& line : casts.lines) {
    const auto known = line.edit_format ? savings_.find(words::cast_edit(line)) : savings_.end();
    if (known == savings_.end()) continue;
    line.edit_bytes = known->second.bytes;
    line.edit_seconds = known->second.seconds;
  }
}

}  // namespace binade::casts

// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/tried_forward.h"

#include "engine/autocast/ledger.h"
#include "engine/train/batch_pass.h"
#include "engine/train/training_state_guard.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

namespace binade::casts {

TriedForward try_forward(train::Training& training, const std::shared_ptr<const policy::Resolved>& policy,
                         graph::SiteHook* inside) {
  TriedForward seen;
  train::TrainingStateGuard guard(training);
  const at::NoGradGuard no_history;
  for (const bool again : {false, true}) {
    if (again) guard.restore();
    const batches::Batch batch = train::on_device(training, training.data->peek(0));
    autocast::CastLedger ledger;
    autocast::Autocast casts(training.device.type());
    casts.set_policy(policy);
    casts.products().follow(training.autocast.products());
    casts.set_ledger(&ledger);
    const std::array<graph::SiteHook*, 2> hooks{&casts, inside};
    const bool watched = inside != nullptr && !again;
    const auto start = std::chrono::steady_clock::now();
    train::BatchPass pass(training, casts, batch, std::span(hooks).first(watched ? 2 : 1));
    pass.run_losses();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    seen.seconds = again ? std::min(seen.seconds, seconds) : seconds;
    const autocast::CastCount total = ledger.total();
    seen.bytes = static_cast<double>(total.bytes);
    seen.casts = static_cast<double>(total.made);
    seen.cast_arguments.clear();
    for (const autocast::LedgerRow& row : ledger.rows()) {
      if (row.count.made > 0) seen.cast_arguments.emplace(row.site, row.argument);
    }
  }
  return seen;
}

bool is_emulated(const policy::Resolved& policy) {
  const auto emulates = [](const policy::Decision& decision) {
    return decision.kind == policy::Decision::Kind::kFormat && decision.execution == policy::Execution::kEmulated;
  };
  return std::any_of(policy.sites.begin(), policy.sites.end(), emulates) ||
         std::any_of(policy.calls.begin(), policy.calls.end(), [&](const auto& call) { return emulates(call.second); });
}

bool shows_time(const train::Training& training, const policy::Resolved& policy) {
  return training.device.is_cpu() && !is_emulated(policy);
}

}  // namespace binade::casts

// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/forward_costs.h"

#include "engine/autocast/autocast.h"
#include "engine/autocast/ledger.h"
#include "engine/observe/values.h"
#include "engine/train/batch_pass.h"

#include <ATen/core/grad_mode.h>

#include <array>

namespace binade::tuning {

namespace {

/// Records the sites that run and the memory of their results.
class ResultBytes : public graph::SiteHook {
 public:
  explicit ResultBytes(ForwardCosts& costs) : costs_(costs) {}

  void after(graph::Call& call) override {
    const auto made = costs_.sites.try_emplace(call.site.id);
    auto& site = made.first->second;
    if (made.second) costs_.order.push_back(call.site.id);
    if (call.site.view || call.site.in_place) return;
    for (std::size_t i = 0; i < call.site.outputs; ++i) {
      observe::each_tensor(call.result(i), [&](const at::Tensor& result) {
        if (result.layout() != at::kStrided) return;
        site.output_bytes += static_cast<double>(result.nbytes());
      });
    }
  }

 private:
  ForwardCosts& costs_;
};

}  // namespace

ForwardCosts forward_costs(train::Training& training, train::TrainingStateGuard& guard) {
  const at::NoGradGuard no_history;
  ForwardCosts costs;
  autocast::CastLedger ledger;
  autocast::Autocast casts(training.device.type());
  casts.set_policy(training.policy);
  casts.products().follow(training.autocast.products());
  casts.set_ledger(&ledger);
  ResultBytes results(costs);
  const std::array<graph::SiteHook*, 2> hooks{&results, &casts};
  for (std::int64_t i = 0; i < training.config.accumulate; ++i) {
    const batches::Batch batch = train::on_device(training, training.data->peek(i));
    train::BatchPass(training, casts, batch, hooks).run_losses();
  }
  guard.restore();
  for (const autocast::LedgerRow& row : ledger.rows()) {
    SiteCosts& site = costs.sites[row.site];
    site.casts += static_cast<double>(row.count.made);
    site.cast_bytes += static_cast<double>(row.count.bytes);
  }
  return costs;
}

}  // namespace binade::tuning

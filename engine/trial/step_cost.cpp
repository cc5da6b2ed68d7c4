// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/step_cost.h"

#include "engine/autocast/ledger.h"
#include "engine/formats/format.h"
#include "engine/observe/site_timer.h"
#include "engine/run/step.h"
#include "engine/train/batch_pass.h"
#include "engine/train/training_state_guard.h"
#include "engine/trial/peak_memory.h"

#include <ATen/core/grad_mode.h>

#include <array>
#include <exception>
#include <map>

namespace binade::trial {

namespace {

/// Counts the casts of a training's steps during its lifetime.
class CountedCasts {
 public:
  explicit CountedCasts(train::Training& training) : training_(training) { training_.autocast.set_ledger(&ledger_); }
  ~CountedCasts() { training_.autocast.set_ledger(nullptr); }
  CountedCasts(const CountedCasts&) = delete;
  CountedCasts& operator=(const CountedCasts&) = delete;

  autocast::CastCount total() const { return ledger_.total(); }

 private:
  train::Training& training_;
  autocast::CastLedger ledger_;
};

/// Records the shape of each site's product, as in its first call, and counts the calls.
class ProductHook : public graph::SiteHook {
 public:
  void before(graph::Call& call) override {
    const auto found = products_.find(call.site.id);
    if (found != products_.end()) {
      ++found->second.calls;
    } else if (const auto shape = observe::matmul_shape_of(call)) {
      products_.emplace(call.site.id,
                        SiteProduct{.site = call.site.id,
                                    .shape = {.m = shape->m, .n = shape->n, .k = shape->k, .batches = shape->batches},
                                    .calls = 1});
    }
  }

  std::vector<SiteProduct> products(double batches) const {
    std::vector<SiteProduct> all;
    for (const auto& [site, product] : products_) {
      all.push_back(product);
      all.back().calls *= batches;
    }
    return all;
  }

 private:
  std::map<int, SiteProduct> products_;
};

}  // namespace

StepCost measure_step(train::Training& training, std::int64_t step) {
  StepCost cost;
  try {
    const CountedCasts casts(training);
    run::Stepper stepper(training, /*replays=*/false);
    training.buffers.keep();  // allocates its copies once
    const PeakMemory memory(training.device);
    const run::StepOutcome outcome = stepper.run(step);
    cost.loss = outcome.record.loss;
    cost.peak_bytes = static_cast<double>(memory.bytes());
    const autocast::CastCount total = casts.total();
    cost.casts = static_cast<double>(total.made);
    cost.cast_bytes = static_cast<double>(total.bytes);
  } catch (const std::exception&) {  // the arm that makes the same step reports it
    return {};
  }
  return cost;
}

std::vector<SiteProduct> find_products(train::Training& training) {
  ProductHook products;
  try {
    const train::TrainingStateGuard guard(training);
    const at::NoGradGuard no_history;
    const batches::Batch batch = train::on_device(training, training.data->peek(0));
    autocast::Autocast casts(training.device.type());
    casts.set_policy(training.policy);
    casts.products().follow(training.autocast.products());
    const std::array<graph::SiteHook*, 2> hooks{&products, &casts};
    train::BatchPass pass(training, casts, batch, hooks);
    pass.run_losses();
  } catch (const std::exception&) {
    // A cost without products is reported as unknown; the Try itself reports why the model fails.
    return {};
  }
  return products.products(static_cast<double>(training.config.accumulate));
}

std::vector<profiler::StepProduct> with_formats(const std::vector<SiteProduct>& products,
                                                const policy::Resolved& policy) {
  std::vector<profiler::StepProduct> all;
  for (const SiteProduct& product : products) {
    const policy::Decision& decision = policy.sites[static_cast<std::size_t>(product.site)];
    const bool cast = decision.kind == policy::Decision::Kind::kFormat;
    all.push_back(
        {.shape = product.shape, .format = cast ? formats::name(decision.format) : "float32", .calls = product.calls});
  }
  return all;
}

}  // namespace binade::trial

// SPDX-License-Identifier: Apache-2.0
#include "engine/train/compare_float32.h"

#include "engine/autocast/cast_scope.h"
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/observe/compare.h"
#include "engine/train/untouched.h"

#include <algorithm>
#include <array>

namespace binade::train {

namespace {

constexpr char kAny = '*';  // not assigned as a string: GCC 12 takes that for an overlap

policy::Policy float32_policy() {
  policy::Policy policy;
  policy.base = policy::Base::kAllFloat32;
  // A rule for every site also overrules a model's own autocast blocks.
  policy::SiteRule& all = policy.sites.emplace_back();
  all.match.push_back(kAny);
  all.format = formats::kFloat32;
  return policy;
}

/// Answers what the model, or a loss, asks of autocast: the same in both runs, so that both take the same way.
class Answers : public graph::SiteHook {
 public:
  explicit Answers(const policy::Resolved& policy) : policy_(policy) {}
  std::optional<bool> autocast_enabled(policy::Base device, const policy::OwnBlock* innermost) override {
    return policy_.answers_enabled(device, innermost);
  }

 private:
  const policy::Resolved& policy_;
};

/// The scale of a loss's own scaler beside the first one's.
double share_of(const Training& training, const Loss& loss) {
  if (training.scalers.size() == 1) return 1;
  return training.scalers.scale(training.scalers.index_of(loss.config().scaler)) / training.scalers.scale(0);
}

/// What LibTorch refuses in the model's backward is no fault of ours.
void backward(const at::Tensor& loss) {
  try {
    loss.backward();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (graph::is_out_of_memory(error)) throw;
    throw Error(ErrorCode::kBadModel, "LibTorch refuses the model's backward: " + graph::reason_of(error),
                "`binade-engine verify` names the op call, with its line.");
  }
}

/// Forward, losses and backward of one micro-batch; the weighted loss.
double run(Training& training, autocast::Autocast& casts, observe::Comparison& comparison, graph::SiteHook& hook,
           const Batch& batch, double scale) {
  Answers answers(*training.policy);
  const std::array<graph::SiteHook*, 3> hooks{&hook, &answers, &casts};
  at::Tensor sum;      // that gradients are taken of
  double weighed = 0;  // what the step is told to have lost
  {
    const autocast::CastScope scope(casts);
    const c10::IValue output = training.forward.run(batch.inputs, hooks);
    for (Loss& loss : training.losses) {
      at::Tensor value = loss(output, batch, hooks).mul(loss.config().weight);
      weighed += value.detach().to(at::kDouble).item<double>();
      const double share = share_of(training, loss);
      if (share != 1) value = value.mul(share);
      sum = sum.defined() ? sum.add(value) : value;
    }
  }
  comparison.begin_backward();
  backward(sum.mul(scale));
  return weighed;
}

}  // namespace

wire::Float32Comparison compare_with_float32(Training& training, std::int64_t step) {
  Untouched untouched(training);
  const std::int64_t batches = training.config.accumulate;
  const auto share = static_cast<double>(batches);
  wire::Float32Comparison result;
  result.step = step;
  result.scale = training.scalers.scale(0);
  observe::Comparison comparison;
  const auto pass = [&](std::shared_ptr<const policy::Resolved> policy, bool reference, double& loss) {
    autocast::Autocast casts(training.device.type());
    casts.set_policy(std::move(policy));
    const double scale = reference ? 1 : result.scale;
    for (std::int64_t i = 0; i < batches; ++i) {
      // Anew in each pass: a model may write its inputs in place.
      const Batch batch = on_device(training, training.data->peek(i));
      if (reference) {
        comparison.begin_reference(static_cast<int>(i), scale);
      } else {
        comparison.begin_compared(static_cast<int>(i), scale);
      }
      loss +=
          run(training, casts, comparison, reference ? comparison.reference() : comparison.compared(), batch, scale) /
          share;
      comparison.end_pass();
    }
  };
  pass(resolve(training, float32_policy(), 0), true, result.float32_loss);
  untouched.restore();
  pass(training.policy, false, result.loss);
  for (const observe::SiteDifference& site : comparison.differences()) {
    result.sites.push_back({site.site, site.calls, site.forward, site.added, site.measured, site.gradient, site.cosine,
                            site.gradient_added, site.arrived, site.inherited, site.becomes, site.becomes_at,
                            site.zeroed, site.gradient_zeroed});
  }
  return result;
}

}  // namespace binade::train

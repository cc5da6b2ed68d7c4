// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/compare_float32.h"

#include "engine/compare/compare.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/failure.h"
#include "engine/observe/own_cast.h"
#include "engine/observe/values.h"
#include "engine/policy/base_policy.h"
#include "engine/train/batch_pass.h"
#include "engine/train/same_draws.h"
#include "engine/train/training_state_guard.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace binade::compare {

namespace {

/// Answers queries of autocast's state, equally in both runs, so that both take the same control flow.
class Answers : public graph::SiteHook {
 public:
  explicit Answers(const policy::Resolved& policy) : policy_(policy) {}
  std::optional<bool> autocast_enabled(policy::Base device, const policy::OwnBlock* innermost) override {
    return policy_.answers_enabled(device, innermost);
  }

 private:
  const policy::Resolved& policy_;
};

/// Returns the scale of a loss's scaler relative to the first one's.
double share_of(const train::Training& training, const train::Loss& loss) {
  if (training.scalers.size() == 1) return 1;
  return training.scalers.scale(training.scalers.index_of(loss.config().scaler)) / training.scalers.scale(0);
}

void backward(const at::Tensor& loss) {
  try {
    loss.backward();
  } catch (const std::exception& error) {
    throw graph::backward_failure(error, "`binade-engine verify` names the op call, with its line.");
  }
}

/// The loss of one micro-batch.
struct Lost {
  at::Tensor sum;      ///< for backward
  double weighed = 0;  ///< contribution to the reported loss
};

Lost forward(train::Training& training, autocast::Autocast& casts, const std::vector<graph::SiteHook*>& hooks,
             const batches::Batch& batch) {
  Lost lost;
  train::BatchPass pass(training, casts, batch, hooks);
  for (std::size_t i = 0; i < training.losses.size(); ++i) {
    const train::Loss& loss = training.losses[i];
    at::Tensor value = pass.loss(i).mul(loss.config().weight);
    lost.weighed += value.detach().to(at::kDouble).item<double>();
    const double share = share_of(training, loss);
    if (share != 1) value = value.mul(share);
    lost.sum = lost.sum.defined() ? lost.sum.add(value) : value;
  }
  return lost;
}

/// Records the random numbers that the model draws under its policy. Runs nothing if it draws none.
void note_draws(train::Training& training, train::TrainingStateGuard& guard, train::SameDraws& draws) {
  const auto draws_some = [](const graph::Site* site) { return train::is_random_source(*site); };
  if (std::none_of(training.sites.begin(), training.sites.end(), draws_some)) return;
  const at::NoGradGuard no_history;
  autocast::Autocast casts(training.device.type());
  casts.set_policy(training.policy);
  casts.products().follow(training.autocast.products());
  Answers answers(*training.policy);
  for (std::int64_t i = 0; i < training.config.accumulate; ++i) {
    draws.begin(static_cast<int>(i));
    forward(training, casts, {&answers, &casts, &draws}, train::on_device(training, training.data->peek(i)));
  }
  draws.repeat();
  guard.restore();
}

std::vector<wire::ReferenceNote> notes_of(const train::Training& training, const observe::LiftedNarrowings& casts) {
  using Kind = wire::ReferenceNote::Kind;
  std::vector<wire::ReferenceNote> notes;
  for (const int site : casts.lifted()) notes.push_back({Kind::kLiftedCast, site, {}, {}});
  for (const auto& [site, dtype] : casts.low()) notes.push_back({Kind::kLowResult, site, {}, graph::dtype_name(dtype)});
  const auto add = [&notes](Kind kind, const std::string& name, const at::Tensor& tensor) {
    if (!tensor.defined() || !at::isReducedFloatingType(tensor.scalar_type())) return;
    notes.push_back({kind, -1, name, graph::dtype_name(tensor.scalar_type())});
  };
  for (const auto& [name, parameter] : training.model.parameters()) add(Kind::kParameter, name, parameter);
  for (const auto& [name, buffer] : training.model.buffers()) add(Kind::kBuffer, name, buffer);
  const std::vector<c10::IValue> inputs = training.data->peek(0).inputs;
  const auto& arguments = training.forward.schema().arguments();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = i + 1 < arguments.size() ? arguments[i + 1].name() : std::to_string(i);
    observe::each_tensor(inputs[i], [&](const at::Tensor& tensor) { add(Kind::kInput, name, tensor); });
  }
  if (casts.opaque()) notes.push_back({Kind::kOpaque, -1, {}, {}});
  return notes;
}

}  // namespace

wire::Float32Comparison compare_with_float32(train::Training& training, std::int64_t step) {
  train::TrainingStateGuard guard(training);
  const std::int64_t batches = training.config.accumulate;
  const auto share = static_cast<double>(batches);
  wire::Float32Comparison result;
  result.step = step;
  result.scale = training.scalers.scale(0);
  std::optional<Comparison> comparison;
  std::optional<observe::LiftedNarrowings> own_casts;
  train::SameDraws draws(training.device);
  note_draws(training, guard, draws);
  const auto pass = [&](std::shared_ptr<const policy::Resolved> policy, bool reference, double& loss) {
    autocast::Autocast casts(training.device.type());
    casts.set_policy(std::move(policy));
    casts.products().follow(training.autocast.products());
    casts.products().begin_step(training.config.seed, step);
    const double scale = reference ? 1 : result.scale;
    loss = 0;
    for (std::int64_t i = 0; i < batches; ++i) {
      // Created in each pass, because a model may write its inputs in place.
      const batches::Batch batch = train::on_device(training, training.data->peek(i));
      if (reference) {
        comparison->begin_reference(static_cast<int>(i), scale);
      } else {
        comparison->begin_compared(static_cast<int>(i), scale);
      }
      Answers answers(*training.policy);
      std::vector<graph::SiteHook*> hooks{reference ? &comparison->reference() : &comparison->compared(), &answers,
                                          &casts};
      if (reference) hooks.insert(hooks.end(), {&*own_casts, &draws});
      draws.begin(static_cast<int>(i));
      const Lost lost = forward(training, casts, hooks, batch);
      comparison->begin_backward();
      backward(lost.sum.mul(scale));
      loss += lost.weighed / share;
      comparison->end_pass();
    }
  };
  const auto reference = [&](bool lifts) {
    comparison.emplace();
    own_casts.emplace();
    own_casts->set_lifting(lifts);
    pass(train::resolve(training, policy::float32_throughout(), 0), true, result.float32_loss);
    guard.restore();
  };
  std::string kept;
  try {
    reference(true);
  } catch (const Error& error) {
    const bool of_model = error.code == ErrorCode::kBadModel || error.code == ErrorCode::kBadRun;
    if (!of_model || own_casts->lifted().empty()) throw;
    kept = error.what();
  }
  if (!kept.empty()) {
    // The model may require a dtype that it produced itself. If that was not the reason, it fails again.
    guard.restore();
    reference(false);
  }
  pass(training.policy, false, result.loss);
  result.sites = comparison->differences();
  result.reference = notes_of(training, *own_casts);
  if (!kept.empty()) result.reference.push_back({wire::ReferenceNote::Kind::kCastsKept, -1, kept, {}});
  return result;
}

}  // namespace binade::compare

// SPDX-License-Identifier: Apache-2.0
#include "engine/train/evaluation.h"

#include "engine/autocast/cast_scope.h"
#include "engine/train/output_path.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <limits>

namespace binade::train {

std::optional<wire::Evaluated> evaluate(Training& training, std::int64_t step, const std::function<bool()>& stopped) {
  if (training.data->test_batches() == 0) return std::nullopt;
  const Aside aside(training);
  std::array<graph::SiteHook*, 1> hooks{&training.autocast};
  const auto options = at::TensorOptions().device(training.device);
  at::Tensor right = at::zeros({}, options.dtype(at::kLong));
  at::Tensor loss_sum = at::zeros({}, options.dtype(at::kDouble));
  std::int64_t examples = 0;
  std::int64_t judgements = 0;
  const auto first =
      std::find_if(training.losses.begin(), training.losses.end(), [](const Loss& loss) { return loss.classifies(); });
  const bool drawn = training.config.data.kind == "synthetic";  // nothing can be right about labels that were drawn
  const Loss* const judged = drawn || first == training.losses.end() ? nullptr : &*first;
  for (std::int64_t i = 0; i < training.data->test_batches(); ++i) {
    if (stopped()) return std::nullopt;
    const Batch batch = on_device(training, training.data->test_batch(i));
    const autocast::CastScope scope(training.autocast);
    const c10::IValue output = training.forward.run(batch.inputs, hooks);
    examples += batch.examples;
    for (Loss& loss : training.losses) {
      const double share = loss.config().weight * static_cast<double>(batch.examples);
      loss_sum.add_(loss(output, batch, hooks).to(at::kDouble), share);
    }
    if (judged != nullptr) {
      const at::Tensor& target = batch.target(judged->config().target);
      right.add_(select_output(output, judged->outputs().front()).argmax(1).eq(target).sum());
      judgements += target.numel();
    }
  }
  wire::Evaluated evaluated;
  evaluated.step = step;
  evaluated.loss = loss_sum.item<double>() / static_cast<double>(examples);
  evaluated.accuracy = judged == nullptr
                           ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(right.item<std::int64_t>()) / static_cast<double>(judgements);
  return evaluated;
}

}  // namespace binade::train

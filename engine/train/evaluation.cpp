// SPDX-License-Identifier: Apache-2.0
#include "engine/train/evaluation.h"

#include "engine/train/output_path.h"

#include <ATen/ops/zeros.h>

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
  for (std::int64_t i = 0; i < training.data->test_batches(); ++i) {
    if (stopped()) return std::nullopt;
    const Batch batch = on_device(training, training.data->test_batch(i));
    training.autocast.begin();
    try {
      const at::Tensor output = select_output(training.forward.run(batch.inputs, hooks), training.config.output);
      const at::Tensor loss =
          training.loss(output, training.loss.takes_target() ? batch.target() : at::Tensor(), hooks);
      const std::int64_t count = batch.examples;
      examples += count;
      loss_sum.add_(loss.to(at::kDouble), static_cast<double>(count));
      if (training.loss.takes_target()) right.add_(output.argmax(1).eq(batch.target()).sum());
    } catch (...) {
      training.autocast.end();
      throw;
    }
    training.autocast.end();
  }
  wire::Evaluated evaluated;
  evaluated.step = step;
  evaluated.loss = loss_sum.item<double>() / static_cast<double>(examples);
  evaluated.accuracy = training.loss.takes_target()
                           ? static_cast<double>(right.item<std::int64_t>()) / static_cast<double>(examples)
                           : std::numeric_limits<double>::quiet_NaN();
  return evaluated;
}

}  // namespace binade::train

// SPDX-License-Identifier: Apache-2.0
#include "engine/run/evaluation.h"

#include "engine/files/label_range.h"
#include "engine/observe/values.h"
#include "engine/train/batch_pass.h"
#include "engine/train/output_path.h"
#include "engine/train/training_state_guard.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace binade::run {

namespace {

/// Returns the number of values that a batch's loss averages: examples, or valid labels.
std::int64_t examples_of(const train::Loss& loss, const batches::Batch& batch) {
  if (!loss.classifies()) return batch.examples;
  return batch.target(loss.config().target).ne(files::kIgnoredLabel).sum().item<std::int64_t>();
}

}  // namespace

std::optional<wire::Evaluated> evaluate(train::Training& training, std::int64_t step,
                                        const std::function<bool()>& stopped) {
  if (training.data->test_batches() == 0) return std::nullopt;
  const train::TrainingStateGuard guard(training, train::TrainingStateGuard::Mode::kEvaluate);
  std::array<graph::SiteHook*, 1> hooks{&training.autocast};
  const auto options = at::TensorOptions().device(training.device);
  at::Tensor right = at::zeros({}, options.dtype(at::kLong));
  std::vector<at::Tensor> sums(training.losses.size(), at::zeros({}, options.dtype(at::kDouble)));
  std::vector<std::int64_t> counts(training.losses.size());  // number of values in each sum
  std::int64_t judgements = 0;
  const auto first = std::find_if(training.losses.begin(), training.losses.end(),
                                  [](const train::Loss& loss) { return loss.classifies(); });
  const bool drawn = training.config.data.kind == "synthetic";  // accuracy is meaningless for random labels
  const train::Loss* const judged = drawn || first == training.losses.end() ? nullptr : &*first;
  for (std::int64_t i = 0; i < training.data->test_batches(); ++i) {
    if (stopped()) return std::nullopt;
    const batches::Batch batch = train::on_device(training, training.data->test_batch(i));
    train::BatchPass pass(training, training.autocast, batch, hooks);
    for (std::size_t k = 0; k < training.losses.size(); ++k) {
      const std::int64_t count = examples_of(training.losses[k], batch);
      if (count == 0) continue;  // the mean over no labels is NaN
      sums[k] = sums[k].add(pass.loss(k).to(at::kDouble), static_cast<double>(count));
      counts[k] += count;
    }
    if (judged != nullptr) {
      const at::Tensor& target = batch.target(judged->config().target);
      right.add_(train::select_output(pass.output(), judged->outputs().front()).argmax(1).eq(target).sum());
      judgements += examples_of(*judged, batch);
    }
  }
  wire::Evaluated evaluated;
  evaluated.step = step;
  evaluated.loss = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    evaluated.loss += training.losses[k].config().weight * sums[k].item<double>() / static_cast<double>(counts[k]);
  }
  evaluated.accuracy = judged == nullptr
                           ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(right.item<std::int64_t>()) / static_cast<double>(judgements);
  return evaluated;
}

std::string why_not_finite(const train::Training& training, std::int64_t step) {
  std::string names;
  int bad = 0;
  for (const auto& [name, buffer] : training.model.buffers()) {
    // Minus infinity is used in masks.
    const observe::Values seen = observe::look_at(buffer);
    if (seen.nan == 0 && seen.positive_infinity == 0) continue;
    names.append(++bad == 1 ? "" : ", ").append(name);
  }
  std::string text = "After " + std::to_string(step) + " steps the loss on the test data is not finite. ";
  if (bad == 0)
    return text + "All buffers are finite: an op overflows only in eval mode, or no held-out row has a label.";
  return text + (bad == 1 ? "The buffer " : "The buffers ") + names + (bad == 1 ? " holds" : " hold") +
         " NaN or infinity. Eval mode computes with the running statistics, which training does not use.";
}

}  // namespace binade::run

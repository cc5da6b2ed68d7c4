// SPDX-License-Identifier: Apache-2.0
#include "engine/train/check_run.h"

#include "engine/files/progress.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/site_hook.h"
#include "engine/train/batch_pass.h"
#include "engine/train/output_path.h"
#include "engine/train/training_state_guard.h"

#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

namespace binade::train {

namespace {

/// check_stop() before every op call, for a forward that never comes to an end.
class StopAtSites : public graph::SiteHook {
 public:
  explicit StopAtSites(std::stop_token stop) : stop_(std::move(stop)) {}
  void before(graph::Call& /*call*/) override { files::check_stop(stop_); }

 private:
  std::stop_token stop_;
};

std::size_t inputs_given(const Training& training) {
  return training.data->peek(0).inputs.size();
}

std::string shapes_of(const batches::Batch& batch) {
  std::string all;
  for (const c10::IValue& input : batch.inputs) {
    all += (all.empty() ? "" : ", ") +
           (input.isTensor() ? graph::shape_name(input.toTensor()) : input.type()->annotation_str());
  }
  return all;
}

void check_finite(const batches::Batch& batch) {
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
    if (!batch.inputs[i].isTensor()) continue;
    const at::Tensor& input = batch.inputs[i].toTensor();
    if (!input.is_floating_point() && !input.is_complex()) continue;
    const at::Tensor wide = input.element_size() == 1 ? input.to(at::kFloat) : input;  // float8 has no isfinite
    const std::int64_t bad = input.numel() - at::isfinite(wide).sum().item<std::int64_t>();
    if (bad == 0) continue;
    throw Error(ErrorCode::kBadData,
                "Input " + std::to_string(i) + " of the first batch, " + graph::shape_name(input) + ", holds " +
                    std::to_string(bad) + " values that are NaN or infinite",
                "Such data makes every loss NaN. Check data.mean and data.deviation, or correct the data set.");
  }
}

/// Returns a hint about the field that changes a dtype which an op does not accept; empty for other failures.
std::string dtype_hint(const Training& training, const batches::Batch& batch, const std::string& failure) {
  if (training.config.data.kind != "files") return {};
  constexpr std::array<std::string_view, 4> kAboutDtypes{"dtype", "scalar type", "not implemented for",
                                                         "and bias type"};
  const auto is_said = [&](std::string_view words) { return failure.find(words) != std::string::npos; };
  if (std::none_of(kAboutDtypes.begin(), kAboutDtypes.end(), is_said)) return {};
  const auto& arguments = training.forward.schema().arguments();
  for (std::size_t i = 0; i < batch.inputs.size() && i + 1 < arguments.size(); ++i) {
    if (!batch.inputs[i].isTensor() || batch.inputs[i].toTensor().is_floating_point()) continue;
    const at::Tensor& input = batch.inputs[i].toTensor();
    const std::string& name = arguments[i + 1].name();  // the first is self
    if (input.is_complex()) return "forward receives complex numbers for " + name + ". Save their parts or magnitudes.";
    return "If forward computes with " + name + ", which is " + graph::dtype_name(input.scalar_type()) +
           ", write \"dtype\": \"float32\" in data.columns." + name + ".";
  }
  return {};
}

/// Returns whether a target has one number per class and example.
bool is_one_for_each_class(const at::Tensor& target, const at::Tensor& output) {
  if (target.dim() != output.dim() || target.dim() < 2 || target.size(1) < 2 || target.size(0) != output.size(0)) {
    return false;
  }
  return target.sizes().slice(2) == output.sizes().slice(2);
}

std::string name_of_target(const Loss& loss, const batches::Batch& batch) {
  return loss.config().target.empty() ? batch.targets.front().first : loss.config().target;
}

/// Checks class probabilities, which cross entropy accepts instead of labels: floating point, and as many as the output
/// has classes.
void check_one_hot(const Loss& loss, const at::Tensor& output, const batches::Batch& batch) {
  if (loss.config().kind != "cross_entropy" || !loss.takes_target() || output.dim() < 2) return;
  const at::Tensor& target = batch.target(loss.config().target);
  if (!is_one_for_each_class(target, output)) return;
  const std::string name = name_of_target(loss, batch);
  const std::string what = "The target " + name + " is " + graph::shape_name(target);
  if (target.size(1) != output.size(1)) {
    throw Error(ErrorCode::kBadData,
                what + ", one number for each of " + std::to_string(target.size(1)) + " classes, but the output has " +
                    std::to_string(output.size(1)),
                "Change the model's last layer, or use labels: one whole number for each example.");
  }
  if (target.is_floating_point()) return;
  throw Error(
      ErrorCode::kBadData,
      what + ", whole numbers for each of " + std::to_string(target.size(1)) +
          " classes. cross_entropy takes probabilities as floating-point numbers",
      "Write \"dtype\": \"float32\" in data.targets." + name + ", or use labels: one whole number for each example.");
}

/// Checks for labels stored as floating point; the op's own message would mention scalar types only.
void check_labels_are_whole(const Loss& loss, const at::Tensor& output, const batches::Batch& batch) {
  const std::string& kind = loss.config().kind;
  if (loss.classifies() || (kind != "cross_entropy" && kind != "nll") || !loss.takes_target()) return;
  const at::Tensor& target = batch.target(loss.config().target);
  if (!target.is_floating_point() || (kind == "cross_entropy" && target.sizes() == output.sizes())) return;
  const std::string name = name_of_target(loss, batch);
  throw Error(ErrorCode::kBadData,
              "The target " + name + " is " + graph::shape_name(target) + ", and " + kind + " over an output of " +
                  graph::shape_name(output) + " takes classes, which are whole numbers",
              "Write \"dtype\": \"int64\" in data.targets." + name + ", or choose the loss mse for numbers.");
}

/// Checks an output against a loss over classes.
void check_classes(const Training& training, const Loss& loss, const at::Tensor& output, const at::Tensor& target) {
  const std::string& path = loss.outputs().front();
  const std::string what = "The output " + (path.empty() ? "" : "\"" + path + "\" ");
  const bool fits = output.is_floating_point() && output.dim() >= 2 && target.dim() == output.dim() - 1 &&
                    output.size(0) == target.size(0);
  const bool column = output.dim() == 2 && target.dim() == 2 && target.size(1) == 1 && output.size(0) == target.size(0);
  if (!fits) {
    throw Error(
        ErrorCode::kBadRun,
        what + "is " + graph::shape_name(output) + "; " + loss.config().kind + " takes [" +
            std::to_string(target.dim() > 0 ? target.size(0) : 1) + " examples, classes]" +
            (target.dim() == 1 ? "" : " and the target's further dimensions, which is " + graph::shape_name(target)),
        column ? "Each example has one label in a separate column. Write \"shape\": [] in the target."
               : "Choose another part of the output with \"output\", or the loss mse.");
  }
  const batches::TargetInfo& info = batches::target_info(*training.data, loss.config().target);
  const std::optional<files::LabelRange>& range = info.labels;
  if (!range) return;
  const bool drawn = training.config.data.kind == "synthetic";
  const auto at_row = [&](std::int64_t row, const std::optional<std::int64_t>& line) {
    if (drawn) return std::string();
    const std::string place = line ? "line " + std::to_string(*line) : "row " + std::to_string(row);
    return ", first in " + place + (info.source.empty() ? "" : " of " + info.source);
  };
  const std::string rows = drawn || info.highest_line ? "" : " Rows count from 0.";
  if (output.size(1) <= range->highest) {
    throw Error(ErrorCode::kBadData,
                what + "has " + std::to_string(output.size(1)) + " classes, but the largest label is " +
                    std::to_string(range->highest) + at_row(range->highest_row, info.highest_line),
                std::string("Labels count from 0. Train on data with fewer classes") +
                    (drawn ? " (data.classes)" : "") + ", or change the model's last layer." + rows);
  }
  if (range->lowest < 0) {
    throw Error(ErrorCode::kBadData,
                "The smallest label is " + std::to_string(range->lowest) + at_row(range->lowest_row, info.lowest_line) +
                    ", but classes start at 0",
                "Only -100 may mark an example without a class. The loss ignores it." + rows);
  }
}

}  // namespace

void check_inputs(const Training& training) {
  const auto& arguments = training.forward.schema().arguments();
  const std::size_t given = inputs_given(training);
  for (std::size_t i = given + 1; i < arguments.size(); ++i) {  // the first is self
    if (arguments[i].default_value()) continue;
    throw Error(ErrorCode::kBadModel,
                "forward needs the input '" + arguments[i].name() + "' (" + arguments[i].type()->annotation_str() +
                    "), but the run does not provide it",
                training.config.data.kind == "synthetic"
                    ? "Add a SPEC for this input to data.inputs, in the order of forward."
                    : "This data set provides one batch of pictures. Use synthetic data, or give the input a default "
                      "value in the model.");
  }
  if (given + 1 > arguments.size()) {
    throw Error(ErrorCode::kBadRun,
                "data.inputs gives " + std::to_string(given) + " inputs, but forward takes " +
                    std::to_string(arguments.size() - 1),
                "Give one SPEC for each input of forward. binade-engine inspect lists them.")
        .at("data.inputs");
  }
}

void check_first_batch(Training& training, const std::stop_token& stop) {
  const batches::Batch batch = on_device(training, training.data->peek(0));
  check_finite(batch);
  const TrainingStateGuard guard(training, TrainingStateGuard::Mode::kEvaluate);
  StopAtSites stops(stop);
  std::array<graph::SiteHook*, 2> hooks{&stops, &training.autocast};
  bool in_loss = false;
  try {
    BatchPass pass(training, training.autocast, batch, hooks);
    const c10::IValue& output = pass.output();
    for (std::size_t i = 0; i < training.losses.size(); ++i) {
      const Loss& loss = training.losses[i];
      if (loss.outputs().size() == 1) check_one_hot(loss, select_output(output, loss.outputs().front()), batch);
      if (loss.classifies()) {
        check_classes(training, loss, select_output(output, loss.outputs().front()),
                      batch.target(loss.config().target));
      }
      if (!loss.classifies() && loss.outputs().size() == 1) {
        check_labels_are_whole(loss, select_output(output, loss.outputs().front()), batch);
      }
      in_loss = true;
      pass.loss(i);
    }
  } catch (const Error& error) {
    if (error.code != ErrorCode::kBadModel || in_loss) throw;  // errors with other codes are not about the data
    const std::string mend = dtype_hint(training, batch, error.what());
    throw Error(ErrorCode::kBadModel, error.what(),
                (error.hint.empty() ? "" : error.hint + " ") + "The run passes to forward " + shapes_of(batch) +
                    (mend.empty() ? ". Check this against the inputs of the model." : ". " + mend));
  }
}

}  // namespace binade::train

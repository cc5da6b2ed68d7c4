// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/observer.h"

#include "engine/graph/dtype_format.h"
#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"
#include "engine/observe/observer_leaving.h"
#include "engine/observe/observer_step.h"
#include "engine/observe/own_cast.h"
#include "engine/observe/values.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <utility>

namespace binade::observe {

/// Hook on one autograd node that observes the gradient of one of its outputs.
class Observer::GradientHook : public torch::autograd::FunctionPreHook {
 public:
  GradientHook(std::shared_ptr<Step> step, std::uint64_t generation, int tensor, std::size_t output)
      : step_(std::move(step)), generation_(generation), tensor_(tensor), output_(output) {}

  torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override {
    const std::lock_guard lock(step_->mutex);
    if (step_->generation == generation_ && output_ < gradients.size()) {
      const Look look(step_->spent, step_->timer, step_->watched[static_cast<std::size_t>(tensor_)].site);
      step_->look(tensor_, gradients[output_], /*closely=*/true);
    }
    return gradients;
  }

 private:
  std::shared_ptr<Step> step_;
  std::uint64_t generation_;
  int tensor_;
  std::size_t output_;
};

/// An emulated op takes a float32 copy of the weight's low-format copy. If several calls share the latter, as in a
/// loop, each gradient is rounded and then added in the low format, in which the sum may overflow.
void Observer::hook_sum(const graph::Site& site, std::size_t argument, torch::autograd::Node& copy) {
  const auto& next = copy.next_edges();
  if (next.size() != 1 || !next.front().is_valid()) return;
  torch::autograd::Node& shared = *next.front().function;
  const std::uint32_t input = next.front().input_nr;
  if (input >= shared.num_inputs()) return;
  const at::ScalarType dtype = shared.input_metadata(input).dtype().toScalarType();
  if ((dtype != at::kHalf && dtype != at::kBFloat16) || ++step_->copies.of(next.front()) != 2) return;
  const int id = step_->id_of(site, Watched::Kind::kInputGradient, argument, graph::stored_format(dtype), false);
  shared.add_pre_hook(std::make_unique<GradientHook>(step_, step_->generation, id, input));
}

Observer::Observer() : step_(std::make_shared<Step>()), leaving_(std::make_unique<Leaving>(step_)) {}

Observer::~Observer() {
  const std::lock_guard lock(step_->mutex);
  ++step_->generation;  // hooks may outlive the observer with the graph that holds them
}

void Observer::set_filter(std::vector<bool> watched) {
  const std::lock_guard lock(step_->mutex);
  step_->filter = std::move(watched);
}

void Observer::begin(Level level) {
  const std::lock_guard lock(step_->mutex);
  ++step_->generation;
  step_->level = level;
  step_->seen.clear();
  if (level != Level::kOff) step_->seen.reserve(step_->watched.size());  // statistics are large; avoids moving them
  step_->rows.clear();
  step_->row_of.clear();
  step_->hooked.clear();
  step_->copies.clear();
  step_->uses.clear();
  step_->held.clear();
  step_->arrivals.clear();
  std::fill(step_->place.begin(), step_->place.end(), -1);
  step_->spent = {};
}

bool Observer::on() const {
  return step_->level != Level::kOff;
}

namespace {

/// Returns the pending rounding of one of the call's tensors; null if its dtype is its format.
const graph::Rounding* rounding_of(const graph::Call& call, const at::Tensor& tensor) {
  return call.rounding && tensor.scalar_type() == at::kFloat ? &*call.rounding : nullptr;
}

bool wants_gradient(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().is_floating_point() &&
         value.toTensor().requires_grad();
}

/// Returns the dtype of the argument of a cast of the model's own; nullopt for other calls.
std::optional<at::ScalarType> dtype_converted(const graph::Call& call) {
  const auto argument = converted_argument(call.site);
  if (!argument || !call.argument(*argument).isTensor()) return std::nullopt;
  const at::Tensor& tensor = call.argument(*argument).toTensor();
  return tensor.defined() ? std::optional(tensor.scalar_type()) : std::nullopt;
}

}  // namespace

void Observer::Step::observe_own_cast(const graph::Call& call) {
  if (call.site.outputs == 0 || !call.result(0).isTensor()) return;
  const at::Tensor& made = call.result(0).toTensor();
  const auto is_low = [](at::ScalarType dtype) { return c10::isReducedFloatingType(dtype); };
  const bool narrows = made.defined() && is_low(made.scalar_type()) && measurable(made) && !is_low(*converts_from) &&
                       c10::isFloatingType(*converts_from);
  if (!narrows) return;
  const Look timed(spent, timer, call.site.id);
  look(id_of(call.site, Watched::Kind::kOutput, 0, graph::stored_format(made.scalar_type()), false), made,
       /*closely=*/false);
}

void Observer::before(graph::Call& call) {
  const std::lock_guard lock(step_->mutex);
  const bool skips = step_->skips(call.site);
  step_->converts_from = call.site.view && !step_->leaves_out(call.site) ? dtype_converted(call) : std::nullopt;
  step_->held.clear();
  leaving_->before(call, !skips && !call.rounding);
  if (skips) return;
  if (!at::GradMode::is_enabled()) return;
  const bool rounds = call.rounding && call.rounding->gradients;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    // Weights always; other arguments only if their gradient is rounded, since it is seen unrounded only here.
    if (call.site.roles[i] != graph::Role::kWeight && !rounds) continue;
    if (!wants_gradient(call.argument(i))) continue;
    const at::Tensor& argument = call.argument(i).toTensor();
    const auto edge = torch::autograd::impl::gradient_edge(argument);
    step_->held.push_back(edge.function);
    if (std::exchange(step_->hooked.of(edge), true)) continue;
    const graph::Rounding* rounding = rounds ? rounding_of(call, argument) : nullptr;
    const formats::Format format =
        rounding != nullptr ? rounding->backward : graph::stored_format(argument.scalar_type());
    const int id = step_->id_of(call.site, Watched::Kind::kInputGradient, i, format, rounding != nullptr);
    edge.function->add_pre_hook(std::make_unique<GradientHook>(step_, step_->generation, id, edge.input_nr));
    const bool weight = call.site.roles[i] == graph::Role::kWeight;
    if (rounding != nullptr && weight) hook_sum(call.site, i, *edge.function);
  }
}

void Observer::after(graph::Call& call) {
  const std::lock_guard lock(step_->mutex);
  leaving_->after(call);
  step_->held.clear();
  if (step_->converts_from) step_->observe_own_cast(call);
  if (step_->skips(call.site)) return;
  std::size_t number = 0;
  const auto look_at = [&](const at::Tensor& output) {
    const std::size_t result = number++;
    if (!measurable(output)) return;
    const Look look(step_->spent, step_->timer, call.site.id);
    const graph::Rounding* rounding = rounding_of(call, output);
    const bool emulated = rounding != nullptr;
    const formats::Format format = emulated ? rounding->format : graph::stored_format(output.scalar_type());
    step_->look(step_->id_of(call.site, Watched::Kind::kOutput, result, format, emulated), output, /*closely=*/false);
    if (!output.requires_grad() || !at::GradMode::is_enabled()) return;
    const formats::Format gradients = emulated ? rounding->backward : format;
    const int id = step_->id_of(call.site, Watched::Kind::kOutputGradient, result, gradients, emulated);
    const auto edge = torch::autograd::impl::gradient_edge(output);
    edge.function->add_pre_hook(std::make_unique<GradientHook>(step_, step_->generation, id, edge.input_nr));
    step_->arrivals.of(edge) = emulated;
  };
  for (std::size_t i = 0; i < call.site.outputs; ++i) each_tensor(call.result(i), look_at);
}

std::vector<Seen> Observer::finish() {
  const std::lock_guard lock(step_->mutex);
  ++step_->generation;
  if (!step_->rows.empty()) {
    const Look look(step_->spent, nullptr, -1);
    std::map<c10::DeviceIndex, std::vector<const Step::DeviceRow*>> devices;
    for (const Step::DeviceRow& row : step_->rows) devices[row.row.device().index()].push_back(&row);
    for (const auto& [device, all] : devices) {
      std::vector<at::Tensor> rows;
      for (const Step::DeviceRow* each : all) rows.push_back(each->row);
      const at::Tensor home = at::stack(rows).cpu();
      for (std::size_t i = 0; i < all.size(); ++i) {
        add_row(home[static_cast<std::int64_t>(i)], step_->watched[static_cast<std::size_t>(all[i]->tensor)].format,
                all[i]->dtype, step_->stats_of(all[i]->tensor));
      }
    }
  }
  for (Seen& seen : step_->seen) {
    const Watched& watched = step_->watched[static_cast<std::size_t>(seen.tensor)];
    // A gradient at an emulated output was rounded before, unless several gradients meet there. Their sum is rounded
    // after this observation, and only an unrounded sum can exceed the format.
    if (watched.emulated && watched.kind == Watched::Kind::kOutputGradient) {
      seen.stats.censored = seen.stats.overflow == 0 && seen.stats.underflow == 0;
    }
  }
  return std::exchange(step_->seen, {});
}

const std::vector<Watched>& Observer::watched() const {
  return step_->watched;
}

void Observer::set_timer(SiteTimer* timer) {
  step_->timer = timer;
}

double Observer::seconds() const {
  return std::chrono::duration<double>(step_->spent).count();
}

}  // namespace binade::observe

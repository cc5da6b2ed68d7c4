// SPDX-License-Identifier: Apache-2.0
// Observation of parameters, and on request of arguments before their casts.
#include "engine/graph/dtype_format.h"
#include "engine/observe/measure.h"
#include "engine/observe/observer_step.h"
#include "engine/observe/values.h"

#include <algorithm>

namespace binade::observe {

bool Observer::observes_casts() const {
  const bool parameters = step_->level > Level::kFinite && !step_->parameters.empty();
  return step_->level != Level::kOff && (step_->inputs || parameters);
}

void Observer::cast(graph::Call& call, std::span<const c10::IValue> came) {
  const std::lock_guard lock(step_->mutex);
  for (const c10::IValue& argument : came) {
    each_tensor(argument, [&](const at::Tensor& tensor) {
      const auto found = step_->parameters.find(tensor.unsafeGetTensorImpl());
      if (found != step_->parameters.end() && found->second.site < 0) found->second.site = call.site.id;
    });
  }
  if (step_->inputs && !step_->skips(call.site)) observe_inputs(call, came);
}

void Observer::observe_inputs(const graph::Call& call, std::span<const c10::IValue> came) {
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    std::vector<at::Tensor> before;  // several for a list
    each_tensor(came[i], [&](const at::Tensor& tensor) { before.push_back(tensor); });
    auto next = before.begin();
    each_tensor(call.argument(i), [&](const at::Tensor& now) {
      if (next == before.end()) return;
      const at::Tensor& from = *next++;
      if (now.is_same(from) || !now.is_floating_point() || !measurable(from)) return;
      if (from.has_storage() && now.has_storage() && now.is_alias_of(from)) return;  // passed on unchanged
      const bool rounded = call.rounding && now.scalar_type() == at::kFloat;
      const formats::Format format = rounded ? call.rounding->format : graph::stored_format(now.scalar_type());
      // Casting to float32 loses nothing. From the same format it is the wider copy that an emulated op takes.
      if (format == formats::kFloat32 || format == graph::stored_format(from.scalar_type())) return;
      const Look look(step_->spent, step_->timer, call.site.id);
      step_->look(step_->id_of(call.site, Watched::Kind::kInput, i, format, rounded), from, /*closely=*/true);
    });
  }
}

void Observer::watch_inputs(bool inputs) {
  const std::lock_guard lock(step_->mutex);
  step_->inputs = inputs;
}

void Observer::watch_parameters(const std::vector<std::pair<std::string, at::Tensor>>& parameters) {
  const std::lock_guard lock(step_->mutex);
  step_->parameters.clear();
  for (const auto& [name, parameter] : parameters) {
    step_->parameters.emplace(parameter.unsafeGetTensorImpl(), Step::Parameter{name});
  }
}

void Observer::observe_parameters(const std::vector<std::pair<std::string, at::Tensor>>& stepped) {
  const std::lock_guard lock(step_->mutex);
  // The finite level needs no parameters: a non-finite one shows in the results of op calls.
  if (step_->level <= Level::kFinite || step_->parameters.empty()) return;
  std::map<std::string, const Step::Parameter*> by_name;
  for (const auto& [impl, parameter] : step_->parameters) by_name.emplace(parameter.name, &parameter);
  std::map<std::pair<c10::DeviceIndex, at::ScalarType>, Step::Group> groups;  // by device and dtype, since there are
                                                                              // many small ones
  const auto look = [&](const Step::Parameter& parameter, Watched::Kind kind, const at::Tensor& values) {
    if (!measurable(values)) return;
    const int id = step_->id_of_parameter(parameter, kind, graph::stored_format(values.scalar_type()));
    if (values.is_cpu()) {
      step_->look(id, values, /*closely=*/true);
    } else {
      Step::Group& group = groups[{values.device().index(), values.scalar_type()}];
      group.ids.push_back(id);
      group.values.push_back(values);
    }
  };
  for (const auto& [name, values] : stepped) {
    const auto known = by_name.find(name);
    const Step::Parameter parameter = known != by_name.end() ? *known->second : Step::Parameter{name};
    const bool left_out =
        !step_->filter.empty() && (parameter.site < 0 || !step_->filter.at(static_cast<std::size_t>(parameter.site)));
    if (left_out) continue;
    const Look timed(step_->spent, /*timer=*/nullptr, parameter.site);  // the timer's step has ended
    look(parameter, Watched::Kind::kParameter, values);
    if (values.grad().defined()) look(parameter, Watched::Kind::kParameterGradient, values.grad());
  }
  for (const auto& [place, group] : groups) {
    const Look timed(step_->spent, /*timer=*/nullptr, -1);
    step_->observe_group(group, place.second);
  }
}

}  // namespace binade::observe

// SPDX-License-Identifier: Apache-2.0
// Observation of parameters, and on request of arguments before their casts.
#include "engine/observe/observer_outer.h"

#include "engine/observe/measure.h"
#include "engine/observe/values.h"

#include <algorithm>

namespace binade::observe {

void Observer::Outer::before(graph::Call& call) {
  const std::lock_guard lock(step_.mutex);
  step_.came.clear();
  if (step_.level == Level::kOff) return;
  const bool keeps = step_.inputs && !step_.skips(call.site);
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    std::size_t place = 0;
    each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
      if (const auto found = step_.parameters.find(tensor.unsafeGetTensorImpl()); found != step_.parameters.end()) {
        if (found->second.site < 0) found->second.site = call.site.id;
      }
      if (keeps) step_.came.push_back({i, place, tensor});
      ++place;
    });
  }
}

void Observer::Outer::failed(graph::Call& /*call*/, const std::exception& /*error*/) {
  const std::lock_guard lock(step_.mutex);
  step_.came.clear();
}

void Observer::look_at_inputs(graph::Call& call) {
  const std::vector<Step::Came> came = std::exchange(step_->came, {});
  auto next = came.begin();
  for (std::size_t i = 0; i < call.site.inputs && next != came.end(); ++i) {
    if (next->argument != i) continue;
    std::size_t place = 0;
    each_tensor(call.argument(i), [&](const at::Tensor& now) {
      const bool known = next != came.end() && next->argument == i && next->place == place;
      ++place;
      if (!known) return;
      const at::Tensor& before = next->tensor;
      ++next;
      if (now.is_same(before) || !now.is_floating_point() || !measurable(before)) return;
      if (before.has_storage() && now.has_storage() && now.is_alias_of(before)) return;  // passed on unchanged
      const bool rounded = call.rounding && now.scalar_type() == at::kFloat;
      const formats::Format format = rounded ? call.rounding->format : stored_format(now.scalar_type());
      // Casting to float32 loses nothing. From the same format it is the wider copy that an emulated op takes.
      if (format == formats::kFloat32 || format == stored_format(before.scalar_type())) return;
      const Look look(step_->spent, step_->timer, call.site.id);
      step_->look(step_->id_of(call.site, Watched::Kind::kInput, i, format, rounded), before, /*closely=*/true);
    });
    while (next != came.end() && next->argument == i) ++next;
  }
}

graph::SiteHook* Observer::outer() const {
  const bool parameters = step_->level > Level::kFinite && !step_->parameters.empty();
  const bool needed = step_->level != Level::kOff && (step_->inputs || parameters);
  return needed ? outer_.get() : nullptr;
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

void Observer::look_at_parameters(const std::vector<std::pair<std::string, at::Tensor>>& stepped) {
  const std::lock_guard lock(step_->mutex);
  // The finite level needs no parameters: a non-finite one shows in the results of op calls.
  if (step_->level <= Level::kFinite || step_->parameters.empty()) return;
  std::map<std::string, const Step::Parameter*> by_name;
  for (const auto& [impl, parameter] : step_->parameters) by_name.emplace(parameter.name, &parameter);
  std::map<std::pair<c10::DeviceIndex, at::ScalarType>, Step::Group> groups;  // by device and dtype, since there are
                                                                              // many small ones
  const auto look = [&](const Step::Parameter& parameter, Watched::Kind kind, const at::Tensor& values) {
    if (!measurable(values)) return;
    const int id = step_->id_of_parameter(parameter, kind, stored_format(values.scalar_type()));
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
    step_->look_at_group(group, place.second);
  }
}

}  // namespace binade::observe

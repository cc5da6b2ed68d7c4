// SPDX-License-Identifier: Apache-2.0
#include "engine/evidence/update_watch.h"

#include "engine/graph/dtype_format.h"
#include "engine/silent/stored.h"
#include "engine/train/optimizer_fields.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <torch/optim/optimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace binade::evidence {

namespace {

namespace optim = torch::optim;

/// Elements stepped at a time. On the CPU all copies fit into a core's cache; on a device, where each part costs
/// launches and synchronisation, as many as fit next to a model.
std::int64_t chunk_on(const at::Device& device) {
  return device.is_cpu() ? std::int64_t{1} << 15 : std::int64_t{1} << 24;
}

constexpr const char* kName = "p";

bool is_measured(at::ScalarType dtype) {
  return dtype == at::kFloat || graph::low_format(dtype);
}

using Fields = std::map<std::string, at::Tensor>;  // `p.exp_avg`

/// A part of one parameter with its gradient and state, flattened.
struct Part {
  at::Tensor weight;
  at::Tensor gradient;
  Fields fields;
};

/// Returns the part of a field for elements from `at` on; step counts belong to all parts.
at::Tensor part_of(const at::Tensor& field, std::int64_t at, std::int64_t size, std::int64_t all) {
  return field.dim() == 0 || field.numel() != all ? field : field.reshape(-1).narrow(0, at, size);
}

/// Returns the part after one step of this kind of optimizer, in `dtype`.
Part stepped(const wire::OptimizerConfig& config, const optim::OptimizerOptions& options, const Part& part,
             at::ScalarType dtype) {
  train::NamedTensors parameter{
      {kName, part.weight.to(dtype, /*non_blocking=*/false, /*copy=*/true).requires_grad_(true)}};
  at::Tensor& weight = parameter.front().second;
  weight.mutable_grad() = part.gradient.to(dtype, /*non_blocking=*/false, /*copy=*/true);
  const auto optimizer = train::make_optimizer(config, parameter);
  optimizer->param_groups().front().set_options(options.clone());
  Fields fields;
  for (const auto& [name, field] : part.fields) {
    fields[name] = field.dim() > 0 && field.is_floating_point() ? field.to(dtype) : field;
  }
  train::load_optimizer_tensors(*optimizer, config, parameter, fields);
  optimizer->step();
  Part after{weight.detach(), {}, {}};
  for (auto& [name, field] : train::optimizer_tensors(*optimizer, parameter)) after.fields[name] = field;
  return after;
}

/// Figures of one comparison, summed over parts: number of intended changes, number of those lost, squares of both, and
/// two more.
using Figures = std::array<double, 6>;

at::Tensor count(const at::Tensor& mask) {
  return mask.sum().to(at::kDouble);
}

/// `before` and `after` are as stored, `exact` is float64: `exact - before` is the intended change.
at::Tensor figures_of(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact, bool state) {
  const at::Tensor change = exact - before.to(at::kDouble);
  const at::Tensor moved = change.ne(0);
  const at::Tensor lost = moved.logical_and(after.eq(before));
  const at::Tensor squares = change.square();
  // The last two figures: for a state, the number of non-zero values and of those that became 0; for a weight, its
  // square.
  const at::Tensor counted = exact.ne(0);
  const at::Tensor first = state ? count(counted) : before.to(at::kDouble).square().sum();
  const at::Tensor second = state ? count(counted.logical_and(after.eq(0))) : first;
  return at::stack({count(moved), count(lost), squares.sum(), at::where(lost, squares, 0.0).sum(), first, second});
}

double norm_of(const at::Tensor& values) {
  return at::linalg_vector_norm(values, 2, std::nullopt, false, at::kDouble).item<double>();
}

/// Returns whether a float32 weight has moved so far that no notable part of its update can be lost. An update that is
/// lost entirely is at most half a unit in the last place, 2^-24 of its weight.
bool moves_far(double change, double weight) {
  constexpr double kLeast = 0x1p-24 * 2 * (1 + 1 / silent::kLostUpdate);
  return change > kLeast * weight;
}

double norm_share(double part, double whole) {
  return whole > 0 ? std::sqrt(part / whole) : 0;
}

/// All parts of one parameter.
class Parameter {
 public:
  Parameter(const wire::OptimizerConfig& config, const optim::OptimizerOptions& options, const std::string& name,
            const formats::Format& computed, const at::Tensor& weight, Fields fields)
      : config_(config),
        options_(options),
        name_(name),
        computed_(computed),
        weight_(weight.detach().reshape(-1)),
        gradient_(weight.grad().detach().reshape(-1)),
        fields_(std::move(fields)) {}

  void look(silent::Evidence& evidence) {
    const std::int64_t chunk = chunk_on(weight_.device());
    for (std::int64_t at = 0; at < weight_.numel(); at += chunk) {
      look_at_part(at, std::min(chunk, weight_.numel() - at));
    }
    add(evidence);
  }

 private:
  void look_at_part(std::int64_t at, std::int64_t size) {
    Part part{weight_.narrow(0, at, size), gradient_.narrow(0, at, size), {}};
    for (const auto& [name, field] : fields_) part.fields[name] = part_of(field, at, size, weight_.numel());
    const double gradient = norm_of(part.gradient);
    gradient_squares_ += gradient * gradient;
    const Part stored = stepped(config_, options_, part, weight_.scalar_type());
    if (weight_.scalar_type() == at::kFloat) {
      const double weight = norm_of(part.weight);
      const double change = norm_of(stored.weight - part.weight);
      if (moves_far(change, weight)) {
        Figures& figures = figures_[kName];
        figures[2] += change * change;
        figures[4] += weight * weight;
        count_updates(part, stored, figures);
        return;
      }
    }
    const Part exact = stepped(config_, options_, part, at::kDouble);
    if (weight_.scalar_type() != at::kFloat) {
      broken_ += stored.weight.isfinite().logical_not().logical_and(exact.weight.isfinite()).sum().item<std::int64_t>();
    }

    std::vector<std::string> names{kName};
    std::vector<at::Tensor> rows{figures_of(part.weight, stored.weight, exact.weight, false)};
    for (const auto& [name, after] : stored.fields) {
      const bool low = after.scalar_type() == at::kHalf || after.scalar_type() == at::kBFloat16;
      if (!low || after.dim() == 0) continue;
      const auto known = part.fields.find(name);
      const at::Tensor before = known != part.fields.end() ? known->second : at::zeros_like(after);
      names.push_back(name);
      rows.push_back(figures_of(before, after, exact.fields.at(name), true));
    }
    const at::Tensor home = at::stack(rows).cpu();
    const double* next = home.const_data_ptr<double>();
    for (const std::string& name : names) {
      for (double& figure : figures_[name]) figure += *next++;
    }
  }

  /// Optimizers step each element separately, so only unchanged elements need the exact step.
  void count_updates(const Part& part, const Part& stored, Figures& figures) {
    const at::Tensor stayed = stored.weight.eq(part.weight).nonzero().reshape(-1);
    const std::int64_t size = part.weight.numel();
    figures[0] += static_cast<double>(size - stayed.numel());
    if (stayed.numel() == 0) return;
    const auto taken = [&](const at::Tensor& values) { return values.index_select(0, stayed); };
    Part few{taken(part.weight), taken(part.gradient), {}};
    for (const auto& [name, field] : part.fields) {
      few.fields[name] = field.dim() == 1 && field.numel() == size ? taken(field) : field;
    }
    const Part exact = stepped(config_, options_, few, at::kDouble);
    const at::Tensor home = figures_of(few.weight, few.weight, exact.weight, false).cpu();
    const double* const found = home.const_data_ptr<double>();
    for (const std::size_t i : {0, 1, 3}) figures[i] += found[i];
  }

  void add(silent::Evidence& evidence) {
    for (const auto& [name, figures] : figures_) {
      const auto& [moved, lost, squares, lost_squares, first, second] = figures;
      if (name == kName) {
        silent::UpdateSeen seen;
        seen.parameter = name_;
        seen.format = graph::stored_format(weight_.scalar_type());
        seen.moved = static_cast<std::uint64_t>(moved);
        seen.lost = static_cast<std::uint64_t>(lost);
        seen.lost_norm = norm_share(lost_squares, squares);
        seen.update_over_weight = first == 0 ? std::numeric_limits<double>::infinity() : norm_share(squares, first);
        seen.gradient = std::sqrt(gradient_squares_ / static_cast<double>(weight_.numel()));
        seen.computed = computed_;
        seen.elements = static_cast<std::uint64_t>(weight_.numel());
        seen.broken = static_cast<std::uint64_t>(broken_);
        seen.epsilon = config_.kind == "sgd" ? 0 : config_.epsilon;
        evidence.updates.push_back(std::move(seen));
        continue;
      }
      silent::StateSeen seen;
      seen.tensor = name_ + name.substr(1);  // `p.exp_avg`
      seen.format = graph::stored_format(weight_.scalar_type());
      seen.moved = static_cast<std::uint64_t>(moved);
      seen.lost = static_cast<std::uint64_t>(lost);
      seen.lost_norm = norm_share(lost_squares, squares);
      seen.counted = static_cast<std::uint64_t>(first);
      seen.vanished = static_cast<std::uint64_t>(second);
      evidence.states.push_back(std::move(seen));
    }
  }

  const wire::OptimizerConfig& config_;
  const optim::OptimizerOptions& options_;
  const std::string& name_;
  const formats::Format computed_;
  at::Tensor weight_;
  at::Tensor gradient_;
  Fields fields_;
  std::map<std::string, Figures> figures_;
  double gradient_squares_ = 0;
  std::int64_t broken_ = 0;
};

}  // namespace

void measure_lost_updates(train::Training& training, silent::Evidence& evidence) {
  if (training.config.optimizer.kind == "none") return;
  const at::NoGradGuard no_history;
  wire::OptimizerConfig config = training.config.optimizer;
  config.groups.clear();  // options come from the group itself
  const bool casts = training.policy->base != policy::Base::kAllFloat32;
  const formats::Format computed = casts ? training.policy->low : formats::kFloat32;
  std::map<const c10::TensorImpl*, const std::string*> names;
  for (const auto& [name, parameter] : training.trainable) names[parameter.unsafeGetTensorImpl()] = &name;
  for (const optim::OptimizerParamGroup& group : training.optimizer->param_groups()) {
    for (const at::Tensor& parameter : group.params()) {
      const auto name = names.find(parameter.unsafeGetTensorImpl());
      const at::Tensor& gradient = parameter.grad();
      if (name == names.end() || !gradient.defined() || gradient.layout() != at::kStrided) continue;
      if (!is_measured(parameter.scalar_type()) || parameter.numel() == 0) continue;
      Fields fields;
      for (auto& [field, tensor] : train::optimizer_tensors(*training.optimizer, {{kName, parameter}})) {
        // A scalar parameter's state is 0-dim like a step count.
        const bool is_state = tensor.dim() == 0 && parameter.dim() == 0 && !field.ends_with(".step");
        fields[field] = is_state ? tensor.reshape(1) : tensor;
      }
      Parameter(config, group.options(), *name->second, computed, parameter, std::move(fields)).look(evidence);
    }
  }
}

}  // namespace binade::evidence

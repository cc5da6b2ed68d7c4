// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/gradient_formats.h"

#include "engine/graph/dtype_format.h"
#include "engine/observe/measure.h"

#include <ATen/ExpandUtils.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace binade::diagnose {

namespace {

using torch::autograd::Node;
using torch::autograd::variable_list;

/// Returns the low format of a tensor; nullopt for float32 and wider.
std::optional<formats::Format> low_format(const at::Tensor& tensor) {
  return tensor.defined() ? graph::low_format(tensor.scalar_type()) : std::nullopt;
}

/// Returns whether `gradient` is a view of an incoming one, which was not rounded here.
bool is_handed_on(const at::Tensor& gradient, const variable_list& in) {
  return std::any_of(in.begin(), in.end(),
                     [&](const at::Tensor& each) { return each.defined() && gradient.is_alias_of(each); });
}

/// Returns whether the function can be called again. LibTorch's own functions have no side effects. Custom functions
/// may have some, and the recurrent layers of cuDNN and MIOpen overwrite what they saved.
bool may_run_again(Node& function) {
  const std::string name = function.name();
  if (name.find("CudnnRnn") != std::string::npos || name.find("MiopenRnn") != std::string::npos) return false;
  const bool generated = name.find("::") == std::string::npos && name.find("Backward") != std::string::npos;
  return generated || name.find("CopySlices") != std::string::npos;
}

/// Returns the function's results for the same gradients in float32; empty if it refuses them.
variable_list in_float32(Node& function, const variable_list& in) {
  variable_list wide;
  for (const at::Tensor& each : in) wide.push_back(low_format(each) ? each.to(at::kFloat) : each);
  try {
    return function(std::move(wide));
  } catch (const std::exception&) {
    // Some formulas check the format of their gradient. Without an answer in float32 there is nothing to compare.
    return {};
  }
}

std::int64_t non_finite(const variable_list& gradients) {
  std::int64_t count = 0;
  for (const at::Tensor& each : gradients) {
    const observe::Values seen = observe::look_at(each);
    count += seen.nan + seen.infinite();
  }
  return count;
}

/// Returns the function's results for gradients enlarged as far as their format allows, divided again. A backward is
/// linear, and large numbers keep what small ones lose. Empty if the gradients cannot be enlarged.
variable_list from_larger(Node& function, const variable_list& in, const variable_list& out) {
  constexpr int kStep = 4;  // doublings removed after each overflow
  double largest = 0;
  double most = 0x1p100;
  for (const at::Tensor& each : in) {
    largest = std::max(largest, observe::look_at(each).largest);
    if (low_format(each) == formats::kFloat16) most = 0x1p15;
  }
  if (largest == 0) return {};
  const std::int64_t beyond = non_finite(out);
  // Gradients that reach the top of their format keep as much as enlarged ones.
  const int room = std::max(0, static_cast<int>(std::log2(most / largest)));
  for (int doublings = room; doublings >= 0; doublings -= kStep) {
    variable_list larger;
    for (const at::Tensor& each : in) larger.push_back(each.defined() ? each.mul(std::ldexp(1.0, doublings)) : each);
    variable_list found = function(std::move(larger));
    if (non_finite(found) > beyond) continue;
    for (at::Tensor& each : found) {
      if (!each.defined() || !each.is_floating_point()) continue;
      each = each.to(at::kFloat).mul(std::ldexp(1.0, -doublings));
    }
    return found;
  }
  return {};
}

/// Returns whether the function changes the dtype of one gradient and nothing else.
bool is_cast(const variable_list& in, const variable_list& out) {
  return in.size() == 1 && out.size() == 1 && in[0].defined() && out[0].defined() && in[0].sizes() == out[0].sizes() &&
         in[0].is_floating_point() && in[0].scalar_type() != out[0].scalar_type();
}

/// Returns the function's results before rounding to a low format; empty if they cannot be determined.
variable_list unrounded(Node& function, const variable_list& in, const variable_list& out) {
  if (!may_run_again(function)) return {};
  variable_list wide = in_float32(function, in);
  // log_softmax gives its argument's dtype whatever the gradient's is.
  const bool rounded = std::any_of(wide.begin(), wide.end(), [](const at::Tensor& each) { return !!low_format(each); });
  return wide.empty() || (rounded && !is_cast(in, out)) ? from_larger(function, in, out) : wide;
}

}  // namespace

void measure_lowered(Node& function, const variable_list& in, const variable_list& out, TracedNode& node) {
  const at::NoGradGuard no_history;
  node.lowered.clear();
  std::optional<variable_list> wide;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::optional<formats::Format> format = low_format(out[i]);
    if (!format || !observe::measurable(out[i]) || is_handed_on(out[i], in)) continue;
    if (!wide) wide = unrounded(function, in, out);
    at::Tensor before = i < wide->size() ? (*wide)[i] : at::Tensor();
    // Autograd sums the gradient of a broadcast argument after the function. With low-precision gradients the function
    // has rounded each term before.
    if (before.defined() && before.sizes() != out[i].sizes()) {
      const bool broadcast = at::is_expandable_to(out[i].sizes(), before.sizes());
      const bool rounds_each =
          std::any_of(in.begin(), in.end(), [](const at::Tensor& each) { return !!low_format(each); });
      if (broadcast && rounds_each && before.scalar_type() == at::kFloat) {
        TracedLowered& each = node.lowered.emplace_back();
        each.to = *format;
        observe::measure(before.cpu(), *format, each.before, formats::Depth::kWhatIf);
      }
      before = broadcast ? at::sum_to(before, out[i].sizes()) : at::Tensor();
    }
    const bool known = before.defined() && before.scalar_type() == at::kFloat;
    if (!known) before = is_cast(in, out) ? in[0] : out[i];
    TracedLowered& lowered = node.lowered.emplace_back();
    lowered.to = *format;
    observe::measure(before.cpu(), *format, lowered.before, formats::Depth::kWhatIf);
    const auto came = [](const at::Tensor& each) { return each.defined() && observe::look_at(each).largest > 0; };
    lowered.all_lost = lowered.before.censored && lowered.before.zero == lowered.before.count &&
                       std::any_of(in.begin(), in.end(), came);
  }
}

void scan_sum(const at::Tensor& arrived, TracedNode& node) {
  const std::optional<formats::Format> format = low_format(arrived);
  if (!format || !observe::measurable(arrived)) return;
  formats::TensorStats seen;
  observe::scan(arrived.cpu(), *format, seen);
  if (seen.non_finite() > 0) return;
  seen.censored = false;  // a finite sum of values of the format loses none of them to 0
  node.sum_in = *format;
  if (!node.sum || node.sum->largest < seen.largest) node.sum = std::move(seen);
}

}  // namespace binade::diagnose

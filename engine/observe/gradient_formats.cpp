// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/gradient_formats.h"

#include "engine/observe/measure.h"

#include <ATen/ExpandUtils.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace binade::observe {

namespace {

using torch::autograd::Node;
using torch::autograd::variable_list;

/// The format of a tensor that float32 is rounded to on its way there.
std::optional<formats::Format> low_format(const at::Tensor& tensor) {
  if (!tensor.defined()) return std::nullopt;
  if (tensor.scalar_type() == at::kHalf) return formats::kFloat16;
  if (tensor.scalar_type() == at::kBFloat16) return formats::kBFloat16;
  return std::nullopt;
}

/// Nothing that only shows the memory of what came in has been rounded.
bool is_handed_on(const at::Tensor& gradient, const variable_list& in) {
  return std::any_of(in.begin(), in.end(),
                     [&](const at::Tensor& each) { return each.defined() && gradient.is_alias_of(each); });
}

/// LibTorch's own functions have no effect but their results. Of others, as those of custom ops, nobody knows; and
/// those of a device's recurrent layers write over what they have kept.
bool may_run_again(Node& function) {
  const std::string name = function.name();
  if (name.find("CudnnRnn") != std::string::npos || name.find("MiopenRnn") != std::string::npos) return false;
  const bool generated = name.find("::") == std::string::npos && name.find("Backward") != std::string::npos;
  return generated || name.find("CopySlices") != std::string::npos;
}

/// What the function gives for the same gradients in float32; empty where it refuses them.
variable_list in_float32(Node& function, const variable_list& in) {
  variable_list wide;
  for (const at::Tensor& each : in) wide.push_back(low_format(each) ? each.to(at::kFloat) : each);
  try {
    return function(std::move(wide));
  } catch (const std::exception&) {
    return {};
  }
}

std::int64_t non_finite(const variable_list& gradients) {
  std::int64_t count = 0;
  for (const at::Tensor& each : gradients) {
    const Values seen = look_at(each);
    count += seen.nan + seen.infinite();
  }
  return count;
}

/// The same from gradients in their own format, made as large as that takes: a backward is linear, and what is lost of
/// small numbers is there of large ones. Empty where they are too large already.
variable_list from_larger(Node& function, const variable_list& in, const variable_list& out) {
  constexpr int kStep = 4;  // doublings fewer where the result overflows
  double largest = 0;
  double most = 0x1p100;
  for (const at::Tensor& each : in) {
    largest = std::max(largest, look_at(each).largest);
    if (low_format(each) == formats::kFloat16) most = 0x1p15;
  }
  if (largest == 0) return {};
  const std::int64_t beyond = non_finite(out);
  for (int doublings = static_cast<int>(std::log2(most / largest)); doublings > 0; doublings -= kStep) {
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

/// What the function gives before it is rounded to a low format; empty where that cannot be told.
variable_list unrounded(Node& function, const variable_list& in, const variable_list& out) {
  if (!may_run_again(function)) return {};
  variable_list wide = in_float32(function, in);
  return wide.empty() ? from_larger(function, in, out) : wide;
}

}  // namespace

void measure_lowered(Node& function, const variable_list& in, const variable_list& out, TracedNode& node) {
  const at::NoGradGuard no_history;
  node.lowered.clear();
  std::optional<variable_list> wide;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::optional<formats::Format> format = low_format(out[i]);
    if (!format || !measurable(out[i]) || is_handed_on(out[i], in)) continue;
    if (!wide) wide = unrounded(function, in, out);
    at::Tensor before = i < wide->size() ? (*wide)[i] : at::Tensor();
    // What was broadcast forward is added up behind the function, by autograd itself: where the function's gradients
    // are low it has rounded each before.
    if (before.defined() && before.sizes() != out[i].sizes()) {
      const bool broadcast = at::is_expandable_to(out[i].sizes(), before.sizes());
      const bool rounds_each =
          std::any_of(in.begin(), in.end(), [](const at::Tensor& each) { return !!low_format(each); });
      if (broadcast && rounds_each && before.scalar_type() == at::kFloat) {
        TracedLowered& each = node.lowered.emplace_back();
        each.to = *format;
        measure(before.cpu(), *format, each.before, formats::Depth::kWhatIf);
      }
      before = broadcast ? at::sum_to(before, out[i].sizes()) : at::Tensor();
    }
    const bool known = before.defined() && before.scalar_type() == at::kFloat;
    const bool is_cast = in.size() == 1 && out.size() == 1 && in[0].defined() && in[0].sizes() == out[0].sizes() &&
                         in[0].is_floating_point() && in[0].scalar_type() != out[0].scalar_type();
    if (!known) before = is_cast ? in[0] : out[i];
    TracedLowered& lowered = node.lowered.emplace_back();
    lowered.to = *format;
    measure(before.cpu(), *format, lowered.before, formats::Depth::kWhatIf);
    const auto came = [](const at::Tensor& each) { return each.defined() && look_at(each).largest > 0; };
    lowered.all_lost = lowered.before.censored && lowered.before.zero == lowered.before.count &&
                       std::any_of(in.begin(), in.end(), came);
  }
}

void scan_sum(const at::Tensor& arrived, TracedNode& node) {
  const std::optional<formats::Format> format = low_format(arrived);
  if (!format || !measurable(arrived)) return;
  formats::TensorStats seen;
  scan(arrived.cpu(), *format, seen);
  if (seen.non_finite() > 0) return;
  seen.censored = false;  // a finite sum of numbers of the format has lost none of them to 0
  node.sum_in = *format;
  if (!node.sum || node.sum->largest < seen.largest) node.sum = std::move(seen);
}

}  // namespace binade::observe

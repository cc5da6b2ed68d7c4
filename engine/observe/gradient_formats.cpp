// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/gradient_formats.h"

#include "engine/observe/measure.h"

#include <utility>

namespace binade::observe {

void measure_cast(const at::Tensor& before, const at::Tensor& after, TracedNode& node) {
  if (!before.defined() || !after.defined() || before.scalar_type() != at::kFloat) return;
  const bool half = after.scalar_type() == at::kHalf;
  if (!half && after.scalar_type() != at::kBFloat16) return;
  node.cast_to = half ? formats::kFloat16 : formats::kBFloat16;
  node.cast.emplace();
  measure(before.cpu(), node.cast_to, *node.cast, formats::Depth::kWhatIf);
}

void scan_sum(const at::Tensor& arrived, TracedNode& node) {
  if (!arrived.defined() || !measurable(arrived)) return;
  const bool half = arrived.scalar_type() == at::kHalf;
  if (!half && arrived.scalar_type() != at::kBFloat16) return;
  formats::TensorStats seen;
  scan(arrived.cpu(), half ? formats::kFloat16 : formats::kBFloat16, seen);
  if (seen.non_finite() > 0) return;
  node.sum_in = half ? formats::kFloat16 : formats::kBFloat16;
  if (!node.sum || node.sum->largest < seen.largest) node.sum = std::move(seen);
}

}  // namespace binade::observe

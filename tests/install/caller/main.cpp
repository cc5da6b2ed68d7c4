// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/initialize.h"
#include "engine/autocast/autocast.h"
#include "engine/autocast/region.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/scaler/grad_scaler.h"

#include <ATen/ops/randn.h>

#ifdef NDEBUG
#error "NDEBUG is the caller's choice, and this is a debug build"
#endif
#ifndef CALLERS_OWN_TORCH
#error "the flags of the caller's torch did not come along"
#endif

using namespace binade;

// Something of each library, so that all of them link.
int main() {
  const graph::Model model = graph::make_sample("mlp", 1);
  graph::FlatGraph forward(model);
  const at::Tensor input = at::randn({2, 1, 28, 28});
  const auto [amp, half] = apex::initialize(graph::make_sample("mlp", 1), {.opt_level = "O3", .verbosity = 0});
  const autocast::Region region("cpu", at::kBFloat16);
  const bool low = forward.run_native({input}).toTensor().scalar_type() == at::kBFloat16;
  const bool cast = (*half).parameters()[0].second.scalar_type() == at::kHalf;
  const scaler::GradScaler scaler;
  return low && cast && scaler.get_scale() == 65536 ? 0 : 1;
}

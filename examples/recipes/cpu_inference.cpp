// SPDX-License-Identifier: Apache-2.0
//
// Inference on a CPU in bfloat16: a region, and no graph.
#include "engine/autocast/region.h"
#include "recipe.h"

#include <ATen/core/grad_mode.h>

using binade::autocast::Region;

int main() {
  return recipe::run([](recipe::Checks& check) {
    const recipe::Model model;
    const recipe::Data data;
    const at::NoGradGuard no_grad;
    const at::Tensor reference = model(data.input);
    at::Tensor output;
    {
      const Region region("cpu", at::kBFloat16);
      output = model(data.input);
    }
    check(output.scalar_type() == at::kBFloat16 && model.first.scalar_type() == at::kFloat,
          "outputsAreBfloat16AndWeightsStayFloat32");
    check(!output.requires_grad() && !output.grad_fn(), "noGraphIsRecorded");
    const double off = recipe::difference({output.to(at::kFloat)}, {reference});
    std::printf("differs from float32 by %.2g\n", off);
    check(off > 0 && off < 0.02, "outputsAreFloat32sToBfloat16sPrecision");
  });
}

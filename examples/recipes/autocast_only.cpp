// SPDX-License-Identifier: Apache-2.0
//
// Autocast without scaling: bfloat16 has the range of float32, so that its gradients need no scale.
#include "engine/autocast/region.h"
#include "recipe.h"

#include <ATen/ops/mm.h>
#include <torch/optim/sgd.h>

using binade::autocast::Region;

int main() {
  return recipe::run([](recipe::Checks& check) {
    const recipe::Model model;
    const recipe::Data data;
    torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.2));
    double first = 0;
    double last = 0;
    at::Tensor output;
    for (int step = 0; step < 60; ++step) {
      optimizer.zero_grad();
      at::Tensor loss;
      {
        const Region region("cpu");
        output = model(data.input);
        loss = at::mse_loss(output, data.target);
      }
      loss.backward();
      optimizer.step();
      last = loss.item<double>();
      if (step == 0) first = last;
    }
    std::printf("loss %.4f -> %.4f\n", first, last);
    check(last < 0.8 * first, "bfloat16TrainsWithoutAScaler");
    check(output.scalar_type() == at::kBFloat16, "outputsAreBfloat16");
    check(model.first.scalar_type() == at::kFloat && model.first.grad().scalar_type() == at::kFloat,
          "weightsAndGradientsStayFloat32");

    // Outside the region an output does not mix with float32: float() first.
    bool refused = false;
    try {
      at::mm(output, model.second);
    } catch (const c10::Error&) {
      refused = true;
    }
    check(refused && at::mm(output.to(at::kFloat), model.second).scalar_type() == at::kFloat,
          "outsideTheRegionOutputsAreConvertedByHand");
    // A region that throws leaves autocast as it was.
    try {
      const Region region("cpu");
      at::mm(output, data.input.t());
    } catch (const c10::Error&) {
    }
    check(!binade::autocast::is_enabled("cpu"), "anExceptionEndsTheRegion");
  });
}

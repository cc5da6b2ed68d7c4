// SPDX-License-Identifier: Apache-2.0
//
// No batch is lost to an overflow: a skipped one is tried again at the smaller scale.
#include "engine/autocast/region.h"
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <torch/optim/sgd.h>

using binade::autocast::Region;
using binade::scaler::GradScaler;

int main() {
  return recipe::run([](recipe::Checks& check) {
    constexpr int kBatches = 12;
    const recipe::Model model;
    torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.1));
    GradScaler scaler({.init_scale = 16777216});  // 2^24: far too large for float16, so that the first tries overflow
    int tries = 0;
    int retries = 0;
    int trained = 0;
    for (int batch = 0; batch < kBatches; ++batch) {
      const recipe::Data data(32, static_cast<std::uint64_t>(100 + batch));
      bool stepped = false;
      while (!stepped && tries < 1000) {
        ++tries;
        optimizer.zero_grad();
        at::Tensor loss;
        {
          const Region region("cpu", at::kHalf);
          loss = at::mse_loss(model(data.input), data.target);
        }
        scaler.scale(loss).backward();
        stepped = scaler.step(optimizer).stepped;  // says it; PyTorch's step() does not
        scaler.update();
        retries += stepped ? 0 : 1;
      }
      trained += stepped ? 1 : 0;
    }
    std::printf("%d batches, %d tries, %d of them again; scale %g\n", kBatches, tries, retries, scaler.get_scale());
    check(trained == kBatches && retries > 0 && tries == kBatches + retries, "everyBatchIsTrainedOn");
  });
}

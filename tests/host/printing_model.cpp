// SPDX-License-Identifier: Apache-2.0
#include "tests/host/printing_model.h"

#include <ATen/ops/full.h>
#include <torch/csrc/jit/api/module.h>

namespace binade::test {

void writePrintingModel(const std::string& path) {
  torch::jit::Module model("Printing");
  model.register_parameter("weight", at::full({8, 10}, 0.1), false);
  model.define(R"py(
def forward(self, x):
    print("THE MODEL SPEAKS", x.size(0))
    return torch.matmul(x, self.weight)
)py");
  model.save(path);
}

void writeEndlessModel(const std::string& path, bool in_ops) {
  torch::jit::Module model("Endless");
  model.register_parameter("weight", at::full({8, 10}, 0.1), false);
  model.define(in_ops ? R"py(
def forward(self, x):
    print("THE MODEL SPEAKS")
    y = torch.matmul(x, self.weight)
    while bool(y.isfinite().all()):
        y = y.clamp(-1, 1)
    return y
)py"
                      : R"py(
def forward(self, x):
    print("THE MODEL SPEAKS")
    i = 0
    while i >= 0:
        i = (i + 1) % 1000
    return torch.matmul(x, self.weight)
)py");
  model.save(path);
}

void writeEmptyModel(const std::string& path) {
  torch::jit::Module model("Empty");
  model.define("def forward(self, x):\n    return x\n");
  model.save(path);
}

}  // namespace binade::test

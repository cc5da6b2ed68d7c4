// SPDX-License-Identifier: Apache-2.0
#include "tests/host/printing_model.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
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

void writeLongOpModel(const std::string& path) {
  torch::jit::Module model("LongOp");
  model.register_parameter("weight", at::full({8, 10}, 0.1), false);
  // Minutes inside one op: some sixty products.
  model.define(R"py(
def forward(self, x):
    print("THE MODEL SPEAKS")
    y = torch.matrix_power(torch.eye(3000), 1152921504606846976)
    return torch.matmul(x, self.weight) + y[0, 0]
)py");
  model.save(path);
}

void writeStallingModel(const std::string& path, std::int64_t steps) {
  torch::jit::Module model("Stalling");
  model.register_parameter("weight", at::full({8, 10}, 0.1), false);
  model.register_buffer("count", at::zeros({}, at::kLong));
  model.define(R"py(
def forward(self, x):
    self.count += 1
    i = 0
    if int(self.count) > )py" +
               std::to_string(steps) + R"py(:
        print("THE MODEL STALLS")
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

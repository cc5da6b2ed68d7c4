// SPDX-License-Identifier: Apache-2.0
//
// torch.autocast for C++: regions around forward and loss, regions inside regions, a whole function in a region,
// training and inference on the CPU, and a region over a policy of one's own. Each part checks what it shows.
#include "engine/autocast/region.h"
#include "engine/formats/error.h"

#include <ATen/core/grad_mode.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <cstdio>
#include <stdexcept>

using namespace binade;
using autocast::Region;

namespace {

int failures = 0;

void expect(bool truth, const char* what) {
  std::printf("%s  %s\n", truth ? "ok  " : "FAIL", what);
  if (!truth) ++failures;
}

bool is(const at::Tensor& tensor, at::ScalarType dtype) {
  return tensor.scalar_type() == dtype;
}

// Forward and loss inside, backward outside. Parameters stay float32, and so do their gradients.
void training() {
  torch::manual_seed(1);
  torch::nn::Sequential model(torch::nn::Linear(8, 16), torch::nn::ReLU(), torch::nn::Linear(16, 1));
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  const at::Tensor x = torch::randn({64, 8});
  const at::Tensor y = x.sum(1, /*keepdim=*/true);
  double first = 0;
  double last = 0;
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    at::Tensor output;
    at::Tensor loss;
    {
      const Region region("cpu", at::kBFloat16);
      output = model->forward(x);
      loss = torch::mse_loss(output, y);  // on the float32 list
    }
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) {
      first = last;
      expect(is(output, at::kBFloat16) && is(loss, at::kFloat), "linear layers give bfloat16, the loss float32");
      expect(is(model->parameters()[0].grad(), at::kFloat), "gradients of parameters are float32");
    }
  }
  expect(last < first / 10, "training in bfloat16 without a scaler converges");
}

// No history is kept, and the parameters are as they were.
void inference() {
  torch::nn::Linear model(4, 2);
  model->eval();
  const at::NoGradGuard no_history;
  const Region region("cpu", at::kBFloat16);
  const at::Tensor output = model->forward(torch::randn({1, 4}));
  expect(is(output, at::kBFloat16) && !output.requires_grad(), "inference gives bfloat16 without a graph");
  expect(is(model->weight, at::kFloat), "the weights stay float32");
}

// enabled = false hands the types back to the caller, who casts on the way in.
void nested() {
  const at::Tensor a = torch::rand({8, 8});
  const at::Tensor b = torch::rand({8, 8});
  const at::Tensor c = torch::rand({8, 8});
  const at::Tensor d = torch::rand({8, 8});
  const Region outer("cpu", at::kBFloat16);
  const at::Tensor e = torch::mm(a, b);
  at::Tensor f;
  {
    const Region inner("cpu", at::kBFloat16, /*enabled=*/false);
    f = torch::mm(c, e.to(at::kFloat));
  }
  const at::Tensor g = torch::mm(d, f);
  expect(is(e, at::kBFloat16) && is(f, at::kFloat) && is(g, at::kBFloat16), "bfloat16, float32 inside, bfloat16 again");
}

// What a region gives may have to be cast back where it ends.
void mixing() {
  const at::Tensor a = torch::rand({8, 8});
  at::Tensor f;
  {
    const Region region("cpu", at::kBFloat16);
    f = torch::mm(a, torch::mm(a, a));
  }
  bool threw = false;
  try {
    torch::mm(a, f);
  } catch (const c10::Error&) {
    threw = true;
  }
  expect(threw, "outside the region mm refuses bfloat16 beside float32");
  expect(is(torch::mm(a, f.to(at::kFloat)), at::kFloat), "after a cast back it does not");
  expect(a.to(at::kFloat).is_same(a), "a cast of what is float32 already is no copy");
}

void functions() {
  const auto forward =
      autocast::wrap(autocast::RegionArguments{"cpu", at::kBFloat16}, [](const at::Tensor& x, bool fail) {
        if (fail) throw std::runtime_error("the caller's");
        return torch::mm(x, x);
      });
  const at::Tensor x = torch::rand({4, 4});
  expect(is(forward(x, false), at::kBFloat16), "a wrapped function runs in its region");
  try {
    forward(x, true);
  } catch (const std::runtime_error&) {
  }
  expect(!autocast::is_enabled("cpu") && is(torch::mm(x, x), at::kFloat), "after an exception nothing is left of it");
}

// What PyTorch has not: lists of one's own.
void policies() {
  policy::Policy mine;
  mine.base = policy::Base::kCpuAmp;
  mine.low = formats::kBFloat16;
  mine.ops["aten::mm"] = formats::kFloat32;
  mine.ops["aten::softmax"] = policy::Treatment::kLow;
  const auto table = autocast::table_for(mine);
  const at::Tensor x = torch::rand({4, 4});
  const Region region(autocast::PolicyRegionArguments{.policy = table, .device_type = "cpu"});
  expect(is(torch::mm(x, x), at::kFloat), "mm stays float32, as this policy says");
  expect(is(torch::softmax(x, 1), at::kBFloat16), "softmax runs in bfloat16, as this policy says");
  expect(is(torch::linear(x, x), at::kBFloat16), "linear is as the CPU list has it");
}

}  // namespace

int main() try {
  training();
  inference();
  nested();
  mixing();
  functions();
  policies();
  return failures == 0 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint.c_str());
  return 1;
}

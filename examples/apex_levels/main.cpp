// SPDX-License-Identifier: Apache-2.0
//
// A small image classifier that trains at any of Apex's levels; nothing but the arguments differs between them.
//
//   apex_levels                       all four levels, one after the other
//   apex_levels --opt-level O2 --keep-batchnorm-fp32 False --loss-scale 128.0
#include "engine/apex/initialize.h"
#include "engine/formats/error.h"

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace binade;

namespace {

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl() : conv(torch::nn::Conv2dOptions(1, 8, 3).padding(1).bias(false)), norm(8), last(8 * 4 * 4, 4) {
    register_module("conv", conv);
    register_module("norm", norm);
    register_module("last", last);
  }
  at::Tensor forward(at::Tensor x) {
    x = torch::relu(norm(conv(x)));
    return last(torch::avg_pool2d(x, 2).flatten(1));
  }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
  torch::nn::Linear last;
};
TORCH_MODULE(Classifier);

/// Noise with a bright quarter; the label says which.
std::pair<at::Tensor, at::Tensor> images(std::int64_t count) {
  const at::Tensor labels = torch::randint(4, {count}, at::kLong);
  at::Tensor pictures = torch::randn({count, 1, 8, 8});
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t label = labels[i].item<std::int64_t>();
    const std::int64_t top = label / 2 * 4;
    const std::int64_t left = label % 2 * 4;
    pictures[i][0].slice(0, top, top + 4).slice(1, left, left + 4).add_(1);
  }
  return {pictures, labels};
}

/// The share of pictures that it gets right after training.
double train(const apex::Options& options) {
  torch::manual_seed(1);
  const auto [pictures, labels] = images(256);
  Classifier net;
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  auto [amp, model, optimizer] = apex::initialize(net, sgd, options);
  int skipped = 0;
  for (int step = 0; step < 40; ++step) {
    optimizer.zero_grad();
    at::Tensor loss;
    {
      const auto casts = amp.casts();
      loss = torch::cross_entropy_loss(model(pictures), labels);
    }
    {
      const auto scaled = amp.scale_loss(loss, optimizer);
      scaled->backward();
    }
    skipped += optimizer.skips() ? 1 : 0;
    optimizer.step();
  }
  net->eval();
  const at::NoGradGuard no_history;
  const double right = model(pictures).argmax(1).eq(labels).to(at::kFloat).mean().template item<double>();
  std::printf("%s: %.1f %% right; weights %s, batch norm %s, %d steps skipped, loss scale %g\n",
              options.opt_level.c_str(), 100 * right, c10::toString(net->conv->weight.scalar_type()),
              c10::toString(net->norm->weight.scalar_type()), skipped, amp.loss_scaler().loss_scale());
  return right;
}

}  // namespace

int main(int count, char** arguments) try {
  apex::Options options{.verbosity = 0};
  std::vector<std::string> levels{"O0", "O1", "O2", "O3"};
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    const std::string value = arguments[i + 1];
    if (name == "--opt-level") {
      levels = {value};
    } else if (name == "--keep-batchnorm-fp32") {
      options.keep_batchnorm_fp32 = value;
    } else if (name == "--loss-scale") {
      options.loss_scale = value;
    } else {
      std::fprintf(stderr, "unknown argument %s\n", name.c_str());
      return 2;
    }
  }
  bool all_learned = true;
  for (const std::string& level : levels) {
    options.opt_level = level;
    all_learned = train(options) > 0.8 && all_learned;
  }
  return all_learned ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint.c_str());
  return 1;
}

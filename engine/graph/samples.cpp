// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"

#include "engine/formats/error.h"
#include "engine/graph/sample_layers.h"
#include "engine/policy/near_name.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <functional>

namespace binade::graph {

using torch::jit::Module;

namespace {

Module mlp(Layers& layers) {
  Module net = layers.module("Mlp");
  net.register_module("fc1", layers.linear(784, 128));
  net.register_module("fc2", layers.linear(128, 64));
  net.register_module("fc3", layers.linear(64, 10));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x, 1)
    x = torch.relu(self.fc1.forward(x))
    x = torch.dropout(x, 0.1, self.training)
    x = torch.relu(self.fc2.forward(x))
    return self.fc3.forward(x)
)");
  return net;
}

Module cnn(Layers& layers) {
  Module net = layers.module("Cnn");
  net.register_module("conv1", layers.conv2d(1, 16, 3, 1, true));
  net.register_module("bn1", layers.batch_norm(16));
  net.register_module("conv2", layers.conv2d(16, 32, 3, 1, true));
  net.register_module("bn2", layers.batch_norm(32));
  net.register_module("fc1", layers.linear(std::int64_t{32} * 7 * 7, 64));
  net.register_module("fc2", layers.linear(64, 10));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.relu(self.bn1.forward(self.conv1.forward(x)))
    x = torch.max_pool2d(x, [2, 2])
    x = torch.relu(self.bn2.forward(self.conv2.forward(x)))
    x = torch.max_pool2d(x, [2, 2])
    x = torch.flatten(x, 1)
    x = torch.relu(self.fc1.forward(x))
    return self.fc2.forward(x)
)");
  return net;
}

Module residual_block(Layers& layers, std::int64_t in, std::int64_t out, std::int64_t stride) {
  Module block = layers.module("Block");
  block.register_module("conv1", layers.conv2d(in, out, 3, stride, false));
  block.register_module("bn1", layers.batch_norm(out));
  block.register_module("conv2", layers.conv2d(out, out, 3, 1, false));
  block.register_module("bn2", layers.batch_norm(out));
  const bool project = in != out || stride != 1;
  if (project) {
    block.register_module("down", layers.conv2d(in, out, 1, stride, false));
    block.register_module("down_bn", layers.batch_norm(out));
  }
  block.define(std::string(R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
    y = self.bn2.forward(self.conv2.forward(y))
    y += )") + (project ? "self.down_bn.forward(self.down.forward(x))" : "x") +
               "\n    return torch.relu_(y)\n");
  return block;
}

Module resnet(Layers& layers) {
  Module net = layers.module("ResNet");
  net.register_module("stem", layers.conv2d(3, 32, 3, 1, false));
  net.register_module("bn", layers.batch_norm(32));
  net.register_module("layer1", residual_block(layers, 32, 32, 1));
  net.register_module("layer2", residual_block(layers, 32, 64, 2));
  net.register_module("layer3", residual_block(layers, 64, 128, 2));
  net.register_module("fc", layers.linear(128, 10));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.relu_(self.bn.forward(self.stem.forward(x)))
    x = self.layer1.forward(x)
    x = self.layer2.forward(x)
    x = self.layer3.forward(x)
    x = torch.flatten(torch.adaptive_avg_pool2d(x, [1, 1]), 1)
    return self.fc.forward(x)
)");
  return net;
}

constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kTokens = 32;

Module attention(Layers& layers) {
  Module block = layers.module("Attention");
  block.register_module("qkv", layers.linear(kWidth, 3 * kWidth));
  block.register_module("out", layers.linear(kWidth, kWidth));
  block.define(R"(
def forward(self, x: Tensor) -> Tensor:
    b, t, w = x.shape[0], x.shape[1], x.shape[2]
    qkv = self.qkv.forward(x).view([b, t, 3, 4, w // 4]).permute([2, 0, 3, 1, 4])
    scores = torch.matmul(qkv[0], qkv[1].transpose(-2, -1)) * (1.0 / float(w // 4) ** 0.5)
    weights = torch.dropout(torch.softmax(scores, -1), 0.1, self.training)
    return self.out.forward(torch.matmul(weights, qkv[2]).transpose(1, 2).reshape([b, t, w]))
)");
  return block;
}

Module transformer_block(Layers& layers) {
  Module block = layers.module("Block");
  block.register_module("norm1", layers.layer_norm(kWidth));
  block.register_module("attention", attention(layers));
  block.register_module("norm2", layers.layer_norm(kWidth));
  block.register_module("up", layers.linear(kWidth, 4 * kWidth));
  block.register_module("down", layers.linear(4 * kWidth, kWidth));
  block.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = x + self.attention.forward(self.norm1.forward(x))
    y = torch.gelu(self.up.forward(self.norm2.forward(x)))
    return x + self.down.forward(y)
)");
  return block;
}

Module transformer(Layers& layers) {
  Module net = layers.module("Transformer");
  net.register_module("tokens", layers.embedding(1000, kWidth));
  net.register_parameter("positions", layers.uniform({kTokens, kWidth}, 0.1).requires_grad_(true), false);
  net.register_module("block0", transformer_block(layers));
  net.register_module("block1", transformer_block(layers));
  net.register_module("norm", layers.layer_norm(kWidth));
  net.register_module("head", layers.linear(kWidth, 10));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    y = self.tokens.forward(x) + self.positions[:x.shape[1]]
    y = self.block0.forward(y)
    y = self.block1.forward(y)
    return self.head.forward(torch.mean(self.norm.forward(y), [1]))
)");
  return net;
}

constexpr std::int64_t kRow = 28;
constexpr std::int64_t kHidden = 64;

/// Weights of one LSTM layer and direction, in the order of aten::lstm.
void lstm_layer(Layers& layers, Module& net, const std::string& suffix, std::int64_t in) {
  const double bound = 1 / std::sqrt(static_cast<double>(kHidden));
  const auto add = [&](const char* name, at::IntArrayRef shape) {
    net.register_parameter(name + suffix, layers.uniform(shape, bound).requires_grad_(true), false);
  };
  add("weight_ih_", {4 * kHidden, in});
  add("weight_hh_", {4 * kHidden, kHidden});
  add("bias_ih_", {4 * kHidden});
  add("bias_hh_", {4 * kHidden});
}

Module lstm(Layers& layers) {
  Module rnn = layers.module("Lstm");
  lstm_layer(layers, rnn, "l0", kRow);
  lstm_layer(layers, rnn, "l1", kHidden);
  rnn.define(R"(
def forward(self, x: Tensor) -> Tensor:
    state = torch.zeros([2, x.shape[0], 64], dtype=x.dtype, device=x.device)
    weights = [self.weight_ih_l0, self.weight_hh_l0, self.bias_ih_l0, self.bias_hh_l0,
               self.weight_ih_l1, self.weight_hh_l1, self.bias_ih_l1, self.bias_hh_l1]
    y, h, c = torch.lstm(x, [state, state], weights, True, 2, 0.1, self.training, False, True)
    return y
)");
  Module net = layers.module("Recurrent");
  net.register_module("rnn", rnn);
  net.register_module("head", layers.linear(kHidden, 10));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    y = self.rnn.forward(x.reshape([x.shape[0], 28, 28]))
    return self.head.forward(y[:, -1])
)");
  return net;
}

Module control_flow(Layers& layers) {
  Module net = layers.module("ControlFlow");
  net.register_module("enter", layers.linear(16, 32));
  net.register_module("context", layers.linear(8, 32));
  net.register_module("cell", layers.linear(32, 32));
  net.register_module("norm", layers.layer_norm(32));
  net.register_module("head", layers.linear(32, 10));
  net.define(R"(
def forward(self, inputs: Dict[str, Tensor], steps: int = 4) -> Tuple[Tensor, Tensor]:
    x = self.enter.forward(inputs["x"])
    if "context" in inputs:
        x = x + self.context.forward(inputs["context"])
    seen: List[Tensor] = []
    for i in range(steps):
        if i % 2 == 0:
            x = x + torch.relu(self.cell.forward(x))
        else:
            x = torch.tanh(self.norm.forward(self.cell.forward(x)))
        if bool(torch.mean(torch.abs(x)) > 10.0):
            break
        seen.append(x)
    state = torch.mean(torch.stack(seen), [0])
    return self.head.forward(state), state
)");
  return net;
}

/// Sets the biases to 0: drawn ones would outweigh the input, which shrinks in each layer.
Module without_bias(Module linear) {
  const at::NoGradGuard no_history;
  linear.attr("bias").toTensor().zero_();
  return linear;
}

/// Gradients shrink by a factor of about 2.5 in each layer, so those of the first layers are below float16's range.
Module deep(Layers& layers) {
  constexpr int kLayers = 16;
  Module net = layers.module("Deep");
  std::string forward = "def forward(self, x: Tensor) -> Tensor:\n    x = torch.flatten(x, 1)\n";
  for (int i = 1; i <= kLayers; ++i) {
    const std::string name = "fc" + std::to_string(i);
    net.register_module(name, without_bias(layers.linear(i == 1 ? 784 : 64, 64)));
    forward += "    x = torch.relu(self." + name + ".forward(x))\n";
  }
  net.register_module("head", without_bias(layers.linear(64, 10)));
  net.define(forward + "    return self.head.forward(x)\n");
  return net;
}

/// Queries and keys of a few hundred: some of their products are beyond float16. docs/guide/overflows.md has the same
/// model in Python.
Module large_logits(Layers& layers) {
  Module net = layers.module("Attention");
  net.register_module("norm", layers.layer_norm(64));
  net.register_module("q", layers.linear(64, 64));
  net.register_module("k", layers.linear(64, 64));
  net.register_module("v", layers.linear(64, 64));
  net.register_module("out", layers.linear(64, 10));
  net.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = self.norm.forward(x) * 100
    q, k, v = self.q.forward(x), self.k.forward(x), self.v.forward(x)
    logits = torch.matmul(q, k.transpose(1, 2)) / 8
    return self.out.forward(torch.matmul(torch.softmax(logits, -1), v).mean(1))
)");
  return net;
}

constexpr std::string_view kPrefix = "sample:";

struct Recipe {
  Sample sample;
  std::function<Module(Layers&)> build;
};

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all{
      {{"mlp", "three linear layers with dropout, for 28 x 28 pictures", {"float32[64,1,28,28]"}}, mlp},
      {{"cnn", "two convolutions with batch norm and two linear layers, for 28 x 28 pictures", {"float32[64,1,28,28]"}},
       cnn},
      {{"resnet", "three residual blocks with in-place ops, for 32 x 32 colour pictures", {"float32[32,3,32,32]"}},
       resnet},
      {{"transformer", "two attention blocks over 32 tokens of a vocabulary of 1,000", {"int64[32,32]<1000"}},
       transformer},
      {{"lstm", "a two-layer LSTM that reads 28 x 28 pictures row by row", {"float32[64,1,28,28]"}}, lstm},
      {{"control-flow",
        "an if, a loop with a break, a list, a dict input and a tuple output, whose part [0] has the classes",
        {"dict(\"x\": float32[64,16], \"context\": float32[64,8])"}},
       control_flow},
      {{"deep",
        "seventeen linear layers for 28 x 28 pictures, whose first gradients vanish in float16 without a loss scale",
        {"float32[64,1,28,28]"},
        /*faulty=*/true},
       deep},
      {{"attention",
        "one attention over 24 tokens, whose product of queries and keys overflows in float16",
        {"float32[16,24,64]"},
        /*faulty=*/true},
       large_logits},
  };
  return all;
}

}  // namespace

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> list;
    for (const Recipe& recipe : recipes()) list.push_back(recipe.sample);
    return list;
  }();
  return all;
}

Model make_sample(const std::string& name, std::uint64_t seed) {
  std::vector<std::string> known;
  for (const Recipe& recipe : recipes()) {
    if (recipe.sample.name == name) {
      Layers layers(seed);
      Module module = recipe.build(layers);
      module.train();
      return Model(std::move(module));
    }
    known.push_back(recipe.sample.name);
  }
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
  throw Error(ErrorCode::kUsage, "Unknown sample \"" + name + "\"",
              policy::did_you_mean(name, known) + "Samples: " + list + ".");
}

const Sample* find_sample(const std::string& model) {
  for (const Sample& sample : samples()) {
    if (model == std::string(kPrefix) + sample.name) return &sample;
  }
  return nullptr;
}

Model open_model(const std::string& model, std::uint64_t seed) {
  if (model.starts_with(kPrefix)) return make_sample(model.substr(kPrefix.size()), seed);
  return Model::load(model);
}

}  // namespace binade::graph

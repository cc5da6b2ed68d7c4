// SPDX-License-Identifier: Apache-2.0
#include "tests/diagnose/planted.h"

#include "engine/observe/values.h"
#include "tests/run/small_run.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <array>
#include <random>

namespace binade::test {

namespace jit = torch::jit;

namespace {

using Fault = wire::Root::Fault;
using wire::Direction;

/// Lines of a forward behind `c`, a clone of a float16 layer's result; `u` goes on. The root is so many sites behind
/// the clone.
struct Kind {
  const char* name;
  const char* lines;
  int root;
  Fault fault;
  std::vector<std::string> why;
  Direction direction = Direction::kForward;
};

const std::vector<Kind>& kinds() {
  using enum Fault;
  static const std::vector<Kind> all{
      // Results beyond float16.
      {"overflow: mul", "t = c * 0.0 + 300.0\nu = t * t", 3, kOverflow, {}},
      {"overflow: mul by a number", "t = c * 0.0 + 2.0\nu = t * 60000.0", 3, kOverflow, {}},
      {"overflow: add", "t = c * 0.0 + 40000.0\nu = t + t", 3, kOverflow, {}},
      {"overflow: matmul",
       "t = c * 0.0 + 200.0\nu = torch.matmul(t, t.transpose(0, 1))[:, :1] + c * 0.0",
       4,
       kOverflow,
       {}},
      {"overflow: div", "t = c * 0.0 + 100.0\nu = t / 0.001", 3, kOverflow, {}},
      {"overflow: sub", "t = c * 0.0 - 40000.0\nu = t - 40000.0", 3, kOverflow, {}},
      {"overflow: in place", "t = c * 0.0 + 300.0\nt.mul_(300.0)\nu = t", 3, kOverflow, {}},
      {"overflow: exp in float32", "t = c * 0.0 + 100.0\nu = torch.exp(t)", 3, kOverflow, {}},
      {"overflow: square in float32", "t = c.float() * 0.0 + 1e30\nu = t * t", 4, kOverflow, {}},
      // Casts.
      {"cast: into a product",
       "t = c.float() * 0.0 + 100000.0\nu = torch.mm(t, t.transpose(0, 1))[:, :1] + c",
       5,
       kCast,
       {}},
      {"own cast: half", "t = c.float() * 0.0 + 345000.0\nu = t.half()", 4, kCast, {}},
      {"own cast: to", "t = c.float() * 0.0 + 345000.0\nu = t.to(5)", 4, kCast, {}},
      {"own cast: to other", "t = c.float() * 0.0 + 70000.0\nu = t.to(c)", 4, kCast, {}},
      {"own cast: type_as", "t = c.float() * 0.0 + 1e20\nu = t.type_as(c)", 4, kCast, {}},
      {"own cast: copy_", "t = c.float() * 0.0 + 1e6\nv = torch.zeros_like(c)\nu = v.copy_(t)", 5, kCast, {}},
      {"own cast: bfloat16", "t = c.double() * 0.0 + 1e300\nu = t.to(15)", 4, kCast, {}},
      {"own cast: float8_e5m2", "t = c.float() * 0.0 + 1e6\nu = t.to(23).float()", 4, kCast, {}},
      {"own cast: float8_e4m3fn", "t = c.float() * 0.0 + 1e6\nu = t.to(24).float()", 4, kCast, {}},
      // What became 0.
      {"underflow: mul, divided by", "t = c * 0.0 + 0.0001\ns = t * t\nu = c / s", 3, kLost, {"too small for it"}},
      {"underflow: mul by a number, log",
       "t = c * 0.0 + 1.0\ns = t * 1e-8\nu = torch.log(s)",
       3,
       kLost,
       {"is 0 there"}},
      {"underflow: own cast, log",
       "t = c.float() * 0.0 + 1e-8\nu = torch.log(t.half())",
       4,
       kLost,
       {"too small for it"}},
      {"underflow: sigmoid, log",
       "t = c * 0.0 - 20.0\nu = torch.log(torch.sigmoid(t))",
       3,
       kLost,
       {"too small for it"}},
      {"lost constant: root + eps",
       "t = torch.relu(c - 1000.0)\nn = torch.sqrt(t) + 1e-8\nu = t / n",
       4,
       kLost,
       {"the constant 1e-08"}},
      {"lost constant: root(x + eps)",
       "t = torch.relu(c - 1000.0)\nn = torch.sqrt((t * t).mean([-1], True) + 1e-8)\nu = t / n",
       5,
       kLost,
       {"the constant 1e-08"}},
      {"lost constant: clamp",
       "t = c * 0.0\nn = torch.clamp(t, 1e-8)\nu = torch.ones_like(t) / n",
       2,
       kLost,
       {"the constant 1e-08"}},
      {"lost constant: log", "t = c * 0.0\nu = torch.log(t + 1e-9)", 2, kLost, {"the constant 1e-09"}},
      {"lost constant: masked_fill",
       "t = c * 0.0\nn = t.masked_fill(t == 0.0, 1e-8)\nu = torch.ones_like(t) / n",
       3,
       kLost,
       {"the constant 1e-08"}},
      // Operations without a finite result.
      {"invalid: log 0", "u = torch.log(c * 0.0)", 2, kInvalid, {"the logarithm of 0"}},
      {"invalid: log of less", "u = torch.log(c * 0.0 - 1.0)", 3, kInvalid, {"the logarithm of a number below 0"}},
      {"invalid: 1/0", "t = c * 0.0\nu = (t + 1.0) / t", 3, kInvalid, {"a division by 0"}},
      {"invalid: 0/0", "t = c * 0.0\nu = t / t", 2, kInvalid, {"0 divided by 0"}},
      {"invalid: root", "u = torch.sqrt(c * 0.0 - 1.0)", 3, kInvalid, {"the root of a number below 0"}},
      {"invalid: rsqrt 0", "u = torch.rsqrt(c * 0.0)", 2, kInvalid, {"a division by 0"}},
      {"invalid: reciprocal 0", "u = torch.reciprocal(c * 0.0)", 2, kInvalid, {"a division by 0"}},
      {"invalid: acos", "u = torch.acos(c * 0.0 + 2.0)", 3, kInvalid, {"outside of where the op is defined"}},
      {"invalid: masked softmax",
       "u = torch.softmax(c.masked_fill(c == c, float('-inf')), -1)",
       3,
       kInvalid,
       {"all masked"}},
      {"invalid: inf times 0",
       "t = torch.full_like(c, float('inf'))\nu = t * (c * 0.0)",
       3,
       kInvalid,
       {"an infinity times 0"}},
      {"invalid: both signs",
       "t = torch.full_like(c, float('inf'))\nu = c + (t - t)",
       2,
       kInvalid,
       {"infinities of both signs"}},
      {"invalid: inf/inf",
       "t = torch.full_like(c, float('inf'))\nu = t / t",
       2,
       kInvalid,
       {"an infinity divided by an infinity"}},
      // Backward.
      {"slope: root at 0",
       "u = torch.sqrt(c * 0.0)",
       2,
       kInvalid,
       {"its slope at 0 is infinite"},
       Direction::kBackward},
      {"slope: log, masked",
       "t = torch.log(c * 0.0)\nu = t.masked_fill(torch.isinf(t), 0.0)",
       2,
       kInvalid,
       {"its slope at 0 is infinite"},
       Direction::kBackward},
      {"backward: a gradient's cast",
       "t = c.float()\nu = c + (t - t.detach()) * 1e9",
       1,
       kOverflow,
       {},
       Direction::kBackward},
  };
  return all;
}

/// Faults from outside of the planted lines.
enum class Outside { kBuffer, kBelow, kNaNBuffer, kFromStart, kParameter, kData, kDataBelow, kLoss };
constexpr std::array kOutside{Outside::kBuffer,    Outside::kBelow, Outside::kNaNBuffer, Outside::kFromStart,
                              Outside::kParameter, Outside::kData,  Outside::kDataBelow, Outside::kLoss};

/// Data of which one number is not finite.
class Bad : public batches::BatchSource {
 public:
  Bad(std::unique_ptr<batches::BatchSource> data, std::uint64_t seed, double value)
      : data_(std::move(data)), seed_(seed), value_(value) {}
  batches::Batch next() override {
    batches::Batch batch = data_->next();
    const at::Tensor values = batch.inputs.front().toTensor();
    values.view(-1)[static_cast<std::int64_t>(seed_ % static_cast<std::uint64_t>(values.numel()))].fill_(value_);
    return batch;
  }
  std::int64_t cursor() const override { return data_->cursor(); }
  void seek(std::int64_t cursor) override { data_->seek(cursor); }
  std::int64_t test_batches() const override { return data_->test_batches(); }
  batches::Batch test_batch(std::int64_t index) const override { return data_->test_batch(index); }
  std::int64_t examples() const override { return data_->examples(); }
  std::int64_t test_examples() const override { return data_->test_examples(); }
  const std::vector<batches::TargetInfo>& targets() const override { return data_->targets(); }

 private:
  std::unique_ptr<batches::BatchSource> data_;
  std::uint64_t seed_;
  double value_;
};

/// Writes a random model's forward, layer by layer.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed), module_("__torch__.Net") {
    module_.register_attribute("training", c10::BoolType::get(), true);
    text_ = "def forward(self, x: Tensor) -> Tensor:\n    h = x\n";
  }

  std::uint64_t draw(std::uint64_t below) { return random_() % below; }

  void layer() {
    const std::int64_t out = 4 + static_cast<std::int64_t>(draw(8));
    linear(out);
    switch (draw(8)) {
      case 0:
        return line("h = torch.relu(h)");
      case 1:
        return line("h = torch.tanh(h)");
      case 2:
        return line("h = torch.layer_norm(h, [" + std::to_string(out) + "])");
      case 3:
        return line("h = h * torch.sigmoid(h)");
      case 4:
        return line("h = torch.softmax(h, -1) + h");
      case 5:
        return line("h = torch.cat([h, h], 1)[:, :" + std::to_string(out) + "]");
      case 6:
        return line("h = torch.gelu(h) + 0.5");
      default:
        return;
    }
  }

  void linear(std::int64_t out) {
    const std::string name = std::to_string(weights_++);
    at::Tensor weight = at::empty({out, width_});
    for (std::int64_t i = 0; i < weight.numel(); ++i) {
      weight.view(-1)[i].fill_(static_cast<double>(draw(2001)) / 1000 - 1);
    }
    module_.register_parameter("w" + name, (weight / 2).requires_grad_(true), false);
    module_.register_parameter("b" + name, at::zeros({out}).requires_grad_(true), false);
    line("h = torch.linear(h, self.w" + name + ", self.b" + name + ")");
    width_ = out;
  }

  void line(const std::string& text) { text_ += "    " + text + "\n"; }
  void lines(const std::string& text) {
    std::string rest = text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      line(rest.substr(0, end));
      rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
  }
  void buffer(const std::string& name, const at::Tensor& tensor) { module_.register_buffer(name, tensor); }
  std::string weight() { return "w" + std::to_string(draw(static_cast<std::uint64_t>(weights_))); }
  jit::Module& module() { return module_; }

  std::string save(const std::string& folder) {
    linear(4);
    line("return h");
    module_.define(text_);
    const std::string file = folder + "/planted.pt";
    module_.save(file);
    return file;
  }

 private:
  std::mt19937_64 random_;
  jit::Module module_;
  std::string text_;
  std::int64_t width_ = 8;
  int weights_ = 0;
};

wire::RunConfig runOf(const std::string& model) {
  wire::RunConfig config = smallRun(4);
  config.model = model;
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.data.prefetch = 0;
  config.batch = 6;
  config.scaler.init_scale = 1024;
  config.observe.level = "off";
  return config;
}

std::string nameBehindClone(const train::Training& training, int offset) {
  const auto clone = std::find_if(training.sites.begin(), training.sites.end(),
                                  [](const graph::Site* site) { return site->op == "aten::clone"; });
  return (*(clone + offset))->key.name();
}

void layers(Writer& writer) {
  for (std::uint64_t n = writer.draw(4); n > 0; --n) writer.layer();
}

Planted inside(const Kind& kind, std::uint64_t seed, const std::string& folder) {
  Writer writer(seed);
  layers(writer);
  writer.linear(5);
  writer.line("c = h.clone()");
  writer.lines(kind.lines);
  writer.line("h = u + c * 0.5");
  layers(writer);
  Planted made{kind.name, train::set_up(runOf(writer.save(folder))), 1, kind.fault, kind.direction, {}, kind.why};
  made.root = nameBehindClone(*made.training, kind.root);
  return made;
}

Planted outside(Outside what, std::uint64_t seed, const std::string& folder) {
  Writer writer(seed);
  layers(writer);
  const std::array names{"rm", "scale_of_it", "running_mean", "prototypes", "m"};
  const std::string name = names[writer.draw(names.size())];
  const bool buffer = what == Outside::kBuffer || what == Outside::kBelow || what == Outside::kNaNBuffer;
  Planted made;
  if (buffer) {
    writer.linear(5);
    writer.buffer(name, at::zeros({5}));
    writer.line("h = h.float() + self." + name);
    const std::string value = what == Outside::kBuffer  ? "(h.abs() + 1000.0).exp().mean([0])"
                              : what == Outside::kBelow ? "-(h.abs() + 1000.0).exp().mean([0])"
                                                        : "(h.abs() * 0.0 - 1.0).log().mean([0])";
    writer.line("self." + name + ".copy_(" + value + ".detach())");
    made = {"poisoned buffer", nullptr, 3, Fault::kBuffer, Direction::kForward, name, {}};
  } else if (what == Outside::kFromStart) {
    writer.linear(5);
    writer.buffer(name, at::zeros({5}).fill_(kInfinity));
    writer.line("h = h + self." + name);
    made = {"buffer from the start", nullptr, 1, Fault::kBuffer, Direction::kForward, name, {}};
  }
  layers(writer);
  wire::RunConfig config = runOf(writer.save(folder));
  if (what == Outside::kLoss) {
    config.losses.resize(1);
    config.losses[0].kind = "text";
    config.losses[0].text =
        "def loss(output: Tensor, target: Tensor) -> Tensor:\n"
        "    t = output.float() * 0.0 + 200.0\n"
        "    return torch.exp(t).mean() + output.float().mean()\n";
    made = {"overflow in the loss", nullptr, 1, Fault::kOverflow, Direction::kForward, "loss/aten::exp#0", {}};
  }
  const std::string weight = writer.weight();
  made.training = train::set_up(config);
  const at::NoGradGuard no_history;
  if (what == Outside::kParameter) {
    const auto parameters = made.training->model.parameters();
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const auto& parameter) { return parameter.first == weight; });
    at::Tensor(found->second).view(-1)[0].fill_(seed % 2 == 0 ? kNaN : kInfinity);
    made = {"weight", std::move(made.training), 1, Fault::kParameter, Direction::kForward, weight, {}};
  }
  if (what == Outside::kData || what == Outside::kDataBelow) {
    const double value = what == Outside::kDataBelow ? -kInfinity : seed % 2 == 0 ? kNaN : kInfinity;
    made.training->data = std::make_unique<Bad>(std::move(made.training->data), seed, value);
    made = {"data", std::move(made.training), 1, Fault::kData, Direction::kForward, "x", {}};
  }
  return made;
}

}  // namespace

std::size_t plantedKinds() {
  return kinds().size() + kOutside.size();
}

Planted plant(std::size_t kind, std::uint64_t seed, const std::string& folder) {
  if (kind < kinds().size()) return inside(kinds()[kind], seed, folder);
  return outside(kOutside[kind - kinds().size()], seed, folder);
}

}  // namespace binade::test

// SPDX-License-Identifier: Apache-2.0
#include "engine/host/verify.h"

#include "engine/autocast/autocast.h"
#include "engine/autocast/specialise.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/variable.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace binade::host {

namespace {

constexpr double kLearningRate = 0.01;
constexpr int kWarmUps = 5;

/// LibTorch's own CPU autocast, the oracle.
class NativeAutocast {
 public:
  explicit NativeAutocast(std::optional<at::ScalarType> dtype) : on_(dtype.has_value()) {
    if (!on_) return;
    dtype_before_ = at::autocast::get_autocast_dtype(at::kCPU);
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, *dtype);
    at::autocast::increment_nesting();
  }
  ~NativeAutocast() {
    if (!on_) return;
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::set_autocast_dtype(at::kCPU, dtype_before_);
  }
  NativeAutocast(const NativeAutocast&) = delete;
  NativeAutocast& operator=(const NativeAutocast&) = delete;

 private:
  bool on_;
  at::ScalarType dtype_before_ = at::kBFloat16;
};

/// Keeps every site's results, to find the first that differs.
class Capture : public graph::SiteHook {
 public:
  struct Result {
    const graph::Site* site;
    at::Tensor value;
  };
  void after(graph::Call& call) override {
    executed.insert(call.site.id);
    if (keep && call.result(0).isTensor() && call.result(0).toTensor().defined()) {
      results.push_back({&call.site, call.result(0).toTensor().detach().clone()});
    }
  }
  bool keep = false;
  std::vector<Result> results;
  std::set<int> executed;
};

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) return false;
  const at::Tensor x = a.detach().contiguous();
  const at::Tensor y = b.detach().contiguous();
  return std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

double difference(const at::Tensor& a, const at::Tensor& b) {
  if (same_bits(a, b)) return 0;
  if (!a.defined() || !b.defined() || a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  const double largest = (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>();
  // Bits that differ without a numeric difference (dtype, sign of zero, NaN) still count.
  return largest > 0 ? largest : std::numeric_limits<double>::denorm_min();
}

void collect(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) {
    tensors.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const c10::IValue& element : value.toTupleRef().elements()) collect(element, tensors);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) collect(element, tensors);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) collect(entry.value(), tensors);
  }
}

/// One of the two trainings.
struct Side {
  graph::Model model;
  std::vector<std::pair<std::string, at::Tensor>> parameters;
  std::vector<std::pair<std::string, at::Tensor>> buffers;
  std::vector<at::Tensor> outputs;
  at::Tensor loss;

  explicit Side(graph::Model loaded)
      : model(std::move(loaded)), parameters(model.parameters()), buffers(model.buffers()) {
    for (auto& [name, parameter] : parameters) {
      if (parameter.is_floating_point()) parameter.requires_grad_(true);
    }
  }

  void backward(const VerifyOptions& options, const c10::IValue& output) {
    outputs = options.outputs(output);
    loss = at::Tensor();
    for (const at::Tensor& tensor : outputs) {
      if (!tensor.is_floating_point()) continue;
      const at::Tensor part = tensor.to(at::kFloat).square().mean();
      loss = loss.defined() ? loss + part : part;
    }
    if (!loss.defined()) {
      throw Error(ErrorCode::kBadModel, "The output holds no floating-point tensor to make a loss of",
                  "Name another output with --output.");
    }
    for (auto& [name, parameter] : parameters) parameter.mutable_grad() = at::Tensor();
    if (loss.requires_grad()) loss.backward();
  }

  void step() {
    const at::NoGradGuard no_history;
    for (auto& [name, parameter] : parameters) {
      if (parameter.grad().defined()) parameter.sub_(parameter.grad().to(parameter.scalar_type()), kLearningRate);
    }
  }
};

/// Makes the two copies equal, with nothing in them that would make a comparison vacuous.
void prepare(Side& native, Side& engine, const VerifyOptions& options) {
  const at::NoGradGuard no_history;
  at::manual_seed(options.seed);
  for (auto& [name, parameter] : native.parameters) {
    if (parameter.is_floating_point() && parameter.numel() > 0 && parameter.abs().max().item<double>() == 0) {
      parameter.normal_(0, 0.02);
    }
  }
  native.model.train(true);
  if (!native.buffers.empty()) {
    for (int i = 0; i < kWarmUps; ++i) native.model.forward(options.inputs(-1 - i));
  }
  native.model.train(options.train);
  engine.model.train(options.train);
  for (std::size_t i = 0; i < native.parameters.size(); ++i)
    engine.parameters[i].second.copy_(native.parameters[i].second);
  for (std::size_t i = 0; i < native.buffers.size(); ++i) engine.buffers[i].second.copy_(native.buffers[i].second);
}

std::shared_ptr<const policy::Resolved> policy_for(const VerifyOptions& options, const graph::FlatGraph& flat) {
  policy::Policy policy;
  policy.base = options.autocast ? policy::Base::kCpuAmp : policy::Base::kAllFloat32;
  policy.behaviour = policy::Behaviour::kPyTorch211;
  policy.execution = policy::Execution::kNative;
  policy.low = options.autocast == at::kHalf ? formats::kFloat16 : formats::kBFloat16;
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) sites.push_back(site.get());
  return std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, {}));
}

/// Runs one more forward of each with every site's results kept, and names the first that differs.
std::string first_site(Side& native, Side& engine, graph::FlatGraph& native_flat, graph::FlatGraph& flat,
                       autocast::Autocast& casts, const VerifyOptions& options, int step) {
  Capture expected;
  Capture got;
  expected.keep = got.keep = true;
  const at::NoGradGuard no_history;
  for (std::size_t i = 0; i < native.parameters.size(); ++i)
    engine.parameters[i].second.copy_(native.parameters[i].second);
  for (std::size_t i = 0; i < native.buffers.size(); ++i) engine.buffers[i].second.copy_(native.buffers[i].second);
  {
    const NativeAutocast oracle(options.autocast);
    at::manual_seed(options.seed + static_cast<std::uint64_t>(step));
    graph::SiteHook* hooks[] = {&expected};
    native_flat.run(options.inputs(step), hooks);
  }
  at::manual_seed(options.seed + static_cast<std::uint64_t>(step));
  casts.begin();
  // Outermost, so that it sees rounded results.
  graph::SiteHook* hooks[] = {&got, &casts};
  flat.run(options.inputs(step), hooks);
  casts.end();
  for (std::size_t i = 0; i < std::min(expected.results.size(), got.results.size()); ++i) {
    if (!same_bits(expected.results[i].value, got.results[i].value)) {
      return " The first call that differs is " + got.results[i].site->key.name() + ".";
    }
  }
  return " No single call differs in forward: look at backward.";
}

}  // namespace

std::vector<at::Tensor> tensors_of(const c10::IValue& output) {
  std::vector<at::Tensor> tensors;
  collect(output, tensors);
  return tensors;
}

VerifyReport verify(const VerifyOptions& options) {
  Side native(options.load());
  Side engine(options.load());
  prepare(native, engine, options);
  graph::FlatGraph flat(engine.model);
  graph::FlatGraph native_flat(native.model);
  autocast::Autocast casts;
  casts.set_policy(policy_for(options, flat));
  Capture capture;

  VerifyReport report;
  report.sites = static_cast<int>(flat.sites().size());
  const auto note = [&](double& worst, const std::string& what, const at::Tensor& a, const at::Tensor& b, int step) {
    const double by = difference(a, b);
    if (by == 0) return;
    worst = std::max(worst, by);
    if (report.identical) {
      report.first_difference = what + " differs at step " + std::to_string(step) + ".";
    }
    report.identical = false;
  };

  for (int step = 0; step < options.steps && report.identical; ++step) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(step);
    at::manual_seed(seed);
    c10::IValue native_output;
    {
      const NativeAutocast oracle(options.autocast);
      native_output = native_flat.forked() ? native_flat.run_native(options.inputs(step))
                                           : native.model.forward(options.inputs(step));
    }
    native.backward(options, native_output);

    at::manual_seed(seed);
    casts.begin();
    graph::SiteHook* hooks[] = {&capture, &casts};
    const c10::IValue engine_output = flat.run(options.inputs(step), hooks);
    casts.end();
    engine.backward(options, engine_output);

    if (native.outputs.size() != engine.outputs.size()) {
      throw Error(ErrorCode::kInternal, "The engine gave another number of outputs than forward");
    }
    for (std::size_t i = 0; i < native.outputs.size(); ++i) {
      note(report.outputs, "Output " + std::to_string(i), native.outputs[i], engine.outputs[i], step);
    }
    for (std::size_t i = 0; i < native.parameters.size(); ++i) {
      note(report.gradients, "The gradient of " + native.parameters[i].first, native.parameters[i].second.grad(),
           engine.parameters[i].second.grad(), step);
    }
    for (std::size_t i = 0; i < native.buffers.size(); ++i) {
      note(report.buffers, "The buffer " + native.buffers[i].first, native.buffers[i].second, engine.buffers[i].second,
           step);
    }
    report.gradients_compared = 0;
    for (const auto& [name, parameter] : native.parameters) report.gradients_compared += parameter.grad().defined();
    native.step();
    engine.step();
    for (std::size_t i = 0; i < native.parameters.size(); ++i) {
      note(report.parameters, "The parameter " + native.parameters[i].first, native.parameters[i].second,
           engine.parameters[i].second, step);
    }
    report.loss = native.loss.item<double>();
    report.steps = step + 1;
    if (report.identical && !std::isfinite(report.loss)) {
      throw Error(ErrorCode::kBadModel,
                  "The loss of step " + std::to_string(step) + " is not finite: what follows would prove nothing",
                  "Give inputs that keep it finite, fewer steps, or another output with --output.");
    }
  }
  report.executed = static_cast<int>(capture.executed.size());
  if (report.executed == 0) {
    throw Error(ErrorCode::kBadModel, "No op call ran in forward: nothing was compared",
                "Give inputs that take another path through the model; inspect lists its op calls.");
  }
  if (!report.identical) {
    report.first_difference += first_site(native, engine, native_flat, flat, casts, options, report.steps - 1);
  }
  return report;
}

}  // namespace binade::host

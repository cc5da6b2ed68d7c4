// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/proof.h"

#include "engine/autocast/cast_scope.h"
#include "engine/exporters/tensors.h"
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/graph/flat_graph.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/jit/api/module.h>

#include <limits>
#include <map>

namespace binade::exporters {

namespace {

constexpr double kLearningRate = 0.01;

struct Mode {
  bool train;
  bool gradients;
  const char* when;
};
constexpr Mode kModes[] = {
    {true, true, " in train mode"}, {false, false, " in eval mode without gradients"}, {false, true, " in eval mode"}};

double difference(const at::Tensor& a, const at::Tensor& b) {
  if (same_bits(a, b)) return 0;
  if (!a.defined() || !b.defined() || a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  const double largest = (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>();
  return largest > 0 ? largest : std::numeric_limits<double>::denorm_min();  // differs only in dtype, layout, the sign
                                                                             // of a zero or NaN
}

std::vector<c10::IValue> copied(const std::vector<c10::IValue>& inputs) {
  std::vector<c10::IValue> copies;
  for (const c10::IValue& value : inputs) copies.push_back(value.deepcopy());
  return copies;
}

void backward(const graph::Model& model, const std::vector<at::Tensor>& outputs) {
  for (auto& [name, parameter] : model.parameters()) parameter.mutable_grad() = at::Tensor();
  const at::Tensor loss = mean_squares(outputs);
  if (loss.defined() && loss.requires_grad()) loss.backward();
}

/// Runs backward of the engine's run. LibTorch refuses the same for the model itself.
void backward_of_model(const graph::Model& model, const std::vector<at::Tensor>& outputs) {
  try {
    backward(model, outputs);
  } catch (const std::exception& error) {
    const Error failure = graph::backward_failure(
        error,
        "A file is proven by its gradients too, of the mean square of its outputs. `verify` names the op call; "
        "detach or densify what it gives, or leave it out of the outputs.");
    if (failure.code != ErrorCode::kBadModel) throw Error(failure);
    throw Error(failure.code, std::string("LibTorch itself refuses: ") + failure.what(), failure.hint);
  }
}

/// Runs backward of the exported file.
void backward_of_file(const graph::Model& model, const std::vector<at::Tensor>& outputs) {
  try {
    backward(model, outputs);
  } catch (const std::exception& error) {
    throw graph::backward_failure(
        error, "The model itself has a backward here, and the exported file has none: report it with the model.");
  }
}

/// Redraws all-zero parameters, which would make their layer's gradients vanish.
void draw_zeros(const graph::Model& a, const graph::Model& b, std::uint64_t seed) {
  const at::NoGradGuard no_history;
  at::manual_seed(seed);
  std::map<std::string, at::Tensor> others;
  for (auto& [name, parameter] : b.parameters()) others[name] = parameter;
  for (auto& [name, parameter] : a.parameters()) {
    if (!parameter.is_floating_point() || parameter.numel() == 0 || parameter.abs().max().item<double>() != 0) continue;
    parameter.normal_(0, 0.02);
    if (const auto other = others.find(name); other != others.end()) other->second.copy_(parameter);
  }
}

class Prover {
 public:
  Prover(const graph::Model& model, const std::shared_ptr<const policy::Resolved>& table, const graph::Model& exported,
         std::uint64_t seed)
      : engine_(reloaded(model)), exported_(reloaded(exported)), flat_(engine_), seed_(seed) {
    casts_.set_policy(table);
    draw_zeros(engine_, exported_, seed);
  }

  Proof run(const std::vector<std::vector<c10::IValue>>& inputs) {
    for (const Mode& mode : kModes) {
      engine_.train(mode.train);
      exported_.train(mode.train);
      const at::AutoGradMode gradients(mode.gradients);
      for (const std::vector<c10::IValue>& given : inputs) compare(given, mode.when);
    }
    return std::move(proof_);
  }

 private:
  void compare(const std::vector<c10::IValue>& inputs, const std::string& when) {
    at::manual_seed(seed_);
    const std::vector<at::Tensor> expected = run_engine(inputs);
    backward_of_model(engine_, expected);
    at::manual_seed(seed_);
    const std::vector<at::Tensor> got = tensors_of(exported_.forward(copied(inputs)));
    backward_of_file(exported_, got);
    if (expected.size() != got.size()) {
      throw Error(ErrorCode::kInternal, "The exported model gives another number of outputs");
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      note(proof_.outputs, "output " + std::to_string(i) + when, expected[i], got[i]);
    }
    proof_.gradients_compared = 0;
    pairwise(engine_.parameters(), exported_.parameters(), [&](const auto& name, const auto& a, const auto& b) {
      note(proof_.gradients, "the gradient of " + name + when, a.grad(), b.grad());
      proof_.gradients_compared += a.grad().defined();
    });
    pairwise(engine_.buffers(), exported_.buffers(), [&](const auto& name, const auto& a, const auto& b) {
      note(proof_.buffers, "the buffer " + name + when, a, b);
    });
  }

  std::vector<at::Tensor> run_engine(const std::vector<c10::IValue>& inputs) {
    graph::SiteHook* hooks[] = {&casts_};
    const autocast::CastScope scope(casts_);
    return tensors_of(flat_.run(copied(inputs), hooks));
  }

  using Named = std::vector<std::pair<std::string, at::Tensor>>;
  template <class Visit>
  static void pairwise(const Named& expected, const Named& got, const Visit& visit) {
    std::map<std::string, at::Tensor> others(got.begin(), got.end());
    for (const auto& [name, tensor] : expected) visit(name, tensor, others[name]);
  }

  void note(double& worst, const std::string& what, const at::Tensor& a, const at::Tensor& b) {
    const double by = difference(a, b);
    if (by == 0) return;
    worst = std::max(worst, by);
    if (proof_.identical) proof_.first_difference = what;
    proof_.identical = false;
  }

  graph::Model engine_;
  graph::Model exported_;
  graph::FlatGraph flat_;
  autocast::Autocast casts_{at::kCPU};
  std::uint64_t seed_;
  Proof proof_;
};

}  // namespace

Proof prove(const graph::Model& model, const std::shared_ptr<const policy::Resolved>& table,
            const graph::Model& exported, const std::vector<std::vector<c10::IValue>>& inputs, std::uint64_t seed) {
  const KeepRandomState afterwards;
  return Prover(model, table, exported, seed).run(inputs);
}

std::string train_by_executor(const graph::Model& exported, const std::vector<c10::IValue>& inputs, int steps,
                              std::uint64_t seed) {
  const KeepRandomState afterwards;
  const graph::Model model = reloaded(exported);
  model.train(true);
  for (int step = 0; step < steps; ++step) {
    at::manual_seed(seed + static_cast<std::uint64_t>(step));
    try {
      backward(model, tensors_of(model.module().forward(copied(inputs))));
    } catch (const std::exception& error) {
      if (graph::is_out_of_memory(error)) throw graph::backward_failure(error, {});  // not a failure of the executor
      const std::string text = error.what();
      const std::size_t reason = text.find("RuntimeError: ");
      const std::string what = reason == std::string::npos ? text : text.substr(reason + 14);
      return "step " + std::to_string(step) + ": " + what.substr(0, what.find('\n'));
    }
    const at::NoGradGuard no_history;
    for (auto& [name, parameter] : model.parameters()) {
      if (parameter.grad().defined()) parameter.sub_(parameter.grad().to(parameter.scalar_type()), kLearningRate);
    }
  }
  return {};
}

}  // namespace binade::exporters

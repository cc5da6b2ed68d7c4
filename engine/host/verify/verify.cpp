// SPDX-License-Identifier: Apache-2.0
#include "engine/host/verify/verify.h"

#include "engine/autocast/cast_scope.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/exporters/tensors.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/native_blocks.h"
#include "engine/host/verify/failing_node.h"
#include "engine/host/verify/first_difference.h"
#include "engine/host/verify/verify_side.h"

#include <ATen/Context.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace binade::host {

namespace {

constexpr const char* kCannotRun = "LibTorch cannot run this model: ";

/// Runs the model's own autocast blocks by LibTorch's autocast, in a run with hooks.
class NativeBlockHook : public graph::SiteHook {
 public:
  explicit NativeBlockHook(c10::Device device) : blocks_(device.type()) {}
  void entered(const policy::OwnBlock& block) override { blocks_.enter(block); }
  void left(const policy::OwnBlock& /*block*/) override { blocks_.leave(); }

 private:
  graph::NativeBlocks blocks_;
};

std::shared_ptr<const policy::Resolved> policy_for(const VerifyOptions& options, const graph::FlatGraph& flat) {
  policy::Policy policy;
  const policy::Base list = options.device.is_cuda() ? policy::Base::kCudaAmp : policy::Base::kCpuAmp;
  policy.base = options.autocast ? list : policy::Base::kAllFloat32;
  policy.behaviour = options.behaviour;
  policy.execution = policy::Execution::kNative;
  policy.low = options.autocast == at::kHalf ? formats::kFloat16 : formats::kBFloat16;
  policy::Capabilities device;
  device.list = list;
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) sites.push_back(site.get());
  return std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, device));
}

/// Trains two copies of a model side by side.
class Comparison {
 public:
  explicit Comparison(const VerifyOptions& options)
      : options_(options), native_(options.load(), options.device), engine_(options.load(), options.device) {
    prepare(native_, engine_, options_);
    native_flat_.emplace(native_.model);
    flat_.emplace(engine_.model);
    casts_.set_policy(policy_for(options_, *flat_));
    report_.sites = static_cast<int>(flat_->sites().size());
  }

  VerifyReport run() {
    for (int step = 0; step < options_.steps && report_.identical; ++step) {
      const ModelState before = native_.state();
      step_both(step);
      if (!report_.identical) explain(step, before);
    }
    report_.executed = static_cast<int>(executed_.sites.size());
    if (report_.executed == 0) {
      throw Error(ErrorCode::kBadModel, "No op call ran in forward, so nothing was compared",
                  "Give inputs that use another path through the model. inspect lists its op calls.");
    }
    return std::move(report_);
  }

 private:
  void seed(int step) const { at::manual_seed(options_.seed + static_cast<std::uint64_t>(step)); }

  void run_native(int step) {
    seed(step);
    try {
      c10::IValue output;
      {
        const NativeAutocast oracle(options_);
        const bool by_graph = native_flat_->forked() || !native_flat_->own_blocks().empty();
        output =
            by_graph ? native_flat_->run_native(options_.inputs(step)) : native_.model.forward(options_.inputs(step));
      }
      native_.backward(options_, output);
    } catch (const Error& error) {
      if (error.code == ErrorCode::kOutOfMemory) throw;  // LibTorch refused nothing
      name_who_refuses(step);
      throw Error(error.code, std::string(kCannotRun) + error.what(), error.hint);
    }
  }

  /// LibTorch itself failed: runs the engine to find the failing op call. With PyTorch's casting rules it fails at the
  /// same one.
  void name_who_refuses(int step) {
    std::optional<Error> refusal = refusal_of(policy::Behaviour::kPyTorch211, step);
    const bool fixed = options_.behaviour == policy::Behaviour::kFixed;
    const std::optional<Error> own = fixed ? refusal_of(policy::Behaviour::kFixed, step) : refusal;
    if (refusal && !own) {
      refusal->hint +=
          " Behaviour fixed, which train uses, casts the arguments to their widest dtype and runs the op call. "
          "LibTorch does not, so there is no reference. To verify the model, give these arguments one dtype.";
    }
    if (!refusal) refusal = own;
    if (refusal) throw Error(*refusal);
  }

  /// Returns the engine's error in this step under a behaviour, or nullopt if it runs.
  std::optional<Error> refusal_of(policy::Behaviour behaviour, int step) {
    VerifyOptions options = options_;
    options.behaviour = behaviour;
    casts_.set_policy(policy_for(options, *flat_));
    NodesOfCalls calls;
    const NodeWatch nodes;
    try {
      run_engine(step, calls);
      return std::nullopt;
    } catch (const Error& error) {
      const graph::Site* site = nodes.last() ? calls.made(*nodes.last()) : nullptr;
      if (site == nullptr) return Error(error.code, std::string(kCannotRun) + error.what(), error.hint);
      return Error(error.code, kCannotRun + site->key.name() + ": " + error.what(),
                   site->source.empty() ? error.hint : "The op call is at " + site->source + ". " + error.hint);
    }
  }

  /// `outermost` receives every result as it leaves its site.
  void run_engine(int step, graph::SiteHook& outermost) {
    seed(step);
    std::vector<graph::SiteHook*> hooks{&outermost, &casts_};
    if (options_.planted != nullptr) hooks.push_back(options_.planted);
    c10::IValue output;
    {
      const autocast::CastScope scope(casts_);
      output = flat_->run(options_.inputs(step), hooks);
    }
    engine_.backward(options_, output);
  }

  void step_both(int step) {
    run_native(step);
    run_engine(step, executed_);
    if (native_.outputs.size() != engine_.outputs.size()) {
      throw Error(ErrorCode::kInternal, "The engine returned a different number of outputs than forward");
    }
    for (std::size_t i = 0; i < native_.outputs.size(); ++i) {
      note(report_.outputs, "Output " + std::to_string(i), native_.outputs[i], engine_.outputs[i], step);
    }
    gradients_ = native_.gradients();
    const std::vector<at::Tensor> engine = engine_.gradients();
    report_.gradients_compared = 0;
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      note(report_.gradients, "The gradient of " + native_.parameters[i].first, gradients_[i], engine[i], step);
      report_.gradients_compared += gradients_[i].defined();
    }
    for (std::size_t i = 0; i < native_.buffers.size(); ++i) {
      note(report_.buffers, "The buffer " + native_.buffers[i].first, native_.buffers[i].second,
           engine_.buffers[i].second, step);
    }
    native_.step();
    engine_.step();
    for (std::size_t i = 0; i < native_.parameters.size(); ++i) {
      note(report_.parameters, "The parameter " + native_.parameters[i].first, native_.parameters[i].second,
           engine_.parameters[i].second, step);
    }
    report_.loss = native_.loss.item<double>();
    report_.steps = step + 1;
    if (report_.identical && !std::isfinite(report_.loss)) {
      throw Error(ErrorCode::kBadModel,
                  "The loss of step " + std::to_string(step) + " is not finite, so later steps cannot be compared",
                  "Give inputs that keep the loss finite, fewer steps, or another output with --output.");
    }
  }

  void note(double& worst, const std::string& what, const at::Tensor& a, const at::Tensor& b, int step) {
    const double by = difference(a, b);
    if (by == 0) return;
    worst = std::max(worst, by);
    if (report_.identical) report_.first_difference = what + " differs at step " + std::to_string(step) + ".";
    report_.identical = false;
  }

  /// Repeats the step from its beginning: first the reference against itself, then both with every call hashed.
  void explain(int step, const ModelState& before) {
    const std::vector<at::Tensor> outputs = native_.outputs;
    native_.restore(before);
    run_native(step);
    const std::vector<at::Tensor> again = native_.gradients();
    for (std::size_t i = 0; i < outputs.size(); ++i)
      repeats("output " + std::to_string(i), outputs[i], native_.outputs[i]);
    for (std::size_t i = 0; i < again.size(); ++i) {
      repeats("the gradient of " + native_.parameters[i].first, gradients_[i], again[i]);
    }
    if (!report_.reference_repeats) return;  // without a deterministic reference nothing can be compared

    Fingerprints expected;
    Fingerprints got;
    native_.restore(before);
    engine_.restore(before);
    seed(step);
    c10::IValue output;
    {
      const NativeAutocast oracle(options_);
      NativeBlockHook blocks(options_.device);
      graph::SiteHook* hooks[] = {&expected, &blocks};
      output = native_flat_->run(options_.inputs(step), hooks);
    }
    native_.backward(options_, output);
    run_engine(step, got);
    report_.first_difference += " " + first_difference(expected, got);
  }

  void repeats(const std::string& what, const at::Tensor& once, const at::Tensor& again) {
    if (!report_.reference_repeats || difference(once, again) == 0) return;
    report_.reference_repeats = false;
    report_.first_difference +=
        " LibTorch itself gives " + what + " differently when the same step runs again. No comparison is possible.";
  }

  const VerifyOptions& options_;
  Side native_;
  Side engine_;
  std::optional<graph::FlatGraph> native_flat_;
  std::optional<graph::FlatGraph> flat_;
  autocast::Autocast casts_;
  Executed executed_;
  std::vector<at::Tensor> gradients_;  ///< gradients of the reference's last step
  VerifyReport report_;
};

}  // namespace

std::vector<at::Tensor> tensors_of(const c10::IValue& output) {
  return exporters::tensors_of(output);
}

VerifyReport verify(const VerifyOptions& options) {
  return Comparison(options).run();
}

}  // namespace binade::host

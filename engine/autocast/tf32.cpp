// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/tf32.h"

#include <ATen/Context.h>
#include <ATen/SequenceNumber.h>
#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

#include <memory>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

namespace binade::autocast {

namespace {

/// LibTorch's switches and their values before the first scope.
struct Switches {
  std::mutex mutex;
  int open = 0;  ///< open scopes of all owners
  bool matmul = false;
  bool cudnn = false;

  // The older of LibTorch's two interfaces, which keeps both consistent.
  void turn_on() {
    at::Context& context = at::globalContext();
    matmul = context.allowTF32CuBLAS();
    cudnn = context.allowTF32CuDNN();
    context.setAllowTF32CuBLAS(true);
    context.setAllowTF32CuDNN(true);
  }
  void put_back() const {
    at::globalContext().setAllowTF32CuBLAS(matmul);
    at::globalContext().setAllowTF32CuDNN(cudnn);
  }
};

Switches& switches() {
  static Switches all;
  return all;
}

/// Closes `count` scopes. The lock must be held.
void close(Switches& all, int count) {
  all.open -= count;
  if (all.open == 0 && count > 0) all.put_back();
}

/// The scope that a node's pre-hook opens and its post-hook closes; destroyed at the latest with the graph.
using NodeScope = std::shared_ptr<std::unique_ptr<Tf32Scope>>;

using torch::autograd::variable_list;

class OpenHook : public torch::autograd::FunctionPreHook {
 public:
  OpenHook(NodeScope scope, std::shared_ptr<Tf32Scope::Owner> owner)
      : scope_(std::move(scope)), owner_(std::move(owner)) {}
  variable_list operator()(const variable_list& gradients) override {
    *scope_ = std::make_unique<Tf32Scope>(owner_);
    return gradients;
  }

 private:
  NodeScope scope_;
  std::shared_ptr<Tf32Scope::Owner> owner_;
};

class CloseHook : public torch::autograd::FunctionPostHook {
 public:
  explicit CloseHook(NodeScope scope) : scope_(std::move(scope)) {}
  variable_list operator()(const variable_list& gradients, const variable_list&) override {
    scope_->reset();
    return gradients;
  }

 private:
  NodeScope scope_;
};

}  // namespace

bool runs_in_tf32(const Precision& precision) {
  return precision.format == formats::kTFloat32 && !precision.logical;
}

/// Guarded by the switches' mutex.
struct Tf32Scope::Owner {
  int open = 0;
  std::uint64_t generation = 0;  ///< scopes of an earlier generation have been ended
};

std::shared_ptr<Tf32Scope::Owner> Tf32Scope::owner() {
  thread_local const auto mine = std::make_shared<Owner>();
  return mine;
}

Tf32Scope::Tf32Scope(std::shared_ptr<Owner> owner) : owner_(std::move(owner)) {
  Switches& all = switches();
  const std::lock_guard lock(all.mutex);
  if (all.open++ == 0) all.turn_on();
  ++owner_->open;
  generation_ = owner_->generation;
}

Tf32Scope::~Tf32Scope() {
  Switches& all = switches();
  const std::lock_guard lock(all.mutex);
  if (generation_ != owner_->generation) return;
  --owner_->open;
  close(all, 1);
}

std::uint64_t next_node() {
  return at::sequence_number::peek();
}

void mark_backward_tf32(const torch::jit::Stack& stack, std::size_t outputs, std::uint64_t first_node) {
  std::vector<std::shared_ptr<torch::autograd::Node>> open;
  std::unordered_set<const torch::autograd::Node*> seen;
  const auto add = [&](const std::shared_ptr<torch::autograd::Node>& node) {
    // An accumulator of gradients has the largest number of all; it multiplies nothing.
    const bool is_of_call = node != nullptr && node->sequence_nr() >= first_node && node->sequence_nr() != UINT64_MAX;
    if (is_of_call && seen.insert(node.get()).second) open.push_back(node);
  };
  for (std::size_t i = stack.size() - outputs; i < stack.size(); ++i) {
    if (stack[i].isTensor() && stack[i].toTensor().defined()) add(stack[i].toTensor().grad_fn());
  }
  while (!open.empty()) {
    const auto node = std::move(open.back());
    open.pop_back();
    const auto scope = std::make_shared<std::unique_ptr<Tf32Scope>>();
    node->add_pre_hook(std::make_unique<OpenHook>(scope, Tf32Scope::owner()));
    node->add_post_hook(std::make_unique<CloseHook>(scope));
    for (const torch::autograd::Edge& edge : node->next_edges()) add(edge.function);
  }
}

void end_tf32() {
  const std::shared_ptr<Tf32Scope::Owner> mine = Tf32Scope::owner();
  Switches& all = switches();
  const std::lock_guard lock(all.mutex);
  if (mine->open == 0) return;
  ++mine->generation;
  close(all, std::exchange(mine->open, 0));
}

}  // namespace binade::autocast

// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/wrapped_nodes.h"

#include "engine/graph/checked_ops.h"
#include "engine/graph/failure.h"
#include "engine/graph/inliner.h"
#include "engine/graph/memory_guard.h"
#include "engine/graph/own_blocks.h"
#include "engine/graph/source_line.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/ivalue_inl.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <mutex>
#include <string_view>
#include <utility>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

thread_local Running* running = nullptr;
thread_local NativeBlocks* native_blocks = nullptr;

void fail(Call& call, std::span<SiteHook* const> hooks, const std::exception& error, const Error& described) {
  for (auto hook = hooks.rbegin(); hook != hooks.rend(); ++hook) (*hook)->failed(call, error);
  if (!running->error) running->error = described;
}

/// Runs in place of an op call: hooks before, the op, hooks after.
void run_site(const Site& site, Stack& stack) {
  if (running == nullptr || running->hooks.empty()) {
    site.operation(stack);
    return;
  }
  Call call{site, (*running->calls)[static_cast<std::size_t>(site.id - running->first_site)]++, stack, &site.operation};
  call.cast_observers = running->cast_observers;
  const auto hooks = running->hooks;
  const std::size_t given = stack.size();
  std::size_t open = 0;  // number of hooks that expect after() or failed()
  try {
    for (; open < hooks.size(); ++open) hooks[open]->before(call);
    (*call.operation)(stack);
    while (open > 0) hooks[--open]->after(call);
  } catch (const Error& error) {
    fail(call, hooks.first(open), error, error);
    throw;
  } catch (const std::exception& error) {
    fail(call, hooks.first(open), error, site_failure(call, error, stack.size() == given));
    throw;
  }
}

/// Runs a mark of an autocast block.
void run_mark(const BlockMark& mark) {
  if (running != nullptr) {
    for (SiteHook* hook : running->hooks) mark.enters ? hook->entered(*mark.block) : hook->left(*mark.block);
  } else if (native_blocks != nullptr) {
    mark.enters ? native_blocks->enter(*mark.block) : native_blocks->leave();
  }
}

/// Runs a mark of a call that could not be flattened.
void run_opaque_mark(bool enters) {
  if (running == nullptr) return;
  for (SiteHook* hook : running->hooks) enters ? hook->entered_opaque() : hook->left_opaque();
}

/// Result of the model's query of autocast.
bool answer(policy::Base device, const policy::OwnBlock* innermost) {
  if (running != nullptr) {
    for (SiteHook* hook : running->hooks) {
      if (const auto enabled = hook->autocast_enabled(device, innermost)) return *enabled;
    }
  }
  return at::autocast::is_autocast_enabled(device == policy::Base::kCpuAmp ? at::kCPU : at::kCUDA);
}

const c10::Symbol& site_symbol() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("binade::site");
  return symbol;
}
const c10::Symbol& site_attribute() {
  static const c10::Symbol symbol = c10::Symbol::attr("site");
  return symbol;
}
const c10::Symbol& question_symbol() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("binade::is_autocast_enabled");
  return symbol;
}
const c10::Symbol& opaque_symbol() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("binade::opaque");
  return symbol;
}
const c10::Symbol& enters_attribute() {
  static const c10::Symbol symbol = c10::Symbol::attr("enters");
  return symbol;
}
const c10::Symbol& device_attribute() {
  static const c10::Symbol symbol = c10::Symbol::attr("device");
  return symbol;
}
const c10::Symbol& block_attribute() {
  static const c10::Symbol symbol = c10::Symbol::attr("block");
  return symbol;
}

std::unique_ptr<Site> make_site(jit::Node& node, int id) {
  auto site = std::make_unique<Site>();
  static_cast<OpTraits&>(*site) = traits_of(node.schema());
  site->id = id;
  site->key = key_of(node);
  site->source = source_of(node);
  site->inputs = node.inputs().size();  // a vararg op has more than its schema lists
  site->outputs = node.outputs().size();
  site->roles.resize(site->inputs, Role::kData);
  site->argument_names.resize(site->inputs);
  site->takes_dtype.resize(site->inputs);
  site->optional_tensor.resize(site->inputs);
  site->operation = [operation = node.getOperation()](Stack& stack) mutable { operation(stack); };
  return site;
}

/// Walks the graph in the order of the text. An autocast block is contained in one branch or loop.
class Wrapper {
 public:
  Wrapper(jit::Graph& graph, int first_site) : graph_(graph), first_site_(first_site) {}

  std::vector<std::unique_ptr<Site>> run() {
    wrap(graph_.block());
    return std::move(sites_);
  }

 private:
  void wrap(jit::Block* block, bool in_loop = false) {
    for (auto it = block->nodes().begin(); it != block->nodes().end();) {
      jit::Node* node = *it++;
      for (jit::Block* inner : node->blocks()) wrap(inner, in_loop || node->kind() == c10::prim::Loop);
      if (const BlockMark mark = mark_of(*node); mark.block != nullptr) {
        innermost_ = mark.enters ? mark.block : mark.block->outer;
      } else if (is_site(*node)) {
        wrap_site(node, in_loop);
      } else if (const auto device = asked_device(*node)) {
        wrap_question(node, *device);
      } else if (node->kind() == c10::prim::CallMethod || node->kind() == c10::prim::CallFunction) {
        mark_opaque(node)->insertBefore(node);
        jit::Node* left = mark_opaque(node);
        left->i_(enters_attribute(), 0);
        left->insertAfter(node);
      }
    }
  }

  void wrap_site(jit::Node* node, bool in_loop) {
    sites_.push_back(make_site(*node, first_site_ + static_cast<int>(sites_.size())));
    sites_.back()->own_block = innermost_;
    sites_.back()->in_loop = in_loop;
    jit::Node* wrapper = graph_.create(site_symbol(), node->inputs(), node->outputs().size());
    wrapper->i_(site_attribute(), reinterpret_cast<std::int64_t>(sites_.back().get()));
    put(wrapper, node);
  }

  jit::Node* mark_opaque(jit::Node* call) {
    jit::Node* mark = graph_.create(opaque_symbol(), 0);
    mark->i_(enters_attribute(), 1);
    mark->copyMetadata(call);
    return mark;
  }

  static std::optional<policy::Base> asked_device(const jit::Node& node) {
    const std::string_view kind = node.kind().toQualString();
    if (kind == "aten::is_autocast_enabled" && node.inputs().empty()) return policy::Base::kCudaAmp;
    if (kind == "aten::is_autocast_cpu_enabled") return policy::Base::kCpuAmp;
    return std::nullopt;
  }

  void wrap_question(jit::Node* node, policy::Base device) {
    jit::Node* wrapper = graph_.create(question_symbol(), 1);
    wrapper->i_(device_attribute(), static_cast<std::int64_t>(device));
    wrapper->i_(block_attribute(), reinterpret_cast<std::int64_t>(innermost_));
    put(wrapper, node);
  }

  static void put(jit::Node* wrapper, jit::Node* node) {
    wrapper->copyMetadata(node);
    wrapper->insertBefore(node);
    for (std::size_t i = 0; i < node->outputs().size(); ++i) {
      wrapper->outputs()[i]->copyMetadata(node->outputs()[i]);
      node->outputs()[i]->replaceAllUsesWith(wrapper->outputs()[i]);
    }
    node->destroy();
  }

  jit::Graph& graph_;
  const int first_site_;
  const policy::OwnBlock* innermost_ = nullptr;
  std::vector<std::unique_ptr<Site>> sites_;
};

}  // namespace

RunningScope::RunningScope(Running* here) : outer_(std::exchange(running, here)) {}
RunningScope::~RunningScope() {
  running = outer_;
}

NativeScope::NativeScope(c10::DeviceType tensors)
    : blocks_(tensors), outer_(std::exchange(native_blocks, &blocks_)), no_hooks_(nullptr) {}
NativeScope::~NativeScope() {
  native_blocks = outer_;
}

void keep_error(const Error& error) {
  if (running != nullptr && !running->error) running->error = error;
}

c10::Symbol completed_future_symbol() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("binade::completed_future");
  return symbol;
}

void prepare_torchscript() {
  static std::once_flag once;
  std::call_once(once, [] {
    jit::registerOperator(jit::Operator(
        site_symbol(),
        [](const jit::Node* node) -> jit::Operation {
          const auto* site = reinterpret_cast<const Site*>(node->i(site_attribute()));
          return [site](Stack& stack) { run_site(*site, stack); };
        },
        c10::AliasAnalysisKind::CONSERVATIVE));
    jit::registerOperator(jit::Operator(
        own_block_symbol(),
        [](const jit::Node* node) -> jit::Operation { return [mark = mark_of(*node)](Stack&) { run_mark(mark); }; },
        c10::AliasAnalysisKind::CONSERVATIVE));
    jit::registerOperator(jit::Operator(
        opaque_symbol(),
        [](const jit::Node* node) -> jit::Operation {
          return [enters = node->i(enters_attribute()) != 0](Stack&) { run_opaque_mark(enters); };
        },
        c10::AliasAnalysisKind::CONSERVATIVE));
    jit::registerOperator(jit::Operator(
        completed_future_symbol(),
        [](const jit::Node* node) -> jit::Operation {
          return [type = node->output()->type()->expect<c10::FutureType>()->getElementType()](Stack& stack) {
            auto future = c10::make_intrusive<c10::ivalue::Future>(type);
            future->markCompleted(std::move(stack.back()));
            stack.back() = std::move(future);
          };
        },
        c10::AliasAnalysisKind::CONSERVATIVE));
    jit::registerOperator(jit::Operator(
        question_symbol(),
        [](const jit::Node* node) -> jit::Operation {
          const auto device = static_cast<policy::Base>(node->i(device_attribute()));
          const auto* innermost = reinterpret_cast<const policy::OwnBlock*>(node->i(block_attribute()));
          return [device, innermost](Stack& stack) { stack.emplace_back(answer(device, innermost)); };
        },
        c10::AliasAnalysisKind::CONSERVATIVE));
    check_ops();
    guard_memory();
    jit::setAutocastMode(false);
  });
}

std::vector<std::unique_ptr<Site>> wrap_nodes(jit::Graph& graph, int first_site) {
  return Wrapper(graph, first_site).run();
}

}  // namespace binade::graph

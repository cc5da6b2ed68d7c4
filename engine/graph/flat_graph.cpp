// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/flat_graph.h"

#include "engine/formats/error.h"
#include "engine/graph/inliner.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/jit.h>

#include <algorithm>
#include <mutex>
#include <optional>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

/// What the wrappers of one run() share. Wrappers are built once; what they do depends on the run they are in.
struct Running {
  std::span<SiteHook* const> hooks;
  std::vector<int>* calls;  // by position of the site in its graph
  int first_site;
  std::optional<Error> error;  // the interpreter flattens exceptions to text: the first one is kept here
};

thread_local Running* running = nullptr;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// The next step after an op that failed: where to look.
std::string stands_at(const Site& site) {
  return site.source.empty() ? "Look for this call in the model." : "The call stands at " + site.source + ".";
}

void fail(Call& call, std::span<SiteHook* const> hooks, const std::exception& error, const Error& described) {
  for (auto hook = hooks.rbegin(); hook != hooks.rend(); ++hook) (*hook)->failed(call, error);
  if (!running->error) running->error = described;
}

/// What a wrapped node does instead of the op: hooks before, the op, hooks after.
void run_site(const Site& site, Stack& stack) {
  if (running == nullptr || running->hooks.empty()) {
    site.operation(stack);
    return;
  }
  Call call{site, (*running->calls)[static_cast<std::size_t>(site.id - running->first_site)]++, stack, &site.operation};
  const auto hooks = running->hooks;
  std::size_t entered = 0;
  try {
    for (; entered < hooks.size(); ++entered) hooks[entered]->before(call);
    (*call.operation)(stack);
    for (auto hook = hooks.rbegin(); hook != hooks.rend(); ++hook) (*hook)->after(call);
  } catch (const Error& error) {
    fail(call, hooks.first(entered), error, error);
    throw;
  } catch (const c10::Error& error) {
    fail(call, hooks.first(entered), error,
         Error(ErrorCode::kBadModel, site.key.name() + ": " + first_line(error.what_without_backtrace()),
               stands_at(site)));
    throw;
  } catch (const std::exception& error) {
    fail(call, hooks.first(entered), error,
         Error(ErrorCode::kBadModel, site.key.name() + ": " + first_line(error.what()), stands_at(site)));
    throw;
  }
}

const c10::Symbol& wrapper_symbol() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("binade::site");
  return symbol;
}

const c10::Symbol& pointer_attribute() {
  static const c10::Symbol symbol = c10::Symbol::attr("site");
  return symbol;
}

/// Makes the wrapper operator known to TorchScript, and keeps TorchScript's own autocast pass out. Explicit, since
/// a static registration object would be dropped from a static library.
void prepare_torchscript() {
  static std::once_flag once;
  std::call_once(once, [] {
    jit::registerOperator(jit::Operator(
        wrapper_symbol(),
        [](const jit::Node* node) -> jit::Operation {
          const auto* site = reinterpret_cast<const Site*>(node->i(pointer_attribute()));
          return [site](Stack& stack) { run_site(*site, stack); };
        },
        c10::AliasAnalysisKind::CONSERVATIVE));
    jit::setAutocastMode(false);
  });
}

std::unique_ptr<Site> make_site(jit::Node& node, int id) {
  auto site = std::make_unique<Site>();
  static_cast<OpTraits&>(*site) = traits_of(node.schema());
  site->id = id;
  site->key = key_of(node);
  site->source = source_of(node);
  site->inputs = node.inputs().size();  // a vararg op has more than its schema names
  site->outputs = node.outputs().size();
  site->roles.resize(site->inputs, Role::kData);
  site->argument_names.resize(site->inputs);
  site->takes_dtype.resize(site->inputs);
  site->operation = [operation = node.getOperation()](Stack& stack) mutable { operation(stack); };
  return site;
}

}  // namespace

struct FlatGraph::Impl {
  std::shared_ptr<jit::Graph> native;  // inlined, unwrapped
  jit::Code native_code;
  jit::Code wrapped_code;
  std::vector<std::unique_ptr<Site>> sites;
  Inlined inlined;
  std::vector<int> calls;
  std::optional<c10::IValue> self;
  c10::FunctionSchema schema;
  int first_site;

  Impl(std::shared_ptr<jit::Graph> graph, const jit::Module* root, const std::string& path,
       c10::FunctionSchema signature, int first)
      : native(std::move(graph)), schema(std::move(signature)), first_site(first) {
    prepare_torchscript();
    inlined = inline_with_paths(native, root, path);
    if (root != nullptr) self = root->_ivalue();
    const std::shared_ptr<jit::Graph> wrapped = native->copy();
    wrap(wrapped->block());
    calls.resize(sites.size());
    native_code = jit::Code(native, schema.name());
    wrapped_code = jit::Code(wrapped, schema.name());
  }

  void wrap(jit::Block* block) {
    for (auto it = block->nodes().begin(); it != block->nodes().end();) {
      jit::Node* node = *it++;
      for (jit::Block* inner : node->blocks()) wrap(inner);
      if (!is_site(*node)) continue;
      sites.push_back(make_site(*node, first_site + static_cast<int>(sites.size())));
      jit::Graph* graph = block->owningGraph();
      jit::Node* wrapper = graph->create(wrapper_symbol(), node->inputs(), node->outputs().size());
      wrapper->i_(pointer_attribute(), reinterpret_cast<std::int64_t>(sites.back().get()));
      wrapper->copyMetadata(node);
      wrapper->insertBefore(node);
      for (std::size_t i = 0; i < node->outputs().size(); ++i) {
        wrapper->outputs()[i]->copyMetadata(node->outputs()[i]);
        node->outputs()[i]->replaceAllUsesWith(wrapper->outputs()[i]);
      }
      node->destroy();
    }
  }

  Stack stack_of(std::vector<c10::IValue> inputs) const {
    const std::size_t given = inputs.size();
    const std::size_t offset = self ? 1 : 0;
    const auto& arguments = schema.arguments();
    for (std::size_t i = given + offset; i < arguments.size(); ++i) {
      if (arguments[i].default_value()) continue;
      throw Error(ErrorCode::kBadModel,
                  "forward needs the input '" + arguments[i].name() + "' (" + arguments[i].type()->repr_str() +
                      "), which was not given",
                  "Give one input for each argument of forward; inspect lists them.");
    }
    if (given + offset > arguments.size()) {
      throw Error(ErrorCode::kBadModel,
                  "forward takes " + std::to_string(arguments.size() - offset) + " inputs, but " +
                      std::to_string(given) + " were given",
                  "inspect lists the inputs of forward.");
    }
    Stack stack;
    stack.reserve(arguments.size());
    if (self) stack.push_back(*self);
    std::move(inputs.begin(), inputs.end(), std::back_inserter(stack));
    try {
      schema.checkAndNormalizeInputs(stack);
    } catch (const std::exception& error) {
      throw Error(ErrorCode::kBadModel, "forward does not take these inputs: " + first_line(error.what()),
                  "inspect lists the inputs of forward with their types.");
    }
    return stack;
  }
};

FlatGraph::FlatGraph(const Model& model, const std::string& method, int first_site) {
  const jit::Module& module = model.module();
  const auto found = module.find_method(method);
  if (!found) {
    throw Error(ErrorCode::kBadModel, "The model has no method '" + method + "'",
                "Only models with a forward can be trained.");
  }
  auto& function = jit::toGraphFunction(found->function());
  function.ensure_defined();
  impl_ = std::make_unique<Impl>(function.graph()->copy(), &module, "", function.getSchema(), first_site);
}

FlatGraph FlatGraph::from_text(const std::string& text, const std::string& function, const std::string& path,
                               int first_site) {
  try {
    const auto unit = jit::compile(text);
    auto& compiled = jit::toGraphFunction(unit->get_function(function));
    compiled.ensure_defined();
    return FlatGraph(std::make_unique<Impl>(compiled.graph()->copy(), nullptr, path, compiled.getSchema(), first_site));
  } catch (const c10::Error& error) {
    throw Error(ErrorCode::kBadModel,
                path + ": this TorchScript text does not compile: " + error.what_without_backtrace(),
                "Compile it with torch.jit.script first: PyTorch shows the line.");
  }
}

FlatGraph::FlatGraph(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FlatGraph::FlatGraph(FlatGraph&&) noexcept = default;
FlatGraph& FlatGraph::operator=(FlatGraph&&) noexcept = default;
FlatGraph::~FlatGraph() = default;

const std::vector<std::unique_ptr<Site>>& FlatGraph::sites() const {
  return impl_->sites;
}
const std::vector<std::string>& FlatGraph::opaque() const {
  return impl_->inlined.opaque;
}

bool FlatGraph::forked() const {
  return impl_->inlined.forked;
}
const c10::FunctionSchema& FlatGraph::schema() const {
  return impl_->schema;
}
const torch::jit::Graph& FlatGraph::graph() const {
  return *impl_->native;
}

c10::IValue FlatGraph::run(std::vector<c10::IValue> inputs, std::span<SiteHook* const> hooks) {
  Stack stack = impl_->stack_of(std::move(inputs));
  std::fill(impl_->calls.begin(), impl_->calls.end(), 0);
  Running here{hooks, &impl_->calls, impl_->first_site, std::nullopt};
  Running* const outer = std::exchange(running, &here);
  try {
    jit::InterpreterState(impl_->wrapped_code).run(stack);
    running = outer;
  } catch (const std::exception& error) {
    running = outer;
    if (here.error) throw Error(*here.error);
    throw Error(ErrorCode::kBadModel, std::string("forward failed: ") + first_line(error.what()),
                "The model stopped outside every op call: look for an assert, a raise or a loop in its code.");
  }
  return stack.back();
}

c10::IValue FlatGraph::run_native(std::vector<c10::IValue> inputs) {
  Stack stack = impl_->stack_of(std::move(inputs));
  jit::InterpreterState(impl_->native_code).run(stack);
  return stack.back();
}

}  // namespace binade::graph

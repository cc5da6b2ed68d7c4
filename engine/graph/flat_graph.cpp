// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/flat_graph.h"

#include "engine/formats/error.h"
#include "engine/graph/code_check.h"
#include "engine/graph/failure.h"
#include "engine/graph/graph_check.h"
#include "engine/graph/inliner.h"
#include "engine/graph/large_stack.h"
#include "engine/graph/wrapped_nodes.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/jit.h>

#include <algorithm>
#include <optional>
#include <regex>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Device of the first tensor among the inputs.
c10::DeviceType device_of(const Stack& stack) {
  for (const c10::IValue& value : stack) {
    if (value.isTensor() && value.toTensor().defined()) return value.toTensor().device().type();
  }
  return c10::kCPU;
}

/// The compiler's message in one line, with the place: `line 3: Undefined variable x`.
std::string compiler_message(const std::string& what) {
  std::string message =
      what.substr(what.find_first_not_of('\n') == std::string::npos ? 0 : what.find_first_not_of('\n'));
  message = message.substr(0, message.find('\n'));
  while (!message.empty() && (message.back() == ':' || message.back() == ' ')) message.pop_back();
  std::smatch found;
  // TorchScript gives the place in a text as `<string>", line 3` or `:3:4`, depending on its version.
  static const std::regex place(R"re((?:line |:)(\d+)(?::\d+)?\n)re");
  if (std::regex_search(what, found, place)) message = "line " + found[1].str() + ": " + message;
  return message;
}

}  // namespace

struct FlatGraph::Impl {
  std::shared_ptr<jit::Graph> native;  // inlined, without wrappers
  jit::Code native_code;
  jit::Code wrapped_code;
  std::vector<std::unique_ptr<Site>> sites;
  Inlined inlined;
  std::vector<int> calls;
  std::optional<c10::IValue> self;
  c10::FunctionSchema schema;
  std::string text;  // path of a text's op calls; empty: a model's forward
  int first_site;

  Impl(std::shared_ptr<jit::Graph> graph, const jit::Module* root, const std::string& path,
       c10::FunctionSchema signature, int first)
      : native(std::move(graph)), schema(std::move(signature)), text(path), first_site(first) {
    prepare_torchscript();
    const std::string& what = path.empty() ? schema.name() : path;
    check_graph(*native, what);
    inlined = inline_with_paths(native, root, path);
    check_graph(*native, what, /*lowered=*/true);  // before anything runs
    if (root != nullptr) self = root->_ivalue();
    const std::shared_ptr<jit::Graph> wrapped = native->copy();
    sites = wrap_nodes(*wrapped, first);
    calls.resize(sites.size());
    native_code = jit::Code(native, schema.name());
    wrapped_code = jit::Code(wrapped, schema.name());
  }

  Stack stack_of(std::vector<c10::IValue> inputs) const {
    const std::size_t given = inputs.size();
    const std::size_t offset = self ? 1 : 0;
    const auto& arguments = schema.arguments();
    for (std::size_t i = given + offset; i < arguments.size(); ++i) {
      if (arguments[i].default_value()) continue;
      throw Error(ErrorCode::kBadModel,
                  "forward needs the input '" + arguments[i].name() + "' (" +
                      without_addresses(arguments[i].type()->repr_str()) + "), which was not given",
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
      throw Error(ErrorCode::kBadModel,
                  "forward does not take these inputs: " + without_addresses(first_line(error.what())),
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
  prepare_torchscript();
  try {
    std::shared_ptr<jit::CompilationUnit> unit;
    with_large_stack([&] {
      const std::string whole = text + "\n";  // the compiler needs a newline after the last line
      check_code(std::make_shared<jit::Source>(whole, "<string>", 1), path);
      unit = jit::compile(whole);
    });
    check_compiled(*unit, path);
    if (unit->find_function(c10::QualifiedName(function)) == nullptr) {
      std::string defined;
      for (const jit::Function* each : unit->get_functions()) {
        defined += (defined.empty() ? "\"" : ", \"") + each->name() + "\"";
      }
      throw Error(ErrorCode::kBadModel,
                  path + ": the text defines " + (defined.empty() ? "nothing" : defined) + ", and no function \"" +
                      function + "\"",
                  "Call the function " + function + ".");
    }
    auto& compiled = jit::toGraphFunction(unit->get_function(function));
    compiled.ensure_defined();
    return FlatGraph(std::make_unique<Impl>(compiled.graph()->copy(), nullptr, path, compiled.getSchema(), first_site));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // the compiler's exceptions have a type of their own
    const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
    const std::string what = of_torch != nullptr ? of_torch->what_without_backtrace() : error.what();
    throw CompileError(ErrorCode::kBadModel,
                       path + ": the text does not compile: " + compiler_message(without_addresses(what)),
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
const OwnBlocks& FlatGraph::own_blocks() const {
  return impl_->inlined.own_blocks;
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
  Running here{hooks, &impl_->calls, impl_->first_site};
  std::copy_if(hooks.begin(), hooks.end(), std::back_inserter(here.cast_observers),
               [](const SiteHook* hook) { return hook->observes_casts(); });
  const RunningScope scope(&here);
  const jit::GraphOptimizerEnabledGuard unoptimised(false);  // for calls that could not be flattened
  try {
    jit::InterpreterState(impl_->wrapped_code).run(stack);
  } catch (const std::exception& error) {
    if (here.error) throw Error(*here.error);
    throw forward_failure(error, impl_->text);
  }
  return stack.back();
}

c10::IValue FlatGraph::run_native(std::vector<c10::IValue> inputs) {
  Stack stack = impl_->stack_of(std::move(inputs));
  const NativeScope blocks(device_of(stack));
  const jit::GraphOptimizerEnabledGuard unoptimised(false);
  try {
    jit::InterpreterState(impl_->native_code).run(stack);
  } catch (const std::exception& error) {
    throw forward_failure(error, impl_->text);
  }
  return stack.back();
}

}  // namespace binade::graph

// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/python_proof.h"

#include "engine/autocast/cast_scope.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/exporters/tensors.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/host/input/given_inputs.h"
#include "engine/host/process/other_program.h"
#include "engine/policy/finding_text.h"

#include <nlohmann/json.hpp>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

namespace binade::host {

namespace {

constexpr std::string_view kProofDriver =
#include "policy_proof.inc"
    ;

struct PythonMode {
  bool train;
  bool gradients;
};
/// In the order of policy_proof.py.
constexpr PythonMode kPythonModes[] = {{true, true}, {false, false}, {false, true}};

using NamedTensors = c10::Dict<std::string, at::Tensor>;

/// A folder of its own for the files that Python reads; removed with the object.
class ProofFolder {
 public:
  ProofFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "binade-proof-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorCode::kBadFile, "--prove: " + name + " cannot be created", "Set TMPDIR to a writable folder.");
    }
    path_ = name;
  }
  ~ProofFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ProofFolder(const ProofFolder&) = delete;
  ProofFolder& operator=(const ProofFolder&) = delete;

  std::string file(const char* name) const { return (path_ / name).string(); }
  std::string write(const char* name, std::string_view text) const {
    std::ofstream out(file(name), std::ios::binary);
    out << text;
    if (!out.flush()) throw Error(ErrorCode::kBadFile, file(name) + " cannot be written", "Is the disk full?");
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

/// Redraws all-zero parameters, which would make their layer's gradients vanish.
void redraw_zeros(const graph::Model& model) {
  const at::NoGradGuard no_history;
  for (auto& [name, parameter] : model.parameters()) {
    if (!parameter.is_floating_point() || parameter.numel() == 0 || parameter.abs().max().item<double>() != 0) continue;
    parameter.normal_(0, 0.02);
  }
}

NamedTensors copies(const std::vector<std::pair<std::string, at::Tensor>>& named) {
  NamedTensors kept;
  for (const auto& [name, tensor] : named) kept.insert(name, exporters::with_memory(tensor).clone());
  return kept;
}

c10::impl::GenericList list_of(const c10::TypePtr& type) {
  return c10::impl::GenericList(type);
}

/// The engine's side: what Python has to reproduce, in a TorchScript file without code.
class ExpectedFile {
 public:
  ExpectedFile(const std::string& file, const policy::Policy& policy, const PythonProofOptions& options)
      : model_(exporters::reloaded(graph::open_model(file))), flat_(model_), options_(options) {
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat_.sites()) sites.push_back(site.get());
    policy::Capabilities capabilities;
    capabilities.native_float16 = true;
    const auto table = std::make_shared<const policy::Resolved>(autocast::resolve_for(policy, sites, capabilities));
    for (std::size_t i = 0; i < sites.size() && emulated_.empty(); ++i) {
      const policy::Decision& decision = table->sites[i];
      const bool rounds = decision.kind == policy::Decision::Kind::kFormat && decision.format != formats::kFloat32;
      if (rounds && decision.execution == policy::Execution::kEmulated) emulated_ = sites[i]->key.name();
    }
    casts_.set_policy(table);
    at::manual_seed(options.seed);
    redraw_zeros(model_);
    inputs_ = example_inputs(file, options.inputs, options.run, options.seed);
  }

  /// An op call that the engine emulates on the CPU, so that PyTorch's bits are others; empty if there is none.
  const std::string& emulated() const { return emulated_; }

  void save(const std::string& to) {
    const c10::TypePtr tensors = c10::ListType::ofTensors();
    const c10::TypePtr named = c10::DictType::create(c10::StringType::get(), c10::TensorType::get());
    NamedTensors state = copies(model_.parameters());
    for (const auto& [name, tensor] : model_.buffers()) state.insert(name, exporters::with_memory(tensor).clone());
    c10::impl::GenericList outputs = list_of(tensors);
    c10::impl::GenericList gradients = list_of(named);
    c10::impl::GenericList buffers = list_of(named);
    const bool trains = model_.module().is_training();
    if (!asks_mode(flat_.graph().block())) only_mode_ = trains ? "train" : "eval";
    for (const PythonMode& mode : kPythonModes) {
      outputs.push_back(run(mode));
      gradients.push_back(gradients_of_parameters());
      buffers.push_back(copies(model_.buffers()));
    }
    torch::jit::Module file("__torch__.BinadeExpected");
    c10::List<at::Tensor> inputs;
    for (const c10::IValue& input : inputs_) inputs.push_back(input.toTensor());
    file.register_attribute("inputs", tensors, inputs);
    file.register_attribute("arguments", c10::ListType::ofStrings(), arguments());
    file.register_attribute("state", named, state);
    file.register_attribute("outputs", c10::ListType::create(tensors), outputs);
    file.register_attribute("gradients", c10::ListType::create(named), gradients);
    file.register_attribute("statistics", c10::ListType::create(named), buffers);
    file.register_attribute("fast_paths", c10::IntType::get(), fast_paths());
    file.register_attribute("only_mode", c10::StringType::get(), only_mode_);
    file.register_attribute("seed", c10::IntType::get(), static_cast<std::int64_t>(options_.seed));
    file.register_attribute("threads", c10::IntType::get(), static_cast<std::int64_t>(at::get_num_threads()));
    file.save(to);
  }

 private:
  /// Number of op calls that attention modules take in eval mode without gradients.
  std::int64_t fast_paths() const {
    return std::count_if(flat_.sites().begin(), flat_.sites().end(), [](const auto& site) {
      return graph::is_one_of(site->op, {"aten::_transformer_encoder_layer_fwd", "aten::_native_multi_head_attention"});
    });
  }

  /// Names of the arguments of forward.
  c10::List<std::string> arguments() const {
    c10::List<std::string> names;
    const auto& schema = model_.module().get_method("forward").function().getSchema();
    for (const c10::Argument& argument : schema.arguments()) {
      if (argument.name() != "self") names.push_back(argument.name());
    }
    return names;
  }

  /// Whether the file can act differently in train and eval mode; a traced one keeps the mode that it was traced in.
  static bool asks_mode(const torch::jit::Block* block) {
    const auto nodes = block->nodes();
    return std::any_of(nodes.begin(), nodes.end(), [](const torch::jit::Node* node) {
      const bool reads = node->kind() == c10::prim::GetAttr && node->s(c10::attr::name) == "training";
      const auto blocks = node->blocks();
      return reads || std::any_of(blocks.begin(), blocks.end(), asks_mode);
    });
  }

  c10::List<at::Tensor> run(const PythonMode& mode) {
    model_.train(mode.train);
    for (auto& [name, parameter] : model_.parameters()) parameter.mutable_grad() = at::Tensor();
    const at::AutoGradMode gradients(mode.gradients);
    at::manual_seed(options_.seed);
    std::vector<c10::IValue> given;
    for (const c10::IValue& input : inputs_) given.push_back(input.deepcopy());
    std::vector<at::Tensor> results;
    {
      graph::SiteHook* const hooks[] = {&casts_};
      const autocast::CastScope scope(casts_);
      results = exporters::tensors_of(flat_.run(std::move(given), hooks));
    }
    const at::Tensor loss = exporters::mean_squares(results);
    if (loss.defined() && loss.requires_grad()) loss.backward();
    c10::List<at::Tensor> kept;
    for (const at::Tensor& tensor : results) kept.push_back(exporters::with_memory(tensor).clone());
    return kept;
  }

  NamedTensors gradients_of_parameters() const {
    NamedTensors kept;
    for (const auto& [name, parameter] : model_.parameters()) {
      if (parameter.grad().defined()) kept.insert(name, exporters::with_memory(parameter.grad()).clone());
    }
    return kept;
  }

  graph::Model model_;
  graph::FlatGraph flat_;
  const PythonProofOptions& options_;
  std::vector<c10::IValue> inputs_;
  std::string emulated_;
  std::string only_mode_;  ///< `train` or `eval`, in which the file was saved, if it never asks for the mode
  autocast::Autocast casts_{at::kCPU};
};

std::string python_program(const std::string& option) {
  if (!option.empty()) return option;
  const char* const set = std::getenv("BINADE_PYTHON");
  return set != nullptr && *set != '\0' ? set : "python3";
}

/// What the driver wrote; not an object if it died before.
nlohmann::json answer_in(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
}

}  // namespace

PythonProof prove_in_python(const std::string& file, const policy::Policy& policy, const std::string& text,
                            const PythonProofOptions& options) {
  PythonProof proof;
  if (options.model.empty()) {
    proof.not_run = "the model's Python class is not in " + file +
                    ": name a function that returns the nn.Module with --python-model module.py:make_model";
    return proof;
  }
  const std::size_t colon = options.model.rfind(':');
  if (colon == std::string::npos) {
    throw Error(ErrorCode::kUsage, "--python-model: " + options.model + " does not name a file and a function",
                "Write module.py:make_model.");
  }
  if (!std::filesystem::exists(options.model.substr(0, colon))) {
    throw Error(ErrorCode::kUsage, "--python-model: " + options.model.substr(0, colon) + " does not exist",
                "Write module.py:make_model. A relative path starts at the working folder.");
  }
  proof.python = python_program(options.python);
  const exporters::KeepRandomState afterwards;
  const ProofFolder folder;
  const std::string expected = folder.file("expected.pt");
  ExpectedFile engine(file, policy, options);
  if (!engine.emulated().empty()) {
    proof.not_run = "on a CPU the engine emulates " + engine.emulated() + ", which PyTorch does not";
    return proof;
  }
  engine.save(expected);
  const std::string exported = folder.write("exported_policy.py", text);
  const std::string driver = folder.write("policy_proof.py", kProofDriver);
  const std::string answered = folder.file("answer.json");
  const ProgramEnd end = run_program({proof.python, driver, exported, options.model, expected, answered, file});
  if (!end.started) {
    proof.not_run = proof.python + " " + end.failure;
    return proof;
  }
  const nlohmann::json answer = answer_in(answered);
  if (!answer.is_object()) {
    throw Error(ErrorCode::kBadModel,
                "--prove: " + proof.python + " " + (end.failure.empty() ? "ended" : end.failure) +
                    " before it had compared " + options.model + " with the engine",
                "What it printed is above. Does the program have enough memory, and does the module leave it running?");
  }
  if (answer.contains("not_run")) {
    proof.not_run = answer["not_run"].get<std::string>() + "; name another Python with --python or BINADE_PYTHON";
    return proof;
  }
  if (answer.contains("unusable")) {
    throw Error(ErrorCode::kBadModel, "--prove: " + options.model + ": " + answer["unusable"].get<std::string>(),
                "The module must have the parameters and inputs of " + file + ".");
  }
  if (answer.contains("failed")) {
    throw Error(ErrorCode::kBadModel,
                "--prove: " + options.model + " failed in Python: " + answer["failed"].get<std::string>(),
                "The traceback is above. The module must have the parameters and inputs of " + file + ".");
  }
  proof.torch = answer.value("torch", "");
  proof.identical = answer.value("identical", false);
  proof.first_difference = answer.value("first_difference", "");
  proof.skipped = answer.value("skipped", "");
  proof.tensors = answer.value("tensors_compared", std::size_t{0});
  proof.op_calls = answer.value("op_calls_compared", std::size_t{0});
  proof.different = answer.value("different", std::vector<std::string>{});
  proof.extra = answer.value("extra", std::vector<std::string>{});
  proof.missing = answer.value("missing", std::vector<std::string>{});
  return proof;
}

std::string python_proof_text(const PythonProof& proof) {
  if (!proof.not_run.empty()) return "Not run in Python: " + proof.not_run + ".";
  std::string text = "Run in " + proof.python + " with torch " + proof.torch + ": ";
  text += proof.identical ? std::to_string(proof.tensors) +
                                " outputs, gradients and buffers identical to the engine's, "
                                "to the bit"
                          : "the first difference is in " + proof.first_difference;
  text += "; dtypes of " + policy::op_calls(proof.op_calls) + " compared, " + std::to_string(proof.different.size()) +
          " different.";
  if (!proof.skipped.empty()) text += "\n  Not compared: " + proof.skipped + ".";
  for (const std::string& difference : proof.different) text += "\n  " + difference;
  for (const std::string& extra : proof.extra) text += "\n  " + extra;
  return text;
}

}  // namespace binade::host

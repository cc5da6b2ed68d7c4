// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model.h"

#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/graph/file_check.h"
#include "engine/graph/large_stack.h"
#include "engine/graph/read_model.h"
#include "engine/graph/unsafe_code.h"
#include "engine/graph/wrapped_nodes.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <regex>

namespace binade::graph {

namespace {

/// Throws an Error for a file that LibTorch rejected with the message `what`.
[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  std::smatch found;
  static const std::regex unknown_op(R"(Unknown builtin op: (\w+)::(\w+(?:\.\w+)?))");
  if (std::regex_search(what, found, unknown_op)) {
    const std::string library = found[1].str();
    const std::string place = last_line_named(what);
    throw Error(ErrorCode::kBadModel,
                file + " uses the op " + library + "::" + found[2].str() + (place.empty() ? "" : " at " + place) +
                    ", which this LibTorch does not have",
                "It belongs to the op library '" + library +
                    "', which is not loaded here. Export the model without that op, for example with its own "
                    "post-processing left out.");
  }
  // Messages of LibTorch's compiler start with an empty line.
  const std::size_t begin = std::min(what.find_first_not_of(" \n"), what.size());
  const std::string place = last_line_named(what);
  throw Error(ErrorCode::kBadFile,
              file + " cannot be read as TorchScript: " +
                  without_addresses(what.substr(begin, what.find('\n', begin) - begin)) +
                  (place.empty() ? "" : " (" + place + ")"),
              "It may be damaged, or written by a newer PyTorch. Copy or export it again.");
}

/// By LibTorch itself, which runs what the code runs while it is loaded.
torch::jit::Module load_trusted(const ModelArchive& archive) {
  stop_checking_code();
  torch::jit::Module module;
  with_large_stack([&] { module = torch::jit::load(archive.file(), c10::kCPU); });
  return module;
}

}  // namespace

Model Model::load(const std::string& file) {
  prepare_torchscript();
  try {
    const ModelArchive archive = open_model_archive(file);
    try {
      return Model(read_module(archive));
    } catch (const UnsafeModel& unsafe) {
      if (!is_trusted(unsafe.sha256)) throw;
    }
    return Model(load_trusted(archive));
  } catch (const Error&) {
    throw;
  } catch (const c10::Error& error) {
    refuse(file, error.what_without_backtrace());
  } catch (const std::exception& error) {
    refuse(file, error.what());
  }
}

Model::Model(torch::jit::Module module) : module_(std::make_shared<torch::jit::Module>(std::move(module))) {
  prepare_torchscript();  // before anything can run the module
}
Model::Model(const Model&) = default;
Model& Model::operator=(const Model&) = default;
Model::~Model() = default;

torch::jit::Module& Model::module() const {
  return *module_;
}

std::vector<std::pair<std::string, at::Tensor>> Model::parameters() const {
  std::vector<std::pair<std::string, at::Tensor>> all;
  for (const auto& parameter : module_->named_parameters()) all.emplace_back(parameter.name, parameter.value);
  return all;
}

std::vector<std::pair<std::string, at::Tensor>> Model::buffers() const {
  std::vector<std::pair<std::string, at::Tensor>> all;
  for (const auto& buffer : module_->named_buffers()) all.emplace_back(buffer.name, buffer.value);
  return all;
}

void Model::train(bool on) const {
  module_->train(on);
}

void Model::to(c10::Device device) const {
  module_->to(device);
}

c10::IValue Model::forward(std::vector<c10::IValue> inputs) const {
  const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
  try {
    return module_->forward(std::move(inputs));
  } catch (const std::exception& error) {
    throw forward_failure(error);
  }
}

}  // namespace binade::graph

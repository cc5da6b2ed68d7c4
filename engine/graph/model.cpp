// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model.h"

#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/sha256.h"
#include "engine/graph/failure.h"
#include "engine/graph/file_check.h"
#include "engine/graph/large_stack.h"
#include "engine/graph/model_saves.h"
#include "engine/graph/read_model.h"
#include "engine/graph/unsafe_code.h"
#include "engine/graph/wrapped_nodes.h"

#include <caffe2/serialize/read_adapter_interface.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <regex>
#include <utility>

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
              names_confinement(what) ? kModelRefusedHint
                                      : "It may be damaged, or written by a newer PyTorch. Copy or export it again.");
}

/// The bytes of a file for LibTorch's reader.
class Bytes : public caffe2::serialize::ReadAdapterInterface {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t at, void* into, std::size_t count, const char* /*what*/) const override {
    if (at >= bytes_.size()) return 0;
    const std::size_t got = std::min(count, bytes_.size() - static_cast<std::size_t>(at));
    std::memcpy(into, bytes_.data() + at, got);
    return got;
  }

 private:
  std::string bytes_;
};

/// By LibTorch itself, which runs what the code runs while it is loaded. Throws `unsafe` if the file's present content
/// is not trusted. The hash is that of the bytes that are loaded: the file can change at any time.
torch::jit::Module load_trusted(const ModelArchive& archive, const UnsafeModel& unsafe) {
  std::string bytes = archive.whole();
  formats::Sha256 hash;
  hash.add({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (!is_trusted(hash.finish())) throw UnsafeModel(unsafe);
  accept_unsafe_graphs();
  report_failed_saves();
  torch::jit::Module module;
  const auto reader = std::make_shared<Bytes>(std::move(bytes));
  with_large_stack([&] { module = torch::jit::load(reader, c10::kCPU); });
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
      return Model(load_trusted(archive, unsafe));
    }
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

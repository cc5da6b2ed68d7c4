// SPDX-License-Identifier: Apache-2.0
#include "engine/train/model_state.h"

#include "engine/formats/error.h"
#include "engine/train/atomic_file.h"
#include "engine/train/dtype_name.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <ostream>
#include <set>
#include <streambuf>

namespace binade::train {

namespace {

constexpr const char* kBytes = "bytes";

bool is_plain(const c10::IValue& value) {
  return value.isInt() || value.isDouble() || value.isBool() || value.isString();
}

/// Texts are UTF-8 in JSON; one that is not stands as its bytes.
nlohmann::json text_json(const std::string& text) {
  nlohmann::json as_it_is = text;
  try {
    static_cast<void>(as_it_is.dump());
    return as_it_is;
  } catch (const nlohmann::json::type_error&) {
    nlohmann::json bytes = nlohmann::json::object();
    bytes[kBytes] = std::vector<std::uint8_t>(text.begin(), text.end());
    return bytes;
  }
}

/// JSON has neither infinities nor NaN, and models keep them as what a mask fills in: they stand as text.
nlohmann::json to_json(const c10::IValue& value) {
  if (value.isInt()) return value.toInt();
  if (value.isBool()) return value.toBool();
  if (value.isString()) return text_json(value.toStringRef());
  const double number = value.toDouble();
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

c10::IValue from_json(const nlohmann::json& value, const c10::IValue& like) {
  if (like.isInt()) return value.get<std::int64_t>();
  if (like.isBool()) return value.get<bool>();
  if (like.isString() && value.is_object()) {
    const auto bytes = value.at(kBytes).get<std::vector<std::uint8_t>>();
    return std::string(bytes.begin(), bytes.end());
  }
  if (like.isString()) return value.get<std::string>();
  if (value.is_string()) return std::strtod(value.get_ref<const std::string&>().c_str(), nullptr);
  return value.get<double>();
}

bool is_training_flag(const std::string& name) {
  return name == "training" || name.ends_with(".training");
}

/// The module that holds the attribute `path`, and the attribute's own name.
std::pair<torch::jit::Module, std::string> owner_of(torch::jit::Module module, std::string path) {
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.')) {
    module = module.attr(path.substr(0, dot)).toModule();
    path.erase(0, dot + 1);
  }
  return {module, path};
}

void set_attributes(const graph::Model& model, const nlohmann::json& attributes) {
  for (const auto& attribute : model.module().named_attributes()) {
    const auto found = attributes.find(attribute.name);
    if (found == attributes.end() || !is_plain(attribute.value) || is_training_flag(attribute.name)) continue;
    const c10::IValue value = from_json(*found, attribute.value);
    if (to_json(attribute.value) == *found) continue;  // constants cannot be set
    auto [module, name] = owner_of(model.module(), attribute.name);
    module.setattr(name, value);
  }
}

/// Hands on what LibTorch writes, so that the archive never stands in memory as a whole. LibTorch's writer ends the
/// process where a write fails: it is told that all is well, and check() throws afterwards.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(AtomicFile& file) : file_(file) {}
  void check() const {
    if (failed_) std::rethrow_exception(failed_);
  }

 protected:
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    try {
      if (!failed_) file_.write(data, static_cast<std::size_t>(size));
    } catch (...) {
      failed_ = std::current_exception();
    }
    return size;
  }
  int_type overflow(int_type character) override {
    const char one = traits_type::to_char_type(character);
    xsputn(&one, 1);
    return traits_type::not_eof(character);
  }

 private:
  AtomicFile& file_;
  std::exception_ptr failed_;
};

bool is_on_cpu(const graph::Model& model) {
  const NamedTensors tensors = model_tensors(model);
  return std::all_of(tensors.begin(), tensors.end(), [](const auto& entry) { return entry.second.is_cpu(); });
}

}  // namespace

NamedTensors model_tensors(const graph::Model& model) {
  NamedTensors all = model.parameters();
  for (auto& buffer : model.buffers()) all.push_back(std::move(buffer));
  return all;
}

nlohmann::json model_attributes(const graph::Model& model) {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& attribute : model.module().named_attributes()) {
    if (is_plain(attribute.value) && !is_training_flag(attribute.name)) {
      all[attribute.name] = to_json(attribute.value);
    }
  }
  return all;
}

std::vector<std::string> differences(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors) {
  std::vector<std::string> all;
  std::set<std::string> known;
  for (const auto& [name, tensor] : model_tensors(model)) {
    known.insert(name);
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      all.push_back(name + " is missing; the model has " + shape_name(tensor));
    } else if (found->second.sizes() != tensor.sizes() || found->second.scalar_type() != tensor.scalar_type()) {
      all.push_back(name + " is " + shape_name(found->second) + "; the model has " + shape_name(tensor));
    }
  }
  for (const auto& [name, tensor] : tensors) {
    if (!known.contains(name)) all.push_back(name + ", " + shape_name(tensor) + ", is none of the model's");
  }
  return all;
}

void load_model_state(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                      const nlohmann::json& attributes) {
  const at::NoGradGuard no_history;
  for (auto& [name, tensor] : model_tensors(model)) at::Tensor(tensor).copy_(tensors.at(name));
  set_attributes(model, attributes);
}

graph::Model in_float32(const graph::Model& model, const NamedTensors& weights) {
  const at::NoGradGuard no_history;
  // A copy to the device where the tensors are would share them.
  const graph::Model copy(is_on_cpu(model) ? model.module().deepcopy()
                                           : model.module().deepcopy(c10::Device(c10::kCPU)));
  const std::map<std::string, at::Tensor> exact(weights.begin(), weights.end());
  const NamedTensors own = model_tensors(model);
  const NamedTensors copied = model_tensors(copy);
  for (std::size_t i = 0; i < copied.size(); ++i) {
    at::Tensor tensor = copied[i].second;
    if (tensor.scalar_type() == at::kHalf) {
      const auto found = exact.find(copied[i].first);
      const at::Tensor& from = found != exact.end() ? found->second : tensor;
      tensor.set_data(from.detach().to(at::kCPU, at::kFloat, /*non_blocking=*/false, /*copy=*/true));
    }
    if (tensor.is_leaf() && tensor.is_floating_point()) tensor.requires_grad_(own[i].second.requires_grad());
  }
  return copy;
}

void save_model(const graph::Model& model, const std::string& file) {
  AtomicFile out(file);
  FileBuffer buffer(out);
  std::ostream stream(&buffer);
  if (is_on_cpu(model)) {
    model.module().save(stream);
  } else {
    model.module().deepcopy(c10::Device(c10::kCPU)).save(stream);  // not on the device, where memory is short
  }
  buffer.check();
  out.commit();
}

}  // namespace binade::train

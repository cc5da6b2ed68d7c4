// SPDX-License-Identifier: Apache-2.0
#include "engine/train/model_state.h"

#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/train/attribute_values.h"

#include <ATen/core/class_type.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <exception>
#include <ostream>
#include <set>
#include <streambuf>

namespace binade::train {

namespace {

bool is_training_flag(const std::string& name) {
  return name == "training" || name.ends_with(".training");
}

/// Calls `visit` with the dotted name, object, slot and type of every attribute that is neither module nor parameter.
template <class Visitor>
void each_attribute(const graph::Model& model, Visitor visit) {
  for (const auto& [path, module] : model.module().named_modules()) {
    const auto object = module._ivalue();
    const auto held_type = object->type();
    const c10::ClassType& type = *held_type;
    for (std::size_t i = 0; i < type.numAttributes(); ++i) {
      if (type.getAttribute(i)->is_module() || type.is_parameter(i)) continue;
      const std::string name = (path.empty() ? path : path + ".") + type.getAttributeName(i);
      visit(name, object, i, type.getAttribute(i));
    }
  }
}

/// Visits the attributes that a checkpoint stores besides buffers; unregistered tensors are not among them.
template <class Visitor>
void each_kept_attribute(const graph::Model& model, Visitor visit) {
  each_attribute(model, [&visit](const std::string& name, const auto& object, std::size_t slot, const auto& type) {
    if (!object->type()->is_buffer(slot) && !is_training_flag(name) && has_json(*type)) visit(name, object, slot, type);
  });
}

/// Returns the attributes as JSON, and the tensors in them.
std::pair<nlohmann::json, NamedTensors> attributes_of(const graph::Model& model) {
  std::pair<nlohmann::json, NamedTensors> all{nlohmann::json::object(), {}};
  const NamedTensors own = model_tensors(model);
  each_kept_attribute(model, [&](const std::string& name, const auto& object, std::size_t slot, const auto&) {
    all.first[name] = to_json(object->getSlot(slot), name, own, all.second);
  });
  return all;
}

bool is_alike(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type();
}

/// Passes LibTorch's output on, so that the archive is never in memory as a whole. LibTorch's writer ends the process
/// if a write fails, so failures are hidden from it and thrown by check() afterwards.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(files::AtomicFile& file) : file_(file) {}
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
  files::AtomicFile& file_;
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
  return attributes_of(model).first;
}

NamedTensors attribute_tensors(const graph::Model& model) {
  return attributes_of(model).second;
}

std::vector<AttributeValue> read_attributes(const graph::Model& model, const nlohmann::json& attributes,
                                            const std::map<std::string, at::Tensor>& tensors) {
  const NamedTensors own = model_tensors(model);
  const c10::Device device = own.empty() ? c10::Device(c10::kCPU) : own.front().second.device();
  std::vector<AttributeValue> all;
  each_kept_attribute(model, [&](const std::string& name, const auto& object, std::size_t slot, const auto& type) {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return;
    // Unchanged values keep their object, which may be shared.
    NamedTensors kept;
    if (to_json(object->getSlot(slot), name, own, kept) == *found && kept.empty()) return;
    try {
      all.push_back({object, slot, from_json(*found, type, own, tensors, device)});
    } catch (const nlohmann::json::exception& error) {
      throw Error(ErrorCode::kBadFile, "the attribute " + name + " is not of type " + type->annotation_str(),
                  error.what());
    }
  });
  return all;
}

std::vector<std::string> differences(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                                     const std::set<std::string>& assigned) {
  std::vector<std::string> all;
  std::set<std::string> known;
  for (const auto& [name, tensor] : model_tensors(model)) {
    known.insert(name);
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      all.push_back(name + " is missing; the model has " + graph::shape_name(tensor));
    } else if (!is_alike(found->second, tensor) && !assigned.contains(name)) {
      all.push_back(name + " is " + graph::shape_name(found->second) + ", but the model has " +
                    graph::shape_name(tensor));
    }
  }
  for (const auto& [name, tensor] : tensors) {
    if (!known.contains(name)) all.push_back(name + ", " + graph::shape_name(tensor) + ", is not in the model");
  }
  return all;
}

void load_model_state(const graph::Model& model, const std::map<std::string, at::Tensor>& tensors,
                      const std::vector<AttributeValue>& attributes, const std::set<std::string>& assigned) {
  const at::NoGradGuard no_history;
  for (const auto& [name, tensor] : model_tensors(model)) {
    if (!assigned.contains(name)) at::Tensor(tensor).copy_(tensors.at(name));
  }
  // Forward may assign memory owned by others, such as the batch's, so it is replaced instead of written to.
  each_attribute(model, [&](const std::string& name, const auto& object, std::size_t slot, const auto&) {
    if (!assigned.contains(name) || !tensors.contains(name)) return;
    const at::Tensor& from = tensors.at(name);
    const c10::Device device = object->getSlot(slot).toTensor().device();
    object->setSlot(slot, from.to(device, from.scalar_type(), /*non_blocking=*/false, /*copy=*/true));
  });
  for (const AttributeValue& each : attributes) each.module->setSlot(each.slot, each.value);
}

graph::Model in_float32(const graph::Model& model, const NamedTensors& weights) {
  const at::NoGradGuard no_history;
  // Copying to the tensors' own device would share them.
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
  files::AtomicFile out(file);
  FileBuffer buffer(out);
  std::ostream stream(&buffer);
  if (is_on_cpu(model)) {
    model.module().save(stream);
  } else {
    model.module().deepcopy(c10::Device(c10::kCPU)).save(stream);  // on the host, since device memory is scarce
  }
  buffer.check();
  out.commit();
}

}  // namespace binade::train

// SPDX-License-Identifier: Apache-2.0
#include "engine/train/scale_tensors.h"

#include "engine/formats/error.h"
#include "engine/scaled/element.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace binade::train {

namespace {

using autocast::ProductState;
using policy::Operand;

constexpr std::array<std::pair<Operand, std::string_view>, 3> kOperands{
    {{Operand::kInput, "input"}, {Operand::kWeight, "weight"}, {Operand::kGradient, "gradient"}}};

std::string_view word(Operand operand) {
  return kOperands.at(static_cast<std::size_t>(operand)).second;
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::kBadFile, "scales." + name + ": " + what, "Use another checkpoint.");
}

/// Removes the part behind the last dot of a name.
std::string take_last(std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  std::string last = name.substr(dot + 1);
  name.resize(dot);
  return last;
}

ProductState::Delayed read_one(const std::map<std::string, int>& sites, const std::string& name,
                               const at::Tensor& tensor) {
  ProductState::Delayed read;
  std::string place = name;
  const auto element = scaled::parse_element(take_last(place));
  const std::string operand = take_last(place);
  const auto known =
      std::find_if(kOperands.begin(), kOperands.end(), [&operand](const auto& each) { return each.second == operand; });
  const auto site = sites.find(place);
  if (!element || known == kOperands.end()) refuse(name, "not the name of an operand's scale");
  if (site == sites.end()) refuse(name, "the model has no such op call");
  if (tensor.scalar_type() != at::kFloat || tensor.dim() != 1) refuse(name, "not a list of float32 values");
  read.site = site->second;
  read.operand = known->first;
  read.element = *element;
  const at::Tensor values = tensor.cpu().contiguous();
  read.state.assign(values.const_data_ptr<float>(), values.const_data_ptr<float>() + values.numel());
  try {
    scaled::DelayedScale(*element).restore(read.state);
  } catch (const Error& error) {
    refuse(name, error.what());
  }
  return read;
}

}  // namespace

NamedTensors scale_tensors(const Training& training) {
  NamedTensors tensors;
  for (const ProductState::Delayed& each : training.autocast.products().delayed()) {
    std::string name = training.sites[static_cast<std::size_t>(each.site)]->key.name();
    tensors.emplace_back(name.append(".").append(word(each.operand)).append(".").append(layout(each.element).name),
                         at::tensor(each.state));
  }
  return tensors;
}

std::vector<ProductState::Delayed> read_scales(const Training& training,
                                               const std::map<std::string, at::Tensor>& tensors) {
  std::map<std::string, int> sites;
  for (const graph::Site* site : training.sites) sites.emplace(site->key.name(), site->id);
  std::vector<ProductState::Delayed> all;
  for (const auto& [name, tensor] : tensors) all.push_back(read_one(sites, name, tensor));
  return all;
}

}  // namespace binade::train

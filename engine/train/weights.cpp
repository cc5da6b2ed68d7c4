// SPDX-License-Identifier: Apache-2.0
#include "engine/train/weights.h"

#include "engine/files/mapped_file.h"
#include "engine/files/safetensors.h"
#include "engine/files/torch_file.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace binade::train {

namespace {

using Tensors = std::map<std::string, at::Tensor>;

Tensors read_file(const std::string& file) {
  if (file.ends_with(".safetensors")) return files::read_safetensors(file).tensors;
  Tensors tensors;
  for (auto& [path, tensor] : files::read_torch_file(file)) {
    const bool truths = tensor.scalar_type() == at::kBool;
    tensors.emplace(path, truths ? tensor.view(at::kByte).ne(0) : tensor);
  }
  return tensors;
}

/// Counts, for each prefix, how many of `wanted` the file has: `model.` for `model.fc.weight`, empty for `fc.weight`.
std::map<std::string, int> prefixes_in(const Tensors& file, const std::vector<std::string>& wanted) {
  std::map<std::string, int> counts;
  for (const auto& [path, tensor] : file) {
    for (const std::string& name : wanted) {
      if (!path.ends_with(name)) continue;
      const std::string prefix = path.substr(0, path.size() - name.size());
      if (prefix.empty() || prefix.ends_with('.')) ++counts[prefix];
    }
  }
  return counts;
}

/// Finds the state dict: the prefix with most of the model's names; of several, the customary one for the model.
std::string choose_prefix(const std::map<std::string, int>& counts, const std::string& file) {
  int most = 0;
  for (const auto& [prefix, count] : counts) most = std::max(most, count);
  std::vector<std::string> best;
  for (const auto& [prefix, count] : counts) {
    if (count == most) best.push_back(prefix);
  }
  if (best.empty()) return {};
  if (best.size() == 1) return best.front();
  constexpr std::array<std::string_view, 8> kCustom{
      "", "state_dict.", "model_state_dict.", "model.", "module.", "_orig_mod.", "model.module.", "state_dict.module."};
  for (const std::string_view each : kCustom) {
    if (std::find(best.begin(), best.end(), each) != best.end()) return std::string(each);
  }
  throw Error(ErrorCode::kBadFile,
              file + " contains the model's weights several times: under " + best[0] + " and " + best[1],
              "Save only the weights to use: torch.save(checkpoint[...], FILE).");
}

/// One line per tensor, at most twenty.
class Differences {
 public:
  void add(const std::string& line) {
    constexpr int kMostLines = 20;
    if (++count_ <= kMostLines) lines_ += "\n  " + line;
  }
  void refuse_any(const std::string& file) const {
    if (count_ == 0) return;
    const int more = count_ - static_cast<int>(std::count(lines_.begin(), lines_.end(), '\n'));
    throw Error(ErrorCode::kBadModel,
                file + " contains the weights of another model; " + std::to_string(count_) +
                    (count_ == 1 ? " tensor differs:" : " tensors differ:") + lines_ +
                    (more > 0 ? "\n  and " + std::to_string(more) + " more" : ""),
                "Open the TorchScript file of the model from which these weights were saved.");
  }

 private:
  std::string lines_;
  int count_ = 0;
};

bool fits(const at::Tensor& from, const at::Tensor& to) {
  return from.sizes() == to.sizes() && from.is_floating_point() == to.is_floating_point() &&
         from.is_complex() == to.is_complex();
}

}  // namespace

std::vector<std::string> load_weights(const graph::Model& model, const std::string& file) {
  const Tensors tensors = read_file(file);
  const auto parameters = model.parameters();
  const auto buffers = model.buffers();
  std::vector<std::string> wanted;
  for (const auto& [name, tensor] : parameters) wanted.push_back(name);
  const std::string prefix = choose_prefix(prefixes_in(tensors, wanted), file);

  std::map<std::string, at::Tensor> left;  // of the file, without the prefix
  for (const auto& [path, tensor] : tensors) {
    if (path.starts_with(prefix)) left.emplace(path.substr(prefix.size()), tensor);
  }
  Differences differences;
  std::vector<std::string> notes;
  std::vector<std::pair<at::Tensor, at::Tensor>> copies;
  const auto match = [&](const std::string& name, const at::Tensor& own, bool is_buffer) {
    const auto found = left.find(name);
    if (found == left.end() && is_buffer) {
      notes.push_back("The buffer " + name + " is not in " + file + ". It keeps the values in the model file.");
    } else if (found == left.end()) {
      differences.add(name + " is missing; the model has " + graph::shape_name(own));
    } else {
      if (fits(found->second, own)) {
        copies.emplace_back(own, found->second);
      } else {
        differences.add(name + " is " + graph::shape_name(found->second) + ", but in the model " +
                        graph::shape_name(own));
      }
      left.erase(found);
    }
  };
  for (const auto& [name, tensor] : parameters) match(name, tensor, false);
  for (const auto& [name, tensor] : buffers) match(name, tensor, true);
  for (const auto& [name, tensor] : left) {
    differences.add(name + ", " + graph::shape_name(tensor) + ", is not in the model");
  }
  differences.refuse_any(file);
  const at::NoGradGuard no_history;
  for (auto& [own, from] : copies) own.copy_(from);
  files::check_mapped(file);
  return notes;
}

}  // namespace binade::train

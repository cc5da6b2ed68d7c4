// SPDX-License-Identifier: Apache-2.0
#include "engine/host/verify/first_difference.h"

#include "engine/exporters/tensors.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <cstring>

namespace binade::host {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29);
}

/// Hash of dtype, shape and every bit.
std::uint64_t fingerprint(const at::Tensor& tensor) {
  if (!tensor.defined()) return 0;
  std::uint64_t hash = mixed(1, static_cast<std::uint64_t>(tensor.scalar_type()));
  for (const std::int64_t size : tensor.sizes()) hash = mixed(hash, static_cast<std::uint64_t>(size));
  const at::Tensor plain = exporters::with_memory(tensor);
  const char* bytes = static_cast<const char*>(plain.const_data_ptr());
  std::size_t left = plain.nbytes();
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t), bytes += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    hash = mixed(hash, word);
  }
  std::uint64_t rest = 0;
  if (left > 0) std::memcpy(&rest, bytes, left);
  return mixed(hash, rest);
}

}  // namespace

void Fingerprints::after(graph::Call& call) {
  for (std::size_t i = 0; i < call.site.outputs; ++i) {
    const c10::IValue& value = call.result(i);
    if (value.isTensor()) note(call, static_cast<int>(i), value.toTensor());
    if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) note(call, static_cast<int>(i), tensor);
    }
  }
}

void Fingerprints::note(const graph::Call& call, int result, const at::Tensor& tensor) {
  const Mark mark{&call.site, call.index, result, fingerprint(tensor)};
  results_.push_back(mark);
  // A leaf that requires a gradient is a parameter returned unchanged; verify compares its gradient apart.
  if (!tensor.defined() || !tensor.requires_grad() || tensor.is_leaf()) return;
  tensor.register_hook([this, mark](const at::Tensor& gradient) {
    gradients_.push_back({mark.site, mark.call, mark.result, fingerprint(gradient)});
  });
}

std::string first_difference(const Fingerprints& expected, const Fingerprints& got) {
  const auto part = [](const std::vector<Fingerprints::Mark>& a, const std::vector<Fingerprints::Mark>& b,
                       const std::string& what) -> std::string {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const std::string name = b[i].site->key.name();
      if (a[i].bits == b[i].bits && a[i].site->key == b[i].site->key && a[i].call == b[i].call) continue;
      return "The first op call whose " + what + " is " + name +
             (b[i].call > 0 ? ", call " + std::to_string(b[i].call) : "") +
             (b[i].site->outputs > 1 ? ", result " + std::to_string(b[i].result) : "") +
             (b[i].site->source.empty() ? "" : " (" + b[i].site->source + ")") + ".";
    }
    return {};
  };
  const std::string forward = part(expected.results_, got.results_, "output differs");
  if (!forward.empty()) return forward;
  const std::string backward = part(expected.gradients_, got.gradients_, "output's gradient differs");
  if (!backward.empty()) return backward;
  return "No output and no gradient of an output differs. The last step to the gradients of parameters differs.";
}

}  // namespace binade::host

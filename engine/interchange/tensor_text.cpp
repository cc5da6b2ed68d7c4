// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/tensor_text.h"

namespace binade::interchange {

std::string op_call_name(int site, const words::Names& names) {
  const auto index = static_cast<std::size_t>(site);
  return site >= 0 && index < names.sites.size() ? names.sites[index].key.name() : "op call " + std::to_string(site);
}

std::string gradient_name(const wire::WatchedTensor& tensor, const words::Names& names) {
  using enum wire::WatchedTensor::Kind;
  if (tensor.kind == kParameterGradient) return tensor.argument;
  const std::string call = op_call_name(tensor.site, names);
  if (tensor.kind == kInputGradient) return call + " " + tensor.argument;
  return call + (tensor.argument.empty() ? " output" : " output " + tensor.argument);
}

}  // namespace binade::interchange

// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/op_list_audit.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

namespace binade::autocast {

namespace {

c10::DispatchKey autocast_key(c10::DeviceType device) {
  return device == c10::kCUDA ? c10::DispatchKey::AutocastCUDA : c10::DispatchKey::AutocastCPU;
}

std::string full_name(const c10::OperatorName& name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

/// LibTorch's CUDA part, which is not loaded without a driver, casts the cuDNN recurrent layers itself.
bool needs_cuda_part(const c10::OperatorHandle& op) {
  return op.operator_name().name == "aten::_cudnn_rnn" && !op.hasKernelForDispatchKey(c10::DispatchKey::CUDA);
}

}  // namespace

ListAudit audit_list(c10::DeviceType device, std::span<const policy::OpRow> rows) {
  c10::Dispatcher& dispatcher = c10::Dispatcher::singleton();
  const c10::DispatchKey key = autocast_key(device);
  ListAudit audit;
  audit.device = device;
  audit.rows = static_cast<int>(rows.size());
  std::vector<std::string> listed;
  for (const policy::OpRow& row : rows) {
    const c10::OperatorName name("aten::" + std::string(row.op), std::string(row.overload));
    listed.push_back(full_name(name));
    const auto op = dispatcher.findSchema(name);
    if (op && op->hasKernelForDispatchKey(key)) continue;
    (op && needs_cuda_part(*op) ? audit.not_here : audit.not_registered).push_back(listed.back());
  }
  std::sort(listed.begin(), listed.end());
  for (const c10::OperatorName& name : dispatcher.getRegistrationsForDispatchKey(key)) {
    // Other libraries register casts for their own ops (torch.library.register_autocast), which no list here covers.
    if (!name.name.starts_with("aten::")) continue;
    ++audit.registered;
    if (!std::binary_search(listed.begin(), listed.end(), full_name(name))) audit.not_listed.push_back(full_name(name));
  }
  std::sort(audit.not_listed.begin(), audit.not_listed.end());
  return audit;
}

std::vector<ListAudit> audit_lists() {
  return {audit_list(c10::kCUDA, policy::rows(policy::Base::kCudaAmp)),
          audit_list(c10::kCPU, policy::rows(policy::Base::kCpuAmp))};
}

std::string drift_text(const std::vector<ListAudit>& audits) {
  std::string text;
  const auto say = [&text](const ListAudit& audit, const std::vector<std::string>& ops, const char* what) {
    if (ops.empty()) return;
    text += text.empty() ? "The op lists are not those of the LibTorch that is loaded. " : " ";
    text += std::string(audit.device == c10::kCUDA ? "CUDA" : "CPU") + ", " + what + ":";
    for (const std::string& op : ops) text += " " + op;
    text += ".";
  };
  for (const ListAudit& audit : audits) {
    say(audit, audit.not_registered, "cast by our list only");
    say(audit, audit.not_listed, "cast by LibTorch only");
  }
  return text;
}

}  // namespace binade::autocast

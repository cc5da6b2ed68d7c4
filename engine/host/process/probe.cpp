// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/probe.h"

#include "engine/host/process/log.h"
#include "engine/host/process/own_process.h"
#include "engine/host/process/version.h"
#include "engine/train/device.h"
#include "profiler/peak.h"

#include <nlohmann/json.hpp>

#include <ATen/Context.h>
#include <ATen/Version.h>
#include <ATen/cpu/Utils.h>
#include <torch/version.h>

#include <algorithm>
#include <sstream>

namespace binade::host {

namespace {

using nlohmann::ordered_json;

/// Instruction sets for native bfloat16 and float16. None gives tfloat32 or float8.
constexpr const char* kInstructionSets[] = {"avx2",        "avx512_f", "avx512_vnni", "avx512_bf16",
                                            "avx512_fp16", "amx_bf16", "amx_fp16"};

std::vector<std::pair<std::string, bool>> instruction_sets() {
  const auto known = at::cpu::get_cpu_capabilities();
  std::vector<std::pair<std::string, bool>> sets;
  for (const char* name : kInstructionSets) {
    const auto found = known.find(name);
    if (found == known.end()) continue;  // unknown on this architecture
    sets.emplace_back(name, found->second.isBool() && found->second.toBool());
  }
  return sets;
}

ProbedDevice cuda(const std::string& no_cuda) {
  ProbedDevice device;
  device.name = "cuda:0";
  if (!no_cuda.empty()) {
    device.text = no_cuda;
  } else if (at::getNumGPUs() == 0) {
    device.text = "the NVIDIA driver shows no device";
  } else {
    const c10::Device first(c10::kCUDA, 0);
    device.usable = true;
    device.text = train::describe(first);
    device.can = train::capabilities(first);
  }
  return device;
}

ordered_json state_of(const profiler::Status& status) {
  ordered_json state{{"state", std::string(name(status.code))}, {"sentence", status.sentence}};
  if (!status.next.empty()) state["next"] = status.next;
  return state;
}

/// Returns whether the op lists match this LibTorch.
ordered_json autocast_state(const Probe& probe) {
  const std::string drift = autocast::drift_text(probe.lists);
  if (drift.empty()) return {{"state", "available"}, {"sentence", "The op lists match this LibTorch."}};
  return {{"state", "drift"}, {"sentence", drift}};
}

/// Adds a detail next to the state; empty values were not queried and are left out.
void add_found(ordered_json& state, const char* key, const std::string& value) {
  if (!value.empty()) state[key] = value;
}

const char* name_of(c10::DeviceType device) {
  return device == c10::kCUDA ? "cuda" : "cpu";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text;
}

ordered_json json_of(const autocast::InnerCallAudit& audit) {
  ordered_json differences = ordered_json::array();
  for (const auto& each : audit.differences) {
    differences.push_back({{"op", each.op}, {"table", each.table}, {"library", each.library}});
  }
  return {{"ops", audit.ops}, {"calling", audit.calling}, {"differences", differences}, {"refused", audit.refused}};
}

autocast::InnerCallAudit audit_of(const ordered_json& json) {
  autocast::InnerCallAudit audit;
  audit.ops = json.at("ops");
  audit.calling = json.at("calling");
  for (const ordered_json& each : json.at("differences")) {
    audit.differences.push_back({each.at("op"), each.at("table"), each.at("library")});
  }
  audit.refused = json.at("refused").get<std::vector<std::string>>();
  return audit;
}

std::string or_nothing(const std::string& calls) {
  return calls.empty() ? "no listed op" : calls;
}

void print_inner_calls(std::ostringstream& out, const Probe& probe) {
  if (!probe.inner_calls && probe.inner_calls_failed.empty()) return;
  out << "Ops that call listed ops internally: Binade's table compared with this LibTorch, by calls of its ops\n";
  if (!probe.inner_calls) {
    out << "  not known. " << probe.inner_calls_failed << "\n";
    return;
  }
  const autocast::InnerCallAudit& audit = *probe.inner_calls;
  out << "  " << (audit.drifts() ? "MISMATCH: the table does not match this LibTorch: " : "the same: ") << audit.ops
      << " ops called, " << audit.calling << " of them call listed ones\n";
  for (const auto& each : audit.differences) {
    out << "    " << each.op << " calls " << or_nothing(each.library) << "; the table says " << or_nothing(each.table)
        << "\n";
  }
  if (!audit.refused.empty()) out << "    rejected here, and not compared:" << joined(audit.refused) << "\n";
}

}  // namespace

bool Probe::drifts() const {
  return std::any_of(lists.begin(), lists.end(), [](const auto& list) { return list.drifts(); }) ||
         (inner_calls && inner_calls->drifts());
}

std::string audit_inner_calls_json() {
  return json_of(autocast::audit_inner_calls()).dump();
}

void ask_inner_calls(Probe& probe) {
  const OwnProcess process = run_apart({"probe", "--inner-calls-only"});
  const auto failed = [](const std::string& how) { return "Asking LibTorch " + how + "."; };
  if (!process.failure.empty()) {
    probe.inner_calls_failed = failed(process.failure);
    return;
  }
  try {
    probe.inner_calls = audit_of(ordered_json::parse(process.last_line));
  } catch (const nlohmann::json::exception&) {
    probe.inner_calls_failed = failed("gave no answer");
  }
}

Probe probe(const std::string& no_cuda) {
  const c10::Device cpu(c10::kCPU);
  return {.version = kVersion,
          .libtorch = TORCH_VERSION,
          .cpu_capability = at::get_cpu_capability(),
          .instruction_sets = instruction_sets(),
          .devices = {{.name = "cpu", .usable = true, .text = train::describe(cpu), .can = train::capabilities(cpu)},
                      cuda(no_cuda)},
          .lists = autocast::audit_lists(),
          .inner_calls = {},
          .inner_calls_failed = {},
          .tensor_cores = profiler::look(profiler::open_parts(), 0)};
}

void warn_of_drift() {
  const std::string drift = autocast::drift_text(autocast::audit_lists());
  if (!drift.empty()) log("warning", drift + " See `binade-engine probe`.");
}

std::string to_json(const Probe& probe) {
  ordered_json devices = ordered_json::array();
  for (const ProbedDevice& device : probe.devices) {
    ordered_json each{{"name", device.name}, {"usable", device.usable}};
    each[device.usable ? "description" : "reason"] = device.text;
    if (device.usable) {
      each["native_bfloat16"] = device.can.native_bfloat16;
      each["native_float16"] = device.can.native_float16;
    }
    devices.push_back(each);
  }
  ordered_json lists = ordered_json::array();
  for (const autocast::ListAudit& list : probe.lists) {
    lists.push_back({{"device", name_of(list.device)},
                     {"rows", list.rows},
                     {"registered", list.registered},
                     {"not_registered", list.not_registered},
                     {"not_listed", list.not_listed},
                     {"not_here", list.not_here}});
  }
  ordered_json sets = ordered_json::object();
  for (const auto& [name, there] : probe.instruction_sets) sets[name] = there;
  const profiler::Readiness& ready = probe.tensor_cores;
  ordered_json cuda = state_of(ready.cuda), cupti = state_of(ready.cupti);
  add_found(cuda, "device", ready.device);
  add_found(cupti, "chip", ready.chip);
  add_found(cupti, "metric", ready.metric);
  add_found(cupti, "library", ready.library);
  if (const profiler::QuotedPeak* peak = profiler::quoted_peak(ready.chip)) {
    cupti["quoted_peak"] = {{"gpu", peak->gpu},
                            {"float16_tflops", peak->float16},
                            {"float32_tflops", peak->float32},
                            {"quoted", peak->quoted}};
  }
  ordered_json inner_calls;
  if (probe.inner_calls) inner_calls = json_of(*probe.inner_calls);
  if (!probe.inner_calls_failed.empty()) inner_calls = {{"failed", probe.inner_calls_failed}};
  return ordered_json{{"event", "probe"},
                      {"version", probe.version},
                      {"libtorch", probe.libtorch},
                      {"cpu_capability", probe.cpu_capability},
                      {"instruction_sets", sets},
                      {"devices", devices},
                      {"cuda", cuda},
                      {"cupti", cupti},
                      {"nvml", state_of(ready.nvml)},
                      {"autocast", autocast_state(probe)},
                      {"lists", lists},
                      {"inner_calls", inner_calls},
                      {"drift", probe.drifts()}}
      .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string to_text(const Probe& probe) {
  std::ostringstream out;
  out << "binade-engine " << probe.version << ", LibTorch " << probe.libtorch << "\n\n";
  for (const ProbedDevice& device : probe.devices) {
    out << device.name << ": " << (device.usable ? "" : "not usable: ") << device.text << "\n";
    if (!device.usable) continue;
    out << "  default execution (auto): bfloat16 runs " << (device.can.native_bfloat16 ? "native" : "emulated")
        << ", float16 " << (device.can.native_float16 ? "native" : "emulated") << "\n";
  }
  std::string said;  // the hint printed last; one missing driver causes the same hint three times
  const auto add_state = [&](const char* what, const profiler::Status& status) {
    out << "  " << what << ": " << name(status.code) << ". " << status.sentence;
    if (!status.ok() && !status.next.empty() && status.next != said) out << " " << status.next;
    said = status.next;
    out << "\n";
  };
  const profiler::Readiness& ready = probe.tensor_cores;
  out << "\nTensor-core use\n";
  add_state("driver", ready.cuda);
  add_state("counters and kernels (CUPTI)", ready.cupti);
  if (!ready.metric.empty()) out << "    " << ready.metric << ", by " << ready.library << "\n";
  add_state("coarse value (NVML)", ready.nvml);
  if (const profiler::QuotedPeak* peak = profiler::quoted_peak(ready.chip)) {
    out << "  quoted peak of " << peak->gpu << ": " << peak->float16 << " TFLOP/s in float16 on tensor cores, "
        << peak->float32 << " in float32 beside them (" << peak->quoted << ")\n";
  }
  out << "\nCPU kernels: " << probe.cpu_capability << ";";
  for (const auto& [name, there] : probe.instruction_sets) out << " " << (there ? "" : "no ") << name;
  out << "\n\n";
  out << "Ops that autocast treats: Binade's lists compared with this LibTorch's autocast\n";
  for (const autocast::ListAudit& list : probe.lists) {
    out << "  " << name_of(list.device) << ": ";
    if (list.drifts()) {
      out << "MISMATCH: the lists do not match this LibTorch\n";
    } else {
      out << "the same " << list.registered << " ops\n";
    }
    if (!list.not_here.empty()) {
      out << "    and on our list, but not in a LibTorch without CUDA:" << joined(list.not_here) << "\n";
    }
    if (!list.not_registered.empty()) out << "    cast by our list only:" << joined(list.not_registered) << "\n";
    if (!list.not_listed.empty()) out << "    cast by LibTorch only:" << joined(list.not_listed) << "\n";
  }
  print_inner_calls(out, probe);
  return out.str();
}

}  // namespace binade::host

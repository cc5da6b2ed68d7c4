// SPDX-License-Identifier: Apache-2.0
#include "profiler/cupti.h"
#include "profiler/host_object.h"

#include <algorithm>
#include <set>

namespace binade::profiler {

namespace {

const std::string kPercent = ".avg.pct_of_peak_sustained_elapsed";

/// Metrics for the utilisation of the tensor pipes, best first. Ada's names without _v2 are marked deprecated.
constexpr const char* kHeadlines[] = {
    "sm__pipe_tensor_cycles_active_realtime_v2", "sm__pipe_tensor_cycles_active_realtime",
    "sm__pipe_tensor_cycles_active_v2",          "sm__pipe_tensor_cycles_active",
    "sm__pipe_shared_cycles_active_realtime",    "sm__pipe_shared_cycles_active"};

struct Companion {
  Channel channel;
  std::vector<const char*> names;  ///< the chip's one-pass group first
};

const std::vector<Companion>& companions() {
  static const std::vector<Companion> all{
      {Channel::kSmActive, {"TPC.TriageCompute.sm__cycles_active", "sm__cycles_active"}},
      {Channel::kHmma,
       {"TPC.TriageCompute.sm__pipe_tensor_op_hmma_cycles_active_realtime",
        "TPC.TriageCompute.sm__pipe_tensor_subpipe_hmma_cycles_active_realtime",
        "sm__pipe_tensor_subpipe_hmma_cycles_active_realtime"}},
      {Channel::kImma,
       {"TPC.TriageCompute.sm__pipe_tensor_op_imma_cycles_active_realtime",
        "TPC.TriageCompute.sm__pipe_tensor_subpipe_imma_cycles_active_realtime",
        "sm__pipe_tensor_subpipe_imma_cycles_active_realtime"}},
      {Channel::kDmma,
       {"SM_C.TriageCompute.smsp__pipe_tensor_op_dmma_cycles_active",
        "SM_C.TriageCompute.smsp__pipe_tensor_subpipe_dmma_cycles_active"}}};
  return all;
}

/// Adds metrics to the choice as long as they fit one pass.
class Chooser {
 public:
  Chooser(const CuptiFunctions& cupti, const std::string& chip, const std::vector<std::uint8_t>& availability)
      : cupti_(cupti), chip_(chip), availability_(availability) {}

  MetricChoice choose() {
    {
      HostObject host(cupti_, chip_, availability_);
      if (!host.ok()) {
        choice_.note = host.error();
        choice_.error = static_cast<int>(host.result());
        return choice_;
      }
      base_ = host.base_metrics();
    }
    choose_headline();
    if (choice_.metrics.empty()) {
      choice_.note += "no tensor-core metric fits one pass";
      return choice_;
    }
    for (const Companion& companion : companions()) {
      for (const char* name : companion.names) {
        if (base_.contains(name) && add(name + kPercent, companion.channel)) break;
      }
    }
    add("gpc__cycles_elapsed.avg.per_second", Channel::kClock);
    return choice_;
  }

 private:
  void choose_headline() {
    for (const char* name : kHeadlines) {
      if (!base_.contains(name)) continue;
      if (add(name + kPercent, Channel::kTensor)) {
        choice_.shared_pipe = std::string(name).find("shared") != std::string::npos;
        return;
      }
      choice_.note += std::string(name) + " needs several passes; ";
    }
    // Chips newer than this list: any counter of active tensor pipes.
    for (const std::string& name : base_) {
      if (name.find("pipe_tensor") == std::string::npos || name.find("cycles_active") == std::string::npos) continue;
      if (name.find("_op_") != std::string::npos || name.find("subpipe") != std::string::npos) continue;
      if (add(name + kPercent, Channel::kTensor)) return;
    }
  }

  bool add(const std::string& name, Channel channel) {
    std::vector<std::string> names;
    for (const auto& metric : choice_.metrics) names.push_back(metric.name);
    names.push_back(name);
    // A host object keeps the metrics added to it, so each trial needs a new one.
    HostObject host(cupti_, chip_, availability_);
    if (!host.ok() || !host.configure(names) || host.passes() != 1) return false;
    choice_.metrics.push_back({name, channel});
    return true;
  }

  const CuptiFunctions& cupti_;
  const std::string& chip_;
  const std::vector<std::uint8_t>& availability_;
  std::set<std::string> base_;
  MetricChoice choice_;
};

}  // namespace

MetricChoice choose_metrics(const CuptiFunctions& cupti, const std::string& chip,
                            const std::vector<std::uint8_t>& availability) {
  MetricChoice choice;
  // These list the metric but have no tensor cores.
  if (chip == "TU116" || chip == "TU117") {
    choice.note = "this Turing chip has no tensor cores";
    return choice;
  }
  return Chooser(cupti, chip, availability).choose();
}

std::vector<std::string> known_chips(const CuptiFunctions& cupti) {
  CUpti_Profiler_Host_GetSupportedChips_Params params{};
  params.structSize = CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE;
  std::vector<std::string> chips;
  if (cupti.cuptiProfilerHostGetSupportedChips(&params) != CUPTI_SUCCESS) return chips;
  for (std::size_t i = 0; i < params.numChips; ++i) chips.emplace_back(params.ppChipNames[i]);
  return chips;
}

}  // namespace binade::profiler

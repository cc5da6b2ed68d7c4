// SPDX-License-Identifier: Apache-2.0
#include "profiler/host_object.h"

namespace binade::profiler {

HostObject::HostObject(const CuptiFunctions& cupti, const std::string& chip,
                       const std::vector<std::uint8_t>& availability)
    : cupti_(cupti) {
  CUpti_Profiler_Host_Initialize_Params params{};
  params.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
  params.profilerType = CUPTI_PROFILER_TYPE_PM_SAMPLING;
  params.pChipName = chip.c_str();
  params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  if (!failed(cupti_.cuptiProfilerHostInitialize(&params), "cuptiProfilerHostInitialize")) object_ = params.pHostObject;
}

HostObject::~HostObject() {
  if (object_ == nullptr) return;
  CUpti_Profiler_Host_Deinitialize_Params params{};
  params.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
  params.pHostObject = object_;
  cupti_.cuptiProfilerHostDeinitialize(&params);
}

bool HostObject::failed(CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) return false;
  result_ = result;
  error_ = std::string(call) + ": " + result_text(cupti_, result);
  return true;
}

std::set<std::string> HostObject::base_metrics() {
  std::set<std::string> names;
  for (const CUpti_MetricType type :
       {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
    CUpti_Profiler_Host_GetBaseMetrics_Params params{};
    params.structSize = CUpti_Profiler_Host_GetBaseMetrics_Params_STRUCT_SIZE;
    params.pHostObject = object_;
    params.metricType = type;
    if (failed(cupti_.cuptiProfilerHostGetBaseMetrics(&params), "cuptiProfilerHostGetBaseMetrics")) continue;
    for (std::size_t i = 0; i < params.numMetrics; ++i) names.insert(params.ppMetricNames[i]);
  }
  return names;
}

bool HostObject::configure(const std::vector<std::string>& metrics) {
  std::vector<const char*> names;
  for (const std::string& metric : metrics) names.push_back(metric.c_str());
  CUpti_Profiler_Host_ConfigAddMetrics_Params add{};
  add.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
  add.pHostObject = object_;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  if (failed(cupti_.cuptiProfilerHostConfigAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics")) return false;
  CUpti_Profiler_Host_GetConfigImageSize_Params size{};
  size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
  size.pHostObject = object_;
  if (failed(cupti_.cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize")) return false;
  image_.resize(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params image{};
  image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
  image.pHostObject = object_;
  image.configImageSize = image_.size();
  image.pConfigImage = image_.data();
  return !failed(cupti_.cuptiProfilerHostGetConfigImage(&image), "cuptiProfilerHostGetConfigImage");
}

std::size_t HostObject::passes() {
  CUpti_Profiler_Host_GetNumOfPasses_Params params{};
  params.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
  params.configImageSize = image_.size();
  params.pConfigImage = image_.data();
  const bool bad = failed(cupti_.cuptiProfilerHostGetNumOfPasses(&params), "cuptiProfilerHostGetNumOfPasses");
  return bad ? 0 : params.numOfPasses;
}

bool HostObject::evaluate(const std::vector<std::uint8_t>& image, std::size_t index, std::vector<const char*>& metrics,
                          double* values) {
  CUpti_Profiler_Host_EvaluateToGpuValues_Params params{};
  params.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
  params.pHostObject = object_;
  params.pCounterDataImage = image.data();
  params.counterDataImageSize = image.size();
  params.rangeIndex = index;
  params.ppMetricNames = metrics.data();
  params.numMetrics = metrics.size();
  params.pMetricValues = values;
  return !failed(cupti_.cuptiProfilerHostEvaluateToGpuValues(&params), "cuptiProfilerHostEvaluateToGpuValues");
}

}  // namespace binade::profiler

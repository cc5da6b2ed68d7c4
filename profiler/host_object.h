// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/cupti_functions.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace binade::profiler {

/// CUPTI's host side of PM sampling for one chip: metrics, their configuration, and values out of samples. Needs no
/// driver and no device. Everything of one sampling goes through one object.
class HostObject {
 public:
  HostObject(const CuptiFunctions& cupti, const std::string& chip, const std::vector<std::uint8_t>& availability);
  ~HostObject();
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;

  bool ok() const { return object_ != nullptr; }
  /// Of the last call that failed: `cuptiProfilerHostInitialize: CUPTI_ERROR_NOT_SUPPORTED`.
  const std::string& error() const { return error_; }
  CUptiResult result() const { return result_; }

  /// The chip's counters, ratios and throughputs that PM sampling knows, without suffixes.
  std::set<std::string> base_metrics();

  /// Sets the metrics; false where the chip lacks one.
  bool configure(const std::vector<std::string>& metrics);
  std::size_t passes();
  /// What the device is configured with; must outlive the sampling: CUPTI keeps the pointer.
  const std::vector<std::uint8_t>& image() const { return image_; }

  /// The values of sample `index` of a counter-data image, in the order of `metrics`.
  bool evaluate(const std::vector<std::uint8_t>& image, std::size_t index, std::vector<const char*>& metrics,
                double* values);

 private:
  bool failed(CUptiResult result, const char* call);

  const CuptiFunctions& cupti_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
  CUptiResult result_ = CUPTI_SUCCESS;
  std::string error_;
  std::vector<std::uint8_t> image_;
};

}  // namespace binade::profiler

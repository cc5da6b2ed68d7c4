// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/cupti_functions.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace binade::profiler {

/// The host side of CUPTI's PM sampling for one chip: metrics, their configuration, and evaluation of samples. Needs no
/// driver and no device. One sampling must use one object throughout.
class HostObject {
 public:
  HostObject(const CuptiFunctions& cupti, const std::string& chip, const std::vector<std::uint8_t>& availability);
  ~HostObject();
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;

  bool ok() const { return object_ != nullptr; }
  /// The last failed call: `cuptiProfilerHostInitialize: CUPTI_ERROR_NOT_SUPPORTED`.
  const std::string& error() const { return error_; }
  CUptiResult result() const { return result_; }

  /// Returns the chip's counters, ratios and throughputs for PM sampling, without suffixes.
  std::set<std::string> base_metrics();

  /// Sets the metrics. Returns false if the chip lacks one.
  bool configure(const std::vector<std::string>& metrics);
  std::size_t passes();
  /// The device's configuration. Must outlive the sampling, because CUPTI keeps the pointer.
  const std::vector<std::uint8_t>& image() const { return image_; }

  /// Evaluates sample `index` of a counter-data image into `values`, in the order of `metrics`. Returns false on
  /// failure.
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

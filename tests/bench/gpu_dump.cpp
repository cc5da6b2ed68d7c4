// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_dump.h"

#if __has_include(<cupti_pmsampling.h>)

#include "profiler/cupti_functions.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <mutex>

namespace binade::bench::gpu {

namespace {

struct Dump {
  std::mutex mutex;  // buffers are read on CUPTI's thread and on the monitor's
  std::shared_ptr<const profiler::CuptiFunctions> cupti;
  std::string folder;
  const std::uint8_t* buffer = nullptr;  ///< buffer being read
  std::size_t bytes = 0;
  nlohmann::ordered_json names;
  bool activity_done = false, image_done = false;
};

Dump& dump() {
  static auto* dump = new Dump;  // never destroyed: CUPTI's worker may outlive main's statics
  return *dump;
}

void write(const std::string& file, const std::uint8_t* data, std::size_t bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

CUptiResult CUPTIAPI next_record(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record) {
  Dump& all = dump();
  const std::lock_guard lock(all.mutex);
  if (*record == nullptr) {
    all.buffer = buffer;
    all.bytes = bytes;
    all.names = nlohmann::ordered_json::object();
  }
  const CUptiResult result = all.cupti->cuptiActivityGetNextRecord(buffer, bytes, record);
  if (all.activity_done || all.buffer != buffer) return result;
  if (result == CUPTI_SUCCESS) {
    if ((*record)->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(*record);
      const auto offset = reinterpret_cast<const std::uint8_t*>(*record) - buffer;
      all.names[std::to_string(offset)] = kernel->name != nullptr ? kernel->name : "";
    }
  } else if (!all.names.empty()) {
    write(all.folder + "/activity.bin", all.buffer, all.bytes);
    std::ofstream(all.folder + "/activity-names.json") << all.names.dump() << "\n";
    all.activity_done = true;
  }
  return result;
}

CUptiResult CUPTIAPI data_info(CUpti_PmSampling_GetCounterDataInfo_Params* params) {
  Dump& all = dump();
  const CUptiResult result = all.cupti->cuptiPmSamplingGetCounterDataInfo(params);
  const std::lock_guard lock(all.mutex);
  if (result == CUPTI_SUCCESS && params->numCompletedSamples > 0 && !all.image_done) {
    write(all.folder + "/counter-image.bin", params->pCounterDataImage, params->counterDataImageSize);
    all.image_done = true;
  }
  return result;
}

}  // namespace

std::shared_ptr<const profiler::CuptiFunctions> dumping(std::shared_ptr<const profiler::CuptiFunctions> cupti,
                                                        const std::string& folder) {
  auto watched = std::make_shared<profiler::CuptiFunctions>(*cupti);
  watched->cuptiActivityGetNextRecord = next_record;
  watched->cuptiPmSamplingGetCounterDataInfo = data_info;
  Dump& all = dump();
  const std::lock_guard lock(all.mutex);
  all.cupti = std::move(cupti);
  all.folder = folder;
  all.activity_done = all.image_done = false;
  return watched;
}

}  // namespace binade::bench::gpu

#else

namespace binade::bench::gpu {

std::shared_ptr<const profiler::CuptiFunctions> dumping(std::shared_ptr<const profiler::CuptiFunctions> cupti,
                                                        const std::string& /*folder*/) {
  return cupti;
}

}  // namespace binade::bench::gpu

#endif

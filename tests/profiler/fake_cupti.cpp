// SPDX-License-Identifier: Apache-2.0
#include "tests/profiler/fake_cupti.h"

#include "profiler/clock.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <utility>

namespace binade::test {

namespace {

FakeCupti* fake = nullptr;

thread_local std::vector<std::uint64_t> pushed_ids;

/// One sample of the fake's counter-data image.
struct Slot {
  std::uint64_t start, end;
  double tensor;
};
struct Image {
  std::uint64_t magic, capacity, count, looks;
  Slot slots[1];
};
constexpr std::uint64_t kMagic = 0xB14ADE;

const std::vector<const char*>& metrics_of(const std::string& chip) {
  static const std::vector<const char*> hopper{"sm__pipe_tensor_cycles_active_realtime",
                                               "TPC.TriageCompute.sm__cycles_active",
                                               "TPC.TriageCompute.sm__pipe_tensor_op_hmma_cycles_active_realtime",
                                               "TPC.TriageCompute.sm__pipe_tensor_op_imma_cycles_active_realtime",
                                               "TPC.TriageCompute.sm__inst_executed_realtime",
                                               "SM_C.TriageCompute.smsp__pipe_tensor_op_dmma_cycles_active",
                                               "gpc__cycles_elapsed"};
  static const std::vector<const char*> ampere{"sm__pipe_tensor_cycles_active_realtime", "sm__cycles_active",
                                               "gpc__cycles_elapsed"};
  static const std::vector<const char*> future{"sm__next_pipe_tensor_cycles_active", "gpc__cycles_elapsed"};
  static const std::vector<const char*> none{"sm__cycles_active", "gpc__cycles_elapsed"};
  if (chip == "GH100") return hopper;
  if (chip == "GA100") return ampere;
  return chip == "XY100" ? future : none;
}

struct Host {
  std::string chip;
  std::vector<std::string> metrics;
};

std::size_t size_of(const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return sizeof(CUpti_ActivityExternalCorrelation);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return sizeof(CUpti_ActivityAPI);
    default:
      return sizeof(CUpti_ActivityKernel10);
  }
}

CUptiResult code(int value) {
  return static_cast<CUptiResult>(value);
}

}  // namespace

/// The functions, by CUPTI's names.
struct FakeCalls {
  static void fill(profiler::CuptiFunctions& f) {
    general(f);
    activity(f);
    host(f);
    sampling(f);
  }

  static void general(profiler::CuptiFunctions& f) {
    f.cuptiGetVersion = [](std::uint32_t* version) {
      *version = 130001;
      return CUPTI_SUCCESS;
    };
    f.cuptiGetTimestamp = [](std::uint64_t* time) {
      *time = fake->clock();
      return CUPTI_SUCCESS;
    };
    f.cuptiGetResultString = [](CUptiResult result, const char** text) {
      *text = result == CUPTI_ERROR_NOT_SUPPORTED ? "CUPTI_ERROR_NOT_SUPPORTED" : "CUPTI_ERROR";
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerInitialize = [](CUpti_Profiler_Initialize_Params*) { return code(fake->initialize); };
    f.cuptiProfilerDeviceSupported = [](CUpti_Profiler_DeviceSupported_Params* p) {
      fake->need_driver("cuptiProfilerDeviceSupported");
      const auto good = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
      p->architecture = p->sli = p->confidentialCompute = p->cmp = p->wsl = good;
      p->isSupported = static_cast<CUpti_Profiler_Support_Level>(fake->support_level.load());
      p->vGpu = static_cast<CUpti_Profiler_Support_Level>(fake->vgpu_level.load());
      const auto refuse = [p](CUpti_Profiler_Support_Level& mode) {
        mode = p->isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
      };
      if (fake->refused_mode == "sli") refuse(p->sli);
      if (fake->refused_mode == "confidential") refuse(p->confidentialCompute);
      if (fake->refused_mode == "cmp") refuse(p->cmp);
      if (fake->refused_mode == "wsl") refuse(p->wsl);
      if (p->isSupported == CUPTI_PROFILER_CONFIGURATION_UNKNOWN) {
        p->architecture = p->sli = p->confidentialCompute = p->cmp = p->wsl = p->vGpu = p->isSupported;
      } else if (p->isSupported != good && p->vGpu == good && fake->refused_mode.empty()) {
        refuse(p->architecture);
      }
      return code(fake->device_supported);
    };
    f.cuptiDeviceGetChipName = [](CUpti_Device_GetChipName_Params* p) {
      fake->need_driver("cuptiDeviceGetChipName");
      p->pChipName = fake->chip.c_str();
      return CUPTI_SUCCESS;
    };
  }

  static CUptiResult switch_kind(CUpti_ActivityKind kind, bool on) {
    const std::lock_guard lock(fake->mutex_);
    if (kind != CUPTI_ACTIVITY_KIND_RUNTIME) return CUPTI_SUCCESS;
    fake->records_calls_ = on;
    fake->ignored_calls_.clear();  // the kind overrides what was set call by call
    return CUPTI_SUCCESS;
  }

  static void activity(profiler::CuptiFunctions& f) {
    f.cuptiSubscribe_v2 = [](CUpti_SubscriberHandle* handle, CUpti_CallbackFunc, void*, CUpti_SubscriberParams* p) {
      fake->need_driver("cuptiSubscribe_v2");
      if (fake->subscribe != 0) {
        std::strncpy(p->oldSubscriberName, fake->old_subscriber.c_str(), p->oldSubscriberSize - 1);
        return code(fake->subscribe);
      }
      if (fake->subscribed_) fake->crime("subscribed twice");
      fake->subscribed_ = true;
      *handle = reinterpret_cast<CUpti_SubscriberHandle>(fake);
      return CUPTI_SUCCESS;
    };
    f.cuptiUnsubscribe = [](CUpti_SubscriberHandle) {
      fake->subscribed_ = false;
      return CUPTI_SUCCESS;
    };
    f.cuptiActivityRegisterCallbacks = [](CUpti_BuffersCallbackRequestFunc requested,
                                          CUpti_BuffersCallbackCompleteFunc completed) {
      fake->requested_ = requested;
      fake->completed_ = completed;
      return CUPTI_SUCCESS;
    };
    f.cuptiActivityEnable = [](CUpti_ActivityKind kind) { return switch_kind(kind, true); };
    f.cuptiActivityDisable = [](CUpti_ActivityKind kind) { return switch_kind(kind, false); };
    f.cuptiActivityEnableRuntimeApi = [](CUpti_CallbackId call, std::uint8_t on) {
      const std::lock_guard lock(fake->mutex_);
      if (on != 0) fake->ignored_calls_.erase(call);
      if (on == 0) fake->ignored_calls_.insert(call);
      return CUPTI_SUCCESS;
    };
    f.cuptiActivityEnableDriverApi = [](CUpti_CallbackId, std::uint8_t) { return CUPTI_SUCCESS; };
    f.cuptiActivityFlushAll = [](std::uint32_t) {
      if (fake->flush != 0) return code(fake->flush);
      fake->hand_over();
      return CUPTI_SUCCESS;
    };
    f.cuptiActivityGetNumDroppedRecords = [](CUcontext, std::uint32_t, std::size_t* dropped) {
      *dropped = fake->dropped.exchange(0);
      return CUPTI_SUCCESS;
    };
    f.cuptiActivityGetNextRecord = [](std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record) {
      auto* next = *record == nullptr ? buffer : reinterpret_cast<std::uint8_t*>(*record) + size_of(*record);
      if (next >= buffer + bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
      *record = reinterpret_cast<CUpti_Activity*>(next);
      return CUPTI_SUCCESS;
    };
    f.cuptiActivityPushExternalCorrelationId = [](CUpti_ExternalCorrelationKind, std::uint64_t id) {
      fake->pushed_.fetch_add(1, std::memory_order_relaxed);
      pushed_ids.push_back(id);
      return CUPTI_SUCCESS;
    };
    f.cuptiActivityPopExternalCorrelationId = [](CUpti_ExternalCorrelationKind, std::uint64_t* last) {
      if (pushed_ids.empty()) return CUPTI_ERROR_QUEUE_EMPTY;
      *last = pushed_ids.back();
      pushed_ids.pop_back();
      return CUPTI_SUCCESS;
    };
  }

  static void host(profiler::CuptiFunctions& f) {
    f.cuptiProfilerHostInitialize = [](CUpti_Profiler_Host_Initialize_Params* p) {
      if (fake->host != 0) return code(fake->host);
      if (std::string(p->pChipName) == "GV100") return CUPTI_ERROR_NOT_SUPPORTED;
      p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(new Host{p->pChipName, {}});
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostDeinitialize = [](CUpti_Profiler_Host_Deinitialize_Params* p) {
      if (fake->enabled_ && fake->config_ != nullptr && fake->sampling_) fake->crime("host object gone while sampling");
      delete reinterpret_cast<Host*>(p->pHostObject);
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostGetSupportedChips = [](CUpti_Profiler_Host_GetSupportedChips_Params* p) {
      static const char* const kChips[] = {"GA100", "GH100"};
      p->numChips = 2;
      p->ppChipNames = kChips;
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostGetBaseMetrics = [](CUpti_Profiler_Host_GetBaseMetrics_Params* p) {
      const auto& all = metrics_of(reinterpret_cast<Host*>(p->pHostObject)->chip);
      p->numMetrics = p->metricType == CUPTI_METRIC_TYPE_COUNTER ? all.size() : 0;
      p->ppMetricNames = const_cast<const char**>(all.data());
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostConfigAddMetrics = [](CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
      auto* object = reinterpret_cast<Host*>(p->pHostObject);
      for (std::size_t i = 0; i < p->numMetrics; ++i) object->metrics.emplace_back(p->ppMetricNames[i]);
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostGetConfigImageSize = [](CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
      p->configImageSize = 64;
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostGetConfigImage = [](CUpti_Profiler_Host_GetConfigImage_Params* p) {
      std::memset(p->pConfigImage, 7, p->configImageSize);
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostGetNumOfPasses = [](CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
      p->numOfPasses = 1;
      return CUPTI_SUCCESS;
    };
    f.cuptiProfilerHostEvaluateToGpuValues = [](CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
      if (fake->evaluate != 0) return code(fake->evaluate);
      const auto* image = reinterpret_cast<const Image*>(p->pCounterDataImage);
      for (std::size_t i = 0; i < p->numMetrics; ++i) {
        const bool clock = std::strstr(p->ppMetricNames[i], "gpc__") != nullptr;
        p->pMetricValues[i] = clock ? 1.755e9 : image->slots[p->rangeIndex].tensor;
      }
      return CUPTI_SUCCESS;
    };
  }

  static void sampling(profiler::CuptiFunctions& f) {
    f.cuptiPmSamplingGetCounterAvailability = [](CUpti_PmSampling_GetCounterAvailability_Params* p) {
      fake->need_driver("cuptiPmSamplingGetCounterAvailability");
      p->counterAvailabilityImageSize = 16;
      return code(fake->availability);
    };
    f.cuptiPmSamplingEnable = [](CUpti_PmSampling_Enable_Params* p) {
      fake->need_driver("cuptiPmSamplingEnable");
      if (fake->enable != 0) return code(fake->enable);
      if (fake->enabled_) return CUPTI_ERROR_INVALID_OPERATION;
      fake->enabled_ = true;
      p->pPmSamplingObject = reinterpret_cast<CUpti_PmSampling_Object*>(fake);
      return CUPTI_SUCCESS;
    };
    f.cuptiPmSamplingDisable = [](CUpti_PmSampling_Disable_Params*) {
      fake->enabled_ = fake->sampling_ = false;
      fake->config_ = nullptr;
      return CUPTI_SUCCESS;
    };
    f.cuptiPmSamplingSetConfig = [](CUpti_PmSampling_SetConfig_Params* p) {
      fake->interval_ = p->samplingInterval;
      fake->config_ = p->pConfig;
      fake->config_size_ = p->configSize;
      ++fake->configurations_;
      return code(fake->set_config);
    };
    f.cuptiPmSamplingStart = [](CUpti_PmSampling_Start_Params*) {
      fake->last_ = fake->now;
      fake->full_ = false;
      fake->sampling_ = fake->start == 0;
      return code(fake->start);
    };
    f.cuptiPmSamplingStop = [](CUpti_PmSampling_Stop_Params*) {
      fake->sampling_ = false;
      return CUPTI_SUCCESS;
    };
    f.cuptiPmSamplingGetCounterDataSize = [](CUpti_PmSampling_GetCounterDataSize_Params* p) {
      p->counterDataSize = sizeof(Image) + sizeof(Slot) * p->maxSamples;
      return CUPTI_SUCCESS;
    };
    f.cuptiPmSamplingCounterDataImageInitialize = [](CUpti_PmSampling_CounterDataImage_Initialize_Params* p) {
      if (fake->slow_images) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      auto* image = reinterpret_cast<Image*>(p->pCounterData);
      ++fake->images_made;
      *image = {kMagic, (p->counterDataSize - sizeof(Image)) / sizeof(Slot), 0, 0, {}};
      return CUPTI_SUCCESS;
    };
    f.cuptiPmSamplingDecodeData = decode_data;
    f.cuptiPmSamplingGetCounterDataInfo = [](CUpti_PmSampling_GetCounterDataInfo_Params* p) {
      const auto* image = reinterpret_cast<const Image*>(p->pCounterDataImage);
      if (image->magic != kMagic) fake->crime("a counter image that was never initialized");
      p->numCompletedSamples = image->count;
      return CUPTI_SUCCESS;
    };
    f.cuptiPmSamplingCounterDataGetSampleInfo = [](CUpti_PmSampling_CounterData_GetSampleInfo_Params* p) {
      const auto* image = reinterpret_cast<const Image*>(p->pCounterDataImage);
      const bool none = fake->zero_times && p->sampleIndex % 3 == 2;
      p->startTimestamp = none ? 0 : image->slots[p->sampleIndex].start;
      p->endTimestamp = none ? 0 : image->slots[p->sampleIndex].end;
      return CUPTI_SUCCESS;
    };
  }

  static CUptiResult decode_data(CUpti_PmSampling_DecodeData_Params* p) {
    if (!fake->enabled_) fake->crime("decoded after it was disabled");
    if (fake->decode != 0) return code(fake->decode);
    for (std::size_t i = 0; fake->config_ != nullptr && i < fake->config_size_; ++i) {
      if (fake->config_[i] != 7) fake->crime("the configuration did not outlive the sampling");
    }
    auto* image = reinterpret_cast<Image*>(p->pCounterDataImage);
    p->decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
    p->overflow = fake->interval_ < fake->shortest_interval ? 1 : 0;
    // What an image had no room for is in the device still, and comes before anything newer.
    if (fake->sampling_ && !std::exchange(fake->full_, false)) fake->now += fake->step;
    fake->looks_at_an_image = std::max(fake->looks_at_an_image.load(), static_cast<int>(++image->looks));
    while (fake->last_ + fake->interval_ <= fake->now) {
      if (image->count == image->capacity) {
        p->decodeStopReason = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
        fake->full_ = true;
        break;
      }
      image->slots[image->count++] = {fake->last_, fake->last_ + fake->interval_,
                                      fake->tensor(fake->last_ + fake->interval_ / 2)};
      fake->last_ += fake->interval_;
    }
    return CUPTI_SUCCESS;
  }
};

FakeCupti::FakeCupti() : functions_(std::make_shared<profiler::CuptiFunctions>()) {
  fake = this;
  pushed_ids.clear();
  FakeCalls::fill(*functions_);
}

FakeCupti::~FakeCupti() {
  std::free(buffer_);
  fake = nullptr;
}

std::uint64_t FakeCupti::clock() const {
  // An hour away from the system's: whoever compares the two is wrong by that.
  return profiler::now_ns() + 3'600'000'000'000;
}

profiler::Cupti FakeCupti::library() {
  profiler::Cupti cupti;
  cupti.functions = functions_;
  cupti.state = profiler::status(profiler::Code::kAvailable);
  cupti.path = "libcupti.so.13";
  cupti.version = 130001;
  return cupti;
}

void FakeCupti::launch(const char* name, std::uint64_t start, std::uint64_t end) {
  std::unique_lock lock(mutex_);
  if (requested_ == nullptr || (silent_beside_sampling && sampling_)) return;
  constexpr std::size_t kAll =
      sizeof(CUpti_ActivityExternalCorrelation) + sizeof(CUpti_ActivityAPI) + sizeof(CUpti_ActivityKernel10);
  if (buffer_ != nullptr && used_ + kAll > capacity_) {
    lock.unlock();
    hand_over();
    lock.lock();
  }
  if (buffer_ == nullptr) {
    std::size_t most = 0;
    requested_(&buffer_, &capacity_, &most);
    used_ = 0;
  }
  ++correlation_;
  const bool recorded =
      records_calls_ &&
      ignored_calls_.count(launched_by_another_call ? CUPTI_RUNTIME_TRACE_CBID_cudaLaunch_v3020
                                                    : CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000) == 0;
  if (!pushed_ids.empty() && recorded) {
    CUpti_ActivityExternalCorrelation external{};
    external.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    external.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    external.externalId = pushed_ids.back();
    external.correlationId = correlation_;
    if (late_correlation) {
      held_.push_back(external);
    } else {
      std::memcpy(buffer_ + used_, &external, sizeof external);
      used_ += sizeof external;
    }
  }
  if (recorded) {
    CUpti_ActivityAPI call{};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000;
    call.start = launch_time != 0 ? launch_time : clock();
    call.end = call.start + 5'000;
    call.correlationId = correlation_;
    std::memcpy(buffer_ + used_, &call, sizeof call);
    used_ += sizeof call;
  }
  CUpti_ActivityKernel10 kernel{};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.name = name;
  kernel.start = start;
  kernel.end = end;
  kernel.correlationId = correlation_;
  std::memcpy(buffer_ + used_, &kernel, sizeof kernel);
  used_ += sizeof kernel;
}

void FakeCupti::hand_over() {
  std::uint8_t* buffer = nullptr;
  std::size_t capacity = 0;
  std::size_t used = 0;
  decltype(held_) held;
  {
    const std::lock_guard lock(mutex_);
    buffer = std::exchange(buffer_, nullptr);
    capacity = capacity_;
    used = std::exchange(used_, 0);
    if (buffer == nullptr) held.swap(held_);
  }
  if (completed_ == nullptr) return;
  if (buffer != nullptr) {
    completed_(nullptr, 0, buffer, capacity, used);
    return;
  }
  // The next buffer holds what was held back.
  if (held.empty()) return;
  std::size_t bytes = 0, most = 0;
  requested_(&buffer, &bytes, &most);
  for (const auto& external : held) {
    std::memcpy(buffer + used, &external, sizeof external);
    used += sizeof external;
  }
  completed_(nullptr, 0, buffer, bytes, used);
}

std::vector<std::string> FakeCupti::crimes() const {
  const std::lock_guard lock(mutex_);
  return crimes_;
}

void FakeCupti::crime(const std::string& what) {
  const std::lock_guard lock(mutex_);
  crimes_.push_back(what);
}

void FakeCupti::need_driver(const char* call) {
  if (!driver_started) crime(std::string(call) + " before the driver had started");
}

}  // namespace binade::test

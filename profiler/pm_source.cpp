// SPDX-License-Identifier: Apache-2.0
#include "profiler/cupti.h"
#include "profiler/host_object.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace binade::profiler {

namespace {

constexpr std::chrono::milliseconds kPoll{20};
constexpr std::size_t kHardwareBuffer = 64U << 20U;  // about a second at 100 us on an H100
constexpr int kLooks = 4;                            // images filled in one poll before samples count as lost
constexpr std::size_t kWithoutValues = 1000;         // consecutive; after that no values are expected
/// CUPTI takes 2 us for each metric of a sample, on top of 30 us to decode the sample (H100). Op calls need the first
/// metric of every sample; of the others, the device's curve shows means over hundreds of samples.
constexpr std::size_t kAllMetricsEvery = 8;
/// Approximate clock counted by the trigger of GA100 and Turing. Samples carry their own times, so precision is not
/// needed.
constexpr double kTriggerHertz = 1.4e9;

bool is_turing(const std::string& chip) {
  return chip.compare(0, 2, "TU") == 0;
}

/// PM sampling through CUPTI. Not thread-safe.
class PmSource : public SampleSource {
 public:
  PmSource(std::shared_ptr<const CuptiFunctions> cupti, std::shared_ptr<Driver> driver, int device, Counters counters)
      : cupti_(std::move(cupti)), driver_(std::move(driver)), device_(device), counters_(std::move(counters)) {
    for (const auto& metric : counters_.choice.metrics) names_.push_back(metric.name.c_str());
    headline_.assign(names_.begin(), names_.begin() + (names_.empty() ? 0 : 1));
  }
  ~PmSource() override { end(); }

  Source source() const override { return Source::kPmSampling; }
  std::chrono::milliseconds poll() const override { return kPoll; }
  std::chrono::nanoseconds shortest() const override { return std::chrono::microseconds(5); }
  std::string metric() const override { return names_.empty() ? "" : names_.front(); }

  Status start(std::chrono::nanoseconds interval) override {
    end();
    if (!counters_.state.ok()) return counters_.state;
    if (const int result = driver_->use_primary_context(device_); result != 0) {
      return status(Code::kDriverInit, "no context on the device: CUresult " + std::to_string(result));
    }
    context_ = true;
    Status begun = set_up(interval);
    if (!begun.ok()) end();
    return begun;
  }

  Drained drain(std::vector<Sample>& into) override {
    if (!rest_.empty()) {
      into.insert(into.end(), rest_.begin(), rest_.end());
      rest_.clear();
    }
    if (!started_) return {};
    // After a late poll an image may be too small, so the rest is decoded at once.
    Drained all;
    full_ = true;
    for (int i = 0; full_ && !all.lost && i < kLooks; ++i) {
      const Drained drained = decode(into);
      all.overflow = all.overflow || drained.overflow;
      all.discarded += drained.discarded;
      all.lost = drained.lost;
    }
    all.overflow = all.overflow || full_;
    return all;
  }

  void stop() override {
    if (started_) {
      CUpti_PmSampling_Stop_Params params{};
      params.structSize = CUpti_PmSampling_Stop_Params_STRUCT_SIZE;
      params.pPmSamplingObject = object_;
      cupti_->cuptiPmSamplingStop(&params);
      // Empties the device: a full image holds two polls' samples, so a few passes suffice.
      for (int i = 0; i < kLooks && !decode(rest_).lost; ++i) {
      }
    }
    end();
  }

 private:
  Status set_up(std::chrono::nanoseconds interval) {
    host_ = std::make_unique<HostObject>(*cupti_, counters_.chip, counters_.availability);
    std::vector<std::string> metrics;
    for (const auto& metric : counters_.choice.metrics) metrics.push_back(metric.name);
    if (!host_->ok() || !host_->configure(metrics)) return from_cupti(host_->result(), host_->error());
    if (host_->passes() != 1) return status(Code::kNoMetric, counters_.chip + ": its metrics do not fit one pass");
    CUpti_PmSampling_Enable_Params enable{};
    enable.structSize = CUpti_PmSampling_Enable_Params_STRUCT_SIZE;
    enable.deviceIndex = static_cast<std::size_t>(device_);
    if (const CUptiResult result = cupti_->cuptiPmSamplingEnable(&enable)) {
      return from_cupti(result, "cuptiPmSamplingEnable");
    }
    object_ = enable.pPmSamplingObject;
    if (const CUptiResult result = configure(interval)) return from_cupti(result, "cuptiPmSamplingSetConfig");
    if (const CUptiResult result = make_image(interval)) return from_cupti(result, "the counter image");
    CUpti_PmSampling_Start_Params start{};
    start.structSize = CUpti_PmSampling_Start_Params_STRUCT_SIZE;
    start.pPmSamplingObject = object_;
    if (const CUptiResult result = cupti_->cuptiPmSamplingStart(&start)) {
      return from_cupti(result, "cuptiPmSamplingStart");
    }
    started_ = true;
    first_ = true;
    without_values_ = 0;
    return status(Code::kRunning, " the counters of " + counters_.chip);
  }

  CUptiResult configure(std::chrono::nanoseconds interval) {
    const bool by_clock = counters_.chip == "GA100" || is_turing(counters_.chip);
    CUpti_PmSampling_SetConfig_Params params{};
    params.structSize = CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE;
    params.pPmSamplingObject = object_;
    params.configSize = host_->image().size();
    params.pConfig = host_->image().data();
    params.hardwareBufferSize = kHardwareBuffer;
    const auto count = static_cast<double>(interval.count());
    params.samplingInterval = static_cast<std::uint64_t>(by_clock ? count * 1e-9 * kTriggerHertz : count);
    params.triggerMode = by_clock ? CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL
                                  : CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
    params.hwBufferAppendMode = is_turing(counters_.chip) ? CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST
                                                          : CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST;
    return cupti_->cuptiPmSamplingSetConfig(&params);
  }

  CUptiResult make_image(std::chrono::nanoseconds interval) {
    // Room for two polls, so that drain() can empty it after a late one. A slot takes about 16 KB.
    const auto polls = 2.0 * static_cast<double>(std::chrono::nanoseconds(kPoll) / interval);
    CUpti_PmSampling_GetCounterDataSize_Params size{};
    size.structSize = CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE;
    size.pPmSamplingObject = object_;
    size.pMetricNames = names_.data();
    size.numMetrics = names_.size();
    size.maxSamples = static_cast<std::uint32_t>(std::clamp(polls + 64, 256.0, 4096.0));
    if (const CUptiResult result = cupti_->cuptiPmSamplingGetCounterDataSize(&size)) return result;
    image_.assign(size.counterDataSize, 0);
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    if (const CUptiResult result = initialize_image()) return result;
    const auto made = Clock::now();
    pristine_ = image_;
    const auto kept = Clock::now();
    std::memcpy(image_.data(), pristine_.data(), image_.size());
    if (Clock::now() - kept > made - start) pristine_ = {};
    return CUPTI_SUCCESS;
  }

  CUptiResult initialize_image() {
    CUpti_PmSampling_CounterDataImage_Initialize_Params params{};
    params.structSize = CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE;
    params.pPmSamplingObject = object_;
    params.counterDataSize = image_.size();
    params.pCounterData = image_.data();
    return cupti_->cuptiPmSamplingCounterDataImageInitialize(&params);
  }

  /// Empties an image of megabytes in each poll, by a copy or by CUPTI, whichever was faster when the image was
  /// created.
  CUptiResult empty_image() {
    if (pristine_.empty()) return initialize_image();
    std::memcpy(image_.data(), pristine_.data(), image_.size());
    return CUPTI_SUCCESS;
  }

  Drained decode(std::vector<Sample>& into) {
    CUpti_PmSampling_DecodeData_Params params{};
    params.structSize = CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE;
    params.pPmSamplingObject = object_;
    params.pCounterDataImage = image_.data();
    params.counterDataImageSize = image_.size();
    const CUptiResult result = cupti_->cuptiPmSamplingDecodeData(&params);
    Drained drained;
    drained.overflow = result == CUPTI_ERROR_OUT_OF_MEMORY || params.overflow != 0;
    full_ =
        result == CUPTI_SUCCESS && params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
    if (result != CUPTI_SUCCESS) {
      if (result != CUPTI_ERROR_OUT_OF_MEMORY) {
        drained.lost = lost(result, "the samples cannot be decoded, ");
      }
      return drained;
    }
    CUpti_PmSampling_GetCounterDataInfo_Params info{};
    info.structSize = CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE;
    info.pCounterDataImage = image_.data();
    info.counterDataImageSize = image_.size();
    if (const CUptiResult bad = cupti_->cuptiPmSamplingGetCounterDataInfo(&info)) {
      drained.lost = lost(bad, "the samples cannot be counted, ");
      return drained;
    }
    for (std::size_t i = 0; i < info.numCompletedSamples; ++i) {
      if (!read(i, into)) ++drained.discarded;
    }
    if (without_values_ >= kWithoutValues) {
      drained.lost = status(Code::kLost, "the samples give no values, " + host_->error());
      return drained;
    }
    if (full_ || info.numPopulatedSamples > 0 || info.numCompletedSamples > 0) {
      if (const CUptiResult bad = empty_image()) {
        drained.lost = lost(bad, "the counter image cannot be emptied, ");
      }
    }
    return drained;
  }

  /// Another tool may take the counters, or a permission be withdrawn, during sampling.
  Status lost(CUptiResult result, const char* what) const {
    if (result == CUPTI_ERROR_HARDWARE_BUSY || result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) {
      return from_cupti(result, what);
    }
    return status(Code::kLost, what + result_text(*cupti_, result));
  }

  /// Returns false if the sample is unusable.
  bool read(std::size_t index, std::vector<Sample>& into) {
    CUpti_PmSampling_CounterData_GetSampleInfo_Params times{};
    times.structSize = CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE;
    times.pPmSamplingObject = object_;
    times.pCounterDataImage = image_.data();
    times.counterDataImageSize = image_.size();
    times.sampleIndex = index;
    if (cupti_->cuptiPmSamplingCounterDataGetSampleInfo(&times) != CUPTI_SUCCESS) return false;
    if (times.startTimestamp == 0 || times.endTimestamp <= times.startTimestamp) return false;
    if (std::exchange(first_, false)) return false;  // the first sample covers the time before the start
    std::vector<const char*>& names = evaluated_++ % kAllMetricsEvery == 0 ? names_ : headline_;
    std::array<double, kChannels> values{};
    if (names.size() > values.size() || !host_->evaluate(image_, index, names, values.data())) {
      ++without_values_;
      return false;
    }
    without_values_ = 0;
    Sample& sample = into.emplace_back();
    sample.start = times.startTimestamp;
    sample.end = times.endTimestamp;
    for (std::size_t i = 0; i < names.size(); ++i) {
      sample.values[counters_.choice.metrics[i].channel] = static_cast<float>(values[i]);
    }
    return true;
  }

  void end() {
    if (object_ != nullptr) {
      CUpti_PmSampling_Disable_Params params{};
      params.structSize = CUpti_PmSampling_Disable_Params_STRUCT_SIZE;
      params.pPmSamplingObject = object_;
      cupti_->cuptiPmSamplingDisable(&params);
    }
    object_ = nullptr;
    started_ = false;
    host_.reset();  // after the device, which refers to the configuration
    image_ = {};
    pristine_ = {};
    if (context_) driver_->release_primary_context(device_);
    context_ = false;
  }

  std::shared_ptr<const CuptiFunctions> cupti_;
  std::shared_ptr<Driver> driver_;
  int device_;
  Counters counters_;
  std::vector<const char*> names_;     ///< of all metrics, the headline first
  std::vector<const char*> headline_;  ///< its name alone
  std::size_t evaluated_ = 0;          ///< samples, to choose those with all metrics
  std::unique_ptr<HostObject> host_;
  CUpti_PmSampling_Object* object_ = nullptr;
  std::vector<std::uint8_t> image_;
  std::vector<std::uint8_t> pristine_;  ///< an empty image; empty if CUPTI clears one faster than a copy does
  std::vector<Sample> rest_;            ///< decoded by stop()
  bool context_ = false, started_ = false, first_ = true;
  bool full_ = false;               ///< the last decode filled the image
  std::size_t without_values_ = 0;  ///< consecutive samples
};

}  // namespace

std::unique_ptr<SampleSource> make_pm_source(std::shared_ptr<const CuptiFunctions> cupti,
                                             std::shared_ptr<Driver> driver, int device, Counters counters) {
  return std::make_unique<PmSource>(std::move(cupti), std::move(driver), device, std::move(counters));
}

}  // namespace binade::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/activity_records.h"
#include "profiler/clock.h"
#include "profiler/cupti.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

namespace binade::profiler {

namespace {

constexpr std::size_t kBufferBytes = 4U << 20U;
constexpr std::size_t kPooled = 8;
constexpr int kFailedFlushes = 3;  // one may fail while the device is reset or its context recreated
/// Number of kernels among which at least one mark must appear, if marks work at all.
constexpr std::size_t kEnoughKernels = 500;

/// State of CUPTI's callbacks, which carry no user data and serve the whole process.
struct Callbacks {
  std::mutex mutex;  // held briefly only, since CUPTI calls back while it flushes
  std::shared_ptr<const CuptiFunctions> cupti;
  std::shared_ptr<ActivityRecords> records;
  std::vector<std::uint8_t*> pool;

  static Callbacks& all() {
    static auto* callbacks = new Callbacks;  // never destroyed: CUPTI's worker may outlive static objects
    return *callbacks;
  }

  static void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
    Callbacks& callbacks = all();
    *most_records = 0;
    *bytes = kBufferBytes;
    const std::lock_guard lock(callbacks.mutex);
    if (callbacks.pool.empty()) {
      *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, kBufferBytes));
      if (*buffer == nullptr) *bytes = 0;
    } else {
      *buffer = callbacks.pool.back();
      callbacks.pool.pop_back();
    }
  }

  static void CUPTIAPI completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*bytes*/,
                                 std::size_t valid) {
    Callbacks& callbacks = all();
    std::shared_ptr<const CuptiFunctions> cupti;
    std::shared_ptr<ActivityRecords> records;
    {
      const std::lock_guard lock(callbacks.mutex);
      cupti = callbacks.cupti;
      records = callbacks.records;
    }
    if (cupti && records) {
      if (valid > 0) records->parse(*cupti, buffer, valid);
      std::size_t dropped = 0;
      if (cupti->cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0) {
        records->dropped(dropped);
      }
    }
    const std::lock_guard lock(callbacks.mutex);
    if (callbacks.records && callbacks.pool.size() < kPooled) {
      callbacks.pool.push_back(buffer);
    } else {
      std::free(buffer);
    }
  }

  void clear() {
    const std::lock_guard lock(mutex);
    cupti.reset();
    records.reset();
    for (std::uint8_t* buffer : pool) std::free(buffer);
    pool.clear();
  }
};

void CUPTIAPI on_event(void* /*data*/, CUpti_CallbackDomain /*domain*/, CUpti_CallbackId /*id*/, const void* /*info*/) {
}

/// External records are produced only for API calls whose kind of record is enabled, and only launches start kernels.
/// Code compiled by nvcc 13, including all of LibTorch's own kernels, launches through __cudaLaunchKernel.
constexpr std::array kRuntimeLaunches{CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000,
                                      CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_ptsz_v13000,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_ptsz_v9000,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000,
                                      CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_ptsz_v10000};
constexpr std::array kDriverLaunches{CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                     CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};
constexpr std::array kCalls{CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};
constexpr std::array kKinds{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                            CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};

class ActivitySource : public KernelSource {
 public:
  explicit ActivitySource(std::shared_ptr<const CuptiFunctions> cupti)
      : cupti_(std::move(cupti)), records_(std::make_shared<ActivityRecords>()) {}
  ~ActivitySource() override { stop(); }

  Status start() override {
    std::array<char, 256> holder{};
    CUpti_SubscriberParams params{};
    params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    params.subscriberName = "Binade";
    params.oldSubscriberName = holder.data();
    params.oldSubscriberSize = holder.size();
    if (const CUptiResult result = cupti_->cuptiSubscribe_v2(&subscriber_, on_event, nullptr, &params)) {
      if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && holder[0] != '\0') {
        return status(Code::kOtherTool, holder.data());
      }
      return from_cupti(result, "cuptiSubscribe_v2");
    }
    subscribed_ = true;
    {
      Callbacks& callbacks = Callbacks::all();
      const std::lock_guard lock(callbacks.mutex);
      callbacks.cupti = cupti_;
      callbacks.records = records_;
    }
    if (const CUptiResult result = cupti_->cuptiActivityRegisterCallbacks(Callbacks::requested, Callbacks::completed)) {
      return failed(result, "cuptiActivityRegisterCallbacks");
    }
    if (const CUptiResult result = cupti_->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) {
      return failed(result, "cuptiActivityEnable");
    }
    record_launches();
    if (const CUptiResult result = cupti_->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) {
      return failed(result, "cuptiActivityEnable");
    }
    failed_flushes_ = 0;
    before_marks_.reset();
    every_call_ = false;
    marked_.store(false, std::memory_order_relaxed);
    running_.store(true, std::memory_order_release);
    return status(Code::kRunning, " every kernel by its op call");
  }

  void stop() override {
    if (!subscribed_) return;
    const bool was_running = running_.exchange(false);
    if (was_running) cupti_->cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    for (const auto kind : kKinds) cupti_->cuptiActivityDisable(kind);
    cupti_->cuptiUnsubscribe(subscriber_);  // never cuptiFinalize: other code in this process may use CUPTI
    subscribed_ = false;
    Callbacks::all().clear();
  }

  std::uint64_t now() const noexcept override {
    std::uint64_t time = 0;
    return cupti_->cuptiGetTimestamp(&time) == CUPTI_SUCCESS ? time : now_ns();
  }
  void push(OpKey op) noexcept override {
    if (!running_.load(std::memory_order_acquire)) return;
    marked_.store(true, std::memory_order_relaxed);
    cupti_->cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, op);
  }
  void pop() noexcept override {
    if (!running_.load(std::memory_order_acquire)) return;
    std::uint64_t last = 0;
    cupti_->cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
  }

  std::optional<Status> flush() override {
    if (!running_.load(std::memory_order_acquire)) return std::nullopt;
    const CUptiResult result = cupti_->cuptiActivityFlushAll(0);
    failed_flushes_ = result == CUPTI_SUCCESS ? 0 : failed_flushes_ + 1;
    find_marks();
    if (failed_flushes_ < kFailedFlushes) return std::nullopt;
    return status(Code::kLost, "kernel records are not handed over any more, " + result_text(*cupti_, result));
  }
  std::vector<Kernel> take() override { return records_->take(); }
  std::vector<std::string> names() const override { return records_->names(); }
  KernelCounts counts() const override { return records_->counts(); }

 private:
  /// Records launches and no other calls. Seen with CUPTI 13.0 on an H100: without its kind, a call that is enabled by
  /// itself gets no external record. So the kinds are enabled, which enables every call, and the others disabled.
  /// Errors are ignored: a CUPTI that does not know one of the calls still records the launches.
  void record_launches() {
    for (const auto kind : kCalls) cupti_->cuptiActivityEnable(kind);
    for (CUpti_CallbackId id = 1; id < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++id) {
      if (!contains(kRuntimeLaunches, id)) cupti_->cuptiActivityEnableRuntimeApi(id, 0);
    }
    for (CUpti_CallbackId id = 1; id < CUPTI_DRIVER_TRACE_CBID_SIZE; ++id) {
      if (!contains(kDriverLaunches, id)) cupti_->cuptiActivityEnableDriverApi(id, 0);
    }
  }
  template <class Calls>
  static bool contains(const Calls& calls, CUpti_CallbackId id) {
    return std::any_of(calls.begin(), calls.end(),
                       [id](auto call) { return static_cast<CUpti_CallbackId>(call) == id; });
  }
  /// Kernels launched by a call in neither list would never get an op. If kernels arrive without any mark, every call
  /// is recorded: more expensive, but complete.
  void find_marks() {
    if (every_call_ || !marked_.load(std::memory_order_relaxed)) return;
    const std::size_t kernels = records_->counts().kernels;
    if (!before_marks_) before_marks_ = kernels;
    if (kernels - *before_marks_ < kEnoughKernels || records_->marks() > 0) return;
    every_call_ = true;
    for (const auto kind : kCalls) cupti_->cuptiActivityEnable(kind);
  }
  Status failed(CUptiResult result, const char* call) {
    stop();
    return from_cupti(result, call);
  }

  std::shared_ptr<const CuptiFunctions> cupti_;
  std::shared_ptr<ActivityRecords> records_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool subscribed_ = false;
  int failed_flushes_ = 0;                   ///< consecutive
  std::optional<std::size_t> before_marks_;  ///< kernels recorded when the first mark was pushed
  bool every_call_ = false;                  ///< all calls are recorded, not only launches
  std::atomic<bool> running_{false};
  std::atomic<bool> marked_{false};  ///< push() was called
};

}  // namespace

std::unique_ptr<KernelSource> make_activity_source(std::shared_ptr<const CuptiFunctions> cupti) {
  return std::make_unique<ActivitySource>(std::move(cupti));
}

}  // namespace binade::profiler

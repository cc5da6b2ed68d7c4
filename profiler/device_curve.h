// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/bins.h"
#include "profiler/sample_source.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace binade::profiler {

struct CurveCounts {
  std::size_t samples = 0;
  std::size_t discarded = 0;
  std::size_t gaps = 0;         ///< stretches longer than an interval that no sample covers, restarts' apart
  std::size_t restarts = 0;     ///< because samples were lost
  double decode_seconds = 0;    ///< spent in drain(), all together
  double longest_decode = 0;    ///< seconds
  double interval_seconds = 0;  ///< at present
};

/// How a curve stands at one moment.
struct CurveState {
  Status status;  ///< of what is shown
  Source source = Source::kNone;
  std::string metric;
  std::optional<Status> given_up;  ///< why the first source is not the one that is shown
};

/// Reads a source on a thread of its own: 10 ms bins for the chart, raw samples for attribution. Where samples are lost
/// it begins again at twice the interval; where the source does not start or is lost, another takes over if there is
/// one. Sources are used and destroyed on that thread.
class DeviceCurve {
 public:
  struct Options {
    std::chrono::nanoseconds interval = std::chrono::microseconds(50);
    std::chrono::nanoseconds longest_interval = std::chrono::milliseconds(2);
    std::size_t kept_samples = 200'000;  ///< for attribution; 0 keeps none
    std::size_t kept_bins = 6'000;       ///< a minute; older ones go where nobody takes them
  };

  /// Starts the source; `state()` says how that went when the constructor returns. `instead` may be null; its samples
  /// go into bins alone, being too coarse to be joined with kernels.
  DeviceCurve(std::unique_ptr<SampleSource> source, const Options& options,
              std::unique_ptr<SampleSource> instead = nullptr);
  /// Stops within a poll.
  ~DeviceCurve();
  DeviceCurve(const DeviceCurve&) = delete;
  DeviceCurve& operator=(const DeviceCurve&) = delete;

  /// Ends the thread; the last bins can be taken afterwards. Idempotent.
  void stop();

  CurveState state() const;
  Status status() const { return state().status; }

  /// Bins since the last call.
  std::vector<Bin> take_bins();
  /// Raw samples since the last call, at most `kept_samples`.
  std::vector<Sample> take_samples();
  CurveCounts counts() const;

 private:
  void run();
  /// False where the source does not start, and no other does.
  bool begin();
  /// Ends the source and begins the other one; false where there is none, or none that starts.
  bool fall_back(const Status& why);
  /// False where the curve has ended.
  bool poll();
  /// Ends the source, and keeps what it still held.
  void finish_source();
  void keep(const std::vector<Sample>& samples);
  bool restart();

  // The thread's.
  std::unique_ptr<SampleSource> source_, instead_;
  Options options_;
  std::chrono::nanoseconds interval_;
  BinFolder folder_;
  std::vector<Sample> drained_;
  std::uint64_t last_end_ = 0;  ///< of the newest sample since the source was started

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool begun_ = false;
  CurveState state_;
  std::deque<Bin> bins_;
  std::deque<Sample> samples_;
  CurveCounts counts_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace binade::profiler

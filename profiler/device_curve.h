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
  std::size_t gaps = 0;         ///< stretches longer than an interval without samples, restarts excluded
  std::size_t restarts = 0;     ///< restarts after lost samples
  double decode_seconds = 0;    ///< total time spent in drain()
  double longest_decode = 0;    ///< seconds
  double interval_seconds = 0;  ///< current interval
};

/// State of a curve at one moment.
struct CurveState {
  Status status;  ///< of the shown source
  Source source = Source::kNone;
  std::string metric;
  std::optional<Status> given_up;  ///< why the first source is not the one shown
};

/// Reads a source on its own thread: 10 ms bins for the chart, raw samples for attribution. After lost samples it
/// restarts at twice the interval. If the source does not start or is lost, the alternative source takes over, if any.
/// Sources are used and destroyed on that thread.
class DeviceCurve {
 public:
  struct Options {
    std::chrono::nanoseconds interval = std::chrono::microseconds(100);
    std::chrono::nanoseconds longest_interval = std::chrono::milliseconds(2);
    std::size_t kept_samples = 200'000;  ///< for attribution; 0: none
    std::size_t kept_bins = 6'000;       ///< one minute; older ones are dropped if they are not taken
  };

  /// Starts the source; when the constructor returns, state() has the result. `instead`, the alternative source, may be
  /// null; its samples go into bins only, since they are too coarse for attribution.
  DeviceCurve(std::unique_ptr<SampleSource> source, const Options& options,
              std::unique_ptr<SampleSource> instead = nullptr);
  /// Stops within one poll.
  ~DeviceCurve();
  DeviceCurve(const DeviceCurve&) = delete;
  DeviceCurve& operator=(const DeviceCurve&) = delete;

  /// Ends the thread. The last bins can still be taken. Idempotent.
  void stop();

  CurveState state() const;
  Status status() const { return state().status; }

  /// Returns the bins since the last call.
  std::vector<Bin> take_bins();
  /// Returns the raw samples since the last call, at most `kept_samples`.
  std::vector<Sample> take_samples();
  CurveCounts counts() const;

 private:
  void run();
  /// Starts the source. Returns false if neither it nor the alternative starts.
  bool begin();
  /// Ends the source and starts the alternative. Returns false if there is none or it does not start.
  bool fall_back(const Status& why);
  /// Reads the source once. Returns false if the curve has ended.
  bool poll();
  /// Stops the source and keeps its remaining samples.
  void finish_source();
  void keep(const std::vector<Sample>& samples);
  bool restart();

  // Used by the thread only.
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
  std::thread thread_;  // last: it uses the members above
};

}  // namespace binade::profiler

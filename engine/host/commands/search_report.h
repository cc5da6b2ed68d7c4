// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/print/still_working.h"
#include "engine/search/search.h"
#include "engine/tuning/search_file.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace binade::host {

/// Where the policies of a search come from; part of their provenance.
struct SearchedRun {
  std::string beside;      ///< the policy that others were trained beside, in words
  std::string name;        ///< name of the run's file
  std::int64_t step = 0;   ///< from which the Tries start
  std::int64_t steps = 0;  ///< of each Try
  std::string model;       ///< as in the run description
  std::int64_t op_calls = 0;
};

/// Stores and prints what a search finds: each proven point at once, with its policy file if it holds. Use on one
/// thread.
class SearchReport {
 public:
  /// `file` and `state` must outlive this; `state` receives the progress.
  SearchReport(tuning::SearchFile& file, tuning::SearchState& state, SearchedRun run, search::Goal goal, bool json);

  /// Receives a change of the progress. Throws Error{kBadFile} if it cannot be stored.
  void update(const search::Progress& progress);
  /// Prints the time that the search takes, at most once a second.
  void tick();
  /// Prints the front of the search, or that nothing better than the base was found.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  search::Point with_provenance(search::Point point) const;
  void add(const search::Point& point);
  void print_searching(double seconds);
  /// Returns the cost of the policy that the search starts from; NaN: not known.
  double base_cost() const;
  /// Whether costs are times of this machine: the base is timed anew beside each policy that holds.
  bool is_timed() const { return goal_ == search::Goal::kTime && !state_.estimates_time; }
  /// `1.27 s beside 1.07 s of the base: +19 %, noise 88 %`; empty unless both were timed one after the other.
  std::string beside_text(const search::Proof& proof) const;
  /// `8 casts a step`; the range of the times that were taken beside the tries. Empty if it is not known, or for a
  /// repair.
  std::string base_text() const;
  /// Why the search ended and what it found; without a better policy, also what the present one needs.
  std::string end_sentence(const std::vector<search::Point>& points) const;
  std::string cost_text(double cost) const;
  /// Says that the noise of a try is as large as the loss; empty if it is not.
  std::string noise_remark() const;
  void print_front(const std::vector<search::Point>& points) const;

  tuning::SearchFile& file_;
  tuning::SearchState& state_;
  const SearchedRun run_;
  const search::Goal goal_;
  const bool json_;
  const std::size_t known_;   ///< number of points that an earlier search had proven
  std::size_t reported_ = 0;  ///< number of proven points that were stored and printed
  search::Progress now_;
  Clock::time_point updated_ = Clock::now();
  Clock::time_point ticked_ = Clock::now();
  StillWorking still_;
};

}  // namespace binade::host

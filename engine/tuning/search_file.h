// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/evidence.h"
#include "engine/search/search.h"
#include "engine/tuning/folder_lock.h"
#include "engine/wire/run_config.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace binade::tuning {

/// What a search is asked for. It goes on only with the same, except for the budget.
struct SearchRequest {
  wire::RunConfig run;
  std::string checkpoint;  ///< empty: the run's start
  search::Order order;
  std::int64_t steps = 100;  ///< of each Try
  std::int64_t seeds = 1;    ///< of each Try
};

/// What a search knows, so that it can go on.
struct SearchState {
  search::StepEvidence evidence;
  bool estimates_time = false;  ///< as Proving::estimates_time
  search::Progress progress{};
};

/// A search on disk: a folder with the state, `search.json`, and a policy file for each point that holds,
/// `policy-N.json` with the number of its try. Files are replaced atomically, so that a search that is killed at any
/// moment can go on. Use on one thread, and in one process at a time.
class SearchFile {
 public:
  /// Reads the folder, if it exists; creates nothing. Throws Error{kBadFile}, naming the file, for a state that is
  /// damaged or of a newer version, or for a folder that cannot be created; Error{kUsage} for a folder with other files
  /// or in which another search is running.
  explicit SearchFile(std::string folder);

  /// Sets what is asked for, and returns the stored state of the same search; nullopt: there is none. Throws
  /// Error{kUsage}, naming the first field or file that differs, if the folder holds another search or one with other
  /// contents of model, weights, checkpoint or data, and Error{kBadFile} if one of these cannot be read.
  std::optional<SearchState> resume(const SearchRequest& request);
  /// Stores the state; creates the folder. Call it after resume(). Throws Error{kBadFile}, and leaves the older state,
  /// if it cannot be written.
  void write(const SearchState& state);
  /// Writes the policy file of a point. Throws as write().
  void write(const search::Point& point) const;

  /// The policy file of a point that holds; empty for others, which have none.
  std::string policy_file(const search::Point& point) const;
  const std::string& folder() const { return folder_; }
  /// Whether the folder held the state of a search when it was read, which resume() may still refuse.
  bool had_state() const { return !stored_.is_null(); }

 private:
  std::string path(const std::string& name) const;
  void lock();

  std::string folder_;
  std::optional<FolderLock> lock_;
  nlohmann::json stored_;   ///< as read; null: there is no state
  nlohmann::json request_;  ///< as it is stored
};

}  // namespace binade::tuning

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/cupti_functions.h"
#include "profiler/kernel_source.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace binade::profiler {

/// Turns CUPTI's activity buffers into kernels that know their op. A launch's external record may lie in an earlier or
/// a later buffer than its kernel: what is not known yet waits two takes. Any thread. Memory is bounded.
class ActivityRecords {
 public:
  explicit ActivityRecords(std::size_t most = 500'000) : most_(most) {}

  /// Reads one buffer through the real cuptiActivityGetNextRecord.
  void parse(const CuptiFunctions& cupti, std::uint8_t* buffer, std::size_t bytes);
  /// Records that the driver could not deliver.
  void dropped(std::size_t records);

  std::vector<Kernel> take();
  std::vector<std::string> names() const;
  KernelCounts counts() const;
  /// Launches that were found marked.
  std::size_t marks() const;

 private:
  struct Waiting {
    Kernel kernel;
    std::uint32_t correlation;
    int takes;
  };
  /// What is known of a launch: whose it is by its external record, and when by that of the call itself.
  struct Launch {
    std::optional<OpKey> op;
    std::uint64_t time = 0;
  };
  std::uint32_t name_of(const char* name);
  Launch launch_of(std::uint32_t correlation) const;

  mutable std::mutex mutex_;
  std::size_t most_;
  std::vector<Waiting> waiting_;
  /// By correlation id: of late, and of before that. One launch of a CUDA graph has many kernels, so that an entry
  /// cannot go with its first.
  std::unordered_map<std::uint32_t, Launch> launches_, older_launches_;
  /// By the name as CUPTI gives it. Records of one kernel share its address, so that most names need no hash; one of a
  /// module that was unloaded may be another's later, so that the letters are compared still.
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  std::unordered_map<const char*, const std::pair<const std::string, std::uint32_t>*> by_address_;
  std::vector<std::string> names_;  ///< as people write them
  KernelCounts counts_;
  std::size_t marks_ = 0;
};

}  // namespace binade::profiler

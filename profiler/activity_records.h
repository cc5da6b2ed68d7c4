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

/// Converts CUPTI's activity buffers to kernels with their ops. A launch's external record may be in an earlier or
/// later buffer than its kernel, so a kernel without an op waits for two more calls of take(). Thread-safe. Memory is
/// bounded.
class ActivityRecords {
 public:
  explicit ActivityRecords(std::size_t most = 500'000) : most_(most) {}

  /// Reads one buffer with cuptiActivityGetNextRecord.
  void parse(const CuptiFunctions& cupti, std::uint8_t* buffer, std::size_t bytes);
  /// Counts records that the driver could not deliver.
  void dropped(std::size_t records);

  std::vector<Kernel> take();
  std::vector<std::string> names() const;
  KernelCounts counts() const;
  /// Number of launches that had a mark.
  std::size_t marks() const;

 private:
  struct Waiting {
    Kernel kernel;
    std::uint32_t correlation;
    int takes;
  };
  /// What is known of a launch: its op from the external record, its time from the API record.
  struct Launch {
    std::optional<OpKey> op;
    std::uint64_t time = 0;
  };
  std::uint32_t name_of(const char* name);
  Launch launch_of(std::uint32_t correlation) const;

  mutable std::mutex mutex_;
  std::size_t most_;
  std::vector<Waiting> waiting_;
  /// By correlation id: recent ones, and those before. One launch of a CUDA graph has many kernels, so an entry cannot
  /// be removed with its first kernel.
  std::unordered_map<std::uint32_t, Launch> launches_, older_launches_;
  /// By the name that CUPTI reports. Records of one kernel share the name's address, so most look-ups need no hash.
  /// After a module was unloaded an address may hold another name, so the text is compared too.
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  std::unordered_map<const char*, const std::pair<const std::string, std::uint32_t>*> by_address_;
  std::vector<std::string> names_;  ///< demangled
  KernelCounts counts_;
  std::size_t marks_ = 0;
};

}  // namespace binade::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/activity_records.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace binade::profiler {

namespace {

constexpr std::size_t kMostLaunches = 200'000;
constexpr int kWaits = 2;

/// Returns a kernel name demangled.
std::string readable(const char* name) {
  if (name[0] != '_' || name[1] != 'Z') return name;  // a short plain name could be read as a type: `f` is float
  int result = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &result), std::free);
  return result == 0 && text ? text.get() : name;
}

}  // namespace

std::uint32_t ActivityRecords::name_of(const char* name) {
  const char* known = name != nullptr ? name : "";
  if (const auto met = by_address_.find(known); met != by_address_.end() && met->second->first == known) {
    return met->second->second;
  }
  const auto [entry, is_new] = name_ids_.try_emplace(known, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(readable(known));
  by_address_[known] = &*entry;  // map nodes keep their address
  return entry->second;
}

ActivityRecords::Launch ActivityRecords::launch_of(std::uint32_t correlation) const {
  Launch known;
  for (const auto* launches : {&launches_, &older_launches_}) {
    const auto found = launches->find(correlation);
    if (found == launches->end()) continue;
    if (!known.op) known.op = found->second.op;
    if (known.time == 0) known.time = found->second.time;
  }
  return known;
}

void ActivityRecords::parse(const CuptiFunctions& cupti, std::uint8_t* buffer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  CUpti_Activity* record = nullptr;
  while (cupti.cuptiActivityGetNextRecord(buffer, bytes, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
      const auto* external = reinterpret_cast<const CUpti_ActivityExternalCorrelation*>(record);
      if (external->externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0) {
        launches_[external->correlationId].op = external->externalId;
        ++marks_;
      }
    } else if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME || record->kind == CUPTI_ACTIVITY_KIND_DRIVER) {
      // The runtime's call and the driver's within it share one id; the external record precedes both.
      const auto* call = reinterpret_cast<const CUpti_ActivityAPI*>(record);
      Launch& launch = launches_[call->correlationId];
      if (launch.time == 0) launch.time = call->start;
    } else if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
      // A kernel has no times if it was running during a forced flush, or if the driver ran out of memory for them.
      const bool timed = kernel->start != 0 && kernel->end >= kernel->start;
      if (!timed || waiting_.size() >= most_) {
        ++counts_.dropped;
        continue;
      }
      ++counts_.kernels;
      waiting_.push_back({{.start = kernel->start,
                           .end = kernel->end,
                           .op = kOutsideOps,
                           .name = name_of(kernel->name),
                           .stream = kernel->streamId},
                          kernel->correlationId,
                          0});
    }
  }
}

void ActivityRecords::dropped(std::size_t records) {
  const std::lock_guard lock(mutex_);
  counts_.dropped += records;
}

std::vector<Kernel> ActivityRecords::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Kernel> ready;
  ready.reserve(waiting_.size());
  std::size_t kept = 0;
  for (Waiting& each : waiting_) {
    const Launch launch = launch_of(each.correlation);
    each.kernel.launched = launch.time;
    if (launch.op) {
      each.kernel.op = *launch.op;
      ready.push_back(each.kernel);
    } else if (++each.takes > kWaits) {
      ++counts_.unattributed;
      ready.push_back(each.kernel);
    } else {
      waiting_[kept++] = each;
    }
  }
  waiting_.resize(kept);
  if (launches_.size() > kMostLaunches) {
    older_launches_ = std::move(launches_);
    launches_.clear();
  }
  return ready;
}

std::vector<std::string> ActivityRecords::names() const {
  const std::lock_guard lock(mutex_);
  return names_;
}

KernelCounts ActivityRecords::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::size_t ActivityRecords::marks() const {
  const std::lock_guard lock(mutex_);
  return marks_;
}

}  // namespace binade::profiler

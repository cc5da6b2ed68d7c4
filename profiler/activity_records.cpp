// SPDX-License-Identifier: Apache-2.0
#include "profiler/activity_records.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace binade::profiler {

namespace {

constexpr std::size_t kMostOps = 200'000;
constexpr int kWaits = 2;

/// Kernel names come as the linker sees them; people want them as they are written.
std::string readable(const char* name) {
  if (name[0] != '_' || name[1] != 'Z') return name;  // a short plain name may be a type's: `f` is float
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
  by_address_[known] = &*entry;  // stays where it is as long as the map lives
  return entry->second;
}

const OpKey* ActivityRecords::op_of(std::uint32_t correlation) const {
  if (const auto found = ops_.find(correlation); found != ops_.end()) return &found->second;
  const auto found = older_ops_.find(correlation);
  return found != older_ops_.end() ? &found->second : nullptr;
}

void ActivityRecords::parse(const CuptiFunctions& cupti, std::uint8_t* buffer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  CUpti_Activity* record = nullptr;
  while (cupti.cuptiActivityGetNextRecord(buffer, bytes, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
      const auto* external = reinterpret_cast<const CUpti_ActivityExternalCorrelation*>(record);
      if (external->externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0) {
        ops_[external->correlationId] = external->externalId;
        ++marks_;
      }
    } else if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
      // Without times it was under way when all was asked for, or the driver had no memory left to take them.
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
    if (const OpKey* op = op_of(each.correlation)) {
      each.kernel.op = *op;
      ready.push_back(each.kernel);
    } else if (++each.takes > kWaits) {
      ++counts_.unattributed;
      ready.push_back(each.kernel);
    } else {
      waiting_[kept++] = each;
    }
  }
  waiting_.resize(kept);
  if (ops_.size() > kMostOps) {
    older_ops_ = std::move(ops_);
    ops_.clear();
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

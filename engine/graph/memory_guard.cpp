// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/memory_guard.h"

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

namespace binade::graph {

namespace {

/// Allocations between two queries of the free memory: a query takes about 50 us, writing this much memory about 10 ms.
constexpr std::uint64_t kLook = std::uint64_t{64} << 20;
/// Reserve for memory that is not in tensors.
constexpr std::uint64_t kReserve = kLook;

std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The number after `name`, which must start a line; for an empty `name` the first number of the text.
std::optional<std::uint64_t> number_behind(std::string_view text, std::string_view name) {
  std::size_t at = 0;
  while (text.substr(at, name.size()) != name) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  at = text.find_first_not_of(" \t", at + name.size());
  if (at == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// Memory left in this process's control group and its ancestors: the smallest.
std::optional<std::uint64_t> left_in_groups() {
  const std::string groups = read_text("/proc/self/cgroup");
  std::size_t at = groups.starts_with("0::") ? 0 : groups.find("\n0::");
  if (at == std::string::npos) return std::nullopt;
  at = groups.find('/', at);
  if (at == std::string::npos) return std::nullopt;
  std::string path = groups.substr(at, groups.find('\n', at) - at);
  std::optional<std::uint64_t> least;
  while (true) {
    const std::string folder = "/sys/fs/cgroup" + path + "/";
    const std::string max = read_text(folder + "memory.max");
    const auto left =
        max.empty() ? std::nullopt
                    : memory_left_by(max, read_text(folder + "memory.current"), read_text(folder + "memory.stat"));
    if (left) least = std::min(*left, least.value_or(*left));
    if (path.empty() || path == "/") return least;
    path.resize(path.rfind('/'));
  }
}

/// LibTorch's own allocator, called only if the memory is available.
class GuardedAllocator : public c10::Allocator {
 public:
  explicit GuardedAllocator(c10::Allocator& inner) : inner_(inner) {}

  c10::DataPtr allocate(std::size_t bytes) override {
    if (since_.fetch_add(bytes, std::memory_order_relaxed) + bytes >= kLook) {
      since_ = 0;
      require_memory(bytes, "you tried to allocate");
    }
    return inner_.allocate(bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return inner_.raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { inner_.copy_data(to, from, bytes); }

 private:
  c10::Allocator& inner_;
  std::atomic<std::uint64_t> since_ = 0;  ///< bytes allocated since the last query
};

}  // namespace

std::optional<std::uint64_t> memory_left_by(const std::string& meminfo) {
  const auto available = number_behind(meminfo, "MemAvailable:");
  if (!available) return std::nullopt;
  return (*available + number_behind(meminfo, "SwapFree:").value_or(0)) * 1024;
}

std::optional<std::uint64_t> memory_left_by(const std::string& max, const std::string& current,
                                            const std::string& stat) {
  const auto limit = number_behind(max, "");
  const auto used = number_behind(current, "");
  if (!limit || !used) return std::nullopt;
  const std::uint64_t files =
      number_behind(stat, "inactive_file ").value_or(0) + number_behind(stat, "active_file ").value_or(0);
  const std::uint64_t held = *used - std::min(files, *used);
  return *limit - std::min(held, *limit);
}

std::optional<std::uint64_t> memory_left() {
  const auto system = memory_left_by(read_text("/proc/meminfo"));
  const auto group = left_in_groups();
  if (!system || !group) return system ? system : group;
  return std::min(*system, *group);
}

void require_memory(std::uint64_t bytes, const std::string& what) {
  const std::optional<std::uint64_t> left = memory_left();
  if (!left || (*left >= kReserve && bytes <= *left - kReserve)) return;
  TORCH_CHECK_WITH(OutOfMemoryError, false, "DefaultCPUAllocator: can't allocate memory: ", what, " ", bytes,
                   " bytes, and ", *left, " are left");
}

void guard_memory() {
  static GuardedAllocator allocator(*c10::GetCPUAllocator());
  static const bool installed = [] {
    c10::SetCPUAllocator(&allocator);
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace binade::graph

// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

namespace binade::confine {

namespace {

/// Stacks of threads count as soon as they are reserved, and reading a model reserves one of a gigabyte.
constexpr std::uint64_t kReserved = std::uint64_t{4} << 30;

std::uint64_t free_space(const std::filesystem::path& path) {
  std::error_code unknown;
  for (auto at = std::filesystem::absolute(path, unknown); !at.empty(); at = at.parent_path()) {
    const auto space = std::filesystem::space(at, unknown);
    if (!unknown) return space.available;
    if (at == at.parent_path()) break;
  }
  return 0;
}

/// Bytes of a file, or of the files in a folder.
std::uint64_t bytes_of(const std::string& path) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  if (!unknown) return size;
  std::uint64_t sum = 0;
  for (const auto& each : std::filesystem::directory_iterator(path, unknown)) {
    std::error_code none;
    const auto part = each.is_regular_file(none) ? each.file_size(none) : 0;
    if (!none) sum += part;
  }
  return sum;
}

/// Bytes of this process that RLIMIT_DATA counts.
std::uint64_t data_now() {
  std::ifstream status("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int i = 0; i < 6; ++i) status >> pages;  // the sixth number is data and stack
  const auto page = ::sysconf(_SC_PAGESIZE);
  return status && page > 0 ? pages * static_cast<std::uint64_t>(page) : 0;
}

void limit(int resource, std::uint64_t most) {
  rlimit now{};
  if (most == 0 || ::getrlimit(resource, &now) != 0) return;
  const rlim_t hard = now.rlim_max == RLIM_INFINITY ? most : std::min<rlim_t>(now.rlim_max, most);
  const rlimit wanted{std::min(now.rlim_cur, hard), hard};
  static_cast<void>(::setrlimit(resource, &wanted));
}

}  // namespace

Limits limits_for(const Access& access) {
  std::uint64_t space = 0;
  for (const std::string& folder : access.folders) space = std::max(space, free_space(folder));
  for (const std::string& folder : access.checkpoints) space = std::max(space, free_space(folder));
  for (const std::string& file : access.outputs) space = std::max(space, free_space(file));
  Limits limits;
  // A new run writes beside its older files: the limit never falls below what fits into a small file.
  limits.largest_file = std::max<std::uint64_t>(space - space / 20, std::uint64_t{1} << 26);
  const auto pages = ::sysconf(_SC_PHYS_PAGES);
  const auto page = ::sysconf(_SC_PAGESIZE);
  if (!access.gpu && pages > 0 && page > 0) {
    limits.memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) + kReserved;
    // Data larger than memory is mapped, and mapped files count.
    for (const auto* const paths : {&access.reads, &access.read_folders}) {
      for (const std::string& path : *paths) limits.memory += 2 * bytes_of(path);
    }
  }
  return limits;
}

void apply(const Limits& limits) {
  std::signal(SIGXFSZ, SIG_IGN);  // writing then fails with EFBIG, which is reported like a full disk
  limit(RLIMIT_FSIZE, limits.largest_file);
  // A sanitizer has reserved far more than the machine has.
  if (data_now() < limits.memory) limit(RLIMIT_DATA, limits.memory);
  const rlimit none{0, 0};
  static_cast<void>(::setrlimit(RLIMIT_CORE, &none));
}

}  // namespace binade::confine

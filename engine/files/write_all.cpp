// SPDX-License-Identifier: Apache-2.0
#include "engine/files/write_all.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace binade::files {

std::size_t write_all(int descriptor, const void* data, std::size_t size) {
  constexpr std::size_t kPart = std::size_t{1} << 30;
  const auto* const bytes = static_cast<const char*>(data);
  std::size_t written = 0;
  while (written < size) {
    const ssize_t done = ::write(descriptor, bytes + written, std::min(size - written, kPart));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) break;
    written += static_cast<std::size_t>(done);
  }
  return written;
}

}  // namespace binade::files

// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/shared_file.h"

#include "engine/formats/error.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace binade::ranks {

namespace {

constexpr std::size_t kPart = std::size_t{64} << 20;

void write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      throw Error(ErrorCode::kBadFile,
                  std::string("The checkpoint of rank 0 does not fit into this rank's memory: ") + std::strerror(errno),
                  "Free some memory, or start fewer ranks on this computer.");
    }
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace

SharedFile::SharedFile(Group& group, const std::string& file) {
  if (group.rank() == 0) {
    std::ifstream input;
    if (!file.empty()) {
      input.open(file, std::ios::binary);
      if (!input) throw Error(ErrorCode::kBadFile, file + " cannot be read", "Check its permissions.");
    }
    std::string part(kPart, '\0');
    while (input.is_open()) {
      input.read(part.data(), static_cast<std::streamsize>(part.size()));
      const auto count = static_cast<std::size_t>(input.gcount());
      if (count == 0) break;
      group.broadcast(part.substr(0, count));
    }
    group.broadcast(std::string());  // the end
    path_ = file;
    return;
  }
  for (;;) {
    const std::string part = group.broadcast(std::string());
    if (part.empty()) return;
    if (memory_ < 0) {
      memory_ = ::memfd_create("checkpoint", MFD_CLOEXEC);
      if (memory_ < 0) {
        throw Error(ErrorCode::kBadFile, std::string("No file in memory can be made: ") + std::strerror(errno),
                    "The kernel has no memfd_create().");
      }
      path_ = "/proc/self/fd/" + std::to_string(memory_);
    }
    write_all(memory_, part);
  }
}

SharedFile::~SharedFile() {
  if (memory_ >= 0) ::close(memory_);
}

}  // namespace binade::ranks

// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/wake_pipe.h"

#include "engine/formats/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace binade::host {

WakePipe::WakePipe() {
  if (::pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error(ErrorCode::kInternal, std::string("A pipe cannot be created: ") + std::strerror(errno));
  }
}

WakePipe::~WakePipe() {
  ::close(ends_[0]);
  ::close(ends_[1]);
}

void WakePipe::wake() const {
  static_cast<void>(::write(ends_[1], "x", 1) == 1);
}

}  // namespace binade::host

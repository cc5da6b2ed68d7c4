// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/unsent.h"

#include <unistd.h>

#include <cerrno>

namespace binade::host {

void Unsent::clear() {
  bytes_.clear();
  sent_ = 0;
}

bool Unsent::write_to(int descriptor) {
  bool reads = true;
  while (!empty()) {
    const ssize_t written = ::write(descriptor, bytes_.data() + sent_, size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      reads = errno == EAGAIN;
      break;
    }
    sent_ += static_cast<std::size_t>(written);
  }
  if (empty()) {
    clear();
  } else if (sent_ > size()) {
    bytes_.erase(0, sent_);
    sent_ = 0;
  }
  return reads;
}

}  // namespace binade::host

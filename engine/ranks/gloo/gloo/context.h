// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gloo/transport/device.h>

#include <chrono>

namespace gloo {

class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
  std::chrono::milliseconds getTimeout() const;
};

}  // namespace gloo

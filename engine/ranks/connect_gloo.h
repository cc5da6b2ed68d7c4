// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/place.h"
#include "engine/ranks/store.h"

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <chrono>

namespace binade::ranks {

/// Connects this rank with all others by Gloo, on the interface that GLOO_SOCKET_IFNAME names, or else the one towards
/// rank 0. `timeout` is for connecting: operations have none. Throws what Gloo throws.
c10::intrusive_ptr<c10d::ProcessGroupGloo> connect_gloo(const Store& store, const Place& place,
                                                        std::chrono::milliseconds timeout);

}  // namespace binade::ranks

// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/connect_gloo.h"

#include "engine/ranks/own_address.h"

#include <cstdlib>
#include <string>

namespace binade::ranks {

namespace {

/// Gloo's own time-out would end an operation for which the others only wait longer. Group has the time-out.
constexpr std::chrono::hours kNoLimit{24 * 365};

}  // namespace

c10::intrusive_ptr<c10d::ProcessGroupGloo> connect_gloo(const Store& store, const Place& place,
                                                        std::chrono::milliseconds timeout) {
  auto options = c10d::ProcessGroupGloo::Options::create(timeout);
  const char* const interface = std::getenv("GLOO_SOCKET_IFNAME");
  const std::string own = own_address_towards(place.address, place.port);
  if (interface != nullptr && *interface != '\0') {
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
  } else if (!own.empty()) {
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(own));
  } else {
    options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
  }
  auto gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(store.for_groups(), place.rank, place.ranks, options);
  static_cast<c10d::Backend&>(*gloo).setTimeout(kNoLimit);
  return gloo;
}

}  // namespace binade::ranks

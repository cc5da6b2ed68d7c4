// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"

namespace binade::host {

/// Thrown for params that the method does not accept; answered as wire::kBadParams or wire::kUnknownMethod.
struct BadParams {
  wire::Failure failure;
};

/// The failure of a request whose method this end does not know.
BadParams unknown_method(const wire::Request& request);

/// Returns the exception being handled as a response's failure. Call it inside a catch block.
wire::Failure current_failure();

}  // namespace binade::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"

namespace binade::host {

/// Params that are not what the method takes: answered as wire::kBadParams.
struct BadParams {
  wire::Failure failure;
};

/// The exception that is being handled, as the answer to the request that it came from. Call inside a catch block.
wire::Failure current_failure();

}  // namespace binade::host

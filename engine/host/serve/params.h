// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/host/serve/request_failure.h"
#include "engine/wire/codec.h"

namespace binade::host {

/// The params of a request. Throws BadParams, with the method and the field, for those that it does not accept.
template <class Params>
Params params(const wire::Request& request) {
  try {
    return wire::decode<Params>(request.params);
  } catch (const Error& error) {
    throw BadParams{{wire::kBadParams, request.method + ": " + error.what(), error.hint, error.field}};
  }
}

}  // namespace binade::host

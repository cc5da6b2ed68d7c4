// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/request_failure.h"

#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/graph/unsafe_code.h"

#include <cstdint>
#include <exception>

namespace binade::host {

namespace {

constexpr const char* kOurFault = "This is a bug in Binade. Please report it.";

wire::Failure failure(ErrorCode code, const std::string& message, const std::string& hint,
                      const std::string& field = {}) {
  return {.code = static_cast<int>(code) + 1, .message = message, .hint = hint, .field = field};
}

}  // namespace

BadParams unknown_method(const wire::Request& request) {
  return {
      {wire::kUnknownMethod, "Unknown method: " + request.method, "Explorer and engine may be of different versions."}};
}

wire::Failure current_failure() {
  try {
    throw;
  } catch (const BadParams& bad) {
    return bad.failure;
  } catch (const graph::UnsafeModel& error) {
    wire::Failure unsafe = failure(error.code, error.what(), error.hint, error.field);
    for (const graph::CodeFinding& each : error.findings) {
      unsafe.unsafe.push_back({each.record, static_cast<std::int64_t>(each.line), each.code, each.why});
    }
    unsafe.sha256 = error.sha256;
    return unsafe;
  } catch (const Error& error) {
    return failure(error.code, error.what(), error.hint, error.field);
  } catch (const std::exception& error) {
    if (graph::is_out_of_memory(error)) {
      return failure(ErrorCode::kOutOfMemory, "Out of memory: " + graph::reason_of(error),
                     "Use a smaller batch or model.");
    }
    return failure(ErrorCode::kInternal, graph::reason_of(error), kOurFault);
  } catch (...) {
    return failure(ErrorCode::kInternal, "Unknown exception", kOurFault);
  }
}

}  // namespace binade::host

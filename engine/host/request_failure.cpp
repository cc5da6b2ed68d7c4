// SPDX-License-Identifier: Apache-2.0
#include "engine/host/request_failure.h"

#include "engine/formats/error.h"

#include <c10/util/Exception.h>

#include <new>

namespace binade::host {

namespace {

constexpr const char* kOurFault = "This is a fault in Binade; please report it.";

wire::Failure failure(ErrorCode code, const std::string& message, const std::string& hint) {
  return {static_cast<int>(code) + 1, message, hint};
}

}  // namespace

wire::Failure current_failure() {
  try {
    throw;
  } catch (const BadParams& bad) {
    return bad.failure;
  } catch (const Error& error) {
    return failure(error.code, error.what(), error.hint);
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    return failure(ErrorCode::kInternal, text.substr(0, text.find('\n')), kOurFault);
  } catch (const std::bad_alloc&) {
    return failure(ErrorCode::kInternal, "Out of memory", "Use a smaller batch or model.");
  } catch (const std::exception& error) {
    return failure(ErrorCode::kInternal, error.what(), kOurFault);
  } catch (...) {
    return failure(ErrorCode::kInternal, "An unknown exception", kOurFault);
  }
}

}  // namespace binade::host

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The seam to CUPTI: only files that are compiled where its headers are include this.

#include "profiler/cupti_names.h"

#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include <string>

namespace binade::profiler {

/// CUPTI's functions by their own names: the library's, or a test's.
struct CuptiFunctions {
#define BINADE_MEMBER(function) decltype(&::function) function = nullptr;
  BINADE_CUPTI_FUNCTIONS(BINADE_MEMBER)
#undef BINADE_MEMBER
};

/// `CUPTI_ERROR_HARDWARE_BUSY`
inline std::string result_text(const CuptiFunctions& cupti, CUptiResult result) {
  const char* text = nullptr;
  if (cupti.cuptiGetResultString != nullptr) cupti.cuptiGetResultString(result, &text);
  return text != nullptr ? text : "CUptiResult " + std::to_string(static_cast<int>(result));
}

}  // namespace binade::profiler

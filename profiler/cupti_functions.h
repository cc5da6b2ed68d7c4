// SPDX-License-Identifier: Apache-2.0
#pragma once

// Interface to CUPTI. Included only by files that are compiled when its headers are available.

#include "profiler/cupti_names.h"

#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include <string>

namespace binade::profiler {

/// CUPTI's functions by their own names; tests substitute their own.
struct CuptiFunctions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define BINADE_MEMBER(function) decltype(&::function) function = nullptr;
  BINADE_CUPTI_FUNCTIONS(BINADE_MEMBER)
#undef BINADE_MEMBER
};

/// Returns a result's name: `CUPTI_ERROR_HARDWARE_BUSY`
inline std::string result_text(const CuptiFunctions& cupti, CUptiResult result) {
  const char* text = nullptr;
  if (cupti.cuptiGetResultString != nullptr) cupti.cuptiGetResultString(result, &text);
  return text != nullptr ? text : "CUptiResult " + std::to_string(static_cast<int>(result));
}

}  // namespace binade::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/cupti_names.h"

#include <cstdlib>

// Every function of CUPTI by its name, whatever its arguments: answers FAKE_CUPTI, or 999 as the real ones do where
// nothing works. Weak: cuptiGetVersion is in a file of its own.
#define BINADE_FAKE(function)                                              \
  extern "C" __attribute__((weak, visibility("default"))) int function() { \
    const char* text = std::getenv("FAKE_CUPTI");                          \
    return text != nullptr ? std::atoi(text) : 999;                        \
  }
BINADE_CUPTI_FUNCTIONS(BINADE_FAKE)

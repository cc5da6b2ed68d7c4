// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

// The one function that a library of any version has. FAKE_VERSION: 130001 is 13.0.1.
extern "C" int cuptiGetVersion(std::uint32_t* version) {
  *version = FAKE_VERSION;
  return 0;
}

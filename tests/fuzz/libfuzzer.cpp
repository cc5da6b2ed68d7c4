// SPDX-License-Identifier: Apache-2.0
// Makes a target for libFuzzer of one reader: BINADE_FUZZ is the name of its entry point, such as one_zip.
#include <cstddef>
#include <cstdint>

namespace binade::fuzz {
int BINADE_FUZZ(const std::uint8_t* data, std::size_t size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return binade::fuzz::BINADE_FUZZ(data, size);
}

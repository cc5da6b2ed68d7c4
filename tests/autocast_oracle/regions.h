// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/cast_cache.h"
#include "engine/autocast/composite.h"

#include <nlohmann/json.hpp>

#include <c10/core/DeviceType.h>

#include <optional>

namespace binade::test {

/// Our own region under `behaviour: pytorch-2.11`, as a row of the oracle asks for it (`{device, dtype, enabled}`).
/// Rows of CUDA take the CUDA list over tensors of `device`.
class OurRegion {
 public:
  OurRegion(const nlohmann::json& region, c10::DeviceType device);
  ~OurRegion();
  OurRegion(const OurRegion&) = delete;
  OurRegion& operator=(const OurRegion&) = delete;

 private:
  struct Open;
  std::unique_ptr<Open> open_;
};

/// LibTorch's own autocast, on this thread, until the end of the scope.
class NativeRegion {
 public:
  explicit NativeRegion(const nlohmann::json& region);
  ~NativeRegion();
  NativeRegion(const NativeRegion&) = delete;
  NativeRegion& operator=(const NativeRegion&) = delete;

 private:
  c10::DeviceType device_;
  bool enabled_;
  c10::ScalarType dtype_;
};

/// `{device, dtype, enabled: true}`.
nlohmann::json enabledRegion(const char* device, const char* dtype);

/// Whether this CPU has the instructions of the one that recorded the oracle: AVX-512 with bfloat16, which decides what
/// oneDNN can do and in which order sums are made.
bool isLikeTheRecordingMachine();

}  // namespace binade::test

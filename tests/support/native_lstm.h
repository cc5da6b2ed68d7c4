// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/autocast_mode.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <QTest>

#include <exception>

namespace binade::test {

/// Returns whether LibTorch itself runs an LSTM under autocast to a dtype on this CPU. Without AVX-512, oneDNN has no
/// such LSTM and LibTorch throws; Binade's execution `auto` emulates it.
inline bool has_native_lstm(at::ScalarType low) {
  const bool before = at::autocast::is_autocast_enabled(at::kCPU);
  const at::ScalarType dtype = at::autocast::get_autocast_dtype(at::kCPU);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, low);
  bool ran = true;
  try {
    const at::Tensor state = at::zeros({1, 2, 4});
    at::lstm(at::rand({3, 2, 4}), {state, state},
             {at::rand({16, 4}), at::rand({16, 4}), at::rand({16}), at::rand({16})}, true, 1, 0.0, false, false, false);
  } catch (const std::exception&) {
    ran = false;
  }
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, before);
  at::autocast::set_autocast_dtype(at::kCPU, dtype);
  return ran;
}

inline bool has_bfloat16_lstm() {
  static const bool has = has_native_lstm(at::kBFloat16);
  return has;
}

}  // namespace binade::test

/// Skips a test row if LibTorch cannot run the native reference.
#define BINADE_NEEDS_BFLOAT16_LSTM() \
  if (!binade::test::has_bfloat16_lstm()) QSKIP("LibTorch runs no LSTM in bfloat16 on this CPU: oneDNN wants AVX-512")

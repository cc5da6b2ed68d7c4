// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

#include <QString>
#include <torch/types.h>

#include <functional>
#include <vector>

namespace binade::test {

/// The message of the binade::Error that `f` throws, with its hint behind " | "; empty where it throws none.
inline QString errorOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return QString::fromUtf8(error.what()) + QStringLiteral(" | ") + QString::fromStdString(error.hint);
  }
  return {};
}

inline std::vector<double> values(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().to(at::kDouble).flatten().contiguous();
  return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

}  // namespace binade::test

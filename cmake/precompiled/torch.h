// SPDX-License-Identifier: Apache-2.0
// Headers that most files with LibTorch include. Precompiled only: no file includes this one.
#include <nlohmann/json.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/optimizer.h>

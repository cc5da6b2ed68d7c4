// SPDX-License-Identifier: Apache-2.0
// What most files that use LibTorch read. Precompiled only: nothing includes this.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/optimizer.h>

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::test {

/// Writes a TorchScript model that prints in every forward: float32[n,8] -> float32[n,10].
void writePrintingModel(const std::string& path);

/// Writes a TorchScript model whose forward calls no op: it returns its input.
void writeEmptyModel(const std::string& path);

}  // namespace binade::test

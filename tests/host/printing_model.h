// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace binade::test {

/// Writes a TorchScript model that prints in every forward: float32[n,8] -> float32[n,10].
void writePrintingModel(const std::string& path);

/// Writes a TorchScript model that takes the same, prints, and then never comes to an end: op after op, or without one.
void writeEndlessModel(const std::string& path, bool in_ops);

/// Writes a TorchScript model that takes the same, prints, and then stays inside one op for minutes.
void writeLongOpModel(const std::string& path);

/// Writes a TorchScript model that takes the same; after `steps` forwards it prints and never comes to an end.
void writeStallingModel(const std::string& path, std::int64_t steps);

/// Writes a TorchScript model whose forward calls no op: it returns its input.
void writeEmptyModel(const std::string& path);

}  // namespace binade::test

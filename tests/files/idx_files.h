// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace binade::test {

/// The bytes of an IDX file: magic number, sizes, data.
std::string idxBytes(std::uint8_t type, const std::vector<std::uint32_t>& sizes, const std::string& data);

/// Writes `bytes` to a file, through gzip where the name ends in `.gz`.
void writeFile(const std::string& file, const std::string& bytes);

/// Writes the four files of a data set of `train` and `test` pictures of 4 by 4 pixels in `classes` classes. Every
/// pixel of training picture i is i modulo 256, its label i modulo `classes`.
void writeDataSet(const std::string& folder, int train, int test, int classes, const std::string& ending = "");

}  // namespace binade::test

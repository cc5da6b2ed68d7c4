// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::test {

/// A model file that does what no model should.
struct HostileFile {
  std::string name;
  std::string bytes;
};

/// Code that writes files, or reads and prints them, in every place from which LibTorch runs code. `outside` is a
/// folder with a file `secret` of at least 16 bytes; the code names both.
std::vector<HostileFile> files_that_run_code(const std::string& outside);

/// Forward never ends.
HostileFile endless_file();

/// Archives that are bombs, that lie about sizes, names or checksums, and code that is endless or too deep.
std::vector<HostileFile> files_that_exhaust(const std::string& outside);

}  // namespace binade::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace binade::test {

/// The rows of the oracle that cannot be asked without a GPU, or have no one answer, each group with its reason and the
/// exact number of its rows that do not pass: tests/data/autocast/exceptions.csv. Every other row passes.
class Exceptions {
 public:
  /// Those of one check: `cpu`, `cuda-unlisted`.
  explicit Exceptions(const std::string& check);

  /// Whether the row is excepted; it is counted.
  bool excepts(const std::string& id);

  /// Prints every group with its number, and says which number is not the table's; empty where all are.
  std::string counted() const;

  int total() const;

 private:
  struct Group {
    std::string pattern;
    int count = 0;
    std::string reason;
    int seen = 0;
  };
  std::vector<Group> groups_;
};

}  // namespace binade::test

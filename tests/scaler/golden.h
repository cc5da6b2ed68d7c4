// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace binade::test {

/// A row of gradscaler_golden.csv, done in C++. It returns the numbers of PyTorch's answer in their order (True is 1,
/// what is no number is left out), or throws PyTorch's error.
struct GoldenRow {
  std::function<std::vector<double>()> run;
  std::string mapped = {};  ///< why C++ answers in another form; the numbers are compared all the same
  std::string fixed = {};   ///< why C++ answers otherwise on purpose
};

/// By group and case.
using GoldenRows = std::map<std::pair<std::string, std::string>, GoldenRow>;

void addSettings(GoldenRows& rows);    ///< ctor, scale(), new_scale, state_dict / pickle
void addIterations(GoldenRows& rows);  ///< state machine, growth, unscale numerics, multi, sparse grads
void addKernels(GoldenRows& rows);     ///< raw kernels, fused

}  // namespace binade::test

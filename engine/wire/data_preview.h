// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::wire {

struct LabelCount {
  std::int64_t label = 0;
  std::int64_t count = 0;
  friend bool operator==(const LabelCount&, const LabelCount&) = default;
};

/// One argument of forward, or one target, in a batch.
struct DataColumn {
  std::string name;
  bool target = false;
  std::string dtype;                ///< of a tensor; otherwise the value: `0.5`
  std::vector<std::int64_t> shape;  ///< including the batch dimension
  double lowest = 0;                ///< of the finite values; NaN if there are none
  double highest = 0;
  double mean = 0;
  std::int64_t non_finite = 0;
  std::vector<double> first;       ///< the first values of the first example, at most 6
  std::vector<LabelCount> labels;  ///< counts of a target with few distinct whole numbers
  friend bool operator==(const DataColumn&, const DataColumn&) = default;
};

/// The first training batch of a run, and the number of batches.
struct DataPreview {
  std::vector<DataColumn> columns;  ///< the arguments of forward in order, then the targets
  std::int64_t examples = 0;        ///< to train on; 0: unlimited (synthetic data)
  std::int64_t test_examples = 0;
  std::int64_t batches = 0;  ///< per epoch; 0: unlimited
  friend bool operator==(const DataPreview&, const DataPreview&) = default;
};

/// An array of a data file, or a column of a table.
struct DataArray {
  std::string file;  ///< as in the request
  std::string name;
  friend bool operator==(const DataArray&, const DataArray&) = default;
};

/// Arrays and columns that can be mapped to arguments of forward and to targets.
struct DataArrays {
  std::vector<DataArray> arrays;
  friend bool operator==(const DataArrays&, const DataArrays&) = default;
};

struct ListArrays {
  std::vector<std::string> files;
  friend bool operator==(const ListArrays&, const ListArrays&) = default;
};

struct PreviewData {
  RunConfig config;
  friend bool operator==(const PreviewData&, const PreviewData&) = default;
};

}  // namespace binade::wire

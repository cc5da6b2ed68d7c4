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

/// What one argument of forward, or one target, is in a batch.
struct DataColumn {
  std::string name;
  bool target = false;
  std::string dtype;                ///< of a tensor; else the value, `0.5`
  std::vector<std::int64_t> shape;  ///< with the batch
  double lowest = 0;                ///< of the finite values; NaN where there are none
  double highest = 0;
  double mean = 0;
  std::int64_t non_finite = 0;
  std::vector<double> first;       ///< the first values of the first example, at most 6
  std::vector<LabelCount> labels;  ///< of a target of few whole numbers: how often each comes
  friend bool operator==(const DataColumn&, const DataColumn&) = default;
};

/// The first training batch of a run, and how many there are.
struct DataPreview {
  std::vector<DataColumn> columns;  ///< the arguments of forward in order, then the targets
  std::int64_t examples = 0;        ///< to train on; 0: drawn without end
  std::int64_t test_examples = 0;
  std::int64_t batches = 0;  ///< in an epoch; 0: without end
  friend bool operator==(const DataPreview&, const DataPreview&) = default;
};

/// An array of a data file, or a column of a table.
struct DataArray {
  std::string file;  ///< as it was asked for
  std::string name;
  friend bool operator==(const DataArray&, const DataArray&) = default;
};

/// What there is to map to arguments of forward and to targets.
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

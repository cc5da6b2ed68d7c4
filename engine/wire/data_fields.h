// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of requests about a run's data and their results.

#include "engine/wire/fields.h"

namespace binade::wire {

void fields(auto& field, Is<LabelCount> auto& v) {
  field("label", v.label);
  field("count", v.count);
}

void fields(auto& field, Is<DataColumn> auto& v) {
  field("name", v.name);
  field("target", v.target);
  field("dtype", v.dtype);
  field("shape", v.shape);
  field("lowest", v.lowest);
  field("highest", v.highest);
  field("mean", v.mean);
  field("non_finite", v.non_finite);
  field("first", v.first);
  field("labels", v.labels);
}

void fields(auto& field, Is<DataPreview> auto& v) {
  field("columns", v.columns);
  field("examples", v.examples);
  field("test_examples", v.test_examples);
  field("batches", v.batches);
}

void fields(auto& field, Is<DataArray> auto& v) {
  field("file", v.file);
  field("name", v.name);
}

void fields(auto& field, Is<DataArrays> auto& v) {
  field("arrays", v.arrays);
}

void fields(auto& field, Is<ListArrays> auto& v) {
  field("files", v.files);
}

void fields(auto& field, Is<PreviewData> auto& v) {
  field("config", v.config);
}

}  // namespace binade::wire

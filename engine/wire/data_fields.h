// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of requests about a run's data and their results.

#include "engine/wire/fields.h"

namespace binade::wire {

BINADE_FIELDS(LabelCount, label, count)
BINADE_FIELDS(DataColumn, name, target, dtype, shape, lowest, highest, mean, non_finite, first, labels)
BINADE_FIELDS(DataPreview, columns, examples, test_examples, batches)
BINADE_FIELDS(DataArray, file, name)
BINADE_FIELDS(DataArrays, arrays)
BINADE_FIELDS(ListArrays, files)
BINADE_FIELDS(PreviewData, config)

}  // namespace binade::wire

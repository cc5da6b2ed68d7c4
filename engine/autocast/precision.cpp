// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/precision.h"

#include "engine/autocast/matrix_ops.h"
#include "engine/graph/dtype_format.h"
#include "engine/policy/decide.h"

namespace binade::autocast {

Precision precision_of(at::ScalarType dtype) {
  Precision precision;
  precision.dtype = dtype;
  if (const auto low = graph::low_format(dtype)) precision.format = precision.backward = *low;
  return precision;
}

Precision precision_of(const policy::Decision& decision, const graph::OpTraits& op) {
  Precision precision;
  precision.format = decision.format;
  precision.backward = decision.backward;
  precision.overflow = decision.overflow;
  const at::ScalarType dtype = graph::dtype_of(decision.format);
  precision.logical = policy::is_logical(decision);
  // Native tfloat32 is float32 in memory; the hardware rounds operands as it reads them.
  precision.dtype = precision.logical || dtype == at::ScalarType::Undefined ? at::kFloat : dtype;
  precision.wide = !precision.logical && dtype != at::kFloat && decision.execution == policy::Execution::kEmulated &&
                   is_matrix_op(op.op);
  return precision;
}

}  // namespace binade::autocast

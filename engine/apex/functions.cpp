// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/functions.h"

#include "engine/autocast/arguments.h"
#include "engine/autocast/cast_cache.h"
#include "engine/formats/error.h"

#include <algorithm>

namespace binade::apex::detail {

at::Tensor cast_argument(const at::Tensor& tensor, at::ScalarType dtype) {
  if (!tensor.defined() || !tensor.is_floating_point()) return tensor;
  const auto convert = [](const at::Tensor& from, const autocast::Precision& to) { return from.to(to.dtype); };
  return autocast::CastCache::of(policy::Behaviour::kFixed)
      .cast(tensor, autocast::precision_of(dtype), at::kHalf, convert)
      .copy;
}

void Dtypes::see(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_floating_point()) return;
  if (std::find(seen_.begin(), seen_.end(), tensor.scalar_type()) == seen_.end()) {
    seen_.push_back(tensor.scalar_type());
  }
}

void Dtypes::see(const std::vector<at::Tensor>& tensors) {
  for (const at::Tensor& tensor : tensors) see(tensor);
}

bool Dtypes::mixed() const {
  if (seen_.size() < 2) return false;
  const auto known = [](at::ScalarType dtype) { return dtype == at::kHalf || dtype == at::kFloat; };
  if (std::all_of(seen_.begin(), seen_.end(), known)) return true;
  std::string types;
  for (const at::ScalarType dtype : seen_) types += (types.empty() ? "" : ", ") + std::string(c10::toString(dtype));
  throw Error(ErrorCode::kUsage, "Do not know how to handle these types to promote: " + types,
              "Cast the arguments to float32 before the call.");
}

}  // namespace binade::apex::detail

// SPDX-License-Identifier: Apache-2.0
#include "engine/search/reference.h"

#include "engine/policy/base_policy.h"

namespace binade::search {

bool leaves_scaled_formats(const Order& order) {
  return order.goal == Goal::kRepair && order.limits.formats.empty() && policy::has_products(order.base);
}

policy::Policy reference(const Order& order) {
  if (order.goal != Goal::kRepair) return order.base;
  return leaves_scaled_formats(order) ? policy::without_products(order.base) : policy::float32_throughout();
}

std::string reference_text(const Order& order) {
  if (order.goal != Goal::kRepair) return "the policy that the search starts from";
  return leaves_scaled_formats(order) ? "the same policy without scaled formats" : "float32 throughout";
}

}  // namespace binade::search

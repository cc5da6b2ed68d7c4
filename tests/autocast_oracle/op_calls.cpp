// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/op_calls.h"

#include "engine/autocast/autocast.h"
#include "engine/autocast/cast_scope.h"
#include "engine/autocast/inner_call_audit.h"
#include "engine/autocast/resolve_executions.h"
#include "tests/scaler/oracle_file.h"
#include "tests/support/places.h"

#include <array>
#include <memory>

namespace binade::test {

const std::vector<nlohmann::json>& opRows() {
  static const std::vector<nlohmann::json> rows = readJsonLines(BINADE_TEST_DATA "/autocast/op_dtypes.jsonl.zst");
  return rows;
}

Answer runAsSite(const RowCall& call, const policy::Policy& policy) {
  graph::Site site;
  static_cast<graph::OpTraits&>(site) = graph::traits_of(call.op.schema());
  site.key.op = site.op;
  site.key.overload = site.overload;
  site.operation = [op = call.op](graph::Stack& stack) { op.callBoxed(stack); };
  const std::array<const graph::Site*, 1> sites{&site};
  autocast::Autocast casts(c10::kCPU);
  casts.set_policy(std::make_shared<const policy::Resolved>(
      autocast::resolve_for(policy, sites, {.native_bfloat16 = true, .native_float16 = true})));
  const autocast::CastScope forward(casts);
  return answerOf([&] {
    graph::Stack stack = call.arguments;
    graph::Call made{site, 0, stack, &site.operation};
    casts.before(made);
    try {
      (*made.operation)(stack);
    } catch (const std::exception& error) {
      casts.failed(made, error);
      throw;
    }
    casts.after(made);
    return stack;
  });
}

std::set<std::string> listedInside(const RowCall& call) {
  return autocast::listed_inside({call.op, call.arguments}).value_or(std::set<std::string>());
}

std::set<std::string> opsInside(const RowCall& call) {
  return autocast::ops_inside({call.op, call.arguments}).value_or(std::set<std::string>());
}

}  // namespace binade::test

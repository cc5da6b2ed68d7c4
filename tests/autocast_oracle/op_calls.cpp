// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/op_calls.h"

#include "engine/autocast/autocast.h"
#include "engine/autocast/cast_scope.h"
#include "engine/autocast/specialise.h"
#include "tests/scaler/oracle_file.h"
#include "tests/support/places.h"

#include <ATen/autocast_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include <array>
#include <memory>

namespace binade::test {

namespace {

/// An autocast key that no backend of this process uses, nor Binade.
constexpr c10::DispatchKey kKey = c10::DispatchKey::AutocastHPU;

thread_local std::set<std::string>* arrived = nullptr;
thread_local int depth = 0;

bool isListed(const c10::OperatorHandle& op) {
  return op.hasKernelForDispatchKey(c10::DispatchKey::AutocastCPU) ||
         op.hasKernelForDispatchKey(c10::DispatchKey::AutocastCUDA);
}

void note(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  if (arrived != nullptr && depth > 0 && isListed(op)) {
    arrived->insert(fullName(op.schema().name(), op.schema().overload_name()).substr(std::string("aten::").size()));
  }
  struct Deeper {
    Deeper() { ++depth; }
    ~Deeper() { --depth; }
  } const deeper;
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
}

}  // namespace

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
  static torch::Library* const library = [] {  // as long as the process: kernels must not vanish
    auto* made = new torch::Library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
    made->fallback(torch::CppFunction::makeFromBoxedFunction<&note>());
    return made;
  }();
  static_cast<void>(library);
  std::set<std::string> found;
  const c10::impl::IncludeDispatchKeyGuard include(kKey);
  at::autocast::set_autocast_enabled(at::kHPU, true);
  arrived = &found;
  static_cast<void>(call.run());
  arrived = nullptr;
  at::autocast::set_autocast_enabled(at::kHPU, false);
  return found;
}

}  // namespace binade::test

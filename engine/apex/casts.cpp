// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/amp.h"
#include "engine/apex/functions.h"
#include "engine/apex/shared.h"
#include "engine/autocast/cast_cache.h"
#include "engine/autocast/composite.h"

namespace binade::apex {

namespace {

/// Whether this thread is inside an active Casts scope.
thread_local bool casting = false;

std::shared_ptr<const policy::Resolved> o1_policy(bool allow_banned) {
  policy::Policy policy;
  policy.base = policy::Base::kApexO1;
  policy.execution = policy::Execution::kNative;
  if (allow_banned) policy.ops["aten::binary_cross_entropy"] = formats::kFloat32;
  return std::make_shared<const policy::Resolved>(policy::resolve(policy, {}, {}));
}

}  // namespace

bool casts_hold() {
  return casting;
}

struct Casts::State {
  explicit State(bool on) : was_casting(casting) { casting = on; }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    region.reset();
    if (entered) autocast::leave_scope();
    casting = was_casting;
  }

  bool was_casting;
  bool entered = false;
  std::optional<autocast::Casting> casts;
  std::optional<autocast::CompositeRegion> region;
};

Casts::Casts(std::unique_ptr<State> state) : state_(std::move(state)) {}
Casts::Casts(Casts&&) noexcept = default;
Casts::~Casts() = default;

Casts Amp::casts() const {
  if (casting || !is_enabled() || !properties().patch_torch_functions) return Casts(nullptr);
  auto& policy = shared_->o1_policy;
  if (policy == nullptr) policy = o1_policy(shared_->options.allow_banned);
  auto state = std::make_unique<Casts::State>(true);
  state->casts.emplace();
  state->casts->set_policy(policy);
  autocast::enter_scope();
  state->entered = true;
  state->region.emplace(&*state->casts);
  return Casts(std::move(state));
}

Casts Amp::disable_casts() const {
  if (!casting) return Casts(nullptr);
  auto state = std::make_unique<Casts::State>(false);
  state->region.emplace(nullptr);
  return Casts(std::move(state));
}

}  // namespace binade::apex

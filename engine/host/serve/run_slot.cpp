// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/run_slot.h"

#include "engine/formats/error.h"

namespace binade::host {

std::shared_ptr<run::Control> RunSlot::take() {
  const std::scoped_lock lock(mutex_);
  if (control_) throw Error(ErrorCode::kUsage, "This engine already has a run", "Stop the run first.");
  control_ = std::make_shared<run::Control>();
  return control_;
}

std::shared_ptr<run::Control> RunSlot::current() const {
  const std::scoped_lock lock(mutex_);
  if (!control_) throw Error(ErrorCode::kUsage, "This engine has no run", "Start a run first.");
  return control_;
}

bool RunSlot::taken() const {
  const std::scoped_lock lock(mutex_);
  return control_ != nullptr;
}

void RunSlot::free(const std::shared_ptr<run::Control>& mine) {
  const std::scoped_lock lock(mutex_);
  if (control_ == mine) control_.reset();
}

void RunSlot::stop() {
  const std::scoped_lock lock(mutex_);
  if (control_) control_->stop();
}

void RunEnd::receive(wire::NotificationRef notification) {
  const auto* change = notification.get_if<wire::StateChanged>();
  if (change == nullptr) return;
  if (change->state == wire::RunState::kIdle || change->state == wire::RunState::kFinished) slot_.free(mine_);
}

}  // namespace binade::host

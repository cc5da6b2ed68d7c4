// SPDX-License-Identifier: Apache-2.0
#include "app/model/run_past.h"

#include <utility>

namespace binade::app {

void RunPast::begin(const wire::PolicyApplied& first, const std::string& resumed) {
  deeds_ = {PolicyEdit{first.revision, first.step, first.policy, first.findings, resumed}};
  before_edit_.reset();
}

// After a rewind an engine reports the restored scalers and then the policy.
RewindMade* RunPast::openRewind() {
  auto* rewind = deeds_.empty() ? nullptr : std::get_if<RewindMade>(&deeds_.back());
  return rewind != nullptr && !rewind->policy ? rewind : nullptr;
}

void RunPast::add(const wire::PolicyApplied& applied) {
  PolicyEdit edit{applied.revision, applied.step, applied.policy, applied.findings, {}};
  if (RewindMade* rewind = openRewind()) {
    edit.checkpoint = rewind->file;
    rewind->policy = std::move(edit);
    return;
  }
  // A checkpoint is saved right before an edit comes into force.
  if (before_edit_ && before_edit_->step == applied.step) edit.checkpoint = before_edit_->file;
  before_edit_.reset();
  deeds_.emplace_back(std::move(edit));
}

void RunPast::add(const ScalerEdit& edit) {
  if (openRewind() == nullptr) deeds_.emplace_back(edit);
}

void RunPast::add(const wire::CheckpointInfo& saved) {
  if (saved.reason == "edit") before_edit_ = saved;
}

void RunPast::add(const wire::Rewound& rewound, std::int64_t from) {
  deeds_.emplace_back(RewindMade{rewound.step, from, rewound.file, std::nullopt});
}

}  // namespace binade::app

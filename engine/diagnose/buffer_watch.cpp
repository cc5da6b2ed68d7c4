// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/buffer_watch.h"

#include "engine/diagnose/cause.h"
#include "engine/diagnose/diagnosis_parts.h"
#include "engine/diagnose/forward_causes.h"
#include "engine/diagnose/trace.h"
#include "engine/graph/failure.h"
#include "engine/train/gradient_norm.h"
#include "engine/train/training_state_guard.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/site_text.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

namespace binade::diagnose {

namespace {

constexpr int kMostReplays = 3;  // per buffer, which may become finite again several times

bool is_watched(const at::Tensor& tensor, c10::Device device) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.device() != device) return false;
  const at::ScalarType dtype = tensor.scalar_type();
  return dtype == at::kFloat || dtype == at::kHalf || dtype == at::kBFloat16 || dtype == at::kDouble;
}

}  // namespace

BufferWatch::BufferWatch(train::Training& training) : training_(training) {
  const std::set<std::string>& assigned = training.attributes.assigned();
  for (const auto& [name, tensor] : training.model.buffers()) {
    buffers_.push_back({.name = name, .tensor = tensor, .version = -1, .replays = 0, .found = {}});
    may_be_replaced_ = may_be_replaced_ || assigned.contains(name);
  }
}

void BufferWatch::refresh() {
  if (!may_be_replaced_) return;
  const train::NamedTensors now = training_.model.buffers();
  for (std::size_t i = 0; i < now.size() && i < buffers_.size(); ++i) {
    if (now[i].second.is_same(buffers_[i].tensor) || now[i].first != buffers_[i].name) continue;
    buffers_[i].tensor = now[i].second;
    buffers_[i].version = -1;
  }
}

void BufferWatch::begin() {
  refresh();
  for (Buffer& buffer : buffers_) {
    if (!is_watched(buffer.tensor, training_.device)) continue;
    const std::int64_t version = buffer.tensor._version();
    if (version == std::exchange(buffer.version, version)) continue;
    // Written between steps, by a checkpoint or a replay, or not checked yet.
    if (observe::all_finite(buffer.tensor)) {
      buffer.found.reset();
    } else if (!buffer.found) {
      buffer.found.emplace(Found{}).asked = training_.start.has_unchanged(buffer.name, buffer.tensor);
    }
  }
}

at::Tensor BufferWatch::norm() {
  const at::NoGradGuard no_history;
  refresh();
  written_.clear();
  std::vector<at::Tensor> written;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    Buffer& buffer = buffers_[i];
    if (!is_watched(buffer.tensor, training_.device)) continue;
    const std::int64_t version = buffer.tensor._version();
    if (version == std::exchange(buffer.version, version)) continue;
    written_.push_back(i);
    written.push_back(buffer.tensor.detach());
  }
  if (written.empty()) return {};
  return train::gradient_norm(written);
}

bool BufferWatch::end(const wire::StepRecord& record, bool suspect, const wire::Diagnosis* diagnosis, Replay* replay) {
  if (!record.stepped && training_.config.keep_buffers) return false;  // they are put back
  bool replayed = false;
  for (const std::size_t written : written_) {
    Buffer& buffer = buffers_[written];
    if (!suspect || observe::all_finite(buffer.tensor)) {
      buffer.found.reset();
    } else if (!buffer.found) {
      Found& found = buffer.found.emplace(Found{});
      found.step = record.step;
      found.skipped = !record.stepped;
      found.asked = training_.start.has_unchanged(buffer.name, buffer.tensor);
      if (found.asked || replay == nullptr || ++buffer.replays > kMostReplays) continue;
      replayed = true;
      try {
        ask(buffer, diagnosis, *replay);
      } catch (const std::exception& error) {
        found.failed = graph::reason_of(error);  // the replay needs more memory than the step
      }
    }
  }
  return replayed;
}

void BufferWatch::ask(Buffer& buffer, const wire::Diagnosis* diagnosis, Replay& replay) {
  const train::TrainingStateGuard guard(training_);
  Trace trace;
  replay.run({.scale = 1, .policy = {}, .trace = &trace});
  at::Tensor now = buffer.tensor;
  for (const auto& [name, tensor] : training_.model.buffers()) {
    if (name == buffer.name) now = tensor;
  }
  const int value = trace.value_of(now);
  const TracedValue& left = trace.values()[static_cast<std::size_t>(value)];
  if (left.seen.finite() || left.origin != TracedValue::Origin::kCall) return;
  const Causes causes = find_causes_of(trace, value);
  Found& found = *buffer.found;
  found.asked = causes.roots.empty();
  wire::Diagnosis described;
  describe_causes(described, trace, causes);
  found.roots = std::move(described.roots);
  found.writer = trace.calls()[static_cast<std::size_t>(left.call)].site->id;
  std::set<int> takers;
  for (const TracedCall& call : trace.calls()) {
    for (const TracedUse& use : call.uses) {
      const TracedValue& taken = trace.values()[static_cast<std::size_t>(use.value)];
      if (taken.origin == TracedValue::Origin::kBuffer && taken.name == buffer.name) {
        takers.insert(call.site->id);
      }
    }
  }
  found.takers.assign(takers.begin(), takers.end());
  if (!found.skipped || diagnosis == nullptr || found.roots.empty()) return;
  const wire::Root& first = found.roots.front();
  found.same_cause = std::any_of(diagnosis->roots.begin(), diagnosis->roots.end(), [&](const wire::Root& root) {
    return root.site == first.site && root.call == first.call && root.what == first.what &&
           root.direction == first.direction;
  });
}

std::string BufferWatch::cause_text(const Buffer& buffer) const {
  const Found& found = *buffer.found;
  if (!found.failed.empty()) return "What made it so is not known, because the replay failed: " + found.failed + ".";
  if (found.roots.empty()) return "What made it so is not known.";
  const wire::Root& root = found.roots.front();
  std::string text = "There " + words::uncapitalised(words::happening_of(root, training_.info.sites));
  if (found.writer >= 0 && found.writer != root.site) {
    text += ", and " + words::place_of(training_.info.sites[static_cast<std::size_t>(found.writer)]) +
            " wrote it into the buffer";
  }
  return text + ".";
}

std::string BufferWatch::advice(const Buffer& buffer) const {
  const Found& found = *buffer.found;
  const std::string back = "Go back to a checkpoint from before step " + std::to_string(found.step);
  if (found.roots.empty()) return back + ".";
  const wire::Root& root = found.roots.front();
  const bool low = at::isReducedFloatingType(buffer.tensor.scalar_type());
  const std::string place =
      root.site < 0 ? std::string() : words::place_of(training_.info.sites[static_cast<std::size_t>(root.site)]);
  using Fault = wire::Root::Fault;
  const bool too_large = root.fault == Fault::kOverflow || root.fault == Fault::kCast;
  // A value beyond the buffer's own format recurs, whether or not the step is skipped.
  if (too_large && low && root.site == found.writer) return back + ", and keep the buffer in float32.";
  if (found.same_cause) {
    return "A skipped step keeps what its forward wrote into buffers. " + back +
           ", and set \"keep_buffers\": skipped steps leave buffers alone then.";
  }
  if (root.fault == Fault::kData) return back + ", and repair the data.";
  if (too_large && root.format != formats::kFloat32) return back + ", and give " + place + " a wider format.";
  if (too_large || root.fault == Fault::kInvalid) return back + ", and clamp the input of " + place + ".";
  return back + ".";
}

std::string BufferWatch::text_of(const std::string& name) const {
  const auto buffer =
      std::find_if(buffers_.begin(), buffers_.end(), [&](const Buffer& each) { return each.name == name; });
  if (buffer == buffers_.end() || !buffer->found || buffer->found->asked) return {};
  const Found& found = *buffer->found;
  if (found.step < 0) {
    return "The buffer was not finite when this run took it up: its checkpoint holds it so. Go back to an earlier one.";
  }
  return "The buffer received a NaN or an infinity in an earlier step: in step " + std::to_string(found.step) +
         ", which was " + (found.skipped ? "skipped" : "finite and was not skipped") + ". " + cause_text(*buffer) +
         " " + advice(*buffer);
}

std::vector<silent::BufferSeen> BufferWatch::seen() const {
  std::vector<silent::BufferSeen> all;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.found || buffer.found->asked) continue;
    const Found& found = *buffer.found;
    std::string text;
    if (found.step >= 0) {
      text = "It is so since step " + std::to_string(found.step) + ". " + cause_text(buffer) + " " + advice(buffer);
    }
    silent::BufferSeen& seen = all.emplace_back(silent::BufferSeen{buffer.name, std::move(text), found.takers});
    if (found.writer >= 0) seen.sites.push_back(found.writer);
  }
  return all;
}

}  // namespace binade::diagnose

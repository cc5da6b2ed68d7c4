// SPDX-License-Identifier: Apache-2.0
// The events of a run: which are kept, and which sites they belong to.
#include "app/model/run_model.h"
#include "engine/formats/format.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace binade::app {

namespace {

// Returns the sites that an event names.
std::vector<int> sitesOf(const wire::Event& event) {
  std::vector<int> sites;
  for (const wire::EventTensor& tensor : event.tensors) sites.push_back(tensor.site);
  if (!event.diagnosis) return sites;
  for (const wire::Root& root : event.diagnosis->roots) {
    if (root.site >= 0) sites.push_back(root.site);
  }
  return sites;
}

}  // namespace

bool isNonFinite(wire::Event::Kind kind) {
  using Kind = wire::Event::Kind;
  return kind == Kind::kGradientOverflow || kind == Kind::kForwardOverflow || kind == Kind::kNonFiniteLoss ||
         kind == Kind::kDiverged;
}

void RunModel::addEvent(const wire::Event& event) {
  if (isEmpty()) return;
  const int index = static_cast<int>(events_.size());
  events_.push_back(event);
  if (event.diagnosis && event.diagnosis->band && started_.config.scalers.size() < 2) {
    const wire::ScaleBand& band = *event.diagnosis->band;
    if (band.lowest || band.highest) band_.put(event.step, band.lowest, band.highest, band.bound);
  }
  indexEvent(index);
  frameLater();
  Q_EMIT eventAdded(index);
  if (events_.size() > kMostEvents) forgetEvents();
}

// Forgets events in the middle: the first and the newest stay. Events of one step stay together.
void RunModel::forgetEvents() {
  constexpr std::size_t kAtOnce = 2000;
  const auto alone = [this](std::size_t at) {
    while (at < events_.size() && at > 0 && events_[at].step == events_[at - 1].step) ++at;
    return at;
  };
  const std::size_t first = alone(kFirstEvents);
  const std::size_t end = alone(first + kAtOnce);
  if (end >= events_.size()) return;  // all belong to one step
  const auto from = static_cast<int>(first);
  const auto number = static_cast<int>(end - first);
  Q_EMIT eventsAboutToGo(from, number);
  for (std::size_t i = first; i < end; ++i) count(events_[i]);
  events_.erase(events_.begin() + from, events_.begin() + from + number);
  indexEvents();
  Q_EMIT eventsGone(from, number);
  Q_EMIT eventsMoved(from, number);
}

void RunModel::count(const wire::Event& event) {
  forgotten_.steps.add(event.step);
  if (isNonFinite(event.kind)) forgotten_.non_finite.add(event.step);
  for (const int site : sitesOf(event)) {
    const EventOverflows found = overflowsIn(event, site);
    if (!found.own && !found.cast && !found.earlier) continue;
    ForgottenSteps& of_site = forgotten_of_site_[site];
    of_site = forgottenAt(site);
    if (found.own) of_site.own.add(event.step);
    if (found.cast) of_site.cast.add(event.step);
    if (found.earlier) of_site.earlier.add(event.step);
  }
}

ForgottenSteps RunModel::forgottenAt(int site) const {
  const auto found = forgotten_of_site_.find(site);
  if (found == forgotten_of_site_.end()) return {};
  ForgottenSteps steps = found->second;
  const std::int64_t since = decidedSince(site);
  for (CountedSteps* each : {&steps.own, &steps.cast}) {
    if (each->last < since) steps.earlier.count += std::exchange(each->count, 0);
  }
  return steps;
}

const policy::Decision* RunModel::decisionAt(int site, std::int64_t step) const {
  const auto after = std::find_if(policies_.begin(), policies_.end(),
                                  [step](const wire::PolicyApplied& applied) { return applied.step > step; });
  if (after == policies_.begin() || site < 0) return nullptr;
  const auto& decisions = std::prev(after)->decisions;
  const auto at = static_cast<std::size_t>(site);
  return at < decisions.size() ? &decisions[at] : nullptr;
}

// Returns the current format of the same tensor, or nullopt if it was never observed.
std::optional<formats::Format> RunModel::heldNow(const wire::WatchedTensor& tensor) const {
  for (const int id : tensorsOf(tensor.site)) {
    const wire::WatchedTensor& now = this->tensor(id)->tensor;
    if (now.kind == tensor.kind && now.argument == tensor.argument) return now.format;
  }
  return std::nullopt;
}

bool RunModel::isInCast(const wire::Root& root, std::int64_t step) const {
  if (root.fault == wire::Root::Fault::kCast) return true;
  if (root.fault != wire::Root::Fault::kOverflow || root.direction != wire::Direction::kBackward) return false;
  const policy::Decision* decision = decisionAt(root.site, step);
  return decision != nullptr && decision->kind == policy::Decision::Kind::kFormat && decision->format != root.format &&
         decision->backward != root.format;
}

EventOverflows RunModel::overflowsIn(const wire::Event& event, int site) const {
  EventOverflows found;
  const std::int64_t since = decidedSince(site);
  const auto add = [&](bool in_cast, bool is_old) {
    (event.step < since || is_old ? found.earlier : in_cast ? found.cast : found.own) = true;
    if (found.own || found.cast) found.earlier = false;  // a step counts once
  };
  bool counted = false;
  for (const wire::EventTensor& each : event.tensors) {
    const TensorTrack* track = tensor(each.tensor);
    if (each.site != site || track == nullptr) continue;
    const auto held = heldNow(track->tensor);
    const bool is_argument = track->tensor.kind == wire::WatchedTensor::Kind::kInput;
    if (is_argument) {
      found.argument = QString::fromStdString(track->tensor.argument);
      found.format = QString::fromStdString(formats::name(track->tensor.format));
    }
    add(is_argument, held && *held != track->tensor.format);
    counted = true;
  }
  if (!event.diagnosis) return found;
  for (const wire::Root& root : event.diagnosis->roots) {
    const bool overflow = root.fault == wire::Root::Fault::kOverflow || root.fault == wire::Root::Fault::kSum ||
                          root.fault == wire::Root::Fault::kCast;
    if (root.site != site || !overflow) continue;
    if (isInCast(root, event.step)) {
      found.argument = QString::fromStdString(root.what);
      found.format = QString::fromStdString(formats::name(root.format));
      add(true, false);
    } else if (!counted) {
      add(false, false);
    }
  }
  return found;
}

const std::vector<int>& RunModel::eventsOf(int site) const {
  static const std::vector<int> none;
  const auto found = events_of_site_.find(site);
  return found == events_of_site_.end() ? none : found->second;
}

void RunModel::indexEvent(int index) {
  const wire::Event& event = events_[static_cast<std::size_t>(index)];
  const auto add = [&](int site) {
    std::vector<int>& of_site = events_of_site_[site];
    if (of_site.empty() || of_site.back() != index) of_site.push_back(index);
    markExecuted(site);
  };
  for (const int site : sitesOf(event)) add(site);
}

void RunModel::indexEvents() {
  events_of_site_.clear();
  for (std::size_t i = 0; i < events_.size(); ++i) indexEvent(static_cast<int>(i));
}

}  // namespace binade::app

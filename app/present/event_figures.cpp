// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_figures.h"

#include "app/present/event_chain.h"
#include "app/present/event_words.h"
#include "app/present/site_text.h"
#include "views/values/numbers.h"

#include <cmath>

namespace binade::app {

std::optional<double> EventFigures::doublingsLeft() const {
  if (!format || !(largest > 0)) return std::nullopt;
  return std::log2(format->overflow_limit() / largest);
}

EventFigures eventFigures(const RunModel& run, const wire::Event& event) {
  EventFigures found;
  if (event.diagnosis && !event.diagnosis->roots.empty()) found.root = &event.diagnosis->roots.front();
  const wire::Root* root = found.root;
  if (root != nullptr) {
    found.seen = tensorAt(run, event, root->site, root->direction, root->what);
  } else if (!event.tensors.empty()) {
    found.seen = &event.tensors.front();
  }
  if (found.seen != nullptr) found.track = run.tensor(found.seen->tensor);
  found.site = root != nullptr ? root->site : found.seen != nullptr ? found.seen->site : -1;
  found.in_cast = root != nullptr && run.isInCast(*root, event.step);
  if (root != nullptr && root->site >= 0) found.format = root->format;
  // In a failing cast, the target format differs from the format of the op call's tensors.
  if (found.track != nullptr && !found.in_cast) found.format = found.track->tensor.format;
  const bool in_forward_cast = found.in_cast && root->direction == wire::Direction::kForward;
  if (in_forward_cast) found.before = beforeCast(*root);
  if (found.before != nullptr) {
    found.largest = found.before->largest;
    found.unrounded = true;
  } else if (found.seen != nullptr && !in_forward_cast) {
    found.largest = static_cast<double>(found.seen->largest);
    found.unrounded = found.seen->overflow > 0;
  }
  return found;
}

QString tensorText(const EventFigures& figures) {
  if (figures.in_cast) return castWords(*figures.root);
  if (figures.track != nullptr) return tensorWords(figures.track->tensor);
  return figures.root != nullptr ? rootWords(*figures.root) : QString();
}

QString doublingsLeftText(double left) {
  const double unit = std::abs(left) < 0.1 ? 0.01 : 0.1;
  const double floor = std::floor(left / unit) * unit;
  return unit < 0.1 ? views::decimals(floor, 2) : views::doublings(floor);
}

}  // namespace binade::app

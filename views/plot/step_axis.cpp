// SPDX-License-Identifier: Apache-2.0
#include "views/plot/step_axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {
constexpr double kLeastSpan = 4;
constexpr double kEmptySpan = 100;
constexpr double kFirstSpan = 20;  ///< so that the first few steps do not fill the chart
constexpr double kRoom = 0.03;     ///< free space right of the latest step
}  // namespace

StepAxis::StepAxis(QObject* parent) : QObject(parent) {}

void StepAxis::settle() {
  Range next = range_;
  if (!data_) {
    next = {0, kEmptySpan};
  } else if (mode_ == Mode::kAll) {
    const double span = std::max(data_->span(), kFirstSpan);
    next = {data_->low, data_->low + span * (1 + kRoom)};
  } else if (mode_ == Mode::kLatest) {
    const double high = data_->high + span_ * kRoom;
    next = {high - span_, high};
  }
  if (next == range_) return;
  range_ = next;
  Q_EMIT rangeChanged();
}

void StepAxis::extend(std::int64_t step) {
  const auto at = static_cast<double>(step);
  if (data_ && data_->contains(at)) return;
  data_ = data_ ? Range{std::min(data_->low, at), std::max(data_->high, at)} : Range{at, at};
  settle();
}

void StepAxis::forgetData() {
  data_.reset();
}

void StepAxis::reset() {
  data_.reset();
  mode_ = Mode::kAll;
  values_.clear();
  before_.clear();
  after_.clear();
  setShown(std::nullopt);
  clearCursor();
  clearHover();
  clearPins();
  settle();
}

void StepAxis::setRange(Range range) {
  if (!data_ || !std::isfinite(range.low) || !std::isfinite(range.high)) return;
  const double all = std::max(data_->span(), kFirstSpan) * (1 + kRoom);
  const double span = std::max(range.span(), kLeastSpan);
  if (span >= all) {
    fit();
    return;
  }
  double low = range.low - (span - range.span()) / 2;
  low = std::clamp(low, data_->low - span * 0.1, data_->low + all - span * 0.9);
  mode_ = low + span > data_->high ? Mode::kLatest : Mode::kFixed;
  span_ = span;
  if (mode_ == Mode::kLatest) {
    settle();
    return;
  }
  const Range next{low, low + span};
  if (next == range_) return;
  range_ = next;
  Q_EMIT rangeChanged();
}

void StepAxis::hold(Range range) {
  if (!data_ || !std::isfinite(range.low) || !std::isfinite(range.high) || range.span() < kLeastSpan) return;
  mode_ = Mode::kFixed;
  span_ = range.span();
  if (range == range_) return;
  range_ = range;
  Q_EMIT rangeChanged();
}

void StepAxis::zoom(double factor, double around) {
  if (!(factor > 0)) return;
  setRange({around - (around - range_.low) / factor, around + (range_.high - around) / factor});
}

void StepAxis::pan(double steps) {
  if (mode_ == Mode::kAll) return;
  setRange({range_.low + steps, range_.high + steps});
}

void StepAxis::fit() {
  mode_ = Mode::kAll;
  settle();
}

std::optional<Range> StepAxis::values(int chart) const {
  const auto found = values_.find(chart);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

void StepAxis::setValues(int chart, std::optional<Range> values) {
  if (values == this->values(chart)) return;
  if (values) {
    values_[chart] = *values;
  } else {
    values_.erase(chart);
  }
  Q_EMIT rangeChanged();
}

// A view that follows the run is the same one while the run goes on.
bool StepAxis::isShown(const View& view) const {
  if (view.mode != mode_ || view.values != values_) return false;
  if (mode_ == Mode::kAll) return true;
  return mode_ == Mode::kLatest ? view.span == span_ : view.range == range_;
}

void StepAxis::remember() {
  after_.clear();
  if (!before_.empty() && isShown(before_.back())) return;
  before_.push_back(view());
  if (before_.size() > kMostViews) before_.erase(before_.begin());
}

void StepAxis::show(const View& view) {
  mode_ = view.mode;
  span_ = view.span;
  values_ = view.values;
  const Range old = range_;
  if (mode_ == Mode::kFixed) range_ = view.range;
  settle();
  // settle() has announced a range that follows the run; vertical zooms and a fixed range are announced here.
  if (mode_ == Mode::kFixed || range_ == old) Q_EMIT rangeChanged();
}

void StepAxis::back() {
  // The newest entry may be the view that is shown, if a change had no effect.
  while (!before_.empty() && isShown(before_.back())) before_.pop_back();
  if (before_.empty()) return;
  after_.push_back(view());
  const View wanted = before_.back();
  before_.pop_back();
  show(wanted);
}

void StepAxis::forward() {
  if (after_.empty()) return;
  before_.push_back(view());
  const View wanted = after_.back();
  after_.pop_back();
  show(wanted);
}

void StepAxis::togglePin(std::int64_t step) {
  if (std::erase(pins_, step) == 0) {
    if (pins_.size() == 2) pins_.pop_back();
    pins_.push_back(step);
  }
  Q_EMIT pinsChanged();
}

void StepAxis::clearPins() {
  if (pins_.empty()) return;
  pins_.clear();
  Q_EMIT pinsChanged();
}

void StepAxis::setNotes(std::vector<StepNote> notes) {
  if (notes_ == notes) return;
  notes_ = std::move(notes);
  Q_EMIT notesChanged();
}

const StepNote* StepAxis::noteAt(std::int64_t step) const {
  const auto found = std::lower_bound(notes_.begin(), notes_.end(), step,
                                      [](const StepNote& note, std::int64_t at) { return note.step < at; });
  return found == notes_.end() || found->step != step ? nullptr : &*found;
}

void StepAxis::requestNote(std::int64_t step) {
  if (takes_notes_) Q_EMIT noteRequested(step);
}

void StepAxis::setCursor(std::int64_t step) {
  if (data_) {
    step = std::clamp(step, static_cast<std::int64_t>(data_->low), static_cast<std::int64_t>(data_->high));
  }
  const auto at = static_cast<double>(step);
  if (data_ && !range_.contains(at)) {
    const double half = range_.span() / 2;
    setRange({at - half, at + half});
  }
  if (cursor_ == step) return;
  cursor_ = step;
  Q_EMIT cursorChanged();
}

void StepAxis::setShown(std::optional<std::int64_t> step) {
  if (shown_ == step) return;
  shown_ = step;
  Q_EMIT shownChanged();
}

void StepAxis::clearCursor() {
  if (!cursor_) return;
  cursor_.reset();
  Q_EMIT cursorChanged();
}

void StepAxis::setHover(std::int64_t step) {
  if (hover_ == step) return;
  hover_ = step;
  Q_EMIT hoverChanged();
}

void StepAxis::clearHover() {
  if (!hover_) return;
  hover_.reset();
  Q_EMIT hoverChanged();
}

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_chain.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/event_words.h"
#include "app/present/finite_rows.h"
#include "app/present/site_text.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

namespace binade::app {

namespace {

using views::ChainRow;
using views::VerdictShape;

constexpr std::size_t kMostLinks = 6;  // longer chains are folded in the middle
constexpr std::ptrdiff_t kCausesShown = 3;

/// Adds what was observed of the call's tensor.
void describe(ChainRow& row, const RunModel& run, const wire::EventTensor* seen) {
  if (seen == nullptr) return;
  const TensorTrack* track = run.tensor(seen->tensor);
  if (track == nullptr) return;
  row.what = tensorWords(track->tensor);
  row.format = QString::fromStdString(formats::name(track->tensor.format));
  row.execution = track->tensor.emulated ? views::CellExecution::kEmulated : views::CellExecution::kNative;
  row.number = views::PickedNumber{static_cast<double>(seen->largest), track->tensor.format};
  if (seen->overflow > 0) {
    row.value = magnitudeText(seen->largest);
  } else if (seen->non_finite > 0) {
    row.value = QStringLiteral("inf");
    row.number->value = std::numeric_limits<double>::infinity();
  } else {
    row.value = QStringLiteral("≤ ") + views::figure(seen->largest, 4);
  }
}

/// Adds what the replay observed there.
void describe(ChainRow& row, const wire::ChainLink& link) {
  if (!link.tensor.empty()) row.what = QString::fromStdString(link.tensor);
  row.format = QString::fromStdString(formats::name(link.format));
  if (link.non_finite == 0) row.number = views::PickedNumber{link.largest, link.format};
  row.value = link.non_finite > 0 ? tr("%1 not finite").arg(views::grouped(static_cast<std::int64_t>(link.non_finite)))
                                  : QStringLiteral("≤ ") + views::figure(link.largest, 4);
}

/// Adds what the replay observed of an argument before its cast to the format of `root`.
void describeCast(ChainRow& row, const wire::Root& root) {
  row.format = QString::fromStdString(formats::name(root.format));
  const wire::ValueRange* before = beforeCast(root);
  row.value = before != nullptr ? magnitudeText(before->largest) : tr("not finite");
  row.number.reset();
  if (before != nullptr) row.number = views::PickedNumber{before->largest, root.format};
}

/// Folds several rows into one.
ChainRow foldOf(const std::vector<ChainRow>& rows) {
  const auto all = [&](VerdictShape shape) {
    return std::all_of(rows.begin(), rows.end(), [shape](const ChainRow& row) { return row.shape == shape; });
  };
  ChainRow fold;
  fold.folded = rows;
  fold.cause = rows.front().cause;
  fold.shape = fold.cause ? VerdictShape::kOverflow : VerdictShape::kCarriedOn;
  fold.call = tr("%1 more").arg(views::grouped(rows.size()));
  fold.what = fold.cause                      ? tr("also a first cause")
              : all(VerdictShape::kCarriedOn) ? tr("all propagate it")
                                              : tr("also not finite");
  return fold;
}

/// Folds the middle of a long chain, whose ends matter most. Causes and rows that only propagate are folded separately.
std::vector<ChainRow> folded(std::vector<ChainRow> rows) {
  if (rows.size() <= kMostLinks) return rows;
  std::vector<ChainRow> result;
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end = std::find_if(begin, rows.end(), [&](const ChainRow& row) { return row.cause != begin->cause; });
    const auto head = begin + std::min<std::ptrdiff_t>(begin->cause ? kCausesShown : 1, end - begin);
    const auto tail = end - std::min<std::ptrdiff_t>(begin->cause ? 0 : 2, end - head);
    result.insert(result.end(), begin, head);
    if (tail - head == 1) {
      result.push_back(*head);  // folding a single row saves nothing
    } else if (tail != head) {
      result.push_back(foldOf({head, tail}));
    }
    result.insert(result.end(), tail, end);
    begin = end;
  }
  return result;
}

/// `1 of 1,280 values` of a parameter's gradient; empty unless the run recorded both numbers.
QString badCountText(const RunModel& run, const wire::EventTensor& seen) {
  const TensorTrack* track = run.tensor(seen.tensor);
  if (track == nullptr || !wire::is_gradient(track->tensor)) return {};
  std::string name = track->tensor.argument;
  const auto site = static_cast<std::size_t>(seen.site);
  if (track->tensor.kind == wire::WatchedTensor::Kind::kInputGradient) {
    if (seen.site < 0 || site >= run.sites().size()) return {};
    name = run.sites()[site].key.path + '.' + name;
  } else if (track->tensor.kind != wire::WatchedTensor::Kind::kParameterGradient) {
    return {};
  }
  const auto& parameters = run.modelInfo().parameters;
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&name](const wire::TensorInfo& each) { return each.name == name; });
  const std::uint64_t bad = seen.overflow + seen.non_finite;
  if (found == parameters.end() || bad == 0) return {};
  std::int64_t values = 1;
  for (const std::int64_t size : found->shape) values *= size;
  return tr("%1 of %2 values").arg(views::grouped(static_cast<std::int64_t>(bad)), views::grouped(values));
}

QString causeNote(const RunModel& run, const wire::EventTensor* seen) {
  const QString count = seen == nullptr ? QString() : badCountText(run, *seen);
  return count.isEmpty() ? tr("First cause") : tr("First cause, %1").arg(count);
}

void addEnd(std::vector<ChainRow>& chain, const RunModel& run, const wire::Event& event, const std::string& ends,
            wire::Direction direction) {
  if (!ends.empty()) {
    ChainRow end;
    end.shape = VerdictShape::kCarriedOn;
    end.call = QString::fromStdString(ends);
    end.what = direction == wire::Direction::kBackward ? tr("gradient") : tr("value");
    end.value = tr("not finite");
    for (const wire::EventTensor& each : event.tensors) {
      const TensorTrack* track = run.tensor(each.tensor);
      if (track != nullptr && track->tensor.kind == wire::WatchedTensor::Kind::kParameterGradient &&
          track->tensor.argument == ends)
        end.note = badCountText(run, each);
    }
    chain.push_back(std::move(end));
  }
  if (auto rest = finiteRest(run, event)) chain.push_back(std::move(*rest));
  if (event.kind != wire::Event::Kind::kGradientOverflow) return;
  const int at = run.indexOfStep(event.step);
  if (at < 0) return;
  const StepPoint& point = run.steps()[static_cast<std::size_t>(at)];
  if (point.step != event.step || point.stepped) return;
  ChainRow skipped;
  skipped.shape = VerdictShape::kSkipped;
  skipped.call = tr("scaler");
  skipped.what = tr("step skipped");
  if (point.next_scale != point.scale)
    skipped.note = tr("scale %1 → %2").arg(views::scaleText(point.scale), views::scaleText(point.next_scale));
  chain.push_back(std::move(skipped));
}

std::vector<ChainRow> provedChain(const RunModel& run, const wire::Event& event, const wire::Diagnosis& found) {
  std::vector<ChainRow> rows;
  const auto rootAt = [&](const wire::ChainLink& link) {
    return std::find_if(found.roots.begin(), found.roots.end(), [&](const wire::Root& root) {
      return root.site == link.site && root.call == link.call && root.direction == link.direction;
    });
  };
  for (const wire::Root& root : found.roots) {
    if (root.site >= 0) continue;
    ChainRow row;  // the value was not finite before any op call
    row.shape = VerdictShape::kOverflow;
    row.call = QString::fromStdString(root.what);
    row.what = faultText(root.fault);
    row.note = tr("First cause");
    row.cause = true;
    rows.push_back(std::move(row));
  }
  // Tensors of an event belong to an op call, not to one of its calls in a loop.
  const auto isOneOfSeveral = [&](const wire::ChainLink& link) {
    return std::any_of(found.chain.begin(), found.chain.end(), [&](const wire::ChainLink& other) {
      return other.site == link.site && other.direction == link.direction && other.call != link.call;
    });
  };
  for (const wire::ChainLink& link : found.chain) {
    ChainRow row;
    const auto root = rootAt(link);
    row.cause = root != found.roots.end();
    row.shape = row.cause ? VerdictShape::kOverflow : VerdictShape::kCarriedOn;
    row.call = callText(run.sites(), link.site);
    if (link.call > 0) row.call += tr(", call %1").arg(link.call);
    row.what = link.direction == wire::Direction::kBackward ? tr("gradient") : tr("output");
    row.id = link.site;
    describe(row, link);
    const bool in_cast = row.cause && run.isInCast(*root, event.step);
    if (row.cause) row.what = in_cast ? castWords(*root) : rootWords(*root);
    if (in_cast && link.direction == wire::Direction::kForward) {
      ChainRow cast = row;
      describeCast(cast, *root);
      cast.note = tr("First cause");
      rows.push_back(std::move(cast));
      // The link itself is the op call's result.
      row.cause = false;
      row.shape = VerdictShape::kCarriedOn;
      row.what = tr("output");
    } else if (in_cast) {
      row.format = QString::fromStdString(formats::name(root->format));
      if (row.number) row.number->format = root->format;
    }
    const wire::EventTensor* seen = in_cast || isOneOfSeveral(link) ? nullptr
                                                                    : tensorAt(run, event, link.site, link.direction,
                                                                               row.cause ? root->what : std::string());
    describe(row, run, seen);
    if (row.cause) row.note = causeNote(run, seen);
    rows.push_back(std::move(row));
  }
  rows = folded(std::move(rows));
  const auto before = found.roots.empty() ? std::nullopt : finiteBefore(run, found.roots.front());
  if (before) rows.insert(rows.begin(), *before);
  return rows;
}

std::vector<ChainRow> seenChain(const RunModel& run, const wire::Event& event) {
  std::vector<ChainRow> rows;
  for (const wire::EventTensor& each : event.tensors) {
    ChainRow row;
    row.call = callText(run.sites(), each.site);
    row.id = each.site;
    describe(row, run, &each);
    row.cause = rows.empty();
    row.shape = each.overflow > 0 ? VerdictShape::kOverflow : VerdictShape::kCarriedOn;
    if (row.cause) row.note = tr("Executed first");
    rows.push_back(std::move(row));
  }
  return folded(std::move(rows));
}

}  // namespace

const wire::ValueRange* beforeCast(const wire::Root& root) {
  if (root.fault != wire::Root::Fault::kCast || root.direction != wire::Direction::kForward) return nullptr;
  const auto found = std::find_if(root.inputs.begin(), root.inputs.end(),
                                  [&root](const wire::ValueRange& range) { return range.name == root.what; });
  return found == root.inputs.end() ? nullptr : &*found;
}

const wire::EventTensor* tensorAt(const RunModel& run, const wire::Event& event, int site, wire::Direction direction,
                                  const std::string& what) {
  using Kind = wire::WatchedTensor::Kind;
  const wire::EventTensor* worst = nullptr;
  for (const wire::EventTensor& each : event.tensors) {
    const TensorTrack* track = run.tensor(each.tensor);
    if (each.site != site || track == nullptr) continue;
    // A parameter's gradient accumulates and is unscaled from gradients that were already wrong.
    if (track->tensor.kind == Kind::kParameterGradient) continue;
    if (wire::is_gradient(track->tensor) != (direction == wire::Direction::kBackward)) continue;
    const auto badness = [](const wire::EventTensor& tensor) { return tensor.non_finite + tensor.overflow; };
    // Several gradients leave an op call; the cause may not be the worst of them.
    const bool of_output = track->tensor.kind == Kind::kOutput || track->tensor.kind == Kind::kOutputGradient;
    const bool meant = of_output ? what == "output" && track->tensor.argument.empty()
                                 : !what.empty() && track->tensor.argument == what;
    if (meant && badness(each) > 0) return &each;
    if (worst == nullptr || badness(each) > badness(*worst)) worst = &each;
  }
  return worst;
}

std::vector<views::ChainRow> chainOf(const RunModel& run, const wire::Event& event) {
  std::vector<ChainRow> chain = event.diagnosis ? provedChain(run, event, *event.diagnosis) : seenChain(run, event);
  addEnd(chain, run, event, event.diagnosis ? event.diagnosis->ends : std::string(),
         event.diagnosis ? event.diagnosis->direction : wire::Direction::kBackward);
  return chain;
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/present/finite_rows.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/event_story.h"
#include "app/present/event_words.h"
#include "app/present/site_text.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cstddef>

namespace binade::app {

namespace {

using views::ChainRow;

bool isFinite(const wire::ValueRange& range) {
  return range.infinite == 0 && range.nan == 0 && range.largest > 0;
}

/// The only op call at the other end of an op call's tensor: the one that takes its result, or the one that makes
/// `argument`. -1: there are several, or none is known.
int neighbour(const RunModel& run, int site, bool takes_result, const std::string& argument) {
  if (!run.modelInfo().flow) return -1;
  int found = -1;
  for (const wire::EdgeInfo& edge : run.modelInfo().flow->edges) {
    const bool here = takes_result ? edge.from == site : edge.to == site && edge.argument == argument;
    const int other = takes_result ? edge.to : edge.from;
    if (!here || other < 0 || static_cast<std::size_t>(other) >= run.sites().size()) continue;
    if (found >= 0 && found != other) return -1;
    found = other;
  }
  return found;
}

struct Largest {
  float value = 0;
  bool finite = false;
};

/// What was observed of a tensor at exactly this step.
std::optional<Largest> largestAt(const TensorTrack& track, std::int64_t step) {
  const ScanPoint* scan = track.scanAt(step);
  if (scan != nullptr && scan->step == step && scan->first_step == step)
    return Largest{scan->largest, scan->overflow == 0 && scan->non_finite == 0};
  const int at = track.histograms.indexOf(step);
  if (at < 0) return std::nullopt;
  const HistogramTrack::Column column = track.histograms.column(at);
  if (column.first_step != step || column.last_step != step) return std::nullopt;
  return Largest{column.largest, column.overflow == 0 && column.non_finite == 0};
}

/// The largest gradient that an op call's backward gave; nullopt if none was recorded, or one was not finite.
std::optional<ChainRow> gradientOf(const RunModel& run, int site, std::int64_t step) {
  using Kind = wire::WatchedTensor::Kind;
  std::optional<ChainRow> row;
  double largest = -1;
  for (const int id : run.tensorsOf(site)) {
    const TensorTrack* track = run.tensor(id);
    const bool gradient = track->tensor.kind == Kind::kOutputGradient || track->tensor.kind == Kind::kInputGradient;
    const auto seen = gradient ? largestAt(*track, step) : std::nullopt;
    if (!seen) continue;
    if (!seen->finite) return std::nullopt;
    if (static_cast<double>(seen->value) <= largest) continue;
    largest = static_cast<double>(seen->value);
    row = ChainRow();
    row->shape = views::VerdictShape::kFits;
    row->call = callText(run.sites(), site);
    row->what = tensorWords(track->tensor);
    row->value = QStringLiteral("≤ ") + magnitudeText(largest);
    row->number = views::PickedNumber{largest, track->tensor.format};
    row->format = QString::fromStdString(formats::name(track->tensor.format));
    row->execution = track->tensor.emulated ? views::CellExecution::kEmulated : views::CellExecution::kNative;
    row->id = site;
  }
  return row;
}

QString moduleOfRow(const RunModel& run, const ChainRow& row) {
  const policy::SiteKey& key = run.sites()[static_cast<std::size_t>(row.id)].key;
  return key.path.empty() ? row.call : QString::fromStdString(key.path);
}

ChainRow foldedRest(const RunModel& run, std::vector<ChainRow> rows) {
  const auto largest = std::max_element(
      rows.begin(), rows.end(), [](const ChainRow& a, const ChainRow& b) { return a.number->value < b.number->value; });
  const bool one_format =
      std::all_of(rows.begin(), rows.end(), [&](const ChainRow& row) { return row.format == rows.front().format; });
  ChainRow fold;
  fold.shape = views::VerdictShape::kFits;
  fold.call = QStringLiteral("%1 … %2").arg(moduleOfRow(run, rows.front()), moduleOfRow(run, rows.back()));
  fold.what = tr("%1 op calls, folded").arg(views::grouped(static_cast<std::int64_t>(rows.size())));
  fold.value = largest->value;
  fold.number = largest->number;
  if (one_format) {
    fold.format = rows.front().format;
    fold.execution = rows.front().execution;
  }
  fold.note = tr("all finite");
  fold.folded = std::move(rows);
  return fold;
}

}  // namespace

std::optional<ChainRow> finiteBefore(const RunModel& run, const wire::Root& root) {
  const bool backward = root.direction == wire::Direction::kBackward;
  const bool in_cast = root.fault == wire::Root::Fault::kCast && !backward;
  if (root.site < 0 || static_cast<std::size_t>(root.site) >= run.sites().size() || in_cast) return std::nullopt;
  for (const wire::ValueRange& range : root.inputs) {
    if (!isFinite(range) || (backward && range.name != "gradient")) continue;
    const int other = neighbour(run, root.site, backward, range.name);
    if (!backward && other < 0) continue;  // a weight, or the batch
    ChainRow row;
    row.shape = views::VerdictShape::kFits;
    row.id = other >= 0 ? other : root.site;
    row.call = callText(run.sites(), row.id);
    row.what = !backward    ? tr("output")
               : other >= 0 ? tr("gradient for %1").arg(callText(run.sites(), root.site))
                            : tr("gradient of its output");
    row.value = magnitudeText(range.largest);
    row.number = views::PickedNumber{range.largest, formats::parse(range.format)};
    row.format = QString::fromStdString(range.format);
    row.note = tr("finite");
    return row;
  }
  return std::nullopt;
}

std::optional<ChainRow> finiteRest(const RunModel& run, const wire::Event& event) {
  if (!event.diagnosis || event.diagnosis->direction != wire::Direction::kBackward) return std::nullopt;
  const std::vector<int> path = pathOf(event);
  const std::vector<int> causes = causesOf(event);
  if (causes.empty()) return std::nullopt;
  std::vector<ChainRow> rows;
  // Backward runs from the last op call to the first.
  for (int site = *std::min_element(causes.begin(), causes.end()) - 1; site >= 0; --site) {
    if (std::find(path.begin(), path.end(), site) != path.end()) continue;
    if (auto row = gradientOf(run, site, event.step)) rows.push_back(std::move(*row));
  }
  if (rows.empty()) return std::nullopt;
  return rows.size() == 1 ? std::move(rows.front()) : foldedRest(run, std::move(rows));
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
//
// The parts of a chart: legend, hidden and chosen parts, their values at pinned steps, and their copy.
#include "views/plot/plot.h"
#include "views/values/numbers.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr double kLegendMiddle = 19;
constexpr double kLegendGap = 16;
constexpr double kMostCopiedSteps = 100'000;
}  // namespace

Plot::Standing Plot::standing() const {
  const auto of = standingPart();
  const auto shown = axis_->shown();
  const QString when = !shown       ? tr("Now")
                       : afterStep_ ? tr("After step %1").arg(grouped(*shown))
                                    : tr("Step %1").arg(grouped(*shown));
  const QString label = of ? tr("%1 · %2").arg(of->second, when) : when;
  if (!shown) return {label, nowText()};
  for (const PartValue& part : partsAt(*shown)) {
    if (!of || part.part == of->first) return {label, part.text};
  }
  return {label, {}};
}

// Entries that do not fit beside header widget and current value are left out.
std::vector<std::pair<QRectF, Plot::LegendEntry>> Plot::legendLayout() const {
  std::vector<std::pair<QRectF, LegendEntry>> placed;
  double right = width() - 12;
  if (headerWidget_ && headerWidget_->isVisibleTo(this)) right = headerWidget_->geometry().left() - 8;
  if (const Standing now = standing(); !now.value.isEmpty()) {
    if (!headerWidget_) right -= textWidth(figureFont(12, QFont::DemiBold), now.value) + 8;
    right -= textWidth(textFont(12), now.label) + kLegendGap;
  }
  double x = 12;
  const QFont font = textFont(11);
  std::vector<LegendEntry> entries = legend();
  if (!axis_->notes().empty())
    entries.push_back({LegendEntry::Kind::kMark, markName(MarkKind::kNote), MarkKind::kNote, {}, -1});
  for (const LegendEntry& entry : entries) {
    const double sample = entry.kind == LegendEntry::Kind::kMark ? 9 : 14;
    const double wide = sample + 6 + textWidth(font, entry.text);
    if (x + wide > right) break;
    placed.emplace_back(QRectF(x, kLegendMiddle - 10, wide, 20), entry);
    x += wide + kLegendGap;
  }
  return placed;
}

QRectF Plot::legendRect(int part) const {
  if (isEmpty() || !headerVisible_) return {};
  for (const auto& [rect, entry] : legendLayout()) {
    if (entry.part == part) return rect;
  }
  return {};
}

std::optional<int> Plot::partAt(QPointF position) const {
  // Most movements of the mouse are below the legend, whose texts then need no measuring.
  if (isEmpty() || !headerVisible_ || position.y() > kLegendMiddle + 12) return std::nullopt;
  for (const auto& [rect, entry] : legendLayout()) {
    if (entry.part >= 0 && rect.adjusted(-4, -2, 4, 2).contains(position)) return entry.part;
  }
  return std::nullopt;
}

std::vector<int> Plot::parts() const {
  std::vector<int> all;
  for (const LegendEntry& entry : legend()) {
    if (entry.part >= 0) all.push_back(entry.part);
  }
  return all;
}

void Plot::setPartHidden(int part, bool hidden) {
  if (hidden == isPartHidden(part)) return;
  if (hidden) {
    hidden_.insert(part);
  } else {
    hidden_.erase(part);
  }
  updateDescription();
  update();
}

void Plot::choosePart(std::optional<int> part) {
  if (chosen_ == part) return;
  chosen_ = part;
  updateDescription();
  update();
}

// Beyond either end is no choice, so that all series are drawn alike again.
void Plot::chooseNext(int direction) {
  const std::vector<int> all = parts();
  if (all.empty()) return;
  const auto at = chosen_ ? std::find(all.begin(), all.end(), *chosen_) : all.end();
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  std::ptrdiff_t index = at == all.end() ? (direction > 0 ? 0 : count - 1) : at - all.begin() + direction;
  if (at != all.end() && (index < 0 || index >= count)) return choosePart(std::nullopt);
  choosePart(all[static_cast<std::size_t>(index)]);
}

// For screen readers: which series is chosen, and its value at the cursor.
QString Plot::partSentence() const {
  const auto all = legend();
  const std::int64_t step = presentStep();
  if (!chosen_) {
    if (!axis_->cursor()) return {};
    const QString values = valuesAt(step).replace(QLatin1Char('\n'), QStringLiteral(", "));
    return tr("Step %1: %2").arg(grouped(step), values);
  }
  const auto entry = std::find_if(all.begin(), all.end(), [this](const auto& each) { return each.part == *chosen_; });
  if (entry == all.end()) return {};
  const std::vector<int> every = parts();
  const auto index = std::find(every.begin(), every.end(), *chosen_) - every.begin() + 1;
  const QString place = tr("%1, series %2 of %3").arg(entry->text).arg(index).arg(every.size());
  if (isPartHidden(*chosen_)) return tr("%1, hidden").arg(place);
  for (const PartValue& value : partsAt(step)) {
    if (value.part == *chosen_) return tr("%1, step %2: %3").arg(place, grouped(step), value.text);
  }
  return place;
}

QString Plot::changeText(const PartValue& from, const PartValue& to) const {
  const double change = to.value - from.value;
  if (std::isnan(change)) return QStringLiteral("–");
  return change > 0 ? QLatin1Char('+') + figure(change) : figure(change);
}

QStringList Plot::pinnedLines() const {
  const auto& pins = axis_->pins();
  if (pins.size() < 2 || isEmpty()) return {};
  const std::int64_t steps = pins[1] - pins[0];
  const QString sign = steps > 0 ? QStringLiteral("+") : QString();
  QStringList lines{tr("A %1 → B %2: %3 steps").arg(grouped(pins[0]), grouped(pins[1]), sign + grouped(steps))};
  const auto before = partsAt(pins[0]);
  for (const PartValue& to : partsAt(pins[1])) {
    const auto from =
        std::find_if(before.begin(), before.end(), [&](const PartValue& each) { return each.part == to.part; });
    if (from == before.end()) continue;
    lines << tr("%1: %2 → %3 (%4)").arg(to.name, from->text, to.text, changeText(*from, to));
  }
  return lines;
}

void Plot::copy() {
  if (isEmpty()) return;
  auto* data = new QMimeData;
  data->setImageData(toImage(2));
  // Millions of rows would keep the window busy for seconds; *Export visible steps* writes them to a file.
  if (axis_->range().span() <= kMostCopiedSteps) data->setText(csv());
  QGuiApplication::clipboard()->setMimeData(data);
}

}  // namespace binade::views

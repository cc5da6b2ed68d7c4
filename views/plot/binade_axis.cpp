// SPDX-License-Identifier: Apache-2.0
#include "views/plot/binade_axis.h"

#include "engine/formats/tensor_stats.h"
#include "views/theme.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::views {

namespace {
constexpr Range kStart{-32, 24};
constexpr Range kAll{formats::kFirstBinade - 3, formats::kLastBinade + 1};
constexpr double kLeastSpan = 8;
}  // namespace

BinadeAxis::BinadeAxis(QObject* parent) : QObject(parent), range_(kStart), automatic_(kStart) {}

void BinadeAxis::setRange(Range range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) return;
  const double span = std::clamp(range.span(), kLeastSpan, kAll.span());
  const double low = std::clamp((range.low + range.high - span) / 2, kAll.low, kAll.high - span);
  fixed_ = true;
  if (range_ == Range{low, low + span}) return;
  range_ = {low, low + span};
  Q_EMIT rangeChanged();
}

void BinadeAxis::fit() {
  fixed_ = false;
  if (range_ == automatic_) return;
  range_ = automatic_;
  Q_EMIT rangeChanged();
}

void BinadeAxis::include(Range exponents) {
  automatic_.low = std::max(kAll.low, std::min(automatic_.low, std::floor(exponents.low / 8) * 8));
  automatic_.high = std::min(kAll.high, std::max(automatic_.high, std::ceil(exponents.high / 8) * 8));
  if (!fixed_) fit();
}

void BinadeAxis::reset() {
  automatic_ = kStart;
  fit();
}

FormatWindow::FormatWindow(const formats::Format& format, double shift)
    : overflow(std::log2(format.overflow_limit()) + shift),
      normal(format.min_exponent() + shift),
      underflow(std::log2(format.underflow_limit()) + shift) {}

void drawVeil(QPainter& painter, const QRectF& rect) {
  if (rect.isEmpty()) return;
  painter.save();
  painter.setClipRect(rect, Qt::IntersectClip);
  QColor ground = colors().panel;
  ground.setAlpha(90);
  painter.fillRect(rect, ground);
  QColor line = colors().thirdText;
  line.setAlpha(70);
  painter.setRenderHint(QPainter::Antialiasing, false);
  QPen pen(line, painter.device() ? painter.device()->devicePixelRatioF() : 1);
  pen.setCosmetic(true);
  painter.setPen(pen);
  constexpr double kApart = 7;
  std::vector<QLineF> lines;
  // Anchored at the origin, so that adjacent hatchings align.
  for (double c = std::floor((rect.left() + rect.top()) / kApart) * kApart; c < rect.right() + rect.bottom();
       c += kApart) {
    lines.emplace_back(c - rect.top(), rect.top(), c - rect.bottom(), rect.bottom());
  }
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  painter.restore();
}

}  // namespace binade::views

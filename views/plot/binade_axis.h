// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "views/plot/axis.h"

#include <QObject>
#include <QPainter>

#include <functional>
#include <optional>

namespace binade::views {

/// The vertical binade axis shared by heat map and histogram. Values are exponents: a value in binade b lies between b
/// and b + 1. GUI thread. Must outlive its views.
class BinadeAxis : public QObject {
  Q_OBJECT

 public:
  explicit BinadeAxis(QObject* parent = nullptr);

  Range range() const { return range_; }
  /// Sets the range by hand; kept at least 8 binades high and within float32's range.
  void setRange(Range range);
  /// Returns to the automatic range.
  void fit();
  /// Extends the automatic range to these exponents, in steps of 8 so that it rarely changes.
  void include(Range exponents);
  void reset();

 Q_SIGNALS:
  void rangeChanged();

 private:
  Range range_{-32, 24};
  Range automatic_{-32, 24};
  bool fixed_ = false;
};

/// A format's limits as positions on the binade axis.
struct FormatWindow {
  double overflow = 0;   ///< values at or above it overflow: 15.9995 for float16
  double normal = 0;     ///< smallest normal number: -14 for float16
  double underflow = 0;  ///< non-zero values at or below it become 0: -25 for float16
  FormatWindow() = default;
  /// `shift` moves the window up by that many binades (a smaller scale), or down if negative.
  explicit FormatWindow(const formats::Format& format, double shift = 0);
};

/// Hatches the area outside a format's range.
void drawVeil(QPainter& painter, const QRectF& rect);

}  // namespace binade::views

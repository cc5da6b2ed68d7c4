// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "views/plot/axis.h"

#include <QObject>
#include <QPainter>

#include <functional>
#include <optional>

namespace binade::views {

/// The vertical binade axis that heat map and histogram share. Values are exponents: a value in binade b lies between
/// b and b + 1. GUI thread; must outlive the views on it.
class BinadeAxis : public QObject {
  Q_OBJECT

 public:
  explicit BinadeAxis(QObject* parent = nullptr);

  Range range() const { return range_; }
  /// Where a person puts it; kept at least 8 binades high and within float32.
  void setRange(Range range);
  /// Back to the automatic range.
  void fit();
  /// Widens the automatic range to hold these exponents, in steps of 8 so that it moves seldom.
  void include(Range exponents);
  void reset();

 Q_SIGNALS:
  void rangeChanged();

 private:
  Range range_{-32, 24};
  Range automatic_{-32, 24};
  bool fixed_ = false;
};

/// A format's limits as places on the binade axis.
struct FormatWindow {
  double overflow = 0;   ///< at or above it values overflow: 15.9995 for float16
  double normal = 0;     ///< smallest normal: -14 for float16
  double underflow = 0;  ///< at or below it non-zero values become 0: -25 for float16
  FormatWindow() = default;
  /// `shift` binades up (a smaller scale), or down where negative.
  explicit FormatWindow(const formats::Format& format, double shift = 0);
};

/// Hatched veil over what lies outside a format.
void drawVeil(QPainter& painter, const QRectF& rect);

}  // namespace binade::views

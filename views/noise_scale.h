// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/noise_mark.h"

#include <QWidget>

namespace binade::views {

/// A small scale with 0 in its middle: the band of noise, the confidence interval, and a dot for the difference. A
/// difference that is not finite is a crimson dot at the right end.
class NoiseScale : public QWidget {
  Q_OBJECT

 public:
  explicit NoiseScale(QWidget* parent = nullptr);

  /// `text` states the same in words, for screen readers and the tool tip.
  void setMark(const NoiseMark& mark, const QString& text);
  const NoiseMark& mark() const { return mark_; }
  /// Distance of a difference from the left end, in pixels.
  double placeOf(double difference) const;

  QSize sizeHint() const override { return {112, 20}; }
  QSize minimumSizeHint() const override { return {64, 20}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// The largest difference that the scale has room for.
  double reach() const;

  NoiseMark mark_;
};

}  // namespace binade::views

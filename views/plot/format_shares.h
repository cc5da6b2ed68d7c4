// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "views/plot/shares.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace binade::views {

/// The small table under the gradients: for each format, what would become 0, be subnormal, normal, or overflow:
/// exactly, or between bounds where the statistics tell no more.
class FormatShares : public QWidget {
  Q_OBJECT

 public:
  explicit FormatShares(QWidget* parent = nullptr);

  /// Rows; float16, bfloat16, tfloat32, float8_e4m3fn and float8_e5m2 at first.
  void setFormats(std::vector<formats::Format> formats);
  void setStats(const formats::TensorStats& stats);
  void clear();
  /// Multiplies all values by 2^shift first: what-if scale over present scale.
  void setShift(int shift);

  const std::vector<formats::Format>& formats() const { return formats_; }
  /// Shares of a row as shown; nothing without data.
  std::optional<Shares> shares(int row) const;
  /// The bar of a row, in widget coordinates.
  QRectF bar(int row) const;
  /// What a row's tool tip says: the norm that is lost, and whether the shares are exact.
  QString rowTip(int row) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void describe();

  std::vector<formats::Format> formats_;
  std::optional<formats::TensorStats> stats_;
  int shift_ = 0;
};

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "views/plot/shares.h"

#include <QWidget>

#include <optional>
#include <vector>

class QToolButton;

namespace binade::views {

/// The small table under the gradients: for each format, what would become 0, be subnormal, normal, or overflow:
/// exactly, or between bounds where the statistics tell no more. The five named formats stand first, below them those
/// that a person added, and the one that the tensor is held in, where it is another. The context menu copies the table
/// and takes rows away that were added.
class FormatShares : public QWidget {
  Q_OBJECT

 public:
  explicit FormatShares(QWidget* parent = nullptr);

  /// Rows; float16, bfloat16, tfloat32, float8_e4m3fn and float8_e5m2 at first.
  void setFormats(std::vector<formats::Format> formats);
  /// One more row, at most kMostAdded; a format that has a row already gets no other.
  void addFormat(const formats::Format& format);
  void removeFormat(const formats::Format& format);
  /// The format that the tensor is held in.
  void setHeldIn(std::optional<formats::Format> format);
  void setStats(const formats::TensorStats& stats);
  void clear();
  /// Multiplies all values by 2^shift first: what-if scale over present scale.
  void setShift(int shift);

  static constexpr std::size_t kMostAdded = 4;

  const std::vector<formats::Format>& formats() const { return formats_; }
  /// The table as text, cells separated by tabs, titles first.
  QString asText() const;
  /// Shares of a row as shown; nothing without data.
  std::optional<Shares> shares(int row) const;
  /// The bar of a row, in widget coordinates.
  QRectF bar(int row) const;
  /// What a row's tool tip says: the norm that is lost, and whether the shares are exact.
  QString rowTip(int row) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The person wants a row for another format.
  void formatRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void describe();
  void rowsChanged();

  std::vector<formats::Format> named_;
  std::vector<formats::Format> added_;
  std::optional<formats::Format> held_in_;
  std::vector<formats::Format> formats_;  ///< the rows: all of these
  QToolButton* add_;
  std::optional<formats::TensorStats> stats_;
  int shift_ = 0;
};

}  // namespace binade::views

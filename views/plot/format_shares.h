// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "views/plot/shares.h"
#include "views/values/picked_number.h"

#include <QWidget>

#include <optional>
#include <vector>

class QToolButton;

namespace binade::views {

/// The table below the gradients: for each format, the shares that would become 0, be subnormal, be normal, or
/// overflow. Shares are exact, or bounds if the statistics do not determine them. Rows: the named formats, formats that
/// the user added, and the tensor's own format if it differs. The context menu copies the table, looks at a limit of a
/// format, and removes added rows.
class FormatShares : public QWidget {
  Q_OBJECT

 public:
  explicit FormatShares(QWidget* parent = nullptr);

  /// Sets the fixed rows. Default: float16, bfloat16, tfloat32, float8_e4m3fn and float8_e5m2.
  void setFormats(std::vector<formats::Format> formats);
  /// Adds a row, at most kMostAdded; does nothing for a format that has one.
  void addFormat(const formats::Format& format);
  void removeFormat(const formats::Format& format);
  /// Sets the format that stores the tensor.
  void setHeldIn(std::optional<formats::Format> format);
  void setStats(const formats::TensorStats& stats);
  void clear();
  /// Multiplies all values by 2^shift first: the what-if scale over the current scale.
  void setShift(int shift);

  static constexpr std::size_t kMostAdded = 4;

  const std::vector<formats::Format>& formats() const { return formats_; }
  /// The table as text with tab-separated cells, headings first.
  QString asText() const;
  /// Shares of a row as shown; nullopt without data.
  std::optional<Shares> shares(int row) const;
  /// The bar of a row, in widget coordinates.
  QRectF bar(int row) const;
  /// A row's tool tip: the norm that is lost, and whether the shares are exact.
  QString rowTip(int row) const;
  /// The limit of a row's format that decides the share at this place: the smallest number for *Becomes 0*, the
  /// smallest normal one for *Subnormal*, elsewhere the largest. nullopt outside the rows.
  std::optional<PickedNumber> limitAt(QPointF at) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The user wants to add a format.
  void formatRequested();
  /// The user wants to look at a limit of a format.
  void numberRequested(const binade::views::PickedNumber& number);

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
  std::vector<formats::Format> formats_;  ///< all rows
  QToolButton* add_;
  std::optional<formats::TensorStats> stats_;
  int shift_ = 0;
};

}  // namespace binade::views

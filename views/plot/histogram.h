// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "views/plot/binade_axis.h"
#include "views/values/picked_number.h"

#include <QTimer>
#include <QWidget>

#include <optional>

namespace binade::views {

/// The histogram of one observation, drawn sideways next to the heat map on the same binade axis, with the format's
/// window. The handle at the right moves the window by whole binades, which shows what the format would hold at another
/// loss scale. Up and Down move it too; Home returns to the actual scale. The histogram of another run can be drawn as
/// an outline over it.
class Histogram : public QWidget {
  Q_OBJECT

 public:
  /// `binades` must outlive the view; null: the view creates its own.
  explicit Histogram(BinadeAxis* binades, QWidget* parent = nullptr);

  /// Sets the observation; `scaleLog2` is log2 of the loss scale it was made with.
  void setStats(const formats::TensorStats& stats, qint64 step, double scaleLog2);
  /// Removes the other run's outline, too.
  void clear();
  /// An observation of another run.
  struct Other {
    formats::TensorStats stats;
    QString name;
    qint64 step = 0;
    double scaleLog2 = 0;  ///< of the loss scale it was made with
  };
  /// Draws its outline over the bars, with the name of the run; nullopt: none.
  void setOther(std::optional<Other> other);
  const std::optional<Other>& other() const { return other_; }
  void setFormat(std::optional<formats::Format> format);
  void setEmptyText(const QString& headline, const QString& sentence);
  /// Sets the margins at top and bottom, to align the axis with the heat map's.
  void setMargins(double top, double bottom);

  /// Sets whether a loss scale applies to the values; if not, the window represents a factor, as used with float8.
  void setScaled(bool scaled);
  /// Draws values divided by the loss scale, like HeatMap::Values::kUnscaled.
  void setUnscaled(bool unscaled);

  /// log2 of the what-if scale; nullopt while it equals the actual one.
  std::optional<int> whatIf() const { return whatIf_; }
  QRectF plotArea() const;
  /// The handle's rectangle; empty without a format or data.
  QRectF handle() const;
  double binadeToY(double exponent) const;
  /// The column of the labels at the window's edges, which bars do not reach; empty without a format.
  QRectF labelColumn() const;
  /// The number that a bar stands for: the lower end of its binade, as the axis places it. nullopt outside the plot.
  std::optional<PickedNumber> numberAt(QPointF at) const;
  /// The values of a bar's binade in words: `2⁻³ to 2⁻²: 1,024 values, 12.50 %`. Empty outside the plot.
  QString valuesAt(QPointF at) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public Q_SLOTS:
  /// Moves the window to its position at this scale. Emits nothing.
  void setWhatIf(int scaleLog2);
  void resetWhatIf();

 Q_SIGNALS:
  /// The user moved the window; log2 of the scale that it represents.
  void whatIfChanged(int scaleLog2);
  /// The user wants to look at the number of a bar; by the menu key, at the largest magnitude.
  void numberRequested(const binade::views::PickedNumber& number);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  int presentScale() const;
  /// Binades between a value's stored and drawn position.
  double offset() const { return offsetOf(scaleLog2_); }
  double offsetOf(double scaleLog2) const;
  double windowShift() const;
  void changeWhatIf(int scaleLog2);
  void describe();
  void paintBars(QPainter& painter, const QRectF& area) const;
  void paintWindow(QPainter& painter, const QRectF& area) const;
  void paintOther(QPainter& painter, const QRectF& area) const;
  /// The share of values at the right end of the bars' room, in percent.
  double percentAtEnd() const;
  QString otherText() const;
  QString largestText() const;

  BinadeAxis* binades_;
  QTimer repaint_;
  formats::TensorStats stats_;
  bool filled_ = false;
  qint64 step_ = 0;
  double scaleLog2_ = 0;
  std::optional<formats::Format> format_;
  std::optional<int> whatIf_;
  std::optional<Other> other_;
  QString headline_;
  QString sentence_;
  double top_ = 12;
  double bottom_ = 44;
  bool unscaled_ = false;
  bool scaled_ = true;
  bool keyboardFocus_ = false;
  bool dragging_ = false;
  double dragFrom_ = 0;
  int dragScale_ = 0;
};

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "views/plot/binade_axis.h"

#include <QTimer>
#include <QWidget>

#include <optional>

namespace binade::views {

/// The histogram of one observation, lying beside the heat map on the same binade axis, with the format's window over
/// it. The handle at the right moves the window by whole binades: what the format would hold if the loss scale were
/// another. Up and Down do the same, Home returns to the scale as it is.
class Histogram : public QWidget {
  Q_OBJECT

 public:
  /// `binades` must outlive the view; without one it makes its own.
  explicit Histogram(BinadeAxis* binades, QWidget* parent = nullptr);

  /// The observation to show; `scaleLog2` is log2 of the loss scale it was made under.
  void setStats(const formats::TensorStats& stats, qint64 step, double scaleLog2);
  void clear();
  void setFormat(std::optional<formats::Format> format);
  void setEmptyText(const QString& headline, const QString& sentence);
  /// Space kept free at top and foot, so that the axis meets that of the heat map beside it.
  void setMargins(double top, double bottom);

  /// Whether a loss scale acts on these values: else the window stands for a factor of their own, as float8 takes one.
  void setScaled(bool scaled);
  /// Draws values divided by the loss scale, as HeatMap::Values::kUnscaled does.
  void setUnscaled(bool unscaled);

  /// log2 of the scale the window stands for; nothing while it stands for the present one.
  std::optional<int> whatIf() const { return whatIf_; }
  QRectF plotArea() const;
  /// The handle that moves the window; empty where there is no format or no data.
  QRectF handle() const;
  double binadeToY(double exponent) const;
  /// Where no bar reaches: the column of the words at the window's edges; empty where there is no format.
  QRectF labelColumn() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public Q_SLOTS:
  /// Moves the window to where it would stand under this scale; emits nothing.
  void setWhatIf(int scaleLog2);
  void resetWhatIf();

 Q_SIGNALS:
  /// The person moved the window: log2 of the scale it stands for.
  void whatIfChanged(int scaleLog2);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  int presentScale() const;
  /// Binades between a value as it is held and where it is drawn.
  double offset() const;
  double windowShift() const;
  void changeWhatIf(int scaleLog2);
  void describe();
  void paintBars(QPainter& painter, const QRectF& area) const;
  void paintWindow(QPainter& painter, const QRectF& area) const;
  double greatestShare() const;
  QString largestText() const;

  BinadeAxis* binades_;
  QTimer repaint_;
  formats::TensorStats stats_;
  bool filled_ = false;
  qint64 step_ = 0;
  double scaleLog2_ = 0;
  std::optional<formats::Format> format_;
  std::optional<int> whatIf_;
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/numbers/ruler_lane.h"
#include "views/numbers/shown_number.h"

#include <QLineF>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QKeyEvent;

namespace binade::views {

/// A number line with one lane for each format: the bar's length is the range, marks are numbers, dots are ties,
/// hatching means subnormal. An arrow in each lane leads from the pointed-at real number, or else from the shown one,
/// to the number that it rounds to. The wheel zooms at the pointer, a drag pans, a click sets the cursor, a double
/// click shows everything. Keys: Left and Right move the cursor by a pixel (Shift: 10, Ctrl: to the selected format's
/// next number), Up and Down select a format, Page Up and Page Down pan, + and − zoom, F shows everything, V the value,
/// Return takes the cursor's number as the value, Escape removes the cursor. GUI thread.
class FormatRuler : public QWidget {
  Q_OBJECT

 public:
  explicit FormatRuler(QWidget* parent = nullptr);

  void setFormats(std::vector<formats::Format> formats);
  void setShown(const ShownNumber& shown);
  /// Highlights a lane. Emits nothing.
  void setSelected(const formats::Format& format);
  /// Changes the scale and keeps the shown values where the other scale can show them.
  void setScale(RulerAxis::Scale scale);
  /// Shows an interval of values, low < high; positive ones on the logarithmic scale.
  void showValues(double low, double high);
  /// Sets the cursor; nullopt removes it.
  void setCursorValue(std::optional<double> value);

  const RulerAxis& axis() const { return axis_; }
  /// The real number under the pointer, or else at the cursor.
  std::optional<double> pointed() const { return hover_ ? hover_ : cursor_; }
  /// The real number whose rounding the lanes show: the pointed-at one, or else the shown one.
  numbers::Real subject() const;
  numbers::Rounded rounding(int lane) const;
  /// `→ 65,504 · down · gap 32`.
  QString roundingText(int lane) const;
  /// From the subject's position to its rounded number's, cut to the plot. Null if the subject is not a number.
  QLineF arrow(int lane) const;

  const std::vector<RulerLane>& lanes() const { return lanes_; }
  QRectF plotArea() const;
  QRectF laneBox(int lane) const;  ///< all of the lane right of its name
  QRectF barBox(int lane) const;
  double xOf(double value) const;  ///< in widget coordinates

  QSize sizeHint() const override;

 public Q_SLOTS:
  /// Shows everything: all formats on the logarithmic scale, the selected one on the linear scale, because the range of
  /// float32 hides every other there.
  void fit();
  /// Shows the selected format's numbers around the shown value.
  void fitToValue();

 Q_SIGNALS:
  /// The user takes this real number as the value.
  void valuePicked(double value);
  void selectedChanged(const binade::formats::Format& format);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  const formats::Format& formatAt(int lane) const { return formats_[static_cast<std::size_t>(lane)]; }
  int laneCount() const { return static_cast<int>(formats_.size()); }
  double laneHigh() const;
  int laneAt(double y) const;  ///< -1: none
  double coordinateAt(double x) const;
  double pixel() const;  ///< coordinates in a px
  double valueAt(double x) const;
  bool handleKey(const QKeyEvent& key, bool act);
  void moveCursor(int pixels);
  void moveCursorToNumber(bool up);
  void showCursor();
  void selectLane(int lane);
  void zoomAtCursor(double factor);
  void zoomed();
  void layOut();
  void describe();
  /// Scale, subject and the rounding in each lane, as text.
  QStringList lines() const;
  QString laneTip(int lane) const;

  void paintAxis(QPainter& painter) const;
  void paintName(QPainter& painter, int lane) const;
  void paintBar(QPainter& painter, int lane) const;
  void paintSpacings(QPainter& painter, int lane) const;
  void paintMarks(QPainter& painter, int lane) const;
  void paintEnds(QPainter& painter, int lane) const;
  void paintRounding(QPainter& painter, int lane) const;
  void paintSubject(QPainter& painter) const;

  std::vector<formats::Format> formats_;
  std::vector<RulerLane> lanes_;
  RulerAxis axis_;
  ShownNumber shown_;
  int selected_ = 0;
  bool fitted_ = true;  ///< the whole is shown, and stays so when formats change
  std::optional<double> hover_;
  std::optional<double> cursor_;
  bool pressed_ = false;
  bool panning_ = false;
  double pressedX_ = 0;
  double lastX_ = 0;
};

}  // namespace binade::views

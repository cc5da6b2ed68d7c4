// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"
#include "views/plot/marks.h"
#include "views/plot/step_axis.h"

#include <QImage>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <optional>
#include <vector>

class QMenu;

namespace binade::views {

/// Base of the charts over steps. Wheel zooms at the pointer, dragging pans, shift-dragging zooms into a box, a
/// double click fits; arrows move the cursor (shift: ten steps), + and - zoom, Home and End jump, F fits, Escape
/// takes the cursor away, Return opens the mark under it. All charts on one StepAxis move together.
/// New data repaint it at most 30 times a second, and not at all while it is hidden.
class Plot : public QWidget {
  Q_OBJECT

 public:
  /// `axis` must outlive the chart; without one the chart makes its own.
  explicit Plot(StepAxis* axis, QWidget* parent = nullptr);

  StepAxis* stepAxis() const { return axis_; }

  /// Name for assistive technology and exported files: `Loss scale`.
  void setTitle(const QString& title);
  QString title() const { return title_; }
  /// Shown in place of the chart while there is no data: one bold line, one sentence.
  void setEmptyText(const QString& headline, const QString& sentence);
  /// A line at the foot; empty for none.
  void setCaption(const QString& caption);
  /// A small widget at the right end of the legend's line, such as an editor of the present value. Taken over.
  void setHeaderWidget(QWidget* widget);
  /// Whether the line with legend and present value is there (it is, at first).
  void setHeaderVisible(bool visible);

  /// Marks come in order of steps.
  void addMark(const Mark& mark);
  void clearMarks();
  const std::vector<Mark>& marks() const { return marks_; }
  /// Forgets data and marks; not the shared axis.
  virtual void clear();

  /// Where data are drawn, in widget coordinates.
  QRectF plotArea() const;
  double stepToX(double step) const;
  double xToStep(double x) const;
  double valueToY(double value) const;
  double yToValue(double y) const;
  /// The visible range of the vertical axis.
  virtual Range valueRange() const = 0;

  /// The chart's values at a step in words: what the crosshair shows.
  virtual QString valuesAt(std::int64_t step) const = 0;
  /// The visible range as CSV (RFC 4180, C locale, full precision), units in the header line.
  virtual QString csv() const = 0;
  /// The chart as it stands, at `scale` device pixels a pixel.
  QImage toImage(qreal scale = 1);
  /// False where the file cannot be written.
  bool savePng(const QString& file, qreal scale = 2);
  bool saveSvg(const QString& file);
  bool saveCsv(const QString& file) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// A mark, or a merged group of them (its first step), was clicked or opened by key.
  void markActivated(qint64 step);
  /// A step was clicked or reached by key; the shared cursor is already there.
  void stepActivated(qint64 step);

 protected:
  struct LegendEntry {
    enum class Kind { kLine, kFaintLine, kBand, kMark } kind = Kind::kLine;
    QString text;
    MarkKind mark = MarkKind::kSkipped;
    QColor color;  ///< of a line; invalid for the theme's
  };

  virtual bool isEmpty() const = 0;
  virtual std::vector<LegendEntry> legend() const = 0;
  virtual QString nowText() const { return {}; }
  virtual std::vector<Tick> valueTicks(int most) const = 0;
  virtual void paintData(QPainter& painter, const QRectF& area) = 0;
  virtual void paintForeground(QPainter&, const QRectF&) {}
  virtual bool hasStrip() const { return false; }  ///< a strip for skip marks at the foot
  virtual bool gridOnTop() const { return false; }
  virtual void zoomValues(Range) {}  ///< a box zoom's vertical part
  virtual void fitValues() {}
  virtual QString summary() const = 0;  ///< accessible description
  /// Marks of this chart as they are drawn now, for hit tests.
  virtual std::vector<std::pair<QPointF, MarkGroup>> markPositions() const;
  virtual double leftMargin() const { return 56; }
  virtual double rightMargin() const { return 20; }
  virtual void addMenuEntries(QMenu&) {}

  /// Data changed: repaint soon.
  void scheduleRepaint();
  /// Centre line of the strip at the foot.
  double stripY() const;
  void paintSkipStrip(QPainter& painter) const;
  void paintTicks(QPainter& painter, const Mark& mark, double y) const;
  /// `× 12` behind a group, else before it, else not at all: where no mark of its kind and no axis stands. `groups` are
  /// all of that kind, in their order; painter has font and colour.
  void paintCount(QPainter& painter, const std::vector<MarkGroup>& groups, std::size_t index, double y) const;
  void paintPolicyEdits(QPainter& painter) const;
  /// The context menu's entries.
  void fillMenu(QMenu& menu);
  /// Paints everything to any device in widget coordinates.
  void paintAll(QPainter& painter, bool interactive);

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void paintEmpty(QPainter& painter) const;
  void paintHeader(QPainter& painter) const;
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintGrid(QPainter& painter, const QRectF& area) const;
  void paintCursors(QPainter& painter, const QRectF& area, bool interactive) const;
  void paintReadout(QPainter& painter, const QRectF& area, std::int64_t step) const;
  std::optional<MarkGroup> markAt(QPointF position) const;
  /// The step nearest to `step` at which what a group stands for happened.
  std::int64_t markedStep(const MarkGroup& group, std::int64_t step) const;
  void moveCursor(std::int64_t step);
  void placeHeaderWidget();
  void updateDescription();

  StepAxis* axis_;
  QTimer repaint_;
  QString title_;
  QString headline_;
  QString sentence_;
  QString caption_;
  QPointer<QWidget> headerWidget_;
  bool headerVisible_ = true;
  std::vector<Mark> marks_;

  enum class Drag { kNone, kPan, kBox };
  Drag drag_ = Drag::kNone;
  bool dragged_ = false;
  QPointF pressed_;
  QPointF dragAt_;
  Range pressedRange_;
  bool keyboardFocus_ = false;  ///< came by key: only then a frame tells where the focus is
};

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"
#include "views/plot/marks.h"
#include "views/plot/step_axis.h"
#include "views/plot/value_scale.h"
#include "views/values/picked_number.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <optional>
#include <set>
#include <utility>
#include <vector>

class QMenu;

namespace binade::views {

/// Base class of charts over steps. The wheel zooms at the pointer, dragging pans, shift-dragging zooms into a box, a
/// double click fits. Left and Right move the cursor (with Shift by ten steps), + and - zoom, Home and End jump, F
/// fits, Escape removes the cursor, Return opens the mark under it. Alt+Left and Alt+Right, or the mouse's back and
/// forward buttons, go through the views shown before. Up and Down choose a series, H hides it, as does a click on its
/// legend entry. P or Ctrl+click pins a step; two pinned steps show their difference. N writes a note. Ctrl+C copies
/// image and values. Charts with a common StepAxis move together. New data repaint a chart at most 60 times per second,
/// and not while it is hidden.
class Plot : public QWidget {
  Q_OBJECT

 public:
  /// `axis` must outlive the chart; null: the chart creates its own.
  explicit Plot(StepAxis* axis, QWidget* parent = nullptr);

  StepAxis* stepAxis() const { return axis_; }

  /// Whether the wheel zooms only with Ctrl or once the chart has the focus; otherwise it scrolls the page that
  /// contains the chart. Default: no.
  void setInScrolledPage(bool scrolled) { in_scrolled_page_ = scrolled; }

  /// Name for assistive technology and exported files: `Loss scale`.
  void setTitle(const QString& title);
  QString title() const { return title_; }
  /// Text shown while there are no data: a bold line and a sentence.
  void setEmptyText(const QString& headline, const QString& sentence);
  /// A sentence at the bottom, in two lines where one is too short; empty: none.
  void setCaption(const QString& caption);
  /// A small widget at the right end of the legend's line, such as an editor of the current value. The chart takes
  /// ownership.
  void setHeaderWidget(QWidget* widget);
  /// Whether the value at the right end of the legend's line is that after the shown step, such as the scale of the
  /// next one, and not that of the step. Default: no.
  void setAfterStep(bool after) { afterStep_ = after; }
  /// Shows or hides the line with legend and current value. Default: visible.
  void setHeaderVisible(bool visible);

  /// Marks must be added in order of steps.
  void addMark(const Mark& mark);
  void clearMarks();
  const std::vector<Mark>& marks() const { return marks_; }
  /// Removes data and marks; does not reset the shared axis.
  virtual void clear();

  /// The area of the data, in widget coordinates.
  QRectF plotArea() const;
  double stepToX(double step) const;
  double xToStep(double x) const;
  double valueToY(double value) const;
  double yToValue(double y) const;
  /// The visible range of the vertical axis.
  virtual Range valueRange() const = 0;

  /// A value of one part of the chart: of a series, or of the mean of one.
  struct PartValue {
    int part = 0;
    QString name;
    double value = 0;  ///< NaN: none at this step
    QString text;      ///< the value for people; `–` if there is none
  };
  /// The values of all visible parts at a step, in the order of the legend.
  virtual std::vector<PartValue> partsAt(std::int64_t step) const = 0;
  /// The change from one value of a part to another, for people: `−0.05`.
  virtual QString changeText(const PartValue& from, const PartValue& to) const;
  /// What changes between the two pinned steps: one line for the steps, one for each visible part. Empty without two.
  QStringList pinnedLines() const;

  /// Hides a part of the chart, or shows it again.
  void setPartHidden(int part, bool hidden);
  bool isPartHidden(int part) const { return hidden_.contains(part); }
  /// The part that the user chose by key, whose value the accessible description gives.
  std::optional<int> chosenPart() const { return chosen_; }
  void choosePart(std::optional<int> part);
  /// The rectangle of a part's entry in the legend; empty: it has none, or there is no room for it.
  QRectF legendRect(int part) const;

  /// Copies an image of the chart to the clipboard and, of at most 100,000 visible steps, their values (CSV).
  void copy();

  /// The crosshair's text: the chart's values at a step.
  virtual QString valuesAt(std::int64_t step) const = 0;
  /// The number shown at a step, for *Look at this number*: of several the one nearest to `value` on the vertical axis;
  /// without a `value`, which is the case for the menu key, the most important one.
  virtual std::optional<PickedNumber> numberAt(std::int64_t step, std::optional<double> value) const = 0;
  /// The visible range as CSV (RFC 4180, C locale, full precision), with units in the header line.
  virtual QString csv() const = 0;
  /// Renders the chart with `scale` device pixels per pixel.
  QImage toImage(qreal scale = 1);
  /// Return false if the file cannot be written.
  bool savePng(const QString& file, qreal scale = 2);
  bool saveSvg(const QString& file);
  bool saveCsv(const QString& file) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// A mark was clicked or opened by key. For a merged group, the nearest step with the event.
  void markActivated(qint64 step);
  /// A step was clicked or reached by key. The shared cursor is already set.
  void stepActivated(qint64 step);
  /// The user wants to look at a number of the chart.
  void numberRequested(const binade::views::PickedNumber& number);

 protected:
  struct LegendEntry {
    enum class Kind { kLine, kFaintLine, kBand, kMark } kind = Kind::kLine;
    QString text;
    MarkKind mark = MarkKind::kSkipped;
    QColor color;   ///< of a line; invalid: the theme's
    int part = -1;  ///< that a click hides; -1: none
  };

  using PlacedMarks = std::vector<std::pair<QPointF, MarkGroup>>;

  virtual bool isEmpty() const = 0;
  virtual std::vector<LegendEntry> legend() const = 0;
  virtual QString nowText() const { return {}; }
  /// The part whose value the header shows, and its name, in a chart where the value alone would not say whose it is.
  virtual std::optional<std::pair<int, QString>> standingPart() const { return std::nullopt; }
  virtual std::vector<Tick> valueTicks(int most) const = 0;
  virtual ValueScale valueScale() const { return {}; }
  virtual void paintData(QPainter& painter, const QRectF& area) = 0;
  /// `placed`: markPositions().
  virtual void paintForeground(QPainter&, const QRectF&, const PlacedMarks& /*placed*/) {}
  virtual bool hasStrip() const { return false; }  ///< whether the bottom has a strip for skip marks
  virtual bool gridOnTop() const { return false; }
  virtual void zoomValues(Range range) { setZoomedValues(range); }  ///< vertical part of a box zoom
  virtual void fitValues() { setZoomedValues(std::nullopt); }
  virtual QString summary() const = 0;  ///< accessible description
  /// The chart's visible marks with their positions.
  virtual PlacedMarks markPositions() const;
  virtual double leftMargin() const { return 56; }
  virtual double rightMargin() const { return 20; }
  virtual double footMargin() const;  ///< tick labels and, if there is one, the caption
  virtual void addMenuEntries(QMenu&) {}

  /// The vertical range set by the user. It is part of the axis' views.
  std::optional<Range> zoomedValues() const { return axis_->values(chart_); }
  void setZoomedValues(std::optional<Range> range) { axis_->setValues(chart_, range); }
  const std::set<int>& hiddenParts() const { return hidden_; }
  /// Emphasis of a part while another one is chosen: whether it is drawn paler.
  bool isPartFaint(int part) const { return chosen_ && *chosen_ != part; }

  /// Schedules a repaint after a change of data.
  void scheduleRepaint();
  /// Vertical centre of the strip at the bottom.
  double stripY() const;
  void paintSkipStrip(QPainter& painter, const PlacedMarks& placed) const;
  /// Draws `× 12` after a group, else before it, unless another mark of its kind or the axis is in the way. `groups`
  /// are all groups of that kind, in order; font and colour must be set.
  void paintCount(QPainter& painter, const std::vector<MarkGroup>& groups, std::size_t index, double y) const;
  void paintPolicyEdits(QPainter& painter, const PlacedMarks& placed) const;
  void paintNotes(QPainter& painter, const PlacedMarks& placed) const;
  /// Adds the context menu's entries; `number` is the one that the menu was opened at.
  void fillMenu(QMenu& menu, const std::optional<PickedNumber>& number, std::int64_t step);
  /// Paints the whole chart on any device, in widget coordinates.
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
  double captionRoom() const;  ///< width of a line of the caption
  void paintCaption(QPainter& painter, double left, double top) const;
  void paintEmpty(QPainter& painter) const;
  void paintHeader(QPainter& painter) const;
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintGrid(QPainter& painter, const QRectF& area) const;
  void paintCursors(QPainter& painter, const QRectF& area, bool interactive) const;
  void paintPins(QPainter& painter, const QRectF& area) const;
  void paintReadout(QPainter& painter, const QRectF& area, std::int64_t step) const;
  /// Draws lines of text in a box beside a position; `left`: left of it if there is room.
  void paintBox(QPainter& painter, const QRectF& area, const QStringList& lines, double x, bool left) const;
  void fillSeriesMenu(QMenu& menu);
  void fillStepMenu(QMenu& menu, std::int64_t step);
  std::vector<std::pair<QRectF, LegendEntry>> legendLayout() const;
  /// What the header names: the newest value, or that of the shown step. The value may be empty.
  struct Standing {
    QString label;
    QString value;
  };
  Standing standing() const;
  std::vector<int> parts() const;
  std::optional<int> partAt(QPointF position) const;
  void chooseNext(int direction);
  QString partSentence() const;
  bool handleViewKey(QKeyEvent* event);
  bool handleStepKey(QKeyEvent* event, std::int64_t step);
  /// The step that a key without a step means: the cursor, or the newest step.
  std::int64_t presentStep() const { return axis_->cursor().value_or(axis_->latest()); }
  std::optional<MarkGroup> markAt(QPointF position) const;
  /// Returns the step nearest to `step` that has the group's event.
  std::int64_t markedStep(const MarkGroup& group, std::int64_t step) const;
  void moveCursor(std::int64_t step);
  std::optional<PickedNumber> pickedNumber(const QContextMenuEvent& event) const;
  void placeHeaderWidget();
  void updateDescription();

  StepAxis* axis_;
  int chart_;
  QTimer repaint_;
  QString title_;
  QString headline_;
  QString sentence_;
  QString caption_;
  double caption_width_ = 0;  ///< in one line
  QPointer<QWidget> headerWidget_;
  bool afterStep_ = false;
  bool headerVisible_ = true;
  std::vector<Mark> marks_;
  std::set<int> hidden_;  ///< parts
  std::optional<int> chosen_;
  bool in_scrolled_page_ = false;
  QElapsedTimer wheeled_;  ///< since the last turn of the wheel

  enum class Drag { kNone, kPan, kBox };
  Drag drag_ = Drag::kNone;
  bool dragged_ = false;
  QPointF pressed_;
  QPointF dragAt_;
  Range pressedRange_;
  bool keyboardFocus_ = false;  ///< focus came by key; only then is a focus frame drawn
};

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractSlider>
#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace binade::views {

/// Something at a step of a run, marked on a StepSlider. The shape identifies the kind.
struct StepMark {
  enum class Kind {
    kEvent,       ///< crimson diamond
    kEdit,        ///< indigo flag
    kRewind,      ///< arrow to the left
    kCheckpoint,  ///< small square
  };
  Kind kind = Kind::kEvent;
  std::int64_t step = 0;
  int index = 0;  ///< for the caller of setMarks()
};

/// The steps of a run as a strip, on which the user chooses one. Left and Right move by one step, Page Up and Page Down
/// by 100, with Ctrl from mark to mark; Home goes to the first step, End to the newest and follows it. A digit begins a
/// step to be typed. A slider for assistive technology, so a run has at most 2^31 steps here. GUI thread.
class StepSlider : public QAbstractSlider {
  Q_OBJECT

 public:
  /// A step as a value of a slider or a spin box: 0 to 2^31 - 1.
  static int valueOf(std::int64_t step);

  explicit StepSlider(QWidget* parent = nullptr);

  /// Sets the recorded steps and the shown one; nullopt: the newest, which it follows. Emits nothing.
  void setSteps(std::int64_t first, std::int64_t last, std::optional<std::int64_t> shown);
  bool followsNewest() const { return follows_; }
  /// Sets the marks, in order of steps within each kind.
  void setMarks(std::vector<StepMark> marks);
  const std::vector<StepMark>& marks() const { return marks_; }
  /// Sets the step of the charts' cursor, drawn as a line; nullopt: none.
  void setCursorStep(std::optional<std::int64_t> step);
  std::optional<std::int64_t> cursorStep() const { return cursor_; }
  /// Sets how a mark is described in a tool tip.
  void setMarkText(std::function<QString(const StepMark&)> text) { text_ = std::move(text); }
  /// Where a step is drawn, in px.
  double stepToX(double step) const;

  QSize sizeHint() const override { return {400, kHigh}; }
  QSize minimumSizeHint() const override { return {120, kHigh}; }

 Q_SIGNALS:
  /// The user chose a step.
  void stepChosen(qint64 step);
  /// The user wants to follow the newest step.
  void newestChosen();
  /// The user typed a digit: the first of a step.
  void typed(const QString& digit);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  static constexpr int kHigh = 26;
  std::int64_t stepAt(double x) const;
  void choose(std::int64_t step);
  void chooseMark(bool later);
  void paintMarks(QPainter& painter) const;
  QString marksAt(double x) const;

  std::vector<StepMark> marks_;
  std::function<QString(const StepMark&)> text_;
  std::optional<std::int64_t> cursor_;
  bool follows_ = true;
  bool setting_ = false;  ///< a change of the value is not the user's
};

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace binade::views {

/// What the user wrote about a step.
struct StepNote {
  std::int64_t step = 0;
  QString text;
  friend bool operator==(const StepNote&, const StepNote&) = default;
};

/// The step axis shared by charts: visible range, cursor, hover, two pinned cursors, notes, and the views that were
/// shown before. A change affects all charts. GUI thread. Charts keep a pointer, so it must outlive them (make it a
/// child of the window).
class StepAxis : public QObject {
  Q_OBJECT

 public:
  enum class Mode {
    kAll,     ///< from the first to the latest step
    kLatest,  ///< a window of fixed width that ends at the latest step
    kFixed,   ///< a range set by the user
  };

  explicit StepAxis(QObject* parent = nullptr);

  Range range() const { return range_; }
  Mode mode() const { return mode_; }
  /// True while new steps move the range.
  bool followsLatest() const { return mode_ != Mode::kFixed; }
  std::optional<std::int64_t> cursor() const { return cursor_; }
  /// The step whose values charts name in place of the newest ones; nullopt: the newest.
  std::optional<std::int64_t> shown() const { return shown_; }
  std::optional<std::int64_t> hover() const { return hover_; }
  /// The steps for which data exist; nullopt before the first.
  std::optional<Range> data() const { return data_; }
  std::int64_t latest() const { return data_ ? static_cast<std::int64_t>(data_->high) : 0; }

  /// Extends the data to `step`. Charts call it when data are appended.
  void extend(std::int64_t step);
  /// Forgets for which steps data exist, and nothing else. Charts extend the data again.
  void forgetData();
  /// Returns to the initial state without data.
  void reset();

  /// Sets the range by hand. A range that includes the latest step keeps following it. Kept at least 4 steps wide and
  /// near the data.
  void setRange(Range range);
  /// Sets a range that stays where it is, also if it includes the latest step.
  void hold(Range range);
  void zoom(double factor, double around);
  void pan(double steps);
  void fit();

  /// Returns a number under which a chart keeps its vertical zoom here, so that it is part of the view.
  int addChart() { return ++charts_; }
  std::optional<Range> values(int chart) const;
  /// Sets a chart's vertical zoom; nullopt: the automatic range.
  void setValues(int chart, std::optional<Range> values);

  /// Remembers the present view for back(). Call it before the user's change; the same view is not remembered twice.
  void remember();
  bool canGoBack() const { return !before_.empty(); }
  bool canGoForward() const { return !after_.empty(); }
  /// Shows the view before the last change, or the one that back() left. A view that follows the run follows it again.
  void back();
  void forward();

  /// Pinned steps, in the order in which they were pinned: A and B.
  const std::vector<std::int64_t>& pins() const { return pins_; }
  /// Pins a step. A third one replaces the second; a pinned step is removed.
  void togglePin(std::int64_t step);
  void clearPins();

  /// The user's notes, by step; at most one per step.
  const std::vector<StepNote>& notes() const { return notes_; }
  void setNotes(std::vector<StepNote> notes);
  /// The note of exactly this step; null: none.
  const StepNote* noteAt(std::int64_t step) const;
  /// Whether somebody answers noteRequested(). Default: no.
  bool takesNotes() const { return takes_notes_; }
  void setTakesNotes(bool takes) { takes_notes_ = takes; }
  /// The user wants to write or change the note of a step; does nothing if nobody takes notes.
  void requestNote(std::int64_t step);

 public Q_SLOTS:
  /// Sets the shown step. The cursor stays.
  void setShown(std::optional<std::int64_t> step);
  /// Sets the cursor, and scrolls to it if it is not visible.
  void setCursor(std::int64_t step);
  void clearCursor();
  void setHover(std::int64_t step);
  void clearHover();

 Q_SIGNALS:
  void rangeChanged();
  void cursorChanged();
  void shownChanged();
  void hoverChanged();
  void pinsChanged();
  void notesChanged();
  void noteRequested(qint64 step);

 private:
  static constexpr std::size_t kMostViews = 100;

  struct View {
    Mode mode = Mode::kAll;
    Range range;
    double span = 0;
    std::map<int, Range> values;
  };
  View view() const { return {mode_, range_, span_, values_}; }
  bool isShown(const View& view) const;
  void show(const View& view);
  void settle();

  Range range_{0, 100};
  Mode mode_ = Mode::kAll;
  double span_ = 100;
  std::optional<Range> data_;
  std::optional<std::int64_t> cursor_;
  std::optional<std::int64_t> shown_;
  std::optional<std::int64_t> hover_;
  int charts_ = 0;
  std::map<int, Range> values_;  ///< vertical zooms, by chart
  std::vector<View> before_;     ///< newest last
  std::vector<View> after_;      ///< left by back(), newest last
  std::vector<std::int64_t> pins_;
  std::vector<StepNote> notes_;
  bool takes_notes_ = false;
};

}  // namespace binade::views

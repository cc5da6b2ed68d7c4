// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"

#include <QObject>

#include <cstdint>
#include <optional>

namespace binade::views {

/// The step axis shared by charts: visible range, cursor, hover. A change affects all of them. GUI thread. Charts keep
/// a pointer, so it must outlive them (make it a child of the window).
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
  std::optional<std::int64_t> hover() const { return hover_; }
  /// The steps for which data exist; nullopt before the first.
  std::optional<Range> data() const { return data_; }
  std::int64_t latest() const { return data_ ? static_cast<std::int64_t>(data_->high) : 0; }

  /// Extends the data to `step`. Charts call it when data are appended.
  void extend(std::int64_t step);
  /// Returns to the initial state without data.
  void reset();

  /// Sets the range by hand. A range that includes the latest step keeps following it. Kept at least 4 steps wide and
  /// near the data.
  void setRange(Range range);
  void zoom(double factor, double around);
  void pan(double steps);
  void fit();

 public Q_SLOTS:
  /// Sets the cursor, and scrolls to it if it is not visible.
  void setCursor(std::int64_t step);
  void clearCursor();
  void setHover(std::int64_t step);
  void clearHover();

 Q_SIGNALS:
  void rangeChanged();
  void cursorChanged();
  void hoverChanged();

 private:
  void settle();

  Range range_{0, 100};
  Mode mode_ = Mode::kAll;
  double span_ = 100;
  std::optional<Range> data_;
  std::optional<std::int64_t> cursor_;
  std::optional<std::int64_t> hover_;
};

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"

class QVBoxLayout;

namespace binade::app {

/// The device: means over the last ten seconds with the source of each, or why there are none.
class DeviceDock : public Dock {
  Q_OBJECT

 public:
  /// `run` must outlive the dock.
  explicit DeviceDock(RunModel* run, QWidget* parent = nullptr);

  /// The lines as shown: `Tensor cores active · 29.8 % · COUNTERS`. For tests and assistive technology.
  const QStringList& lines() const { return lines_; }

 private:
  void update();
  void rebuild();
  QString contents() const;
  void addMetric(const QString& name, const QString& value, double part, const wire::ProfileSource& source);
  void addSource(const QString& name, const wire::ProfileSource& source);
  void addNote(const QString& text);

  RunModel* run_;
  QWidget* page_;
  QVBoxLayout* column_;
  QStringList lines_;
  QString shown_;  ///< the contents of the shown lines
};

}  // namespace binade::app

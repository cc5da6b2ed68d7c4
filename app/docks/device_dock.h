// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"

class QVBoxLayout;

namespace binade::app {

/// The device: means over the last ten seconds with the source of each, or what was checked and failed. The sentence of
/// a failure is on the card of TensorDock.
class DeviceDock : public Dock {
  Q_OBJECT

 public:
  /// `run` must outlive the dock.
  explicit DeviceDock(RunModel* run, QWidget* parent = nullptr);

  /// The lines as shown: `Tensor cores active · 29.8 % · COUNTERS`, `NVIDIA driver · not found`. For tests and
  /// assistive technology.
  const QStringList& lines() const { return lines_; }

 private:
  void update();
  void rebuild();
  QString contents() const;
  void addMetric(const QString& name, const QString& value, double part, const wire::ProfileSource& source);
  /// `on_card`: the card of TensorDock has the sentences, which are not repeated beside the checks.
  void addSource(const QString& name, const wire::ProfileSource& source, bool on_card = false);
  void addNote(const QString& text);
  /// The checks of the device in their order; false: the state tells of none.
  bool addChecks(const wire::ProfileSource& source);

  RunModel* run_;
  QWidget* page_;
  QVBoxLayout* column_;
  QStringList lines_;
  QString shown_;  ///< the contents of the shown lines
};

}  // namespace binade::app

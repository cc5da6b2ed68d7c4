// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>

class QPushButton;

namespace binade::app {

/// States that an engine cannot be confined, and why, and asks whether to start it nevertheless. Not to start it is the
/// default. Closing the dialog by Escape answers nothing.
class UnconfinedDialog : public QDialog {
  Q_OBJECT

 public:
  /// `host`: the engine's computer; empty: this one. `why`: what the engine wrote, shown as it is.
  UnconfinedDialog(const QString& host, const QString& why, QWidget* parent = nullptr);

  QPushButton* startButton() const { return start_; }
  QPushButton* refuseButton() const { return refuse_; }

 Q_SIGNALS:
  /// An answer to keep: whether to start the engine.
  void answered(bool start);

 private:
  QPushButton* start_;
  QPushButton* refuse_;
};

}  // namespace binade::app

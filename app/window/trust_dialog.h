// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QDialog>

class QPushButton;
class QTreeWidget;

namespace binade::app {

/// Lists the lines of code for which the engine refuses a model, and asks whether to trust the file. accepted() means
/// yes. Cancel is the default.
class TrustDialog : public QDialog {
  Q_OBJECT

 public:
  /// `problem` has the lines and the hash of the file.
  TrustDialog(const QString& file, const Problem& problem, QWidget* parent = nullptr);

  /// A row for each line: reason, place, code.
  QTreeWidget* lines() const { return lines_; }
  QPushButton* trustButton() const { return trust_; }

 private:
  QTreeWidget* lines_;
  QPushButton* trust_;
};

}  // namespace binade::app

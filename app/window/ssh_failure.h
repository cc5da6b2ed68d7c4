// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace binade::app {

/// Why an engine of another computer did not answer: the reason with the next step, and what ssh wrote, unchanged. It
/// is hidden until something fails.
class SshFailure : public QWidget {
  Q_OBJECT

 public:
  explicit SshFailure(QWidget* parent = nullptr);

  /// `said`: what ssh, or the engine, wrote to standard error; may be empty.
  void setFailure(const QString& reason, const QString& said);
  void clear();

  /// Empty: nothing has failed.
  QString reason() const;
  QString said() const;

 private:
  QLabel* reason_;
  QPlainTextEdit* said_;
};

}  // namespace binade::app

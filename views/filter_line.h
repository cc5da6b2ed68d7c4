// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>
#include <QTimer>

namespace binade::views {

/// The filter field above a table. Emits filterChanged() 120 ms after the last key press, or at once on Return. Escape
/// clears it.
class FilterLine : public QLineEdit {
  Q_OBJECT

 public:
  /// `hint` is the placeholder: `Filter:  format:float16  op:conv  path:layer1`.
  explicit FilterLine(const QString& hint, QWidget* parent = nullptr);

  /// A list of completions: while it is visible, Return and Escape are left to it. Must outlive the line, or be its
  /// child.
  void setCompletions(const QWidget* list) { completions_ = list; }

 Q_SIGNALS:
  void filterChanged(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QTimer quiet_;
  const QWidget* completions_ = nullptr;
};

}  // namespace binade::views

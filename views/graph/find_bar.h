// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace binade::views {

class ModuleGraph;

/// The line for finding at the top right of a graph: part of a name, and how many boxes have it. Return goes to the
/// next, Shift+Return to the previous one, Escape closes.
class FindBar : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(ModuleGraph* graph);

  void open();
  /// Moves it to the corner of the graph.
  void place();
  QLineEdit* line() const { return line_; }
  QLabel* count() const { return count_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showCount(int index);

  ModuleGraph* graph_;
  QLineEdit* line_;
  QLabel* count_;
};

}  // namespace binade::views

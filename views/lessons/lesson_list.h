// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QListWidget>

#include <vector>

namespace binade::views {

/// One lesson in the list.
struct LessonRow {
  QString title;
  QString summary;
  bool done = false;
};

/// All lessons with number, title, summary and a tick for those that are done. A click or Return opens a lesson; typing
/// a title selects it. GUI thread.
class LessonList : public QListWidget {
  Q_OBJECT

 public:
  explicit LessonList(QWidget* parent = nullptr);

  /// `current`: the lesson that is shown, counted from 0; -1: none.
  void setLessons(const std::vector<LessonRow>& lessons, int current);

 Q_SIGNALS:
  void lessonRequested(int index);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
};

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QAction;
class QGridLayout;

namespace binade::app {

/// The lessons on the start page: a head with a button that goes on with the lesson opened last, and one button for
/// each lesson. GUI thread.
class LessonShelf : public QWidget {
  Q_OBJECT

 public:
  struct Lesson {
    QString title;
    bool done = false;

    friend bool operator==(const Lesson&, const Lesson&) = default;
  };

  /// `begin` goes on with the lesson opened last; it must outlive the shelf.
  explicit LessonShelf(QAction* begin, QWidget* parent = nullptr);

  /// Shows these lessons, the first of which has number 1.
  void setLessons(const std::vector<Lesson>& lessons);

 Q_SIGNALS:
  /// Counted from 1.
  void lessonRequested(int number);

 private:
  std::vector<Lesson> lessons_;
  QGridLayout* grid_;
};

}  // namespace binade::app

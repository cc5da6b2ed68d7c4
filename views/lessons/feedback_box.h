// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace binade::views {

class LessonText;

/// The answer to what a person did in a lesson: a text with a stripe, green for right and amber for not yet, which the
/// text then begins with. Hidden until it has a text. GUI thread.
class FeedbackBox : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { kRight, kNotYet, kHint };

  explicit FeedbackBox(QWidget* parent = nullptr);

  /// Shows a text; an empty one hides the box. Announced to assistive technology.
  void setFeedback(Kind kind, const QString& markdown);
  Kind kind() const { return kind_; }
  QString text() const;

 Q_SIGNALS:
  /// A text is shown; it may be below the fold of the page.
  void shown();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  LessonText* text_;
  QString markdown_;
  Kind kind_ = Kind::kHint;
};

}  // namespace binade::views

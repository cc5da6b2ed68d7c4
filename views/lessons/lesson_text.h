// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTextEdit>

class QTextDocument;

namespace binade::views {

/// Reads a lesson's Markdown into a document in the fonts and colours of the theme: `2^-14` becomes 2 with a raised
/// −14, except in code; HTML in the text is shown as text.
void readLessonText(QTextDocument& document, const QString& markdown, int pixels = 13,
                    QFont::Weight weight = QFont::Normal);

/// Makes the lines of code in such a document small enough for a width in px, so that none wraps. A line that is too
/// long at the least size goes on below, indented further than any line begins.
void fitCode(QTextDocument& document, double width, int pixels = 13);

/// A text of a lesson as a widget as high as its text: it never scrolls, wraps also within long words, and can be
/// selected. GUI thread.
class LessonText : public QTextEdit {
  Q_OBJECT

 public:
  explicit LessonText(const QString& markdown = {}, int pixels = 13, QFont::Weight weight = QFont::Normal,
                      QWidget* parent = nullptr);

  void setText(const QString& markdown);
  const QString& markdown() const { return markdown_; }
  /// Height of the text in this width, in px.
  int heightFor(int width) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {60, 8}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return heightFor(width); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void read();

  QString markdown_;
  int pixels_;
  QFont::Weight weight_;
};

}  // namespace binade::views

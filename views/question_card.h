// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/answer_tone.h"

#include <QAbstractButton>
#include <QStringList>

namespace binade::views {

/// A question and its answer as one wide button: number and question, below them a shape and the answer. Crimson for a
/// bad answer.
class QuestionCard : public QAbstractButton {
  Q_OBJECT

 public:
  using Tone = AnswerTone;

  QuestionCard(int number, const QString& question, QWidget* parent = nullptr);

  /// `brief`: what is painted instead of an answer that is longer than a line.
  void setAnswer(Tone tone, const QString& answer, const QString& brief = {});
  QString answer() const { return answer_; }
  Tone tone() const { return tone_; }
  /// The answer as it is painted, in one or two lines: the brief one if the answer takes more than a line. The last
  /// line is elided if it is still too long; the tool tip has the whole answer.
  QStringList answerLines() const;
  /// A small button at the right end. The card takes ownership.
  void setCorner(QWidget* widget);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void placeCorner();

  int number_;
  Tone tone_ = Tone::kUnknown;
  QString answer_;
  QString brief_;
  QWidget* corner_ = nullptr;
};

}  // namespace binade::views

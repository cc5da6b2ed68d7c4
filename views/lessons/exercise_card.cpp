// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/exercise_card.h"

#include "engine/lessons/judge.h"
#include "views/lessons/feedback_box.h"
#include "views/lessons/lesson_text.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace binade::views {

namespace {

/// Whether the answer is the name of an op call, such as `q/aten::linear#0`.
bool asksForOpCall(const lessons::Exercise& exercise) {
  const auto* names = std::get_if<std::vector<std::string>>(&exercise.answer);
  return names != nullptr && !names->empty() && names->front().find('#') != std::string::npos;
}

}  // namespace

ExerciseCard::ExerciseCard(const lessons::Exercise& exercise, const std::string& answer, QWidget* parent)
    : QWidget(parent),
      exercise_(exercise),
      field_(new QLineEdit),
      check_(new QPushButton(tr("Check"))),
      hint_(new QPushButton(tr("Hint"))),
      feedback_(new FeedbackBox),
      hint_box_(new FeedbackBox) {
  constexpr int kMostAnswer = 220;  // px
  auto* ask = new LessonText(QString::fromStdString(exercise.ask));
  setAccessibleName(tr("Exercise"));
  setAccessibleDescription(ask->toPlainText());
  field_->setObjectName(QStringLiteral("answer"));
  field_->setAccessibleName(tr("Answer"));
  field_->setAccessibleDescription(ask->toPlainText());
  field_->setFont(figureFont(13));
  field_->setMaximumWidth(kMostAnswer);
  const bool number = std::holds_alternative<double>(exercise.answer);
  field_->setPlaceholderText(number ? tr("a number") : asksForOpCall(exercise) ? tr("an op call") : tr("a word"));
  if (number) field_->setToolTip(tr("A number: 1024, 0.5, 1e-5, 2^-11, inf or nan"));
  check_->setObjectName(QStringLiteral("check"));
  setPrimary(check_);
  hint_->setObjectName(QStringLiteral("hint"));
  hint_->setVisible(!exercise.hint.empty());

  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(field_, 1);
  line->addWidget(check_);
  line->addWidget(hint_);
  line->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addWidget(ask);
  column->addLayout(line);
  column->addWidget(hint_box_);
  column->addWidget(feedback_);

  connect(check_, &QPushButton::clicked, this, &ExerciseCard::check);
  connect(field_, &QLineEdit::returnPressed, this, &ExerciseCard::check);
  connect(hint_, &QPushButton::clicked, this,
          [this] { hint_box_->setFeedback(FeedbackBox::Kind::kHint, QString::fromStdString(exercise_.hint)); });
  if (answer.empty()) return;
  field_->setText(QString::fromStdString(answer));
  judge(answer);
}

void ExerciseCard::check() {
  const std::string answer = field_->text().trimmed().toStdString();
  if (answer.empty()) {
    feedback_->setFeedback(FeedbackBox::Kind::kNotYet, tr("Type an answer first."));
    field_->setFocus();
    return;
  }
  judge(answer);
}

void ExerciseCard::judge(const std::string& answer) {
  const lessons::Judgement judgement = lessons::judge(exercise_, answer);
  const bool readable = judgement.verdict != lessons::Judgement::Verdict::kUnreadable;
  right_ = judgement.verdict == lessons::Judgement::Verdict::kRight;
  setWrong(field_, !readable);
  feedback_->setFeedback(right_ ? FeedbackBox::Kind::kRight : FeedbackBox::Kind::kNotYet,
                         QString::fromStdString(judgement.feedback));
  if (readable) Q_EMIT answered(answer);
}

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/prediction_card.h"

#include "views/lessons/feedback_box.h"
#include "views/lessons/lesson_text.h"
#include "views/lessons/option_button.h"
#include "views/theme.h"

#include <QBoxLayout>
#include <QLabel>

namespace binade::views {

PredictionCard::PredictionCard(const lessons::Prediction& prediction, std::optional<std::size_t> chosen,
                               QWidget* parent)
    : QWidget(parent), prediction_(prediction), chosen_(chosen), feedback_(new FeedbackBox) {
  auto* head = new QLabel(tr("Predict"));
  head->setFont(textFont(13, QFont::DemiBold));
  auto* question = new LessonText(QString::fromStdString(prediction.question));
  setAccessibleName(tr("Prediction"));
  setAccessibleDescription(question->toPlainText());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addWidget(head);
  column->addWidget(question);
  auto* options = new QVBoxLayout;
  options->setSpacing(0);
  column->addLayout(options);
  for (std::size_t i = 0; i < prediction.options.size(); ++i) {
    auto* option = new OptionButton(QString::fromStdString(prediction.options[i].text));
    option->setObjectName(QStringLiteral("option%1").arg(i));
    connect(option, &OptionButton::clicked, this, [this, i] { choose(i); });
    options_.push_back(option);
    options->addWidget(option);
  }
  column->addWidget(feedback_);
  if (chosen_) judge();
}

void PredictionCard::choose(std::size_t option) {
  if (chosen_) return;
  chosen_ = option;
  judge();
  Q_EMIT predicted(option);
}

void PredictionCard::judge() {
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const bool right = prediction_.options[i].right;
    const bool mine = i == *chosen_;
    if (mine) options_[i]->setChecked(true);
    options_[i]->setJudged(right, mine && right ? tr("your prediction, and right")
                                  : mine        ? tr("your prediction")
                                  : right       ? tr("this is right")
                                                : QString());
  }
  const lessons::Option& chosen = prediction_.options[*chosen_];
  feedback_->setFeedback(chosen.right ? FeedbackBox::Kind::kRight : FeedbackBox::Kind::kNotYet,
                         QString::fromStdString(chosen.feedback));
}

}  // namespace binade::views

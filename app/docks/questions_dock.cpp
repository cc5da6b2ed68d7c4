// SPDX-License-Identifier: Apache-2.0
#include "app/docks/questions_dock.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace binade::app {

namespace {
constexpr int kBelow = 2;  // keeps the window from cutting the lower edge of the cards
}  // namespace

QuestionsDock::QuestionsDock(RunModel* run, QWidget* parent)
    : Dock(QStringLiteral("questions"), tr("Questions"), parent), run_(run), compare_(new QPushButton(tr("Compare"))) {
  auto* page = new QWidget;
  auto* row = new QHBoxLayout(page);
  row->setContentsMargins(0, 0, 0, kBelow);
  row->setSpacing(4);
  const std::array<QString, 4> questions{tr("Is something not finite?"), tr("Is the scale collapsing?"),
                                         tr("Did the loss spike?"), tr("Is precision lost silently?")};
  for (int i = 0; i < 4; ++i) {
    const auto at = static_cast<std::size_t>(i);
    cards_[at] = new views::QuestionCard(i + 1, questions[at]);
    row->addWidget(cards_[at]);
    connect(cards_[at], &QAbstractButton::clicked, this, [this, i] { jump(i); });
  }
  compare_->setToolTip(tr("Runs one step under the policy and again in float32. The training itself does not change."));
  compare_->setWhatsThis(
      tr("A value that became 0 leaves no infinity, so it shows only beside the exact step. The comparison runs one "
         "step twice from the same weights and batch, and lists the op calls by the error that they add. The weights "
         "are restored afterwards."));
  cards_[3]->setCorner(compare_);
  connect(compare_, &QPushButton::clicked, this, &QuestionsDock::comparisonRequested);
  page->setFixedHeight(cards_.front()->sizeHint().height() + kBelow);
  setWidget(page);
  setBare();
  connect(run_, &RunModel::frame, this, &QuestionsDock::update);
  connect(run_, &RunModel::reset, this, &QuestionsDock::update);
  connect(run_, &RunModel::stateChanged, this, &QuestionsDock::update);
  // The answers are not updated while the dock is hidden.
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) update();
  });
  update();
}

void QuestionsDock::update() {
  compare_->setEnabled(run_->hasWeights() && !run_->steps().empty());
  if (!isVisible() && !run_->isEmpty() && run_->steps().size() > 1) return;
  answers_ = answersOf(*run_);
  for (std::size_t i = 0; i < cards_.size(); ++i)
    cards_[i]->setAnswer(answers_[i].tone, answers_[i].text, answers_[i].brief);
}

void QuestionsDock::jump(int question) {
  const Answer& answer = this->answer(question);
  if (answer.event >= 0) return Q_EMIT eventRequested(answer.event);
  if (answer.fault >= 0) return Q_EMIT faultRequested(answer.fault);
  if (answer.site >= 0) return Q_EMIT siteRequested(answer.site);
  if (answer.step) Q_EMIT stepRequested(*answer.step);
}

}  // namespace binade::app

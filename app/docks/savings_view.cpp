// SPDX-License-Identifier: Apache-2.0
#include "app/docks/savings_view.h"

#include "app/present/savings_facts.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

namespace binade::app {

SavingsView::SavingsView(RunModel* run, QWidget* parent)
    : QWidget(parent),
      run_(run),
      headline_(views::makeTextLabel()),
      note_(views::makeTextLabel(views::Tone::kSecond)),
      facts_(new QWidget),
      grid_(new QGridLayout(facts_)) {
  views::setSurface(this, views::Surface::kFoot);
  setAccessibleName(tr("What would this save?"));
  headline_->setFont(views::textFont(12, QFont::DemiBold));
  auto* close = new QToolButton;
  close->setIcon(views::icon(QStringLiteral("close")));
  close->setAutoRaise(true);
  close->setToolTip(tr("Close"));
  close->setAccessibleName(tr("Close the figures of what an edit would save"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto* head = new QHBoxLayout;
  head->addWidget(headline_, 1);
  head->addWidget(close);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(16);
  grid_->setVerticalSpacing(2);
  grid_->setColumnStretch(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 6, 12, 8);
  layout->setSpacing(4);
  layout->addLayout(head);
  layout->addWidget(facts_);
  layout->addWidget(note_);
  // Its figures compare with the policy that was in force.
  connect(run_, &RunModel::policyAdded, this, &QWidget::hide);
  connect(run_, &RunModel::reset, this, &QWidget::hide);
  hide();
}

void SavingsView::ask(const policy::Policy& wanted, const std::vector<int>& sites, const QString& format) {
  sites_ = sites;
  format_ = format;
  headline_->setText(tr("%1 would change:").arg(savingsHeadline(*run_, sites, format)));
  const QString need = savingsNeed(*run_);
  showFacts(nullptr, !need.isEmpty()    ? need
                     : run_->isActive() ? tr("Measuring, before the next step…")
                                        : tr("Loading the end of the run, to measure it…"));
  show();
  if (need.isEmpty()) Q_EMIT measureRequested(wanted);
}

void SavingsView::showAnswer(const std::variant<wire::Savings, Problem>& answer) {
  if (isHidden()) return;
  if (const auto* problem = std::get_if<Problem>(&answer)) {
    return showFacts(nullptr, problem->text());
  }
  const auto& measured = std::get<wire::Savings>(answer);
  showFacts(&measured, measured.sites.empty()
                           ? tr("The policy treats these op calls so already.")
                           : tr("Measured in forwards on a copy of the next batch. The training is unchanged."));
}

void SavingsView::showFacts(const wire::Savings* measured, const QString& note) {
  while (QLayoutItem* item = grid_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  int row = 0;
  for (const SavingsFact& fact : savingsFacts(*run_, sites_, format_, measured)) {
    auto* name = new QLabel(fact.name);
    views::setTone(name, views::Tone::kSecond);
    QLabel* value = views::makeTextLabel();
    value->setText(fact.value);
    value->setAccessibleName(fact.name);
    grid_->addWidget(name, row, 0, Qt::AlignTop);
    grid_->addWidget(value, row++, 1);
  }
  note_->setText(note);
  setAccessibleDescription(text());
}

QString SavingsView::text() const {
  QStringList lines{headline_->text()};
  for (int row = 0; row < grid_->rowCount(); ++row) {
    const auto at = [this, row](int column) {
      const QLayoutItem* item = grid_->itemAtPosition(row, column);
      const auto* label = item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
      return label == nullptr ? QString() : label->text();
    };
    if (!at(0).isEmpty()) lines << at(0) + QStringLiteral(": ") + at(1);
  }
  lines << note_->text();
  return lines.join(u'\n');
}

}  // namespace binade::app

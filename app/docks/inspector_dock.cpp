// SPDX-License-Identifier: Apache-2.0
#include "app/docks/inspector_dock.h"

#include "app/docks/empty_state.h"
#include "app/docks/inspector_page.h"
#include "app/model/site_history.h"
#include "app/present/diagnose_answers.h"
#include "views/values/numbers.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace binade::app {

InspectorDock::InspectorDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("eventInspector"), tr("Event"), parent),
      run_(run),
      selection_(selection),
      page_(new InspectorPage),
      compare_(new QPushButton(tr("Compare one step with float32"))) {
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(page_);
  // The actions stay in view while the page scrolls.
  auto* whole = new QWidget;
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scroll, 1);
  column->addWidget(page_->actions());
  empty_ = new EmptyState(whole, QString(), QString());
  empty_->addButton(compare_);
  setWidget(empty_);
  // Scrolls to the explanation that was opened at the bottom.
  connect(page_->why(), &QToolButton::toggled, this, [this, scroll](bool open) {
    if (open) QTimer::singleShot(0, this, [this, scroll] { scroll->ensureWidgetVisible(page_->whyText(), 0, 20); });
  });
  connect(page_, &InspectorPage::fixRequested, this, &InspectorDock::fixRequested);
  connect(page_, &InspectorPage::tryRequested, this, &InspectorDock::tryRequested);
  connect(page_, &InspectorPage::repairRequested, this, &InspectorDock::repairRequested);
  connect(page_, &InspectorPage::numberRequested, this, &Dock::numberRequested);
  connect(page_, &InspectorPage::siteRequested, this, &InspectorDock::siteRequested);
  connect(compare_, &QPushButton::clicked, this, &InspectorDock::comparisonRequested);
  connect(selection_, &Selection::eventChanged, this, &InspectorDock::showStory);
  connect(run_, &RunModel::reset, this, [this] { showStory(selection_->event()); });
  connect(run_, &RunModel::stateChanged, this, [this] { showStory(selection_->event()); });
  connect(run_, &RunModel::stepsAdded, this, &InspectorDock::updateEmpty);
  connect(run_, &RunModel::policyAdded, this, [this] { showStory(shown_); });
  connect(run_, &RunModel::shownStepChanged, this, [this] { showStory(shown_); });
  connect(run_, &RunModel::eventAdded, this, [this](int index) {
    // A later event may report that this event's fix has held.
    const bool held = run_->events()[static_cast<std::size_t>(index)].kind == wire::Event::Kind::kFixHeld;
    if (held && shown_ >= 0) return showStory(shown_);
    updateEmpty();
  });
  showStory(-1);
}

void InspectorDock::showStory(int index) {
  shown_ = index;
  if (index >= 0 && static_cast<std::size_t>(index) < run_->events().size()) {
    story_ = storyOf(*run_, index);
    page_->setStory(story_);
    const QString why_not = run_->whyNoEdit();
    page_->setApplicable(why_not.isEmpty(), run_->isActive()
                                                ? why_not
                                                : tr("The run has ended. A fix can be applied to an active run only."));
    setDockTitle(tr("Event at step %1").arg(views::grouped(run_->events()[static_cast<std::size_t>(index)].step)));
  } else {
    shown_ = -1;
    story_ = {};
    setDockTitle(tr("Event"));
  }
  updateAdvice();
  updateEmpty();
}

// A collapsed scale recovers slowly after its cause is fixed: suggests setting it.
void InspectorDock::updateAdvice() {
  constexpr double kFallen = 16;
  QList<bool> in_force;
  for (const EventStory::Tried& tried : story_.tried)
    in_force << (tried.change.scale <= 0 && isInForce(*run_, tried.change.rules));
  page_->setInForce(in_force);
  const bool several = run_->config().scalers.size() > 1;
  const double now = run_->scaleNow();
  const double then = shown_ < 0 ? now : run_->events()[static_cast<std::size_t>(shown_)].scale;
  const wire::ScalerConfig& scaler = run_->config().scaler;
  const bool fallen = !several && scaler.enabled && now * kFallen <= then;
  page_->setScaleAdvice(fallen ? tr("The loss scale has since fallen to %1. It grows once in %2 clean steps. You can "
                                    "set it beside its chart.")
                                     .arg(views::scaleText(now), views::grouped(scaler.growth_interval))
                               : QString());
}

void InspectorDock::updateEmpty() {
  empty_->setEmpty(shown_ < 0);
  if (shown_ >= 0) return;
  const auto steps = static_cast<std::int64_t>(run_->steps().size());
  compare_->setVisible(run_->hasWeights() && steps > 0 && run_->events().empty());
  if (steps == 0) return empty_->setText(tr("No steps yet."), tr("The cause of an overflow appears here."));
  if (!run_->events().empty()) {
    return empty_->setText(tr("No event is selected."),
                           tr("Select an event in the list, or click a mark in a chart, to see its cause and fixes."));
  }
  const NothingFound nothing = nothingFound(*run_);
  empty_->setText(nothing.headline, nothing.sentence);
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/observe_menu.h"

#include <QActionGroup>

namespace binade::app {

ObserveMenu::ObserveMenu(QWidget* parent)
    : QMenu(tr("&Observe"), parent), levels_(new QActionGroup(this)), samplings_(new QActionGroup(this)) {
  setToolTipsVisible(true);
  addLevel("off", tr("&Off"), tr("Nothing is looked at: the fastest"));
  addLevel("finite", tr("&Finite checks"), tr("Largest magnitudes, overflow and values that are not finite"));
  addLevel("histogram", tr("&Histograms"), tr("Where the values of every gradient lie, binade by binade"));
  addSeparator();
  // A run's file may ask for a number of steps that is not offered here: then none is checked.
  samplings_->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  addSampling(1, tr("On &every step"));
  addSampling(4, tr("On every &4th step"));
  addSampling(16, tr("On every &16th step"));
  // A choice that the engine refused is not left standing.
  connect(this, &QMenu::aboutToShow, this, &ObserveMenu::update);
  update();
}

void ObserveMenu::addLevel(const char* level, const QString& text, const QString& tip) {
  QAction* action = levels_->addAction(addAction(text));
  action->setObjectName(QStringLiteral("observe.") + QLatin1String(level));
  action->setToolTip(tip);
  action->setCheckable(true);
  action->setData(QLatin1String(level));
  connect(action, &QAction::triggered, this, [this, level] { Q_EMIT observeRequested({level, observe_.every}); });
}

void ObserveMenu::addSampling(int every, const QString& text) {
  QAction* action = samplings_->addAction(addAction(text));
  action->setObjectName(QStringLiteral("observe.every%1").arg(every));
  action->setToolTip(tr("Histograms on these steps, finite checks on all"));
  action->setCheckable(true);
  action->setData(every);
  connect(action, &QAction::triggered, this, [this, every] { Q_EMIT observeRequested({observe_.level, every}); });
}

void ObserveMenu::setObserve(const wire::ObserveConfig& observe) {
  observe_ = observe;
  update();
}

void ObserveMenu::setActive(bool active) {
  active_ = active;
  update();
}

void ObserveMenu::update() {
  menuAction()->setEnabled(active_);
  for (QAction* action : levels_->actions()) {
    action->setEnabled(active_);
    action->setChecked(action->data().toString().toStdString() == observe_.level);
  }
  for (QAction* action : samplings_->actions()) {
    action->setEnabled(active_ && observe_.level == "histogram");
    action->setChecked(action->data().toInt() == observe_.every);
  }
}

}  // namespace binade::app

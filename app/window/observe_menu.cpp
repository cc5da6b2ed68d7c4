// SPDX-License-Identifier: Apache-2.0
#include "app/window/observe_menu.h"

#include "app/present/observe_words.h"

#include <QActionGroup>

namespace binade::app {

namespace {

wire::ObserveConfig withField(wire::ObserveConfig observe, bool wire::ObserveConfig::*field, bool on) {
  observe.*field = on;
  return observe;
}

}  // namespace

ObserveMenu::ObserveMenu(QWidget* parent)
    : QMenu(tr("&Observe"), parent),
      levels_(new QActionGroup(this)),
      samplings_(new QActionGroup(this)),
      sites_(new QActionGroup(this)) {
  setToolTipsVisible(true);
  for (const ObserveLevel& level : observeLevels()) addLevel(level.id, u'&' + level.name, level.observes);
  addSection(tr("Values"));
  inputs_ =
      addSwitch(QStringLiteral("inputs"), tr("Also &arguments"), observeInputsTip(), &wire::ObserveConfig::inputs);
  parameters_ = addSwitch(QStringLiteral("parameters"), tr("Also &parameters"), observeParametersTip(),
                          &wire::ObserveConfig::parameters);
  addSection(tr("Steps"));
  // A run may use an interval that the menu does not offer: then none is checked.
  samplings_->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  addSampling(1, tr("&Every step"));
  addSampling(4, tr("Every &4th step"));
  addSampling(32, tr("Every &32nd step"));
  between_ = addAction(tr("Level F&inite on other steps"));
  between_->setObjectName(QStringLiteral("observe.between"));
  between_->setCheckable(true);
  between_->setToolTip(
      tr("If this is off, the steps between are not observed. The loss and all gradients are still checked on every "
         "step."));
  connect(between_, &QAction::triggered, this,
          [this](bool on) { ask([on](wire::ObserveConfig& observe) { observe.between = on ? "finite" : "off"; }); });
  addSection(tr("Op calls"));
  addSites();
  // Resets a choice that the engine refused.
  connect(this, &QMenu::aboutToShow, this, &ObserveMenu::update);
  update();
}

QAction* ObserveMenu::add(QActionGroup* group, const QString& name, const QString& text, const QString& tip) {
  QAction* action = group->addAction(addAction(text));
  action->setObjectName(QStringLiteral("observe.") + name);
  action->setToolTip(tip);
  action->setCheckable(true);
  return action;
}

// Requests one change; the rest of the observation settings stays.
template <class Change>
void ObserveMenu::ask(Change change) {
  wire::ObserveConfig wanted = observe_;
  change(wanted);
  Q_EMIT observeRequested(wanted);
}

void ObserveMenu::addLevel(const char* level, const QString& text, const QString& tip) {
  QAction* action = add(levels_, QLatin1String(level), text, tip);
  action->setData(QLatin1String(level));
  connect(action, &QAction::triggered, this,
          [this, level] { ask([level](wire::ObserveConfig& observe) { observe.level = level; }); });
}

QAction* ObserveMenu::addSwitch(const QString& name, const QString& text, const QString& tip,
                                bool wire::ObserveConfig::*field) {
  QAction* action = addAction(text);
  action->setObjectName(QStringLiteral("observe.") + name);
  action->setToolTip(tip);
  action->setCheckable(true);
  connect(action, &QAction::triggered, this, [this, field](bool on) {
    // Below the level Range, arguments and parameters are only checked for finite values.
    if (on) return Q_EMIT observeRequested(withField(atLeast(observe_, "range"), field, on));
    Q_EMIT observeRequested(withField(observe_, field, on));
  });
  return action;
}

void ObserveMenu::addSampling(int every, const QString& text) {
  QAction* action = add(samplings_, QStringLiteral("every%1").arg(every), text,
                        tr("The loss and all gradients are checked on every step, independent of these settings"));
  action->setData(every);
  connect(action, &QAction::triggered, this,
          [this, every] { ask([every](wire::ObserveConfig& observe) { observe.every = every; }); });
}

void ObserveMenu::addSites() {
  sites_->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  all_sites_ = add(sites_, QStringLiteral("all"), tr("A&ll op calls"), tr("Every op call of the model and the loss"));
  connect(all_sites_, &QAction::triggered, this,
          [this] { ask([](wire::ObserveConfig& observe) { observe.sites.clear(); }); });
  one_site_ = add(sites_, QStringLiteral("selected"), QString(), tr("Observes only the selected op call"));
  connect(one_site_, &QAction::triggered, this, [this] {
    ask([match = selected_site_.toStdString()](wire::ObserveConfig& observe) { observe.sites = match; });
  });
  more_ = addAction(tr("&Choose steps and op calls…"));
  more_->setObjectName(QStringLiteral("observe.more"));
  connect(more_, &QAction::triggered, this, &ObserveMenu::dialogRequested);
}

void ObserveMenu::setObserve(const wire::ObserveConfig& observe) {
  observe_ = observe;
  update();
}

void ObserveMenu::setActive(bool active) {
  active_ = active;
  update();
}

void ObserveMenu::setSelectedSite(const QString& match) {
  selected_site_ = match;
  update();
}

void ObserveMenu::update() {
  menuAction()->setEnabled(active_);
  const bool on = active_ && observe_.level != "off";
  for (QAction* action : levels_->actions()) {
    action->setEnabled(active_);
    action->setChecked(action->data().toString().toStdString() == observe_.level);
  }
  for (QAction* action : samplings_->actions()) {
    action->setEnabled(on);
    action->setChecked(action->data().toInt() == observe_.every);
  }
  // Enabled at every level: switching one on raises the level to Range.
  inputs_->setEnabled(active_);
  inputs_->setChecked(on && observe_.inputs);
  parameters_->setEnabled(active_);
  parameters_->setChecked(on && observe_.parameters);
  between_->setEnabled(on && observe_.every > 1 && observe_.level != "finite");
  between_->setChecked(observe_.between == "finite");
  const QString match = QString::fromStdString(observe_.sites);
  all_sites_->setEnabled(on);
  all_sites_->setChecked(match.isEmpty());
  // Shows the run's filter if no op call is selected.
  const QString offered = selected_site_.isEmpty() ? match : selected_site_;
  one_site_->setText(offered.isEmpty() ? tr("Only the &selected op call") : tr("Only %1").arg(offered));
  one_site_->setEnabled(on && !selected_site_.isEmpty());
  one_site_->setChecked(!match.isEmpty() && match == offered);
  more_->setEnabled(active_);
}

}  // namespace binade::app

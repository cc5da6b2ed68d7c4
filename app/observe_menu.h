// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QMenu>

class QActionGroup;

namespace binade::app {

/// What is watched of a run's tensors, on how many of its steps, and of which op calls. Shows what the run does each
/// time it opens; choosing changes that one thing, and only asks.
class ObserveMenu : public QMenu {
  Q_OBJECT

 public:
  explicit ObserveMenu(QWidget* parent = nullptr);

  void setObserve(const wire::ObserveConfig& observe);
  /// Whether a run listens.
  void setActive(bool active);
  /// The match of the op call that is selected in the window; empty where it is none, or more than one.
  void setSelectedSite(const QString& match);

 Q_SIGNALS:
  void observeRequested(const binade::wire::ObserveConfig& observe);
  /// Any interval, any op calls: a dialog.
  void dialogRequested();

 private:
  void addLevel(const char* level, const QString& text, const QString& tip);
  QAction* addSwitch(const QString& name, const QString& text, const QString& tip, bool wire::ObserveConfig::*field);
  void addSampling(int every, const QString& text);
  void addSites();
  QAction* add(QActionGroup* group, const QString& name, const QString& text, const QString& tip);
  template <class Change>
  void ask(Change change);
  void update();

  wire::ObserveConfig observe_;
  QString selected_site_;
  bool active_ = false;
  QActionGroup* levels_;
  QActionGroup* samplings_;
  QActionGroup* sites_;
  QAction* inputs_ = nullptr;
  QAction* parameters_ = nullptr;
  QAction* between_ = nullptr;
  QAction* all_sites_ = nullptr;
  QAction* one_site_ = nullptr;
  QAction* more_ = nullptr;
};

}  // namespace binade::app

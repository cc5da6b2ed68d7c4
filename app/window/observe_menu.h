// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QMenu>

class QActionGroup;

namespace binade::app {

/// Menu for what is observed of a run's tensors, in how many steps, and at which op calls. Shows the run's settings
/// when it opens; a choice emits observeRequested() with that one change.
class ObserveMenu : public QMenu {
  Q_OBJECT

 public:
  explicit ObserveMenu(QWidget* parent = nullptr);

  void setObserve(const wire::ObserveConfig& observe);
  /// Sets whether a run accepts changes.
  void setActive(bool active);
  /// Sets the match of the op call selected in the window; empty if none or several are.
  void setSelectedSite(const QString& match);

 Q_SIGNALS:
  void observeRequested(const binade::wire::ObserveConfig& observe);
  /// A dialog for any interval and any op calls is requested.
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

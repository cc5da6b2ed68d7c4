// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/arrangement.h"

#include <QAction>
#include <QList>
#include <QObject>

class QActionGroup;

namespace binade::app {

class Session;

/// All commands of the window: text, shortcut, icon, a tool tip with the shortcut, and whether they are enabled. Menus,
/// toolbar and the shortcuts dialog are built from these. Commands of the session are connected; the window connects
/// the others.
class Actions : public QObject {
  Q_OBJECT

 public:
  /// What the window shows, as far as it decides which actions are enabled.
  struct Shown {
    bool docks = false;
    bool setup = false;
    bool lesson = false;                              ///< a lesson that can be exported
    bool startable = false;                           ///< the run on the set-up page can be started
    Arrangement arrangement = Arrangement::kExplore;  ///< lit while the docks are shown
    QString why_no_try{};                             ///< why the newest edit cannot be tried; empty: it can
  };

  /// `session` must outlive the actions.
  Actions(Session* session, QObject* parent);

  /// Enables the actions that are possible now.
  void update(const Shown& shown);

  QAction* open;
  QAction* connect_engine;
  QAction* own_engine;
  QAction* attach;
  QAction* take_editing;
  QAction* let_go;
  QAction* compare_run;
  QAction* one_run;
  QAction* demo;
  QAction* start_page;
  QAction* save_description;
  QAction* save_model;
  QAction* import_policy;
  QAction* export_policy;
  QAction* export_report;
  QAction* export_run;
  QAction* save_run_copy;
  QAction* export_graph;
  QAction* export_notes;
  QAction* export_lesson;
  QAction* save_bundle;
  QAction* save_policy;
  QAction* save_policy_as;
  QAction* show_changes;
  QAction* try_edit;
  QAction* minimise_policy;
  QAction* generalise_policy;
  QAction* quit;

  QAction* undo;
  QAction* redo;
  QAction* undo_and_rewind;
  QAction* filter;
  QAction* settings;

  QAction* run;
  QAction* pause;
  QAction* step;
  QAction* stop;
  QAction* start_again;
  QAction* resume_checkpoint;
  QAction* save_checkpoint;
  QAction* restart_engine;

  /// Explore, Tune, Diagnose, Profile, Learn. The shown one is checked, none without docks. Their data is an
  /// Arrangement.
  QActionGroup* arrangements;
  QAction* compare;

  QAction* set_float32;
  QAction* set_bfloat16;
  QAction* set_float16;
  QAction* clear_rules;

  QAction* fit;
  QAction* follow;
  QAction* go_to_step;
  QAction* save_layout;
  QAction* restore_layout;

  QAction* palette;
  QAction* show_hints;
  QAction* save_diagnostics;
  QAction* numbers;
  QAction* lessons;
  QAction* shortcuts;
  QAction* whats_this;
  QAction* about;

  /// In menu order.
  const QList<QAction*>& all() const { return all_; }

 private:
  void connectSession();
  void updateRun(const Shown& shown);
  void updateFiles(const Shown& shown);
  void updateEdits(const Shown& shown);
  QAction* make(const char* name, const QString& text, const QKeySequence& key, const QString& icon = {});
  QAction* adopt(const char* name, QAction* action, const QKeySequence& key, const QString& icon);

  Session* session_;
  QList<QAction*> all_;
};

/// Sets what whyDisabled() returns while the action is disabled.
void setWhyDisabled(QAction* action, const QString& why);

/// Returns why an action is disabled, if its commands say so; otherwise empty.
QString whyDisabled(const QAction* action);

/// Returns an action's text without mnemonics and ellipsis.
QString plainText(const QAction* action);

/// Returns an action's text without mnemonics and ellipsis, followed by its shortcut in brackets.
QString tipOf(const QAction* action);

}  // namespace binade::app

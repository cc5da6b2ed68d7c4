// SPDX-License-Identifier: Apache-2.0
#include "app/window/actions.h"

#include "app/session/attachment.h"
#include "app/session/session.h"
#include "app/window/arrangement.h"
#include "views/icons.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QUndoGroup>

namespace binade::app {

namespace {

constexpr char kWhyDisabled[] = "whyDisabled";

// An empty reason enables the action.
void allow(QAction* action, const QString& whyNot) {
  setWhyDisabled(action, whyNot);
  action->setEnabled(whyNot.isEmpty());
}

void allow(QAction* action, bool possible, const QString& whyNot) {
  allow(action, possible ? QString() : whyNot);
}

QKeySequence keys(const char* text) {
  return QKeySequence(QString::fromLatin1(text));
}

}  // namespace

void setWhyDisabled(QAction* action, const QString& why) {
  action->setProperty(kWhyDisabled, why);
}

QString whyDisabled(const QAction* action) {
  return action->isEnabled() ? QString() : action->property(kWhyDisabled).toString();
}

QString plainText(const QAction* action) {
  QString text = action->text();
  text.remove(u'&');
  while (text.endsWith(u'…') || text.endsWith(u'.')) text.chop(1);
  return text;
}

QString tipOf(const QAction* action) {
  const QString key = action->shortcut().toString(QKeySequence::NativeText);
  return key.isEmpty() ? plainText(action) : QStringLiteral("%1 (%2)").arg(plainText(action), key);
}

Actions::Actions(Session* session, QObject* parent) : QObject(parent), session_(session) {
  open = make("open", tr("&Open…"), keys("Ctrl+O"), QStringLiteral("open"));
  connect_engine = make("connectEngine", tr("&Connect to another computer's engine…"), {});
  own_engine = make("ownEngine", tr("&Use this computer's engine"), {}, QStringLiteral("chip"));
  attach = make("attach", tr("&Attach to a running training…"), keys("Ctrl+Shift+A"));
  take_editing = make("takeEditing", tr("Ta&ke over editing"), {});
  let_go = make("letGo", tr("&Let go of the training"), keys("Ctrl+Shift+G"));
  compare_run = make("compareRun", tr("Com&pare with run…"), {});
  one_run = make("removeSecondRun", tr("Remo&ve the second run"), {});
  demo = make("demo", tr("Run the &demo"), keys("Ctrl+D"), QStringLiteral("run"));
  start_page = make("startPage", tr("S&tart page"), keys("Ctrl+Home"));
  save_description = make("saveDescription", tr("Save run &description…"), {});
  save_model = make("saveModel", tr("Save trained &model…"), {});
  import_policy = make("importPolicy", tr("&Import policy list…"), {});
  export_policy = make("exportPolicy", tr("&Export policy…"), keys("Ctrl+E"));
  export_report = make("exportReport", tr("Export re&port…"), {});
  export_run = make("exportRun", tr("E&xport run…"), {});
  save_run_copy = make("saveRunCopy", tr("Save a cop&y of the run file here…"), {});
  export_graph = make("exportGraph", tr("Export &graph…"), {});
  export_notes = make("exportNotes", tr("Export &notes as CSV…"), {});
  export_lesson = make("exportLesson", tr("Export lesson as &HTML…"), {});
  save_bundle = make("saveBundle", tr("Save &bundle of the event…"), {});
  save_policy = make("savePolicy", tr("&Save policy"), keys("Ctrl+S"));
  save_policy_as = make("savePolicyAs", tr("Save policy &as…"), keys("Ctrl+Shift+S"));
  show_changes = make("showChanges", tr("&What have I changed"), {});
  try_edit = make("tryEdit", tr("&Try the newest edit"), keys("Ctrl+T"));
  minimise_policy = make("minimisePolicy", tr("&Minimise"), {});
  generalise_policy = make("generalisePolicy", tr("&Generalise"), {});
  quit = make("quit", tr("&Quit"), keys("Ctrl+Q"));

  QUndoGroup* undo_group = session_->undoGroup();
  undo = adopt("undo", undo_group->createUndoAction(this, tr("Undo")), keys("Ctrl+Z"), QStringLiteral("undo"));
  redo = adopt("redo", undo_group->createRedoAction(this, tr("Redo")), keys("Ctrl+Shift+Z"), QStringLiteral("redo"));
  setWhyDisabled(undo, tr("There is no edit to undo."));
  setWhyDisabled(redo, tr("There is no edit to redo."));
  undo_and_rewind = make("undoAndRewind", tr("Undo and re&wind"), keys("Ctrl+Alt+Z"), QStringLiteral("rewind"));
  filter = make("filter", tr("&Filter op calls"), keys("Ctrl+F"), QStringLiteral("search"));

  settings = make("settings", tr("&Settings…"), keys("Ctrl+,"));

  run = make("run", tr("&Run"), keys("F5"), QStringLiteral("run"));
  pause = make("pause", tr("&Pause"), keys("F6"), QStringLiteral("pause"));
  step = make("step", tr("One s&tep"), keys("F10"), QStringLiteral("step"));
  stop = make("stop", tr("&Stop"), keys("Shift+F5"), QStringLiteral("stop"));
  start_again = make("startAgain", tr("Restart &with this policy"), keys("Ctrl+R"));
  resume_checkpoint = make("resumeCheckpoint", tr("Resume from the last &checkpoint"), keys("Ctrl+Alt+R"));
  save_checkpoint = make("saveCheckpoint", tr("Save chec&kpoint"), keys("Ctrl+K"));
  restart_engine = make("restartEngine", tr("Restart the &engine"), keys("Ctrl+Shift+R"));

  arrangements = new QActionGroup(this);
  arrangements->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  const auto arrangement = [this](const char* id, const QString& text, const QString& tip, Arrangement which,
                                  const char* key) {
    QAction* action = make(id, text, keys(key));
    action->setToolTip(QStringLiteral("%1 (%2)").arg(tip, action->shortcut().toString(QKeySequence::NativeText)));
    action->setCheckable(true);
    action->setData(static_cast<int>(which));
    arrangements->addAction(action);
  };
  arrangement("explore", tr("&Explore"), tr("Charts, op calls and gradients of a run"), Arrangement::kExplore,
              "Ctrl+Alt+1");
  arrangement("tune", tr("&Tune"), tr("Formats, casts and the effect of an edit"), Arrangement::kTune, "Ctrl+Alt+2");
  arrangement("diagnose", tr("&Diagnose"), tr("Faults, their causes and their fixes"), Arrangement::kDiagnose,
              "Ctrl+Alt+3");
  arrangement("profile", tr("&Profile"), tr("Time of op calls and tensor-core use"), Arrangement::kProfile,
              "Ctrl+Alt+4");
  arrangement("learn", tr("&Learn"), tr("Lessons with live figures and experiments"), Arrangement::kLearn,
              "Ctrl+Alt+5");
  compare = make("compare", tr("&Compare one step with float32"), keys("Ctrl+Alt+F"));

  set_float32 = make("setFloat32", tr("Selected op calls to float&32"), keys("Ctrl+1"));
  set_bfloat16 = make("setBFloat16", tr("Selected op calls to &bfloat16"), keys("Ctrl+2"));
  set_float16 = make("setFloat16", tr("Selected op calls to &float16"), keys("Ctrl+3"));
  clear_rules = make("clearRules", tr("Selected op calls follow the base &list"), keys("Ctrl+0"));

  fit = make("fit", tr("Show all &steps"), keys("Ctrl+Shift+F"), QStringLiteral("fit"));
  follow = make("follow", tr("Follow the &newest step"), keys("Ctrl+End"));
  go_to_step = make("goToStep", tr("&Go to step…"), keys("Ctrl+G"));
  save_layout = make("saveLayout", tr("Save layout &as…"), {});
  restore_layout = make("restoreLayout", tr("&Restore default layout"), keys("Ctrl+Shift+L"));

  palette = make("commandPalette", tr("Co&mmand palette…"), keys("Ctrl+Shift+P"), QStringLiteral("search"));
  show_hints = make("showHints", tr("Show the &hints again"), {});
  save_diagnostics = make("saveDiagnostics", tr("Save &diagnostics…"), {});
  numbers = make("numberFormats", tr("&Number formats"), keys("Ctrl+Shift+N"));
  lessons = make("lessons", tr("&Lessons"), keys("Ctrl+L"), QStringLiteral("book"));
  shortcuts = make("shortcuts", tr("&Keyboard shortcuts"), keys("F1"));
  whats_this = make("whatsThis", tr("&What's this?"), keys("Shift+F1"));
  about = make("about", tr("&About Binade"), {}, QStringLiteral("info"));
  connectSession();
}

void Actions::connectSession() {
  connect(pause, &QAction::triggered, session_, &Session::pause);
  connect(step, &QAction::triggered, session_, &Session::step);
  connect(start_again, &QAction::triggered, session_, &Session::startAgain);
  connect(resume_checkpoint, &QAction::triggered, session_, &Session::resumeFromCheckpoint);
  connect(save_checkpoint, &QAction::triggered, session_, &Session::saveCheckpoint);
  connect(undo_and_rewind, &QAction::triggered, session_, &Session::undoAndRewind);
  connect(restart_engine, &QAction::triggered, session_, &Session::restartEngine);
}

void Actions::update(const Shown& shown) {
  updateRun(shown);
  updateFiles(shown);
  updateEdits(shown);
  for (QAction* action : arrangements->actions()) {
    action->setChecked(shown.docks && action->data().toInt() == static_cast<int>(shown.arrangement));
  }
  for (QAction* action : {fit, follow, filter, show_changes, save_layout, restore_layout})
    allow(action, shown.docks, tr("No charts are shown."));
}

void Actions::updateRun(const Shown& shown) {
  const RunModel& model = session_->run();
  const bool active = model.isActive();
  const bool running = active && model.state() == wire::RunState::kRunning;
  const bool paused = active && model.state() == wire::RunState::kPaused;
  const QString none = tr("No run is in progress.");
  if (shown.setup) {
    allow(run, shown.startable, tr("The run description has a problem."));
  } else {
    allow(run, paused || session_->canStartAgain(),
          running ? tr("The run is training.") : tr("There is no run. Run the demo, or open a model."));
  }
  // A watcher of a training, or a window whose connection to it is cut, controls nothing.
  const QString barred = active ? model.whyNoEdit() : QString();
  const auto control = [&](QAction* action, bool possible, const QString& whyNot) {
    allow(action, barred.isEmpty() ? (possible ? QString() : whyNot) : barred);
  };
  if (!barred.isEmpty() && !shown.setup) allow(run, barred);
  control(pause, running, active ? tr("The run is not training now.") : none);
  control(step, paused, active ? tr("Pause the run first.") : none);
  control(stop, active, none);
  allow(start_again, session_->canStartAgain(), active ? tr("Stop the run first.") : tr("No run has ended here."));
  allow(resume_checkpoint, session_->canResumeFromCheckpoint(),
        active ? tr("Stop the run first.") : tr("No ended run has a checkpoint."));
  control(save_checkpoint, active, none);
  allow(compare, model.hasWeights() && !model.steps().empty(), tr("The run has no weights yet."));
  const QString no_rewind = session_->whyNoRewind();
  allow(undo_and_rewind, no_rewind);
  undo_and_rewind->setToolTip(no_rewind.isEmpty() ? tr("Undoes the newest edit and all training after it") : no_rewind);
}

void Actions::updateFiles(const Shown& shown) {
  const RunModel& model = session_->run();
  const Attachment& attachment = session_->attachment();
  const QString alone = tr("The window is not attached to a training.");
  allow(own_engine, !session_->host().isEmpty() && !model.isActive(),
        session_->host().isEmpty() ? tr("This computer's engine is in use.") : tr("Stop the run first."));
  allow(let_go, attachment.isOn(), alone);
  allow(take_editing, attachment.state() == Attachment::State::kConnected && !attachment.isEditor(),
        attachment.isEditor() ? tr("This window edits the training already.")
        : attachment.isOn()   ? attachment.whyNoEdit()
                              : alone);
  allow(save_run_copy, model.filesElsewhere() && !model.runFile().isEmpty() && !session_->host().isEmpty(),
        tr("No run file of another computer is shown."));
  const QString none = tr("There is no run.");
  allow(save_model, model.hasWeights(), tr("The run has no weights yet."));
  allow(import_policy, !model.isEmpty(), none);
  allow(export_policy, !model.isEmpty(), none);
  QString no_file;
  if (model.runFile().isEmpty()) {
    no_file = model.isEmpty() ? none : tr("The run is not recorded in a file.");
  } else if (!QFileInfo::exists(model.runFile())) {
    no_file = session_->host().isEmpty() ? tr("The run file does not exist any more.")
                                         : tr("The run file is on %1.").arg(session_->host());
  }
  for (QAction* action : {export_report, export_run}) allow(action, no_file);
  allow(save_bundle, no_file.isEmpty() && session_->selection().event() < 0 ? tr("No event is selected.") : no_file);
  allow(export_lesson, shown.lesson, tr("No lesson is shown."));
  allow(export_graph, !model.sites().empty(), none);
  allow(export_notes, !model.notes().empty(), tr("The run has no notes."));
  allow(save_description, !model.isEmpty() || shown.setup, none);
  allow(save_policy, !model.isEmpty() || session_->document().isModified(), tr("There is no policy yet."));
  allow(save_policy_as, whyDisabled(save_policy));
}

void Actions::updateEdits(const Shown& shown) {
  const RunModel& model = session_->run();
  const bool any_run = !model.isEmpty();
  const QString no_run = tr("There is no run.");
  allow(go_to_step, shown.docks && any_run, no_run);
  allow(compare_run, any_run, no_run);
  allow(one_run, !session_->second().isEmpty(), tr("There is no second run."));
  for (QAction* action : {set_float32, set_bfloat16, set_float16, clear_rules}) {
    const bool any = !session_->selection().sites().empty();
    const QString why = any_run ? tr("No op call is selected.") : no_run;
    allow(action, any_run && any ? session_->document().whyReadOnly() : why);
  }
  allow(try_edit, shown.docks ? shown.why_no_try : tr("No charts are shown."));
  try_edit->setToolTip(shown.why_no_try.isEmpty() ? tipOf(try_edit) : shown.why_no_try);
  const bool rules = any_run && session_->document().changeCount() > 0;
  for (QAction* action : {minimise_policy, generalise_policy}) {
    allow(action, rules, any_run ? tr("The policy has no changes.") : no_run);
  }
}

QAction* Actions::make(const char* name, const QString& text, const QKeySequence& key, const QString& icon) {
  return adopt(name, new QAction(text, this), key, icon);
}

QAction* Actions::adopt(const char* name, QAction* action, const QKeySequence& key, const QString& icon) {
  action->setObjectName(QString::fromLatin1(name));
  action->setShortcut(key);
  if (!icon.isEmpty()) action->setIcon(views::icon(icon));
  action->setToolTip(tipOf(action));
  // The text of undo and redo changes with every edit; the tool tip must follow.
  connect(action, &QAction::changed, action, [action, plain = action->text()] {
    if (action->text() == plain) return;  // keeps tool tips that add to the text
    if (const QString tip = tipOf(action); action->toolTip() != tip) action->setToolTip(tip);
  });
  all_.append(action);
  return action;
}

}  // namespace binade::app

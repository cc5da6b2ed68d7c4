// SPDX-License-Identifier: Apache-2.0
#include "app/window/actions.h"

#include "app/session/session.h"
#include "app/window/arrangement.h"
#include "views/icons.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QUndoGroup>

namespace binade::app {

namespace {

QString plainText(const QAction* action) {
  QString text = action->text();
  text.remove(u'&');
  while (text.endsWith(u'…') || text.endsWith(u'.')) text.chop(1);
  return text;
}

QKeySequence keys(const char* text) {
  return QKeySequence(QString::fromLatin1(text));
}

}  // namespace

QString tipOf(const QAction* action) {
  const QString key = action->shortcut().toString(QKeySequence::NativeText);
  return key.isEmpty() ? plainText(action) : QStringLiteral("%1 (%2)").arg(plainText(action), key);
}

Actions::Actions(Session* session, QObject* parent) : QObject(parent), session_(session) {
  open = make("open", tr("&Open…"), keys("Ctrl+O"), QStringLiteral("open"));
  demo = make("demo", tr("Run the &demo"), keys("Ctrl+D"), QStringLiteral("run"));
  start_page = make("startPage", tr("S&tart page"), keys("Ctrl+Home"));
  save_description = make("saveDescription", tr("Save run &description…"), {});
  save_model = make("saveModel", tr("Save trained &model…"), {});
  import_policy = make("importPolicy", tr("&Import policy list…"), {});
  export_policy = make("exportPolicy", tr("&Export policy…"), keys("Ctrl+E"));
  export_report = make("exportReport", tr("Export re&port…"), {});
  export_run = make("exportRun", tr("E&xport run…"), {});
  export_lesson = make("exportLesson", tr("Export lesson as &HTML…"), {});
  save_policy = make("savePolicy", tr("&Save policy"), keys("Ctrl+S"));
  save_policy_as = make("savePolicyAs", tr("Save policy &as…"), keys("Ctrl+Shift+S"));
  try_edit = make("tryEdit", tr("&Try the newest edit"), keys("Ctrl+T"));
  minimise_policy = make("minimisePolicy", tr("&Minimise"), {});
  generalise_policy = make("generalisePolicy", tr("&Generalise"), {});
  quit = make("quit", tr("&Quit"), keys("Ctrl+Q"));

  QUndoGroup* undo_group = session_->undoGroup();
  undo = adopt("undo", undo_group->createUndoAction(this, tr("Undo")), keys("Ctrl+Z"), QStringLiteral("undo"));
  redo = adopt("redo", undo_group->createRedoAction(this, tr("Redo")), keys("Ctrl+Shift+Z"), QStringLiteral("redo"));
  undo_and_rewind = make("undoAndRewind", tr("Undo and re&wind"), keys("Ctrl+Alt+Z"));
  filter = make("filter", tr("&Filter op calls"), keys("Ctrl+F"), QStringLiteral("search"));

  run = make("run", tr("&Run"), keys("F5"), QStringLiteral("run"));
  pause = make("pause", tr("&Pause"), keys("F6"), QStringLiteral("pause"));
  step = make("step", tr("One s&tep"), keys("F10"), QStringLiteral("step"));
  stop = make("stop", tr("&Stop"), keys("Shift+F5"), QStringLiteral("stop"));
  start_again = make("startAgain", tr("Restart &with this policy"), keys("Ctrl+R"));
  resume_checkpoint = make("resumeCheckpoint", tr("Resume from the last &checkpoint"), keys("Ctrl+Alt+R"));
  save_checkpoint = make("saveCheckpoint", tr("Save chec&kpoint"), keys("Ctrl+K"));
  restart_engine = make("restartEngine", tr("Restart the &engine"), keys("Ctrl+Shift+R"));

  arrangements = new QActionGroup(this);
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
  arrangements->actions().front()->setChecked(true);
  compare = make("compare", tr("&Compare one step with float32"), keys("Ctrl+Alt+F"));

  set_float32 = make("setFloat32", tr("Selected op calls to float&32"), keys("Ctrl+1"));
  set_bfloat16 = make("setBFloat16", tr("Selected op calls to &bfloat16"), keys("Ctrl+2"));
  set_float16 = make("setFloat16", tr("Selected op calls to &float16"), keys("Ctrl+3"));
  clear_rules = make("clearRules", tr("Selected op calls follow the base &list"), keys("Ctrl+0"));

  fit = make("fit", tr("Show all &steps"), keys("Ctrl+Shift+F"), QStringLiteral("fit"));
  follow = make("follow", tr("Follow the &newest step"), keys("Ctrl+End"));
  restore_layout = make("restoreLayout", tr("&Restore default layout"), keys("Ctrl+Shift+L"));

  numbers = make("numberFormats", tr("&Number formats"), keys("Ctrl+Shift+N"));
  lessons = make("lessons", tr("&Lessons"), keys("Ctrl+L"), QStringLiteral("book"));
  shortcuts = make("shortcuts", tr("&Keyboard shortcuts"), keys("F1"));
  about = make("about", tr("&About Binade"), {}, QStringLiteral("info"));
  connectSession();
}

void Actions::connectSession() {
  connect(pause, &QAction::triggered, session_, &Session::pause);
  connect(step, &QAction::triggered, session_, &Session::step);
  connect(stop, &QAction::triggered, session_, &Session::stop);
  connect(start_again, &QAction::triggered, session_, &Session::startAgain);
  connect(resume_checkpoint, &QAction::triggered, session_, &Session::resumeFromCheckpoint);
  connect(save_checkpoint, &QAction::triggered, session_, &Session::saveCheckpoint);
  connect(undo_and_rewind, &QAction::triggered, session_, &Session::undoAndRewind);
  connect(restart_engine, &QAction::triggered, session_, &Session::restartEngine);
}

void Actions::update(const Shown& shown) {
  const RunModel& model = session_->run();
  const bool active = model.isActive();
  const bool running = active && model.state() == wire::RunState::kRunning;
  const bool paused = active && model.state() == wire::RunState::kPaused;
  run->setEnabled(shown.setup ? shown.startable : paused || session_->canStartAgain());
  pause->setEnabled(running);
  step->setEnabled(paused);
  stop->setEnabled(active);
  start_again->setEnabled(session_->canStartAgain());
  resume_checkpoint->setEnabled(session_->canResumeFromCheckpoint());
  save_checkpoint->setEnabled(active);
  save_model->setEnabled(model.hasWeights());
  import_policy->setEnabled(!model.isEmpty());
  export_policy->setEnabled(!model.isEmpty());
  export_report->setEnabled(!model.runFile().isEmpty() && QFileInfo::exists(model.runFile()));
  export_run->setEnabled(!model.runFile().isEmpty() && QFileInfo::exists(model.runFile()));
  export_lesson->setEnabled(shown.lesson);
  save_description->setEnabled(!model.isEmpty() || shown.setup);
  const QString why_not = session_->whyNoRewind();
  undo_and_rewind->setEnabled(why_not.isEmpty());
  undo_and_rewind->setToolTip(why_not.isEmpty() ? tr("Undoes the newest edit and all training after it") : why_not);
  compare->setEnabled(model.hasWeights() && !model.steps().empty());
  const bool editable = model.source() == RunModel::Source::kLive && !session_->selection().sites().empty();
  for (QAction* action : {set_float32, set_bfloat16, set_float16, clear_rules}) action->setEnabled(editable);
  for (QAction* action : {fit, follow, filter, restore_layout}) action->setEnabled(shown.docks);
  try_edit->setEnabled(shown.docks && shown.why_no_try.isEmpty());
  try_edit->setToolTip(shown.why_no_try.isEmpty() ? tipOf(try_edit) : shown.why_no_try);
  const bool rules = model.source() == RunModel::Source::kLive && session_->document().changeCount() > 0;
  for (QAction* action : {minimise_policy, generalise_policy}) action->setEnabled(rules);
  save_policy->setEnabled(!model.isEmpty() || session_->document().isModified());
  save_policy_as->setEnabled(save_policy->isEnabled());
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

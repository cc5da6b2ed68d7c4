// SPDX-License-Identifier: Apache-2.0
#include "app/window/main_window.h"

#include "app/docks/changes_dock.h"
#include "app/docks/checkpoints_dock.h"
#include "app/docks/comparison_dock.h"
#include "app/docks/configuration_dock.h"
#include "app/docks/lesson_dock.h"
#include "app/docks/numbers_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/search_dock.h"
#include "app/docks/second_run_dock.h"
#include "app/docks/sites_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/docks/try_dock.h"
#include "app/form/policy_section.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/lessons/lesson_course.h"
#include "app/present/comparison_rows.h"
#include "app/session/attachment.h"
#include "app/session/problem_details.h"
#include "app/session/searches.h"
#include "app/session/session.h"
#include "app/session/tries.h"
#include "app/window/actions.h"
#include "app/window/attach_flow.h"
#include "app/window/banner.h"
#include "app/window/banner_questions.h"
#include "app/window/chart_settings.h"
#include "app/window/dock_layouts.h"
#include "app/window/dock_set.h"
#include "app/window/document_watch.h"
#include "app/window/event_zoom.h"
#include "app/window/file_opener.h"
#include "app/window/file_saver.h"
#include "app/window/form_requests.h"
#include "app/window/layout_menu.h"
#include "app/window/lesson_flow.h"
#include "app/window/menu_bar.h"
#include "app/window/notice_bar.h"
#include "app/window/policy_import.h"
#include "app/window/policy_simplifier.h"
#include "app/window/refused_key.h"
#include "app/window/run_bar.h"
#include "app/window/setup_flow.h"
#include "app/window/start_page.h"
#include "app/window/status_line.h"
#include "app/window/step_link.h"
#include "app/window/time_line_bar.h"
#include "app/window/waiting_notice.h"
#include "app/window/window_dialogs.h"
#include "views/icons.h"
#include "views/plot/step_axis.h"
#include "views/values/numbers.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QSpinBox>
#include <QStackedWidget>
#include <QUndoStack>

namespace binade::app {

MainWindow::MainWindow(Session* session, QSettings* settings, QWidget* parent)
    : QMainWindow(parent),
      session_(session),
      settings_(settings),
      axis_(new views::StepAxis(this)),
      actions_(new Actions(session, this)),
      pages_(new QStackedWidget),
      start_page_(new StartPage(&session->recentFiles())),
      status_(new StatusLine(session)),
      time_line_(new TimeLineBar(&session->run(), &session->selection())),
      banner_(new Banner),
      saver_(new FileSaver(session, settings, this)),
      import_(new PolicyImport(session, this)),
      simplifier_(new PolicySimplifier(session, this)),
      opener_(new FileOpener(session, settings, saver_, this)),
      setup_(new SetupFlow(session, settings, opener_, saver_, pages_, this)),
      course_(new LessonCourse(settings, this)) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(views::programIcon());
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  pages_->addWidget(start_page_);
  setCentralWidget(pages_);
  setStatusBar(status_);

  linkSteps(axis_, &session_->selection(), &session_->run());
  event_zoom_ = new EventZoom(axis_, &session_->selection(), &session_->run(), this);
  docks_ = new DockSet(session_, axis_, course_, this);
  lessons_ = new LessonFlow(session_, course_, docks_, saver_, this);
  layouts_ = new DockLayouts(this, docks_);
  menus_ = new MenuBar(actions_, session_, docks_, layouts_, opener_, settings_, this);
  setMenuBar(menus_);
  addToolBar(new RunBar(actions_, session_, menus_->policyMenu(), this));
  addToolBarBreak();
  addToolBar(new NoticeBar(banner_, this));
  banner_->setDetails([this](const Problem& problem) { return problemDetails(problem, *session_); });
  addToolBar(Qt::BottomToolBarArea, time_line_);

  connectFileActions();
  connectRunActions();
  connectViewActions();
  connectStartPage();
  connectSession();
  connectDocks();
  connectSetup();
  connectLessons();
  connectDialogs();
  updateActions();
  updateTitle();
  updateMachine();
  docks_->read(*settings_);
  rememberCharts(docks_->all(), settings_);
  if (const auto wanted = layouts_->read(*settings_)) layouts_->setArrangement(*wanted);
  showStart();
}

MainWindow::~MainWindow() = default;

SetupPage* MainWindow::setupPage() {
  return setup_->page();
}

bool MainWindow::showsRun() const {
  return layouts_->showsDocks();
}

bool MainWindow::showsSetup() const {
  return !showsRun() && setup_->isCurrent();
}

Arrangement MainWindow::arrangement() const {
  return layouts_->arrangement();
}

// Shows the pages in place of the docks.
void MainWindow::showPages() {
  layouts_->hide();
  pages_->show();
}

void MainWindow::showStart() {
  showPages();
  pages_->setCurrentWidget(start_page_);
  start_page_->setFocus();
  updateActions();
  updateTitle();
}

void MainWindow::showSetup() {
  showPages();
  pages_->setCurrentWidget(setup_->page());
  updateActions();
}

void MainWindow::showRun() {
  if (showsRun()) return;
  pages_->hide();
  layouts_->show();
  if (arrangement() == Arrangement::kLearn) {
    docks_->lesson->setFocus();
  } else {
    docks_->scale->plot()->setFocus();
  }
  updateActions();
  updateTitle();
}

void MainWindow::restoreDefaultLayout() {
  layouts_->restoreDefault();
}

void MainWindow::setArrangement(Arrangement which) {
  const QWidget* focused = focusWidget();
  layouts_->setArrangement(which);
  // The focus of a dock that is hidden goes to the tool bar, where Space would pause the training.
  if (focusWidget() != nullptr && focusWidget() != focused) focusWidget()->clearFocus();
  // Lessons need no run; the other arrangements have nothing to show without one.
  const bool any = which == Arrangement::kLearn || !session_->run().isEmpty();
  if (!showsRun() && any) showRun();
  if (showsRun() && !any) showPages();
  updateActions();
  updateTitle();
  event_zoom_->setActive(which == Arrangement::kDiagnose);
  if (which == Arrangement::kDiagnose && !lessons_->coversVerdict()) session_->selectLastFault();
  // Profile needs measurements: it starts profiling, which can be switched off.
  const RunModel& run = session_->run();
  const bool off = run.isActive() && run.config().profile.level == "off";
  if (which == Arrangement::kProfile && off && run.whyNoEdit().isEmpty()) session_->setProfiling(true);
}

void MainWindow::openFiles(const QStringList& files) {
  opener_->open(files);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!session_->isUndisturbed() && !saver_->mayLeave()) return event->ignore();
  layouts_->write(*settings_);
  docks_->write(*settings_);
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  opener_->openDropped(event);
}

void MainWindow::connectFileActions() {
  connect(actions_->open, &QAction::triggered, opener_, &FileOpener::choose);
  connect(actions_->compare_run, &QAction::triggered, opener_, &FileOpener::chooseSecondRun);
  connect(docks_->second_run, &SecondRunDock::fileRequested, opener_, &FileOpener::chooseSecondRun);
  connect(actions_->one_run, &QAction::triggered, &session_->second(), &SecondRun::remove);
  connect(&session_->second(), &SecondRun::changed, this, [this] {
    updateActions();
    if (!session_->second().isEmpty() && showsRun()) DockSet::raise(docks_->second_run);
  });
  connect(actions_->demo, &QAction::triggered, setup_, &SetupFlow::runDemo);
  connect(actions_->start_page, &QAction::triggered, this, [this] {
    if (showsRun()) return showStart();
    if (!session_->run().isEmpty() || arrangement() == Arrangement::kLearn) showRun();
  });
  connect(actions_->save_policy, &QAction::triggered, saver_, [this] { saver_->savePolicy(false); });
  connect(actions_->save_policy_as, &QAction::triggered, saver_, [this] { saver_->savePolicy(true); });
  connect(actions_->save_description, &QAction::triggered, saver_, &FileSaver::chooseDescriptionFile);
  connect(actions_->save_model, &QAction::triggered, saver_, &FileSaver::saveModel);
  connect(actions_->export_policy, &QAction::triggered, saver_, &FileSaver::exportPolicy);
  connect(actions_->export_report, &QAction::triggered, saver_, &FileSaver::exportReport);
  connect(actions_->export_run, &QAction::triggered, saver_, &FileSaver::exportRun);
  connect(actions_->save_bundle, &QAction::triggered, saver_, &FileSaver::saveBundle);
  connect(actions_->export_lesson, &QAction::triggered, lessons_, &LessonFlow::exportHtml);
  connect(actions_->quit, &QAction::triggered, this, &QWidget::close);
  connect(actions_->import_policy, &QAction::triggered, import_, &PolicyImport::choose);
  connect(import_, &PolicyImport::problem, this, &MainWindow::showProblem);
  connect(import_, &PolicyImport::imported, banner_, &Banner::showNotice);
  connect(actions_->minimise_policy, &QAction::triggered, simplifier_,
          [this] { simplifier_->start(Simplify::kMinimise); });
  connect(actions_->generalise_policy, &QAction::triggered, simplifier_,
          [this] { simplifier_->start(Simplify::kGeneralise); });
  connect(simplifier_, &PolicySimplifier::problem, this, &MainWindow::showProblem);
  connect(simplifier_, &PolicySimplifier::done, banner_, &Banner::showNotice);
  connect(saver_, &FileSaver::problem, this, &MainWindow::showProblem);
  connect(saver_, &FileSaver::busy, status_, &StatusLine::setBusy);
  connect(saver_, &FileSaver::written, banner_, &Banner::showNotice);
  connect(opener_, &FileOpener::begun, banner_, &Banner::dismissPlainProblem);
  connect(session_, &Session::noticed, banner_, &Banner::showNotice);
}

void MainWindow::connectRunActions() {
  connect(actions_->run, &QAction::triggered, this, [this] {
    if (showsSetup()) return setup_->page()->startNow();
    session_->canStartAgain() ? session_->startAgain() : session_->resume();
  });
  connect(actions_->compare, &QAction::triggered, docks_, &DockSet::compare);
  connect(actions_->try_edit, &QAction::triggered, docks_->tries, &TryDock::tryNewestEdit);
  explainRefusedKeys(actions_->all() + menus_->dockActions(), this, status_);
  SitesDock* sites = docks_->sites;
  const auto sets = [sites](QAction* action, const QString& format) {
    connect(action, &QAction::triggered, sites, [sites, format] { sites->setSelectedFormat(format); });
  };
  sets(actions_->set_float32, QStringLiteral("float32"));
  sets(actions_->set_bfloat16, QStringLiteral("bfloat16"));
  sets(actions_->set_float16, QStringLiteral("float16"));
  sets(actions_->clear_rules, {});
}

void MainWindow::connectViewActions() {
  connect(actions_->filter, &QAction::triggered, docks_->sites, &SitesDock::focusFilter);
  connect(actions_->fit, &QAction::triggered, axis_, [this] {
    axis_->remember();
    axis_->fit();
  });
  connect(actions_->follow, &QAction::triggered, this, [this] {
    session_->selection().setStep(std::nullopt);
    axis_->fit();
  });
  connect(actions_->go_to_step, &QAction::triggered, time_line_, [this] {
    time_line_->field()->setFocus(Qt::ShortcutFocusReason);
    time_line_->field()->selectAll();
  });
  connect(actions_->arrangements, &QActionGroup::triggered, this,
          [this](QAction* action) { setArrangement(static_cast<Arrangement>(action->data().toInt())); });
  connect(actions_->show_changes, &QAction::triggered, docks_, [this] { DockSet::raise(docks_->changes); });
  connect(actions_->restore_layout, &QAction::triggered, this, &MainWindow::restoreDefaultLayout);
  connect(menus_->layoutMenu(), &LayoutMenu::used, this, &MainWindow::updateActions);
  connect(menus_->layoutMenu(), &LayoutMenu::notice, banner_, &Banner::showNotice);
  connect(actions_->numbers, &QAction::triggered, layouts_, [this] { layouts_->showAlone(docks_->numbers); });
  connect(actions_->lessons, &QAction::triggered, lessons_, &LessonFlow::showList);
}

void MainWindow::connectStartPage() {
  connect(start_page_, &StartPage::demoRequested, setup_, &SetupFlow::runDemo);
  connect(start_page_, &StartPage::openRequested, opener_, &FileOpener::choose);
  connect(start_page_, &StartPage::failedRunRequested, opener_, &FileOpener::chooseFailedRun);
  connect(start_page_, &StartPage::lessonsRequested, lessons_, &LessonFlow::begin);
  connect(start_page_, &StartPage::lessonRequested, this, [this](int number) { openLesson(QString::number(number)); });
  start_page_->setLessons([this] {
    std::vector<LessonShelf::Lesson> lessons;
    const std::vector<LessonEntry>& entries = course_->entries();
    for (std::size_t i = 0; i < course_->builtInCount(); ++i) {
      const lessons::Lesson* lesson = entries[i].lesson();
      lessons.push_back({entries[i].title(), lesson != nullptr && course_->progress().isDone(entries[i].key, *lesson)});
    }
    return lessons;
  });
  connect(start_page_, &StartPage::fileRequested, opener_, [this](const QString& file) { opener_->open({file}); });
}

void MainWindow::connectSession() {
  connect(session_, &Session::problem, this, &MainWindow::showProblem);
  connect(session_, &Session::problemOver, banner_, &Banner::turnOver);
  connect(session_, &Session::resumeOffered, this, [this](qint64 step) {
    banner_->offer(tr("Resume from step %1").arg(views::grouped(step)), [this] { session_->resumeFromCheckpoint(); });
  });
  connect(session_, &Session::comparedByItself, this, &MainWindow::showOwnComparison);
  connect(session_, &Session::busy, status_, &StatusLine::setBusy);
  const RunModel* run = &session_->run();
  connect(run, &RunModel::reset, this, [this] {
    if (session_->run().isEmpty()) return showStart();
    // A run that was not started from the lesson is not shown beside one, unless the user is there.
    if (!showsRun() && arrangement() == Arrangement::kLearn && !lessons_->run()->isShown())
      layouts_->setArrangement(Arrangement::kExplore);
    showRun();
    setup_->allowStart();
    banner_->dismiss();
    updateTitle();
    updateActions();
  });
  for (const auto each :
       {&RunModel::stateChanged, &RunModel::observeChanged, &RunModel::notesChanged, &RunModel::checkpointAdded})
    connect(run, each, this, &MainWindow::updateActions);
  connect(&session_->attachment(), &Attachment::changed, this, &MainWindow::updateActions);
  connect(run, &RunModel::policyAdded, this, &MainWindow::updateActions);
  const QUndoStack* undo = session_->document().undoStack();
  connect(undo, &QUndoStack::indexChanged, this, &MainWindow::updateActions);
  connect(undo, &QUndoStack::canUndoChanged, this, &MainWindow::updateActions);
  connect(&session_->document(), &PolicyDocument::titleChanged, this, &MainWindow::updateTitle);
  connect(&session_->engine(), &EngineClient::stateChanged, this, &MainWindow::updateActions);
  connect(&session_->selection(), &Selection::eventChanged, this, &MainWindow::updateActions);
  connect(&session_->engine(), &EngineClient::ready, this, &MainWindow::updateMachine);
}

void MainWindow::connectDocks() {
  connect(docks_->scale, &ScaleDock::problem, this, &MainWindow::showProblem);
  connect(docks_->sites, &SitesDock::editableChanged, this, &MainWindow::updateActions);
  connect(docks_->checkpoints, &CheckpointsDock::saveModelRequested, saver_, &FileSaver::saveModel);
  connect(docks_->tries, &TryDock::problem, this, &MainWindow::showProblem);
  connect(docks_->search, &SearchDock::saveRequested, saver_, &FileSaver::savePolicyCopy);
  connect(docks_->search, &SearchDock::exportRequested, saver_, &FileSaver::exportPolicyCopy);
  const auto noticeUnlessSeen = [this](const Dock* dock) {
    return [this, dock](const QString& sentence, const QString& hint) { banner_->showNoticeOf(dock, sentence, hint); };
  };
  connect(docks_->search, &SearchDock::ended, this, noticeUnlessSeen(docks_->search));
  connect(docks_->tries, &TryDock::ended, this, noticeUnlessSeen(docks_->tries));
  connect(&session_->tries(), &Tries::started, this, &MainWindow::updateActions);
  connect(&session_->tries(), &Tries::finished, this, &MainWindow::updateActions);
  connect(&session_->searches(), &Searches::started, this, &MainWindow::updateActions);
  connect(&session_->searches(), &Searches::finished, this, &MainWindow::updateActions);
  connect(docks_->tensor, &TensorDock::openRequested, opener_, &FileOpener::choose);
  const ConfigurationDock* configuration = docks_->configuration;
  connect(configuration, &ConfigurationDock::openRequested, opener_, &FileOpener::chooseDescription);
  connect(configuration, &ConfigurationDock::saveRequested, saver_, &FileSaver::chooseDescriptionFile);
  connect(configuration, &ConfigurationDock::formMade, this, [this](RunForm* form) {
    answerRequests(form, session_, settings_);
    form->policy()->hide();  // the policy of a run is edited elsewhere in the window
  });
}

void MainWindow::connectSetup() {
  connect(setup_, &SetupFlow::startableChanged, this, &MainWindow::updateActions);
  connect(setup_, &SetupFlow::entered, this, &MainWindow::showSetup);
  connect(setup_, &SetupFlow::left, this, [this] { session_->run().isEmpty() ? showStart() : showRun(); });
  // Undo applies to the description while the focus is in a form, otherwise to the policy. The context is the first
  // part that the window destroys of those used here.
  connect(qApp, &QApplication::focusChanged, setup_, [this](QWidget*, QWidget* now) {
    const bool in_form = now != nullptr && (setup_->contains(now) || docks_->configuration->isAncestorOf(now));
    session_->undoGroup()->setActiveStack(in_form ? session_->description().undoStack()
                                                  : session_->document().undoStack());
  });
}

void MainWindow::connectLessons() {
  // After the slots of the experiment, which were connected first.
  const auto note_run = [this] { status_->setLesson(lessons_->run()->isShown()); };
  connect(lessons_->run(), &LessonRun::changed, status_, note_run);
  connect(&session_->run(), &RunModel::reset, status_, note_run);
  connect(lessons_, &LessonFlow::entered, this, [this] { setArrangement(Arrangement::kLearn); });
  connect(lessons_, &LessonFlow::problem, this, &MainWindow::showProblem);
  connect(lessons_, &LessonFlow::written, banner_, &Banner::showNotice);
  connect(lessons_, &LessonFlow::changed, this, [this] {
    updateActions();
    updateTitle();
  });
}

void MainWindow::connectDialogs() {
  dialogs_ = new WindowDialogs(this, session_, settings_);
  questions_ = new BannerQuestions(banner_, this);
  new DocumentWatch(session_, questions_, this);
  new WaitingNotice(session_, questions_, this);
  attach_ = new AttachFlow(this, session_, settings_, saver_);
  // A new run closes the banner.
  connect(&session_->run(), &RunModel::reset, questions_, &BannerQuestions::repeat, Qt::QueuedConnection);
  connect(dialogs_, &WindowDialogs::notice, banner_, &Banner::showNotice);
  connect(dialogs_, &WindowDialogs::problem, this, &MainWindow::showProblem);
  connect(start_page_, &StartPage::connectRequested, dialogs_, &WindowDialogs::connectEngine);
  connect(docks_->tensor, &TensorDock::connectRequested, dialogs_, &WindowDialogs::connectEngine);
}

void MainWindow::openLesson(const QString& wanted) {
  lessons_->open(wanted);
}

void MainWindow::updateActions() {
  const bool setup = showsSetup();
  const bool learn = showsRun() && arrangement() == Arrangement::kLearn;
  actions_->update({.docks = showsRun(),
                    .setup = setup,
                    .lesson = learn && lessons_->canExport(),
                    .startable = setup && setup_->canStart(),
                    .arrangement = arrangement(),
                    .why_no_try = docks_->tries->whyNoNewestEdit()});
  status_->setNote(learn ? lessons_->progressText() : QString());
  menus_->updateObserve();
  if (dialogs_ != nullptr) dialogs_->updateHint();
  for (Dock* dock : docks_->all()) dock->toggleViewAction()->setEnabled(showsRun());
  updateTimeLine();
}

void MainWindow::updateMachine() {
  if (session_->engine().state() != EngineClient::State::kReady) return;
  const wire::Welcome& welcome = session_->engine().welcome();
  QString device = QString::fromStdString(welcome.device);
  if (const QString host = session_->host(); !host.isEmpty()) device = tr("%1: %2").arg(host, device);
  start_page_->setMachine(
      welcome.native_float16
          ? tr("Runs on %1.").arg(device)
          : tr("Runs on %1. float16 is emulated with the same rounding; its speed is not measured.").arg(device));
}

// Restoring a layout shows the time line as it was then.
void MainWindow::updateTimeLine() {
  const bool shown = showsRun() && arrangement() != Arrangement::kLearn && !session_->run().isEmpty();
  time_line_->setVisible(shown);
}

void MainWindow::updateTitle() {
  updateTimeLine();
  const RunModel& run = session_->run();
  QString what = tr("Welcome");
  if (!run.isEmpty()) {
    QString model = QFileInfo(QString::fromStdString(run.config().model)).fileName();
    if (model.startsWith(QStringLiteral("sample:"))) model = tr("sample %1").arg(model.section(u':', 1));
    what = run.source() == RunModel::Source::kFile
               ? tr("%1 — run file").arg(QFileInfo(run.runFile()).fileName())
               : tr("%1 — %2").arg(model, QString::fromStdString(run.config().name));
  }
  if (showsRun() && arrangement() == Arrangement::kLearn) {
    const QString lesson = lessons_->title();
    what = lesson.isEmpty() ? tr("Lessons") : lesson;
  }
  menus_->setTitle(what);
  setWindowTitle(tr("%1[*] — Binade").arg(what));
  setWindowModified(session_->document().isModified());
}

void MainWindow::showProblem(const Problem& problem) {
  if (showsSetup()) return setup_->page()->showProblem(problem);
  if (!session_->run().isEmpty()) docks_->configuration->form()->showProblem(problem);
  banner_->showProblem(problem);
}

void MainWindow::showOwnComparison() {
  ComparisonDock* dock = docks_->comparison;
  if (!dock->visibleRegion().isEmpty()) return;  // it shows there already
  // A banner would move the page of a lesson while the student answers. The log has the same line.
  if (showsRun() && arrangement() == Arrangement::kLearn && lessons_->run()->isShown()) return;
  const RunModel& run = session_->run();
  const bool shown = banner_->showNotice(
      comparisonText(run, *run.comparison()),
      tr("The run made this comparison automatically, to determine whether lost values affect the result."));
  if (shown) banner_->offer(tr("Show the comparison"), [dock] { DockSet::raise(dock); });
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/docks/lesson_dock.h"

#include "app/lessons/lesson_course.h"
#include "app/lessons/lesson_run.h"
#include "engine/lessons/blocks_of.h"
#include "views/lessons/lesson_list.h"
#include "views/lessons/lesson_page.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QBoxLayout>
#include <QDir>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>

namespace binade::app {

namespace {

enum LessonTab { kLessonTab, kListTab };

views::RunState stateOf(const LessonRun& run) {
  using Phase = views::RunState::Phase;
  if (run.isActive()) {
    return {.phase = Phase::kRunning, .progress = run.progress(), .text = run.text(), .figure = run.hasFigure()};
  }
  if (run.isComplete()) return {.phase = Phase::kDone, .text = run.text(), .figure = run.hasFigure()};
  if (!run.hasFailed()) return {.phase = Phase::kReady, .text = run.text()};  // cancelled
  return {.phase = run.lacksEngine() ? Phase::kNoEngine : Phase::kFailed, .text = run.text()};
}

}  // namespace

LessonDock::LessonDock(LessonCourse* course, QWidget* parent)
    : Dock(QStringLiteral("lesson"), tr("Lesson"), parent), course_(course) {
  setEmptyContent();
  setBare();  // its own tabs name it
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) make();
  });
  connect(course_, &LessonCourse::changed, this, [this](std::size_t index) {
    if (pages_ == nullptr) return;
    if (shown_ == index && lists_) shown_.reset();  // its page shows the file as it was
    fillList();
    if (shown_ == index) showEntry();
  });
}

void LessonDock::make() {
  if (pages_ != nullptr) return;
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tabs_ = new QTabBar;
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->addTab(tr("Lesson"));
  tabs_->addTab(tr("All lessons"));
  tabs_->setAccessibleName(tr("Lesson or list of lessons"));
  page_ = new views::LessonPage;
  pages_ = new QStackedWidget;
  list_page_ = makeListPage();
  problem_page_ = makeProblemPage();
  pages_->addWidget(list_page_);
  pages_->addWidget(page_);
  pages_->addWidget(problem_page_);
  column->addWidget(tabs_);
  column->addWidget(pages_, 1);
  replaceContent(content);
  setFocusProxy(pages_);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
    if (tab == kListTab) return showList();
    if (tab == kLessonTab && shown_) showLesson(*shown_);
  });
  connect(page_, &views::LessonPage::figureShown, this, &LessonDock::figureRequested);
  connect(page_, &views::LessonPage::figureCovered, this, &LessonDock::figureCovered);
  connect(page_, &views::LessonPage::progressChanged, this, &LessonDock::keep);
  connect(page_, &views::LessonPage::runRequested, this,
          [this](int run) { Q_EMIT runRequested(static_cast<std::size_t>(run)); });
  connect(page_, &views::LessonPage::cancelRequested, this, &LessonDock::runCancelled);
  connect(page_, &views::LessonPage::runFigureRequested, this, &LessonDock::runFigureRequested);
  connect(page_, &views::LessonPage::lessonRequested, this,
          [this](int index) { showLesson(static_cast<std::size_t>(index)); });
  showList();
}

QWidget* LessonDock::makeListPage() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  list_ = new views::LessonList;
  connect(list_, &views::LessonList::lessonRequested, this,
          [this](int index) { showLesson(static_cast<std::size_t>(index)); });
  column->addWidget(list_, 1);
  auto* row = new QHBoxLayout;
  auto* open = new QPushButton(tr("Open a lesson file…"));
  connect(open, &QPushButton::clicked, this, &LessonDock::openRequested);
  auto* reset = new QPushButton(tr("Reset progress"));
  connect(reset, &QPushButton::clicked, this, &LessonDock::askReset);
  row->addWidget(open);
  row->addStretch();
  row->addWidget(reset);
  column->addLayout(row);
  return page;
}

QWidget* LessonDock::makeProblemPage() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(16, 16, 16, 16);
  column->setSpacing(8);
  problem_head_ = new QLabel;
  problem_head_->setFont(views::textFont(14, QFont::DemiBold));
  problem_head_->setWordWrap(true);
  problems_ = new QPlainTextEdit;
  problems_->setReadOnly(true);
  problems_->setAccessibleName(tr("Problems of the lesson"));
  auto* again = new QPushButton(tr("Read the file again"));
  connect(again, &QPushButton::clicked, this, [this] {
    if (entry() != nullptr) course_->open(QString(entry()->file));
  });
  column->addWidget(problem_head_);
  column->addWidget(problems_, 1);
  column->addWidget(again, 0, Qt::AlignLeft);
  return page;
}

views::LessonList* LessonDock::list() {
  make();
  return list_;
}

views::LessonPage* LessonDock::page() {
  make();
  return page_;
}

const LessonEntry* LessonDock::entry() const {
  if (lists_ || !shown_ || *shown_ >= course_->entries().size()) return nullptr;
  return &course_->entries()[*shown_];
}

QStringList LessonDock::shownProblems() const {
  QStringList lines;
  if (entry() == nullptr) return lines;
  for (const lessons::Problem& problem : entry()->problems()) lines << QString::fromStdString(problem.text());
  return lines;
}

void LessonDock::fillList() {
  std::vector<views::LessonRow> rows;
  for (const LessonEntry& each : course_->entries()) {
    const lessons::Lesson* lesson = each.lesson();
    rows.push_back({.title = each.title(),
                    .summary = lesson == nullptr ? tr("This file has problems. Open it to see them.")
                                                 : QString::fromStdString(lesson->summary),
                    .done = lesson != nullptr && course_->progress().isDone(each.key, *lesson)});
  }
  list_->setLessons(rows, shown_ ? static_cast<int>(*shown_) : -1);
  Q_EMIT listed();
}

std::optional<std::size_t> LessonDock::next() const {
  const auto& entries = course_->entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const lessons::Lesson* lesson = entries[i].lesson();
    if (lesson != nullptr && !course_->progress().isDone(entries[i].key, *lesson)) return i;
  }
  return std::nullopt;
}

void LessonDock::showList() {
  make();
  lists_ = true;
  fillList();
  const QSignalBlocker quiet(tabs_);
  tabs_->setCurrentIndex(kListTab);
  tabs_->setTabEnabled(kLessonTab, shown_.has_value());
  pages_->setCurrentWidget(list_page_);
  Q_EMIT shownChanged();
}

void LessonDock::showLesson(std::size_t index) {
  make();
  if (index >= course_->entries().size()) return;
  // The page keeps its place in the text.
  const bool same = shown_ == index && pages_->currentWidget() == list_page_ && entry() == nullptr &&
                    course_->entries()[index].lesson() != nullptr;
  lists_ = false;
  shown_ = index;
  course_->progress().setCurrent(entry()->key);
  const QSignalBlocker quiet(tabs_);
  tabs_->setTabEnabled(kLessonTab, true);
  tabs_->setCurrentIndex(kLessonTab);
  if (same) {
    pages_->setCurrentWidget(page_);
  } else {
    showEntry();
  }
  Q_EMIT shownChanged();
}

void LessonDock::showEntry() {
  const LessonEntry& shown = *entry();
  const lessons::Lesson* lesson = shown.lesson();
  if (lesson == nullptr) return showProblems(shown);
  if (lessons::blocks_of<lessons::Figure>(*lesson).empty()) {
    Q_EMIT noFigure(tr("This lesson has no figure."), tr("Its experiments show their charts beside it."));
  }
  views::LessonPlace place;
  place.index = static_cast<int>(*shown_);
  for (const LessonEntry& each : course_->entries()) {
    place.done.push_back(each.lesson() != nullptr && course_->progress().isDone(each.key, *each.lesson()));
  }
  if (*shown_ + 1 < course_->entries().size()) place.next = course_->entries()[*shown_ + 1].title();
  pages_->setCurrentWidget(page_);
  page_->setLesson(*lesson, place, course_->progress().work(shown.key));
}

void LessonDock::showProblems(const LessonEntry& entry) {
  const QStringList lines = shownProblems();
  const QString count = lines.size() == 1 ? tr("1 problem") : tr("%1 problems").arg(views::grouped(lines.size()));
  problem_head_->setText(tr("%1 is not shown: it has %2.").arg(entry.title(), count));
  problems_->setPlainText(lines.join(QStringLiteral("\n\n")));
  pages_->setCurrentWidget(problem_page_);
  Q_EMIT noFigure(tr("No figure."), tr("The lesson has problems. They are listed beside this."));
}

void LessonDock::keep(const lessons::LessonWork& work) {
  if (entry() == nullptr) return;
  course_->progress().setWork(entry()->key, work);
  fillList();
  Q_EMIT progressChanged();
}

void LessonDock::askReset() {
  const auto answer = QMessageBox::question(this, tr("Reset progress"), tr("Forget the progress in all lessons?"));
  if (answer != QMessageBox::Yes) return;
  course_->progress().resetAll();
  shown_.reset();  // its page still shows the work
  showList();
  Q_EMIT progressChanged();
}

void LessonDock::releaseFigure() {
  page()->releaseFigure();
}

void LessonDock::uncoverFigure() {
  page()->uncoverFigure();
}

void LessonDock::showRun(std::size_t experiment, const LessonRun& run) {
  page()->setRunState(static_cast<int>(experiment), stateOf(run));
}

}  // namespace binade::app

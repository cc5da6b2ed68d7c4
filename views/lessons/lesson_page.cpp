// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/lesson_page.h"

#include "views/lessons/exercise_card.h"
#include "views/lessons/feedback_box.h"
#include "views/lessons/figure_link.h"
#include "views/lessons/lesson_text.h"
#include "views/lessons/prediction_card.h"
#include "views/lessons/step_bar.h"
#include "views/style/looks.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace binade::views {

void LessonPage::setRunState(int run, const RunState& state) {
  const auto index = static_cast<std::size_t>(run);
  if (run < 0 || index >= runs_.size()) return;
  runs_[index]->setState(state);
  if (state.phase != RunState::Phase::kDone || work_.ran[index]) return;
  work_.ran[index] = true;
  changed();
}

void LessonPage::changed() {
  // A section that was once open stays so, also after a wrong answer to an exercise that had been right.
  for (std::size_t i = 0; i < lesson_.sections.size() && lessons::is_section_open(lesson_, work_, i); ++i) {
    work_.opened = std::max(work_.opened, i + 1);
  }
  refresh();
  if (beside_) showFigure(*beside_);
  Q_EMIT progressChanged(work_);
}

void LessonPage::refresh() {
  bool closed = false;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const bool open = lessons::is_section_open(lesson_, work_, i);
    sections_[i].body->setVisible(open);
    if (sections_[i].gate == nullptr) continue;
    sections_[i].gate->setVisible(!open && !closed);
    closed = closed || !open;
  }
  for (std::size_t i = 0; i < figures_.size(); ++i) figures_[i]->setCovered(isCovered(i));
  const bool predicted = isPredicted();
  for (const SectionParts& parts : sections_) {
    if (parts.reason == nullptr) continue;
    parts.reason->setText(predicted ? tr("Answer the exercise above first. Then the lesson goes on here.")
                                    : tr("Make your prediction first. Then the explanation appears here."));
  }
  steps_->setSteps(lessons::lesson_steps(lesson_, work_));
  const bool done = lessons::is_lesson_done(lesson_, work_);
  auto all = place_.done;
  const auto index = static_cast<std::size_t>(place_.index);
  if (index < all.size()) all[index] = done;
  squares_->setLessons(all, place_.index);
  const bool begun = work_ != lessons::fitted({}, lesson_);
  if (again_ != nullptr) again_->setVisible(begun);
  setPrimary(next_, done);
  setQuiet(next_, !done);
  nameButtons();
}

void LessonPage::startAgain() {
  const lessons::Lesson lesson = lesson_;
  const LessonPlace place = place_;
  setLesson(lesson, place, {});
  Q_EMIT progressChanged(work_);
}

QPushButton* LessonPage::skipButton(std::size_t section) const {
  if (section >= sections_.size() || sections_[section].gate == nullptr) return nullptr;
  return sections_[section].gate->isHidden() ? nullptr : sections_[section].skip;
}

bool LessonPage::isSectionShown(std::size_t section) const {
  return section < sections_.size() && !sections_[section].body->isHidden();
}

void LessonPage::showTop() {
  scroll_->verticalScrollBar()->setValue(0);
}

void LessonPage::showStep(lessons::LessonStep step) {
  QWidget* place = nullptr;
  switch (step) {
    case lessons::LessonStep::kPredict:
      if (!predictions_.empty()) place = predictions_.front();
      break;
    case lessons::LessonStep::kRun:
      if (!runs_.empty()) place = runs_.front();
      break;
    case lessons::LessonStep::kReveal:
      if (sections_.size() > 1) place = isSectionShown(1) ? sections_[1].body : sections_[1].gate;
      break;
    case lessons::LessonStep::kCheck: {
      // The first exercise that is not answered right; a hidden one's gate stands for it.
      for (ExerciseCard* exercise : exercises_) {
        place = exercise;
        if (!exercise->isRight()) break;
      }
      break;
    }
  }
  if (place != nullptr && !place->isVisibleTo(content_)) {
    place = nullptr;
    for (const SectionParts& parts : sections_) {
      if (parts.gate != nullptr && !parts.gate->isHidden()) place = parts.gate;
    }
  }
  if (place == nullptr) return;
  constexpr int kAboveStep = 12;  // px
  scroll_->verticalScrollBar()->setValue(place->mapTo(content_, QPoint(0, -kAboveStep)).y());
}

void LessonPage::showFigure(std::size_t figure) {
  if (figure >= figures_.size()) return;
  const bool covered = isCovered(figure);
  const bool predicted = isPredicted();
  const bool says_so = !covered || cover_predicted_ == predicted;
  const bool same = beside_ == figure && figures_[figure]->isShown() == !covered && says_so;
  beside_ = figure;
  for (std::size_t i = 0; i < figures_.size(); ++i) figures_[i]->setShown(i == figure && !covered);
  if (same) return;
  if (covered) {
    cover_predicted_ = predicted;
    Q_EMIT figureCovered(figures_[figure]->figure(), predicted);
  } else {
    Q_EMIT figureShown(figures_[figure]->figure());
  }
}

bool LessonPage::isCovered(std::size_t figure) const {
  return !uncovered_[figure] && lessons::is_figure_covered(lesson_, work_, figure);
}

bool LessonPage::isPredicted() const {
  return std::all_of(work_.predictions.begin(), work_.predictions.end(),
                     [](const auto& chosen) { return chosen.has_value(); });
}

void LessonPage::uncoverFigure() {
  if (!beside_) return;
  uncovered_[*beside_] = true;
  refresh();
  showFigure(*beside_);
}

void LessonPage::releaseFigure() {
  beside_.reset();
  for (FigureLink* link : figures_) link->setShown(false);
}

void LessonPage::followScrolling() {
  constexpr double kReached = 0.6;  // of the visible height
  std::optional<std::size_t> reached;
  const int foot = scroll_->verticalScrollBar()->value() + static_cast<int>(kReached * scroll_->viewport()->height());
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const FigureLink* link = figures_[i];
    if (link->isVisibleTo(content_) && link->mapTo(content_, QPoint()).y() <= foot) reached = i;
  }
  if (!reached || reached == in_sight_) return;
  // Only a place that is newly reached changes the figure: one that was asked for by its button stays until then.
  in_sight_ = reached;
  showFigure(*reached);
}

void LessonPage::followFeedback(FeedbackBox* box) {
  // Queued, because the layouts give the new text its place after this event.
  connect(
      box, &FeedbackBox::shown, this, [this, box] { bringIntoSight(box); }, Qt::QueuedConnection);
}

void LessonPage::bringIntoSight(QWidget* place) {
  constexpr int kBesideFeedback = 12;  // px
  if (!content_->isAncestorOf(place) || !place->isVisibleTo(content_)) return;
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  scroll_->ensureWidgetVisible(place, 0, kBesideFeedback);
  alignTop();
}

void LessonPage::alignTop() {
  QScrollBar* const bar = scroll_->verticalScrollBar();
  const int top = bar->value();
  const auto is_cut = [&](const QWidget* widget) {
    const int above = widget->mapTo(content_, QPoint()).y();
    return widget->isVisibleTo(content_) && above < top && above + widget->height() > top;
  };
  for (const QLabel* label : content_->findChildren<QLabel*>()) {
    if (is_cut(label)) return bar->setValue(label->mapTo(content_, QPoint(0, label->height())).y());
  }
  for (const LessonText* text : content_->findChildren<LessonText*>()) {
    if (!is_cut(text)) continue;
    const int above = text->mapTo(content_, QPoint()).y();
    const QRect line = text->cursorRect(text->cursorForPosition({0, top - above}));
    if (above + line.top() < top) bar->setValue(above + line.bottom() + 1);
    return;
  }
}

void LessonPage::resizeEvent(QResizeEvent*) {
  nameButtons();
}

QString LessonPage::whatIsLeft() const {
  const auto open = std::count_if(exercises_.begin(), exercises_.end(),
                                  [](const ExerciseCard* exercise) { return !exercise->isRight(); });
  if (open == 1) return tr("1 check left");
  if (open > 1) return tr("%1 checks left").arg(open);
  return lessons::is_lesson_done(lesson_, work_) ? QString() : tr("Prediction not made");
}

void LessonPage::nameButtons() {
  constexpr qsizetype kMostTitle = 26;
  QString title = place_.next;
  if (title.size() > kMostTitle) title = title.first(kMostTitle - 1) + u'…';
  const bool open = steps_->next().has_value();
  continue_->setVisible(open);
  continue_->setToolTip(tr("Goes to the first step that is open: %1").arg(steps_->nextName()));
  next_->setVisible(!place_.next.isEmpty());
  next_->setToolTip(tr("Next lesson: %1").arg(place_.next));
  back_->setEnabled(place_.index > 0);
  note_->setText(whatIsLeft());
  // Each level names more than the one before. The foot has the last one that fits, whichever step is the next: the
  // button is as wide as for the longest name, so that neither button moves under the pointer.
  const auto named = [](const QString& step) { return tr("Continue: %1").arg(step); };
  int wide = 0;
  for (const QString& step : steps_->names()) {
    continue_->setText(named(step));
    wide = std::max(wide, continue_->sizeHint().width());
  }
  const auto show = [&](int level) {
    continue_->setText(level > 0 ? named(steps_->nextName()) : tr("Continue"));
    continue_->setMinimumWidth(level > 0 ? wide : 0);
    next_->setText(level > 1 ? tr("Next: %1").arg(title) : tr("Next"));
    note_->setVisible(level > 2 && !note_->text().isEmpty());
    return foot_->layout()->totalMinimumSize().width();
  };
  foot_->setMinimumWidth(show(0));
  constexpr int kLevels = 4;
  for (int level = 1; level < kLevels; ++level) {
    if (show(level) <= width()) continue;
    show(level - 1);
    break;
  }
}

}  // namespace binade::views

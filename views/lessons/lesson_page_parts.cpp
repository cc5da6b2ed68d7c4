// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/exercise_card.h"
#include "views/lessons/figure_link.h"
#include "views/lessons/lesson_page.h"
#include "views/lessons/lesson_text.h"
#include "views/lessons/prediction_card.h"
#include "views/lessons/step_bar.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

namespace binade::views {

namespace {

constexpr int kPageSide = 24;  // px
constexpr int kBlockGap = 14;

QFrame* sectionLine() {
  auto* line = new QFrame;
  line->setFrameShape(QFrame::HLine);
  line->setFixedHeight(1);
  return line;
}

}  // namespace

LessonPage::LessonPage(QWidget* parent)
    : QWidget(parent),
      count_(new QLabel),
      squares_(new LessonSquares),
      steps_(new StepBar),
      scroll_(new QScrollArea),
      back_(new QPushButton(tr("Back"))),
      note_(new QLabel),
      continue_(new QPushButton(tr("Continue"))),
      next_(new QPushButton(tr("Next"))) {
  setAccessibleName(tr("Lesson"));
  setPanelGround(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHead());
  column->addWidget(sectionLine());
  column->addWidget(scroll_, 1);
  column->addWidget(makeFoot());
  connect(steps_, &StepBar::stepRequested, this, &LessonPage::showStep);
  connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, this, &LessonPage::followScrolling);
  connect(back_, &QPushButton::clicked, this, [this] { Q_EMIT lessonRequested(place_.index - 1); });
  connect(continue_, &QPushButton::clicked, this, [this] {
    if (const auto step = steps_->next()) showStep(*step);
  });
  connect(next_, &QPushButton::clicked, this, [this] { Q_EMIT lessonRequested(place_.index + 1); });
  connect(themeEvents(), &ThemeEvents::themeChanged, this, &LessonPage::nameButtons);  // the size of texts too
}

QWidget* LessonPage::makeHead() {
  setTone(count_, Tone::kSecond);
  auto* head = new QWidget;
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(kPageSide, 14, kPageSide, 6);
  column->setSpacing(10);
  auto* line = new QHBoxLayout;
  line->addWidget(count_);
  line->addStretch();
  line->addWidget(squares_);
  column->addLayout(line);
  column->addWidget(steps_);
  return head;
}

QWidget* LessonPage::makeFoot() {
  back_->setObjectName(QStringLiteral("lessonBack"));
  continue_->setObjectName(QStringLiteral("lessonContinue"));
  setPrimary(continue_);
  next_->setObjectName(QStringLiteral("lessonNext"));
  back_->setToolTip(tr("Previous lesson"));
  setTone(note_, Tone::kSecond);
  note_->setObjectName(QStringLiteral("lessonNote"));
  foot_ = new QWidget;
  setSurface(foot_, Surface::kFoot);
  auto* line = new QHBoxLayout(foot_);
  line->setContentsMargins(kPageSide, 8, kPageSide, 8);
  line->setSpacing(12);
  line->addWidget(back_);
  line->addStretch();
  line->addWidget(note_);
  line->addWidget(continue_);
  line->addWidget(next_);
  return foot_;
}

void LessonPage::setLesson(const lessons::Lesson& lesson, const LessonPlace& place, const lessons::LessonWork& work) {
  lesson_ = lesson;
  place_ = place;
  work_ = lessons::fitted(work, lesson_);
  in_sight_.reset();
  beside_.reset();
  sections_.clear();
  predictions_.clear();
  exercises_.clear();
  runs_.clear();
  figures_.clear();
  count_->setText(tr("Lesson %1 of %2").arg(place.index + 1).arg(std::max<std::size_t>(place.done.size(), 1)));

  auto* content = new QWidget;
  setPanelGround(content);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(kPageSide, 8, kPageSide, 24);
  column->setSpacing(kBlockGap);
  auto* title = makeTextLabel();
  title->setFont(textFont(20, QFont::DemiBold));
  title->setText(QString::fromStdString(lesson.title));
  title->setObjectName(QStringLiteral("lessonTitle"));
  column->addWidget(title);
  column->addWidget(new LessonText(QString::fromStdString(lesson.summary)));
  for (std::size_t i = 0; i < lesson_.sections.size(); ++i) sections_.push_back(makeSection(i, *column));
  uncovered_.assign(figures_.size(), false);
  again_ = new QPushButton(tr("Start this lesson again"));
  again_->setObjectName(QStringLiteral("startAgain"));
  connect(again_, &QPushButton::clicked, this, &LessonPage::startAgain);
  column->addWidget(again_, 0, Qt::AlignLeft);
  column->addStretch();
  content_ = content;
  // The lesson before may have emitted the signal that led here.
  if (QWidget* before = scroll_->takeWidget()) before->deleteLater();
  scroll_->setWidget(content);
  scroll_->verticalScrollBar()->setValue(0);
  setTabOrder(again_, back_);
  setTabOrder(back_, continue_);
  setTabOrder(continue_, next_);
  refresh();
  if (!figures_.empty()) {
    in_sight_ = 0;
    showFigure(0);
  }
}

LessonPage::SectionParts LessonPage::makeSection(std::size_t number, QVBoxLayout& column) {
  const lessons::Section& section = lesson_.sections[number];
  SectionParts parts;
  if (number > 0) {
    makeGate(number, parts);
    column.addWidget(parts.gate);
  }
  parts.body = new QWidget;
  auto* blocks = new QVBoxLayout(parts.body);
  blocks->setContentsMargins(0, 0, 0, 0);
  blocks->setSpacing(kBlockGap);
  if (!section.title.empty()) {
    blocks->addWidget(sectionLine());
    auto* head = makeTextLabel();
    head->setFont(textFont(14, QFont::DemiBold));
    head->setText(QString::fromStdString(section.title));
    blocks->addWidget(head);
  }
  for (const lessons::Block& block : section.blocks) blocks->addWidget(makeBlock(block));
  column.addWidget(parts.body);
  return parts;
}

void LessonPage::makeGate(std::size_t number, SectionParts& parts) {
  parts.gate = new QWidget;
  setSurface(parts.gate, Surface::kDropHint);
  parts.reason = makeTextLabel(Tone::kSecond);
  parts.skip = new QPushButton(tr("Skip"));
  parts.skip->setObjectName(QStringLiteral("skip%1").arg(number));
  parts.skip->setToolTip(tr("Show the next part now"));
  auto* line = new QHBoxLayout(parts.gate);
  line->setContentsMargins(12, 10, 12, 10);
  line->addWidget(parts.reason, 1);
  line->addWidget(parts.skip, 0, Qt::AlignVCenter);
  connect(parts.skip, &QPushButton::clicked, this, [this, number] {
    work_.opened = number + 1;
    changed();
  });
}

QWidget* LessonPage::makeBlock(const lessons::Block& block) {
  if (const auto* prediction = std::get_if<lessons::Prediction>(&block)) return makePrediction(*prediction);
  if (const auto* experiment = std::get_if<lessons::Experiment>(&block)) return makeExperiment(*experiment);
  if (const auto* exercise = std::get_if<lessons::Exercise>(&block)) return makeExercise(*exercise);
  if (const auto* figure = std::get_if<lessons::Figure>(&block)) return makeFigure(*figure);
  return new LessonText(QString::fromStdString(std::get<lessons::Prose>(block).markdown));
}

QWidget* LessonPage::makePrediction(const lessons::Prediction& prediction) {
  const std::size_t index = predictions_.size();
  auto* card = new PredictionCard(prediction, work_.predictions[index]);
  predictions_.push_back(card);
  followFeedback(card->feedback());
  connect(card, &PredictionCard::predicted, this, [this, index](std::size_t option) {
    work_.predictions[index] = option;
    changed();
  });
  return card;
}

QWidget* LessonPage::makeExperiment(const lessons::Experiment& experiment) {
  const std::size_t index = runs_.size();
  const int run = static_cast<int>(index);
  auto* card = new RunCard(experiment);
  runs_.push_back(card);
  if (work_.ran[index]) card->setRanBefore();
  connect(card, &RunCard::runRequested, this, [this, run, card] { Q_EMIT runRequested(run, card->experiment()); });
  connect(card, &RunCard::figureRequested, this, [this, run] { Q_EMIT runFigureRequested(run); });
  connect(card, &RunCard::cancelRequested, this, [this, run] { Q_EMIT cancelRequested(run); });
  return card;
}

QWidget* LessonPage::makeExercise(const lessons::Exercise& exercise) {
  const std::size_t index = exercises_.size();
  auto* card = new ExerciseCard(exercise, work_.answers[index]);
  exercises_.push_back(card);
  followFeedback(card->feedback());
  followFeedback(card->hintBox());
  connect(card, &ExerciseCard::answered, this, [this, index](const std::string& answer) {
    work_.answers[index] = answer;
    changed();
  });
  return card;
}

QWidget* LessonPage::makeFigure(const lessons::Figure& figure) {
  const std::size_t index = figures_.size();
  auto* link = new FigureLink(figure);
  figures_.push_back(link);
  connect(link, &FigureLink::requested, this, [this, index] { showFigure(index); });
  return link;
}

}  // namespace binade::views

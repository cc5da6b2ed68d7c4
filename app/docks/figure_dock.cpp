// SPDX-License-Identifier: Apache-2.0
#include "app/docks/figure_dock.h"

#include "app/docks/empty_state.h"
#include "engine/lessons/compute_figure.h"
#include "views/lessons/figure_view.h"
#include "views/style/looks.h"
#include "views/values/typography.h"

#include <QPushButton>

namespace binade::app {

namespace {

constexpr int kExportedWidth = 900;  // px

}  // namespace

FigureDock::FigureDock(QWidget* parent) : Dock(QStringLiteral("figure"), tr("Figure"), parent) {
  setEmptyContent();
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) view();
  });
}

views::FigureView* FigureDock::view() {
  if (view_ != nullptr) return view_;
  view_ = new views::FigureView;
  view_->setBesideLesson(beside_lesson_);
  empty_ = new EmptyState(view_, tr("No lesson is open."), tr("Choose one from the list. Its figures appear here."));
  start_ = new QPushButton;
  views::setPrimary(start_);
  connect(start_, &QPushButton::clicked, this, &FigureDock::lessonRequested);
  empty_->addButton(start_);
  offerLesson(offered_);
  replaceContent(empty_);
  setFocusProxy(start_);
  connect(view_, &views::FigureView::numberRequested, this, &Dock::numberRequested);
  connect(view_, &views::FigureView::uncoverRequested, this, &FigureDock::uncoverRequested);
  connect(view_, &views::FigureView::sliderChanged, this, &FigureDock::sliderChanged);
  connect(view_, &views::FigureView::htmlRequested, this, &FigureDock::htmlRequested);
  return view_;
}

void FigureDock::offerLesson(const QString& title) {
  offered_ = title;
  if (start_ == nullptr) return;
  start_->setText(tr("Open “%1”").arg(views::menuText(title)));
  start_->setVisible(!title.isEmpty());
}

void FigureDock::setBesideLesson(bool beside) {
  beside_lesson_ = beside;
  if (view_ != nullptr) view_->setBesideLesson(beside);
}

void FigureDock::showView() {
  empty_->setEmpty(false);
  setFocusProxy(view_);
}

void FigureDock::showFigure(const lessons::Figure& figure) {
  view()->setFigure(figure);
  showView();
}

void FigureDock::showCovered(bool predicted) {
  view()->setCover(tr("The figure is covered"),
                   predicted ? tr("Answer the exercise of the lesson first. Then the figure appears here.")
                             : tr("Make your prediction first. Then the figure appears here."));
  showView();
}

void FigureDock::showData(const lessons::FigureData& data, const QString& caption) {
  view()->setFigure(data);
  view_->setCaption(caption);
  showView();
}

void FigureDock::showNothing(const QString& headline, const QString& sentence) {
  view()->setExplanation(headline, sentence);
  showView();
}

QImage FigureDock::picture(const lessons::Figure& figure) {
  return views::figureImage(lessons::compute(*figure.kind, figure.parameters), kExportedWidth);
}

QImage FigureDock::shownPicture() {
  return views::figureImage(view()->figure(), kExportedWidth);
}

}  // namespace binade::app

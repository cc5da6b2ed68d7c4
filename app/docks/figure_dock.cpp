// SPDX-License-Identifier: Apache-2.0
#include "app/docks/figure_dock.h"

#include "engine/lessons/compute_figure.h"
#include "views/lessons/figure_view.h"
#include "views/values/typography.h"

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
  replaceContent(view_);
  setFocusProxy(view_);
  connect(view_, &views::FigureView::numberRequested, this, &Dock::numberRequested);
  connect(view_, &views::FigureView::sliderChanged, this, &FigureDock::sliderChanged);
  connect(view_, &views::FigureView::htmlRequested, this, &FigureDock::htmlRequested);
  showNothing(tr("No figure."), tr("Open a lesson. Its first figure appears here."));
  return view_;
}

void FigureDock::showFigure(const lessons::Figure& figure) {
  view()->setFigure(figure);
}

void FigureDock::showCovered(const lessons::Figure& figure) {
  const std::string title = lessons::compute(*figure.kind, figure.parameters).title;
  showNothing(views::typeset(title),
              tr("Make your prediction first. A figure of the explanation appears together with it."));
}

void FigureDock::showData(const lessons::FigureData& data, const QString& caption) {
  view()->setFigure(data);
  view_->setCaption(caption);
}

void FigureDock::showNothing(const QString& headline, const QString& sentence) {
  view()->setExplanation(headline, sentence);
}

QImage FigureDock::picture(const lessons::Figure& figure) {
  return views::figureImage(lessons::compute(*figure.kind, figure.parameters), kExportedWidth);
}

QImage FigureDock::shownPicture() {
  return views::figureImage(view()->figure(), kExportedWidth);
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_view.h"

#include "engine/lessons/compute_figure.h"
#include "views/elided_label.h"
#include "views/lessons/figure_slider.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/typography.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTextDocument>

namespace binade::views {

FigureView::FigureView(QWidget* parent)
    : QWidget(parent),
      title_(new ElidedLabel),
      numbers_(new QPushButton),
      slider_(new FigureSlider),
      canvas_(new FigureCanvas),
      pages_(new QStackedWidget),
      words_(makeTextLabel()),
      words_pane_(new QWidget),
      caption_(makeTextLabel(Tone::kSecond)),
      origin_(makeTextLabel(Tone::kThird)),
      headline_(makeTextLabel()),
      sentence_(makeTextLabel(Tone::kSecond)),
      uncover_(new QPushButton(tr("Show the figure"))) {
  setAccessibleName(tr("Figure"));
  setPanelGround(this);
  setFocusProxy(canvas_);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(canvas_);

  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHead());
  column->addWidget(slider_);
  column->addWidget(scroll, 1);
  column->addWidget(makeFoot());

  auto* reason = new QWidget;
  auto* lines = new QVBoxLayout(reason);
  lines->setContentsMargins(32, 32, 32, 32);
  headline_->setFont(textFont(13, QFont::DemiBold));
  headline_->setAlignment(Qt::AlignCenter);
  sentence_->setAlignment(Qt::AlignCenter);
  lines->addStretch();
  lines->addWidget(headline_);
  lines->addWidget(sentence_);
  lines->addSpacing(8);
  uncover_->setObjectName(QStringLiteral("figureUncover"));
  lines->addWidget(uncover_, 0, Qt::AlignHCenter);
  lines->addStretch();

  pages_->addWidget(reason);
  pages_->addWidget(page);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(pages_);
  setExplanation(tr("No figure selected"), tr("A figure of a lesson would appear here."));

  connect(uncover_, &QPushButton::clicked, this, &FigureView::uncoverRequested);
  connect(slider_, &FigureSlider::moved, this, &FigureView::moveSlider);
  connect(canvas_, &FigureCanvas::numberRequested, this, &FigureView::numberRequested);
  connect(canvas_, &FigureCanvas::htmlRequested, this, &FigureView::htmlRequested);
}

QWidget* FigureView::makeHead() {
  title_->setFont(textFont(14, QFont::DemiBold));
  numbers_->setObjectName(QStringLiteral("figureNumbers"));
  numbers_->setText(tr("Numbers"));
  numbers_->setCheckable(true);
  connect(numbers_, &QPushButton::toggled, words_pane_, &QWidget::setVisible);
  auto* head = new QWidget;
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(16, 8, 16, 4);
  line->addWidget(title_, 1);
  line->addWidget(numbers_);
  return head;
}

QWidget* FigureView::makeFoot() {
  words_->setObjectName(QStringLiteral("figureWords"));
  auto* copy = new QPushButton(tr("Copy"));
  copy->setObjectName(QStringLiteral("figureCopy"));
  copy->setToolTip(tr("Copy the text and the table"));
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(figureWords(figure())); });
  setSurface(words_pane_, Surface::kVerdict);
  auto* words = new QHBoxLayout(words_pane_);
  words->setContentsMargins(12, 8, 12, 8);
  words->addWidget(words_, 1);
  words->addWidget(copy, 0, Qt::AlignTop);
  words_pane_->hide();
  caption_->setObjectName(QStringLiteral("figureCaption"));

  auto* foot = new QWidget;
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(16, 4, 16, 12);
  column->setSpacing(6);
  column->addWidget(words_pane_);
  column->addWidget(caption_);
  column->addWidget(origin_);
  return foot;
}

bool FigureView::showsFigure() const {
  return pages_->currentIndex() == 1;
}

void FigureView::setFigure(const lessons::Figure& figure) {
  source_ = figure;
  const lessons::FigureData data = lessons::compute(*figure.kind, figure.parameters);
  preset_ = data.slider ? data.slider->value : 0;
  moving_ = false;
  display(data, false);
  // Markdown, as everywhere; a label shows its words.
  QTextDocument caption;
  caption.setMarkdown(QString::fromStdString(figure.caption), QTextDocument::MarkdownNoHTML);
  setCaption(caption.toPlainText());
}

void FigureView::setFigure(const lessons::FigureData& data) {
  const auto& before = figure().slider;
  const bool same = !source_ && showsFigure() && before && data.slider && before->label == data.slider->label &&
                    before->low == data.slider->low && before->high == data.slider->high;
  if (!same && data.slider) preset_ = data.slider->value;
  source_.reset();
  display(data, same && moving_);
  moving_ = false;
}

void FigureView::moveSlider(double value) {
  if (source_) {
    // The preset is computed without the slider: a power of two that is rounded would not return to it exactly.
    const auto position = value == preset_ ? std::nullopt : std::optional(value);
    display(lessons::compute(*source_->kind, source_->parameters, position), true);
  }
  moving_ = !source_;
  Q_EMIT sliderChanged(value);
}

void FigureView::display(const lessons::FigureData& data, bool moved) {
  canvas_->setFigure(data, moved);
  slider_->setVisible(data.slider.has_value());
  if (data.slider) slider_->setState(*data.slider, preset_);
  title_->setText(typeset(data.title));
  words_->setText(typeset(data.text));
  numbers_->setToolTip(tr("The figure in words: %1").arg(typeset(data.text)));
  origin_->setText(typeset(data.source));
  origin_->setVisible(data.quoted());
  // The sentence explains a table that stands alone, such as the step of a sum.
  if (!moved) numbers_->setChecked(data.panels.empty());
  setAccessibleDescription({});
  const bool had_focus = uncover_->hasFocus();
  setFocusProxy(canvas_);
  pages_->setCurrentIndex(1);
  if (had_focus) canvas_->setFocus();
}

void FigureView::setCaption(const QString& caption) {
  caption_text_ = caption;
  caption_->setText(typeset(caption));
  showCaption();
}

void FigureView::setBesideLesson(bool beside) {
  beside_lesson_ = beside;
  showCaption();
}

void FigureView::showCaption() {
  const bool in_page = beside_lesson_ && source_;
  caption_->setVisible(!caption_text_.isEmpty() && !in_page);
}

void FigureView::setExplanation(const QString& headline, const QString& sentence) {
  headline_->setText(headline);
  setAccessibleDescription(headline + QLatin1Char(' ') + sentence);
  sentence_->setText(sentence);
  uncover_->hide();
  setFocusProxy(canvas_);
  pages_->setCurrentIndex(0);
}

void FigureView::setCover(const QString& headline, const QString& sentence) {
  setExplanation(headline, sentence);
  uncover_->setAccessibleDescription(accessibleDescription());
  uncover_->show();
  setFocusProxy(uncover_);
}

}  // namespace binade::views

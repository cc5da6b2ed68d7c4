// SPDX-License-Identifier: Apache-2.0
#include "views/elided_label.h"
#include "views/numbers/bit_rows.h"
#include "views/numbers/format_ruler.h"
#include "views/numbers/numbers_view.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>

namespace binade::views {

namespace {

constexpr int kNumbersMargin = 12;
constexpr int kLabelsWide = 34;
constexpr int kPartsGap = 6;
constexpr int kFoot = 4;
constexpr int kRowsBeside = 1060;  // all columns of the bit rows
constexpr int kRulerBeside = 420;

QHBoxLayout* numbersLine(QWidget* line, int side = kNumbersMargin) {
  auto* layout = new QHBoxLayout(line);
  layout->setContentsMargins(side, 0, side, 0);
  layout->setSpacing(8);
  return layout;
}

QVBoxLayout* partColumn(QWidget* part) {
  auto* layout = new QVBoxLayout(part);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kPartsGap);
  return layout;
}

QToolButton* stepButton(const QString& text, const QString& name, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setFixedSize(28, 28);
  button->setAccessibleName(name);
  button->setToolTip(tip);
  return button;
}

QLabel* fieldLabel(const QString& text, QWidget* buddy) {
  auto* label = new QLabel(text);
  label->setMinimumWidth(kLabelsWide);
  label->setBuddy(buddy);
  return label;
}

}  // namespace

NumbersView::NumbersView(QWidget* parent)
    : QWidget(parent),
      formats_{formats::kFloat32, formats::kTFloat32,     formats::kBFloat16,
               formats::kFloat16, formats::kFloat8E4M3fn, formats::kFloat8E5M2},
      rows_(new BitRows),
      ruler_(new FormatRuler) {
  shown_.real.nearest = 1;
  setAccessibleName(tr("Number formats"));
  setPanelGround(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 0);
  column->setSpacing(6);
  fields_ = makeFields();
  column->addWidget(fields_);
  problem_ = makeTextLabel(Tone::kCrimson);
  problem_->setObjectName(QStringLiteral("numberProblem"));
  problem_->setContentsMargins(kNumbersMargin, 0, kNumbersMargin, 0);
  problem_->hide();
  column->addWidget(problem_);

  auto* page = new QWidget;
  setPanelGround(page);
  rows_part_ = new QWidget;
  auto* rows = partColumn(rows_part_);
  rows->addWidget(rows_);
  rows->addWidget(makeFormatLine());
  rows->addStretch();
  ruler_part_ = new QWidget;
  auto* ruler = partColumn(ruler_part_);
  ruler->addWidget(makeRulerHead());
  ruler->addWidget(ruler_, 1);
  ruler->addWidget(makeRulerLegend());
  parts_ = new QBoxLayout(QBoxLayout::TopToBottom, page);
  parts_->setContentsMargins(0, 0, 0, kFoot);
  parts_->setSpacing(kPartsGap);
  parts_->addWidget(rows_part_);
  parts_->addWidget(ruler_part_, 1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(page);
  // The rows and the ruler take the focus; the area between them does not.
  scroll->setFocusPolicy(Qt::NoFocus);
  column->addWidget(scroll, 1);

  connect(rows_, &BitRows::numberEdited, this, &NumbersView::editNumber);
  connect(rows_, &BitRows::selectedChanged, this, &NumbersView::setSelectedFormat);
  connect(rows_, &BitRows::removeRequested, this, &NumbersView::removeFormat);
  connect(ruler_, &FormatRuler::selectedChanged, this, &NumbersView::setSelectedFormat);
  connect(ruler_, &FormatRuler::valuePicked, this, [this](double value) {
    edit({{value}, std::nullopt, shown_.overflow});
  });
  rowsChanged();
}

bool NumbersView::isSideBySide() const {
  return parts_->direction() == QBoxLayout::LeftToRight;
}

void NumbersView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void NumbersView::arrange() {
  // Neither the present size of the parts counts, which may be that of another width, nor the explanation of a wrong
  // text, because typing must not move the parts.
  const int frame = layout()->contentsMargins().top() + fields_->sizeHint().height() + 2 * kPartsGap + kFoot;
  const int rows = rows_->heightIn(width()) + kPartsGap + format_line_->parentWidget()->sizeHint().height();
  const int ruler = log_->parentWidget()->sizeHint().height() + ruler_->minimumHeight() +
                    ruler_legend_->sizeHint().height() + 2 * kPartsGap;
  const bool beside = width() >= kRowsBeside + kRulerBeside && height() < frame + rows + ruler;
  if (beside == isSideBySide()) return;
  rows_part_->setMinimumWidth(beside ? kRowsBeside : 0);
  rows_part_->setMaximumWidth(beside ? kRowsBeside : QWIDGETSIZE_MAX);
  parts_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

QLineEdit* NumbersView::makeLine(const QString& name, bool (NumbersView::*enter)(const QString&),
                                 const QString& accessible) {
  auto* line = new QLineEdit;
  line->setObjectName(name);
  line->setAccessibleName(accessible);
  line->setFont(figureFont(12));
  // Emitted by Return, and when the focus leaves: a text that was not changed is no edit.
  connect(line, &QLineEdit::editingFinished, this, [this, line, enter] {
    if (line->text() != line->property("shown").toString()) (this->*enter)(line->text());
  });
  auto* restore = new QAction(line);
  restore->setShortcut(Qt::Key_Escape);
  restore->setShortcutContext(Qt::WidgetShortcut);
  connect(restore, &QAction::triggered, this, &NumbersView::refresh);
  line->addAction(restore);
  return line;
}

QWidget* NumbersView::makeFields() {
  value_line_ = makeLine(QStringLiteral("numberValue"), &NumbersView::enterValue, tr("Value"));
  value_line_->setToolTip(tr("A number: 65519.996, 1e-5, 2^-24, 0x1.8p-3, inf or nan"));
  bits_line_ = makeLine(QStringLiteral("numberBits"), &NumbersView::enterBits, tr("Bits"));
  saturate_ = new QCheckBox(tr("Saturate"));
  saturate_->setObjectName(QStringLiteral("numberSaturate"));
  saturate_->setToolTip(tr("Too large numbers become the largest one, instead of infinity or NaN"));
  connect(saturate_, &QCheckBox::toggled, this, [this](bool on) {
    shown_.overflow = on ? formats::Overflow::kSaturate : formats::Overflow::kInfinity;
    refresh();
  });
  format_box_ = new QComboBox;
  format_box_->setObjectName(QStringLiteral("numberFormat"));
  format_box_->setAccessibleName(tr("Selected format"));
  format_box_->setToolTip(tr("The format whose bits are typed and whose numbers the buttons step through"));
  connect(format_box_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (index >= 0) setSelectedFormat(formats_[static_cast<std::size_t>(index)]);
  });
  auto* down = stepButton(QStringLiteral("‹"), tr("Previous number"), tr("Previous number of the selected format (−)"));
  auto* up = stepButton(QStringLiteral("›"), tr("Next number"), tr("Next number of the selected format (+)"));
  down->setObjectName(QStringLiteral("numberDown"));
  up->setObjectName(QStringLiteral("numberUp"));
  connect(down, &QToolButton::clicked, this, &NumbersView::stepDown);
  connect(up, &QToolButton::clicked, this, &NumbersView::stepUp);

  auto* fields = new QWidget;
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(kNumbersMargin, 0, kNumbersMargin, 0);
  column->setSpacing(6);
  auto* first = new QHBoxLayout;
  first->setSpacing(8);
  first->addWidget(fieldLabel(tr("Value"), value_line_));
  first->addWidget(value_line_, 1);
  first->addWidget(saturate_);
  column->addLayout(first);
  auto* second = new QHBoxLayout;
  second->setSpacing(8);
  // The format stands for the label of the bits, so that they have room in a narrow dock.
  second->addWidget(format_box_);
  second->addWidget(bits_line_, 1);
  second->addWidget(down);
  second->addWidget(up);
  column->addLayout(second);
  return fields;
}

QWidget* NumbersView::makeFormatLine() {
  constexpr int kFormatLineWide = 170;
  format_line_ = makeLine(QStringLiteral("numberAddFormat"), &NumbersView::enterFormat, tr("Add a format"));
  format_line_->setPlaceholderText(tr("Add format, such as e6m9"));
  format_line_->setToolTip(tr("A format with sign, exponent and fraction bits: e<E>m<M>. Return adds its row."));
  format_line_->setMaximumWidth(kFormatLineWide);
  auto* line = new QWidget;
  auto* layout = numbersLine(line);
  layout->addWidget(format_line_, 1);
  auto* hint = new ElidedLabel(tr("Click a bit to toggle it. + and − step to the next and previous number."));
  setTone(hint, Tone::kThird);
  layout->addWidget(hint, 2);
  return line;
}

QWidget* NumbersView::makeRulerHead() {
  auto* head = new QLabel(tr("Ruler"));
  head->setFont(textFont(13, QFont::DemiBold));
  log_ = new QCheckBox(tr("Logarithmic"));
  log_->setObjectName(QStringLiteral("numberLog"));
  log_->setToolTip(tr("Powers of two at equal distances, positive numbers only; otherwise a linear axis"));
  log_->setChecked(ruler_->axis().isLog());
  connect(log_, &QCheckBox::toggled, this,
          [this](bool on) { ruler_->setScale(on ? RulerAxis::Scale::kLog2 : RulerAxis::Scale::kLinear); });
  const auto button = [this](const QString& text, const QString& tip, void (FormatRuler::*slot)()) {
    auto* made = new QToolButton;
    made->setText(text);
    made->setToolTip(tip);
    connect(made, &QToolButton::clicked, ruler_, slot);
    return made;
  };
  auto* line = new QWidget;
  auto* layout = numbersLine(line);
  layout->addWidget(head);
  layout->addWidget(log_);
  layout->addWidget(button(tr("Show all"), tr("Show everything (F)"), &FormatRuler::fit));
  layout->addWidget(button(tr("Fit to value"), tr("Show the numbers around the value (V)"), &FormatRuler::fitToValue));
  layout->addStretch();
  return line;
}

// Below the ruler: beside the buttons it would be cut in a narrow dock.
QWidget* NumbersView::makeRulerLegend() {
  ruler_legend_ = new ElidedLabel(tr("hatched: subnormal · dots: ties · arrow: rounds to"));
  ruler_legend_->setContentsMargins(kNumbersMargin, 0, kNumbersMargin, 0);
  setTone(ruler_legend_, Tone::kThird);
  return ruler_legend_;
}

}  // namespace binade::views

// SPDX-License-Identifier: Apache-2.0
#include "app/docks/search_form.h"

#include "app/docks/training_fields.h"
#include "app/present/search_rows.h"
#include "views/beside_or_below.h"
#include "views/flow_layout.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace binade::app {

namespace {

constexpr int kUsualMinutes = 30;
constexpr int kMostMinutes = 60 * 24 * 7;
constexpr int kMostTries = 100'000;
constexpr int kTwoColumns = 680;  // pixels from which on the limits are beside the rest
constexpr std::array kGoals{SearchGoal::kTime, SearchGoal::kMemory, SearchGoal::kCasts, SearchGoal::kRepair};

/// A limit of which 0 is none.
QSpinBox* makeLimit(int most, int value, const QString& name) {
  auto* limit = new QSpinBox;
  limit->setRange(0, most);
  limit->setValue(value);
  limit->setGroupSeparatorShown(true);
  limit->setSpecialValueText(SearchForm::tr("no limit"));
  limit->setAccessibleName(name);
  return limit;
}

/// A field of several widgets. It takes the whole width, by which a form computes the height of text that wraps.
QWidget* makeWideField() {
  auto* field = new QWidget;
  field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  return field;
}

QWidget* besideEachOther(std::initializer_list<QWidget*> widgets) {
  auto* part = makeWideField();
  auto* flow = new views::FlowLayout(part, 8, 6);
  flow->setContentsMargins(0, 0, 0, 0);
  for (QWidget* each : widgets) flow->addWidget(each);
  return part;
}

/// A part of the form. The names of all parts have one width, so that parts below each other are one form.
QWidget* makePart(std::initializer_list<std::pair<QString, QWidget*>> rows) {
  auto* part = new QWidget;
  auto* form = new QFormLayout(part);
  form->setContentsMargins(16, 3, 16, 3);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  const int wide = part->fontMetrics().horizontalAdvance(SearchForm::tr("Repetitions")) + 2;
  for (const auto& [name, field] : rows) {
    form->addRow(name, field);
    form->labelForField(field)->setMinimumWidth(wide);
  }
  return part;
}

}  // namespace

SearchForm::SearchForm(QWidget* parent)
    : QWidget(parent),
      goal_(new QComboBox),
      minutes_(makeLimit(kMostMinutes, kUsualMinutes, tr("Minutes of the search"))),
      tries_(makeLimit(kMostTries, 0, tr("Tries of the search"))),
      steps_(makeStepsField()),
      seeds_(makeRepetitionsField()),
      evaluation_(new QLineEdit),
      keep_(new QPushButton(tr("Keep the selected op calls"))),
      clear_(new QPushButton(tr("Clear"))),
      kept_(views::makeTextLabel(views::Tone::kSecond)),
      formats_text_(views::makeTextLabel(views::Tone::kSecond)) {
  for (const SearchGoal goal : kGoals) goal_->addItem(goalName(goal), static_cast<int>(goal));
  goal_->setAccessibleName(tr("Goal"));
  minutes_->setSuffix(tr(" min"));
  tries_->setSuffix(tr(" tries"));
  tries_->setToolTip(
      tr("A try trains under one policy, beside the policy to compare with. The search ends at the "
         "first limit that it reaches."));
  evaluation_->setPlaceholderText(tr("no limit"));
  evaluation_->setAccessibleName(tr("Largest loss on the test data"));
  QWidget* trainings = makePart({{tr("Goal"), goal_},
                                 {tr("Budget"), besideEachOther({minutes_, tries_})},
                                 {tr("Steps"), steps_},
                                 {tr("Repetitions"), seeds_}});
  QWidget* limits =
      makePart({{tr("Formats"), makeFormats()}, {tr("Evaluation"), evaluation_}, {tr("Unchanged"), makeFixed()}});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 7, 0, 7);
  column->addWidget(new views::BesideOrBelow(trainings, limits, kTwoColumns));
  connect(goal_, &QComboBox::currentIndexChanged, this, &SearchForm::changed);
  connect(evaluation_, &QLineEdit::textChanged, this, &SearchForm::changed);
  for (const QSpinBox* each : {minutes_, tries_, steps_, seeds_})
    connect(each, &QSpinBox::valueChanged, this, &SearchForm::changed);
  connect(this, &SearchForm::changed, this,
          [this] { views::setWrong(evaluation_, !order().evaluation && !evaluation_->text().trimmed().isEmpty()); });
  updateFixed();
}

QWidget* SearchForm::makeFormats() {
  auto* part = makeWideField();
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* boxes = new QWidget;
  auto* flow = new views::FlowLayout(boxes, 12, 4);
  flow->setContentsMargins(0, 0, 0, 0);
  const QString meaning =
      tr("Checked: the search may give op calls this format. Unchecked: it gives it to none, and op calls that have it "
         "already may keep it. If no format is checked, the search uses the low format of the base list and float32.");
  for (const char* name : {"float32", "tfloat32", "bfloat16", "float16"}) {
    auto* box = new QCheckBox(QLatin1String(name));
    box->setToolTip(meaning);
    box->setWhatsThis(meaning);
    flow->addWidget(box);
    formats_ << box;
    connect(box, &QCheckBox::toggled, this, &SearchForm::updateFormats);
    connect(box, &QCheckBox::toggled, this, &SearchForm::changed);
  }
  column->addWidget(boxes);
  column->addWidget(formats_text_);
  updateFormats();
  return part;
}

void SearchForm::updateFormats() {
  const bool any = std::any_of(formats_.begin(), formats_.end(), [](const QCheckBox* box) { return box->isChecked(); });
  formats_text_->setText(any ? tr("Op calls change to checked formats only. One that has another format may keep it.")
                             : tr("None checked: the base list's low format and float32."));
}

QWidget* SearchForm::makeFixed() {
  auto* part = makeWideField();
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(kept_);
  column->addWidget(besideEachOther({keep_, clear_}));
  keep_->setToolTip(tr("The search does not change the format of these op calls."));
  connect(keep_, &QPushButton::clicked, this, [this] {
    for (const QString& call : selected_) {
      if (!fixed_.contains(call)) fixed_ << call;
    }
    updateFixed();
    Q_EMIT changed();
  });
  connect(clear_, &QPushButton::clicked, this, [this] {
    fixed_.clear();
    updateFixed();
    Q_EMIT changed();
  });
  return part;
}

void SearchForm::updateFixed() {
  constexpr int kNamed = 3;
  const qsizetype more = fixed_.size() - kNamed;
  const QString named = fixed_.first(std::min<qsizetype>(kNamed, fixed_.size())).join(QStringLiteral(", "));
  kept_->setText(fixed_.isEmpty() ? tr("No op call") : more > 0 ? tr("%1 and %2 more").arg(named).arg(more) : named);
  kept_->setToolTip(fixed_.join(u'\n'));
  clear_->setVisible(!fixed_.isEmpty());
  keep_->setEnabled(
      std::any_of(selected_.begin(), selected_.end(), [this](const QString& call) { return !fixed_.contains(call); }));
}

void SearchForm::setSelected(const QStringList& calls) {
  selected_ = calls;
  updateFixed();
}

void SearchForm::setCalls(const QStringList& calls) {
  fixed_.removeIf([&calls](const QString& call) { return !calls.contains(call); });
  updateFixed();
}

void SearchForm::setGoal(SearchGoal goal) {
  goal_->setCurrentIndex(goal_->findData(static_cast<int>(goal)));
}

void SearchForm::setEvaluates(bool evaluates) {
  evaluation_->setEnabled(evaluates);
  evaluation_->setToolTip(evaluates ? tr("The largest loss on the test data that a policy may reach")
                                    : tr("The run has no test data."));
}

QCheckBox* SearchForm::format(const QString& name) const {
  const auto found =
      std::find_if(formats_.begin(), formats_.end(), [&name](const QCheckBox* box) { return box->text() == name; });
  return found == formats_.end() ? nullptr : *found;
}

SearchOrder SearchForm::order() const {
  SearchOrder order;
  order.goal = static_cast<SearchGoal>(goal_->currentData().toInt());
  order.minutes = minutes_->value();
  order.tries = tries_->value();
  order.steps = steps_->value();
  order.seeds = seeds_->value();
  order.fixed = fixed_;
  for (const QCheckBox* box : formats_) {
    if (box->isChecked()) order.formats << box->text();
  }
  if (evaluation_->isEnabled()) order.evaluation = views::typedNumber(evaluation_->text());
  return order;
}

QString SearchForm::whyNot() const {
  const SearchOrder now = order();
  if (now.minutes == 0 && now.tries == 0) return tr("Set a limit: minutes, tries or both.");
  if (evaluation_->isEnabled() && !now.evaluation && !evaluation_->text().trimmed().isEmpty())
    return tr("The evaluation to hold is not a number.");
  return {};
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/form/form_section.h"

#include "app/form/form_table.h"
#include "app/present/scale_text.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>

namespace binade::app {

namespace {

constexpr int kNumberWidth = 128;
constexpr int kLabelWidth = 136;  // same in all sections, so that fields line up

}  // namespace

std::optional<double> parseNumber(const QString& text) {
  if (const std::optional<double> value = views::typedNumber(text)) return value;
  return parseScale(text);
}

FormSection::FormSection(RunDocument* document, const QString& title, QWidget* parent)
    : QWidget(parent), document_(document), form_(new QFormLayout) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  auto* head = new QLabel(title);
  head->setFont(views::textFont(13, QFont::DemiBold));
  layout->addWidget(head);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setHorizontalSpacing(16);
  form_->setVerticalSpacing(6);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  layout->addLayout(form_);
  setAccessibleName(title);
}

FormSection::Field& FormSection::add(const FieldWords& words, QWidget* editor, When when, QWidget* beside) {
  auto* row = new QWidget;
  auto* column = new QVBoxLayout(row);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(editor);
  if (!words.unit.isEmpty()) {
    auto* unit = new QLabel(words.unit);
    views::setTone(unit, views::Tone::kSecond);
    line->addWidget(unit);
  }
  if (beside != nullptr) line->addWidget(beside);
  if (editor->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed || editor->maximumWidth() < 400) line->addStretch();
  column->addLayout(line);
  auto* message = new QLabel;
  views::setTone(message, views::Tone::kCrimson);
  message->setFont(views::textFont(11));
  message->setWordWrap(true);
  message->hide();
  column->addWidget(message);
  auto* label = new QLabel(words.label);
  label->setMinimumWidth(kLabelWidth);
  label->setBuddy(editor);
  label->setToolTip(words.tip);
  form_->addRow(label, row);
  editor->setObjectName(words.path);
  editor->setToolTip(words.tip);
  editor->setAccessibleName(words.label);
  editor->setAccessibleDescription(words.tip);
  fields_.push_back(std::make_unique<Field>(Field{words, row, editor, message, {}, {}, std::move(when)}));
  return *fields_.back();
}

void FormSection::commit(const FieldWords& words, const std::function<void(wire::RunConfig&)>& change) {
  wire::RunConfig after = document_->config();
  change(after);
  document_->edit(tr("Change of %1").arg(words.label), after, words.path);
}

QLineEdit* FormSection::line(const FieldWords& words, const QString& none) {
  auto* edit = new QLineEdit;
  edit->setFont(views::figureFont());
  edit->setFixedWidth(kNumberWidth);
  edit->setAlignment(Qt::AlignRight);
  edit->setPlaceholderText(none);
  Q_UNUSED(words);
  return edit;
}

template <class T>
void FormSection::numeric(const FieldWords& words, const Access<T>& value, const QString& none, When when,
                          std::function<std::optional<T>(const QString&)> parse, std::function<QString(T)> print) {
  QLineEdit* edit = line(words, none);
  Field* field = &add(words, edit, std::move(when));
  const auto shown = [none, print](T number) { return number == 0 && !none.isEmpty() ? QString() : print(number); };
  field->show = [this, field, edit, value, shown](wire::RunConfig& config) {
    if (field->typed_wrong) return;
    if (const QString text = shown(value(config)); edit->text() != text) edit->setText(text);
  };
  field->is_default = [value](wire::RunConfig& config) {
    wire::RunConfig plain;
    return value(config) == value(plain);
  };
  connect(edit, &QLineEdit::editingFinished, this, [this, field, edit, value, none, parse] {
    const QString typed = edit->text().trimmed();
    std::optional<T> number = parse(typed);
    if (typed.isEmpty() && !none.isEmpty()) number = T{};
    field->typed_wrong = !number;
    if (!number) return setMessage(*field, tr("“%1” is not a number.").arg(typed));
    setMessage(*field, {});
    commit(field->words, [&](wire::RunConfig& config) { value(config) = *number; });
    refresh();  // rewrites the text in its shortest form, even if the value is unchanged
  });
}

void FormSection::number(const FieldWords& words, Access<double> value, const QString& none, When when) {
  numeric<double>(words, value, none, std::move(when), parseNumber, views::plainNumber);
}

void FormSection::whole(const FieldWords& words, Access<std::int64_t> value, const QString& none, When when) {
  const auto parse = [](const QString& text) -> std::optional<std::int64_t> {
    const auto number = parseNumber(text);
    if (!number || *number != std::floor(*number) || std::abs(*number) > 9e15) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  };
  numeric<std::int64_t>(words, value, none, std::move(when), parse,
                        [](std::int64_t number) { return QString::number(number); });
}

void FormSection::text(const FieldWords& words, Access<std::string> value, const QString& placeholder, When when) {
  auto* edit = new QLineEdit;
  edit->setPlaceholderText(placeholder);
  Field& field = add(words, edit, std::move(when));
  field.show = [edit, value](wire::RunConfig& config) {
    if (const QString text = QString::fromStdString(value(config)); edit->text() != text) edit->setText(text);
  };
  field.is_default = [value](wire::RunConfig& config) { return value(config).empty(); };
  connect(edit, &QLineEdit::editingFinished, this, [this, words, edit, value] {
    commit(words, [&](wire::RunConfig& config) { value(config) = edit->text().trimmed().toStdString(); });
  });
}

void FormSection::path(const FieldWords& words, Access<std::string> value, const QString& filter, When when) {
  auto* edit = new QLineEdit;
  auto* choose = new QPushButton(tr("Choose…"));
  choose->setAutoDefault(false);  // Return must start the training instead
  choose->setAccessibleName(tr("Choose: %1").arg(words.label));
  Field& field = add(words, edit, std::move(when), choose);
  field.show = [edit, value](wire::RunConfig& config) {
    if (const QString text = QString::fromStdString(value(config)); edit->text() != text) edit->setText(text);
  };
  field.is_default = [value](wire::RunConfig& config) { return value(config).empty(); };
  const auto take = [this, words, value](const QString& path) {
    commit(words, [&](wire::RunConfig& config) { value(config) = path.toStdString(); });
  };
  connect(edit, &QLineEdit::editingFinished, this, [edit, take] { take(edit->text().trimmed()); });
  connect(choose, &QPushButton::clicked, this, [this, edit, take, filter, words] {
    using Kind = FileQuestion::Kind;
    ask_files_(this, {filter.isEmpty() ? Kind::kFolder : Kind::kFile, words.label, edit->text(), filter},
               [take](const QStringList& chosen) { take(chosen.front()); });
  });
}

void FormSection::setAskFiles(const AskFiles& ask) {
  ask_files_ = ask;
  for (FormTable* table : tables_) table->setAskFiles(ask);
}

void FormSection::choice(const FieldWords& words, Access<std::string> value,
                         const QList<QPair<QString, QString>>& values, When when) {
  auto* combo = new QComboBox;
  combo->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const auto& [name, text] : values) combo->addItem(text, name);
  Field& field = add(words, combo, std::move(when));
  field.show = [combo, value](wire::RunConfig& config) {
    const QSignalBlocker quiet(combo);
    const QString name = QString::fromStdString(value(config));
    if (combo->findData(name) < 0) combo->addItem(name, name);  // a value in the file that the form does not offer
    combo->setCurrentIndex(combo->findData(name));
  };
  field.is_default = [value](wire::RunConfig& config) {
    wire::RunConfig plain;
    return value(config) == value(plain);
  };
  connect(combo, &QComboBox::currentIndexChanged, this, [this, words, combo, value] {
    commit(words, [&](wire::RunConfig& config) { value(config) = combo->currentData().toString().toStdString(); });
  });
}

void FormSection::flag(const FieldWords& words, Access<bool> value, const QString& text, When when) {
  auto* box = new QCheckBox(text);
  Field& field = add(words, box, std::move(when));
  field.show = [box, value](wire::RunConfig& config) {
    const QSignalBlocker quiet(box);
    box->setChecked(value(config));
  };
  field.is_default = [value](wire::RunConfig& config) {
    wire::RunConfig plain;
    return value(config) == value(plain);
  };
  connect(box, &QCheckBox::toggled, this,
          [this, words, value](bool on) { commit(words, [&](wire::RunConfig& config) { value(config) = on; }); });
}

void FormSection::table(FormTable* table, When when) {
  form_->addRow(table);
  tables_.push_back(table);
  others_.emplace_back(table, std::move(when));
}

void FormSection::widget(QWidget* any, const QString& label, When when) {
  if (label.isEmpty()) {
    form_->addRow(any);
  } else {
    auto* text = new QLabel(label);
    text->setMinimumWidth(kLabelWidth);
    text->setBuddy(any);
    form_->addRow(text, any);
  }
  others_.emplace_back(any, std::move(when));
}

void FormSection::refresh() {
  wire::RunConfig config = document_->config();
  for (const auto& field : fields_) field->show(config);
  for (FormTable* table : tables_) table->refresh();
  showRows();
}

void FormSection::showRows() {
  wire::RunConfig config = document_->config();
  for (const auto& field : fields_) {
    const bool has_effect = !field->when || field->when(config);
    const bool wanted = !field->words.rare || show_rare_ || !field->is_default(config) || !field->message->isHidden();
    form_->setRowVisible(field->row, has_effect && wanted);
  }
  for (const auto& [widget, when] : others_) form_->setRowVisible(widget, !when || when(config));
}

void FormSection::setShowRare(bool show) {
  show_rare_ = show;
  showRows();
}

void FormSection::setMessage(Field& field, const QString& text) {
  field.message->setText(text);
  field.message->setVisible(!text.isEmpty());
  views::setWrong(field.editor, !text.isEmpty());
  field.editor->setAccessibleDescription(text.isEmpty() ? field.words.tip : text);
}

bool FormSection::showProblem(const QString& path, const QString& text) {
  for (const auto& field : fields_) {
    if (field->words.path != path) continue;
    setMessage(*field, text);
    showRows();
    return true;
  }
  for (FormTable* table : tables_) {
    if (table->showProblem(path, text)) return true;
  }
  return false;
}

void FormSection::clearProblems() {
  for (const auto& field : fields_) {
    if (!field->typed_wrong) setMessage(*field, {});
  }
  for (FormTable* table : tables_) table->clearProblem();
}

bool FormSection::focusField(const QString& path) {
  for (const auto& field : fields_) {
    if (field->words.path != path) continue;
    field->editor->setFocus(Qt::OtherFocusReason);
    return true;
  }
  for (FormTable* table : tables_) {
    if (table->focusCell(path)) return true;
  }
  return false;
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/numbers_view.h"

#include "engine/numbers/parse_number.h"
#include "views/numbers/bit_rows.h"
#include "views/numbers/format_ruler.h"
#include "views/style/looks.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace binade::views {

namespace {

constexpr std::size_t kMostTyped = 100;  // remembered for undo

/// Equal values; NaN equals NaN, and -0 differs from 0.
bool sameValue(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool sameNumber(const ShownNumber& a, const ShownNumber& b) {
  return sameValue(a.real.nearest, b.real.nearest) && a.real.exact == b.real.exact && a.pattern == b.pattern;
}

}  // namespace

std::vector<formats::Format> NumbersView::addedFormats() const {
  std::vector<formats::Format> added;
  std::copy_if(formats_.begin(), formats_.end(), std::back_inserter(added), isCustomFormat);
  return added;
}

bool NumbersView::addFormat(const formats::Format& format) {
  if (std::find(formats_.begin(), formats_.end(), format) == formats_.end()) {
    if (addedFormats().size() >= kMostAdded) return false;
    formats_.push_back(format);
    rowsChanged();
    Q_EMIT formatsChanged();
  }
  setSelectedFormat(format);
  return true;
}

void NumbersView::removeFormat(const formats::Format& format) {
  if (!isCustomFormat(format) || std::erase(formats_, format) == 0) return;
  if (shown_.pattern && shown_.pattern->format == format) shown_.pattern.reset();
  rowsChanged();
  if (selected_ == format) setSelectedFormat(formats::kFloat16);
  Q_EMIT formatsChanged();
}

RulerAxis::Scale NumbersView::scale() const {
  return ruler_->axis().scale();
}

bool NumbersView::enterValue(const QString& text) {
  const auto parsed = numbers::parse_real(text.toStdString());
  if (const auto* wrong = std::get_if<numbers::NotANumber>(&parsed))
    return refuse(value_line_, typeset(wrong->message), typeset(wrong->hint));
  const auto& real = std::get<numbers::Real>(parsed);
  std::erase_if(typed_, [&](const Typed& each) { return sameValue(each.real.nearest, real.nearest); });
  if (typed_.size() == kMostTyped) typed_.erase(typed_.begin());
  typed_.push_back({real, text.trimmed()});
  edit({real, std::nullopt, shown_.overflow});
  return true;
}

bool NumbersView::enterBits(const QString& text) {
  const auto parsed = numbers::parse_bits(text.toStdString(), selected_);
  if (const auto* wrong = std::get_if<numbers::NotANumber>(&parsed))
    return refuse(bits_line_, typeset(wrong->message), typeset(wrong->hint));
  editNumber(std::get<numbers::Number>(parsed));
  return true;
}

bool NumbersView::enterFormat(const QString& text) {
  const QString name = text.trimmed();
  const QString hint =
      tr("Type the number of exponent and of fraction bits, such as e6m9, or float4_e2m1fn, float6_e2m3fn or "
         "float6_e3m2fn.");
  const auto format = numbers::parse_format(name.toStdString());
  if (!format) {
    const QString reason = QString::fromStdString(formats::out_of_range(name.toStdString()));
    return refuse(format_line_,
                  reason.isEmpty() ? tr("“%1” is no number format.").arg(name) : tr("%1 %2.").arg(name, reason), hint);
  }
  if (!addFormat(*format))
    return refuse(format_line_, tr("There are already %1 added formats.").arg(kMostAdded),
                  tr("Remove one: select its row and press Delete."));
  refresh();
  return true;
}

void NumbersView::setValue(double value) {
  if (sameValue(value, shown_.real.nearest)) return;
  const auto typed = std::find_if(typed_.begin(), typed_.end(),
                                  [&](const Typed& each) { return sameValue(each.real.nearest, value); });
  shown_.real = typed == typed_.end() ? numbers::Real{value} : typed->real;
  shown_.pattern.reset();
  refresh();
}

void NumbersView::setSelectedFormat(formats::Format format) {
  if (selected_ == format) return;
  if (std::find(formats_.begin(), formats_.end(), format) == formats_.end()) {
    addFormat(format);  // selects it
    return;
  }
  selected_ = format;
  refresh();
  Q_EMIT selectedFormatChanged(format);
}

void NumbersView::setScale(RulerAxis::Scale scale) {
  log_->setChecked(scale == RulerAxis::Scale::kLog2);
}

void NumbersView::setOverflow(formats::Overflow overflow) {
  saturate_->setChecked(overflow == formats::Overflow::kSaturate);
}

void NumbersView::stepUp() {
  editNumber(numbers::next(shown_.in(selected_).number));
}

void NumbersView::stepDown() {
  editNumber(numbers::previous(shown_.in(selected_).number));
}

void NumbersView::editNumber(const numbers::Number& number) {
  edit({{numbers::value(number)}, number, shown_.overflow});
}

void NumbersView::edit(const ShownNumber& shown) {
  const bool changed = !sameValue(shown.real.nearest, shown_.real.nearest);
  if (!sameNumber(shown, shown_)) shown_ = shown;
  refresh();
  if (changed) Q_EMIT valueChanged(shown_.real.nearest);
}

bool NumbersView::refuse(QLineEdit* line, const QString& message, const QString& hint) {
  for (QLineEdit* each : {value_line_, bits_line_, format_line_}) setWrong(each, each == line);
  problem_->setText(message + QLatin1Char(' ') + hint);
  problem_->show();
  line->setAccessibleDescription(problem_->text());
  return false;
}

void NumbersView::accept() {
  for (QLineEdit* line : {value_line_, bits_line_, format_line_}) {
    setWrong(line, false);
    line->setAccessibleDescription({});
  }
  problem_->clear();
  problem_->hide();
}

QString NumbersView::typedValue() const {
  if (shown_.pattern) return {};
  const auto typed = std::find_if(typed_.begin(), typed_.end(), [this](const Typed& each) {
    return sameValue(each.real.nearest, shown_.real.nearest) && each.real.exact == shown_.real.exact;
  });
  return typed == typed_.end() ? QString() : typed->text;
}

QString NumbersView::valueText() const {
  const QString typed = typedValue();
  return typed.isEmpty() ? plainNumber(shown_.real.nearest) : typed;
}

void NumbersView::refresh() {
  accept();
  const auto show = [](QLineEdit* line, const QString& text) {
    if (line->text() != text) line->setText(text);
    line->setProperty("shown", text);
  };
  show(value_line_, valueText());
  show(format_line_, {});
  show(bits_line_, QString::fromStdString(numbers::bit_text(shown_.in(selected_).number)));
  const QString name = formatName(selected_);
  bits_line_->setAccessibleName(tr("Bits of %1").arg(name));
  bits_line_->setToolTip(
      tr("%1 bits of %2: 0 and 1, or hexadecimal behind 0x").arg(numbers::width(selected_)).arg(name));
  {
    const QSignalBlocker quiet(format_box_);
    format_box_->setCurrentText(name);
  }
  rows_->setShown(shown_);
  rows_->setSelected(selected_);
  ruler_->setShown(shown_);
  ruler_->setSelected(selected_);
}

void NumbersView::rowsChanged() {
  rows_->setFormats(formats_);
  ruler_->setFormats(formats_);
  arrange();
  const QSignalBlocker quiet(format_box_);
  format_box_->clear();
  for (const formats::Format& format : formats_) format_box_->addItem(formatName(format));
  refresh();
}

}  // namespace binade::views

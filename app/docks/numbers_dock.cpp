// SPDX-License-Identifier: Apache-2.0
#include "app/docks/numbers_dock.h"

#include "engine/numbers/parse_number.h"
#include "views/numbers/format_ruler.h"
#include "views/numbers/numbers_view.h"
#include "views/values/format_name.h"

#include <QSettings>

#include <variant>

namespace binade::app {

namespace {

constexpr auto kValueKey = "numbers/value";
constexpr auto kTypedKey = "numbers/typed";
constexpr auto kAddedKey = "numbers/formats";
constexpr auto kSelectedKey = "numbers/selected";
constexpr auto kLinearKey = "numbers/linear";
constexpr auto kSaturateKey = "numbers/saturate";

}  // namespace

NumbersDock::NumbersDock(QWidget* parent) : Dock(QStringLiteral("numbers"), tr("Number formats"), parent) {
  setEmptyContent();
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) view();
  });
}

views::NumbersView* NumbersDock::view() {
  if (view_ != nullptr) return view_;
  view_ = new views::NumbersView;
  for (const QString& name : kept_.added) {
    if (const auto format = numbers::parse_format(name.toStdString())) view_->addFormat(*format);
  }
  const auto selected = numbers::parse_format(kept_.selected.toStdString());
  view_->setSelectedFormat(selected.value_or(formats::kFloat16));
  if (kept_.typed.isEmpty()) {
    view_->setValue(kept_.value);
  } else {
    view_->enterValue(kept_.typed);
  }
  view_->setScale(kept_.linear ? views::RulerAxis::Scale::kLinear : views::RulerAxis::Scale::kLog2);
  view_->setOverflow(kept_.saturate ? formats::Overflow::kSaturate : formats::Overflow::kInfinity);
  replaceContent(view_);
  setFocusProxy(view_);
  return view_;
}

void NumbersDock::read(const QSettings& settings) {
  bool is_number = false;
  const double value = settings.value(QLatin1String(kValueKey)).toDouble(&is_number);
  if (is_number) kept_.value = value;
  const QString typed = settings.value(QLatin1String(kTypedKey)).toString();
  const bool readable = std::holds_alternative<numbers::Real>(numbers::parse_real(typed.toStdString()));
  kept_.typed = readable ? typed : QString();
  kept_.added = settings.value(QLatin1String(kAddedKey)).toStringList();
  kept_.selected = settings.value(QLatin1String(kSelectedKey)).toString();
  kept_.linear = settings.value(QLatin1String(kLinearKey)).toBool();
  kept_.saturate = settings.value(QLatin1String(kSaturateKey)).toBool();
}

void NumbersDock::write(QSettings& settings) const {
  if (view_ == nullptr) return;  // nothing has changed
  QStringList added;
  for (const formats::Format& format : view_->addedFormats()) added << views::formatName(format);
  settings.setValue(QLatin1String(kValueKey), view_->value());
  settings.setValue(QLatin1String(kTypedKey), view_->typedValue());
  settings.setValue(QLatin1String(kAddedKey), added);
  settings.setValue(QLatin1String(kSelectedKey), views::formatName(view_->selectedFormat()));
  settings.setValue(QLatin1String(kLinearKey), view_->scale() == views::RulerAxis::Scale::kLinear);
  settings.setValue(QLatin1String(kSaturateKey), view_->overflow() == formats::Overflow::kSaturate);
}

void NumbersDock::look(const views::PickedNumber& number) {
  if (number.format) view()->setSelectedFormat(*number.format);
  view()->setValue(number.value);
  // The ruler may have been zoomed to other numbers.
  const views::Range there = view()->ruler()->axis().values();
  if (number.value < there.low || number.value > there.high) view()->ruler()->fit();
}

}  // namespace binade::app

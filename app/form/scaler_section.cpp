// SPDX-License-Identifier: Apache-2.0
#include "app/form/sections.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace binade::app {

using wire::RunConfig;
using wire::ScalerConfig;

void setScalers(RunConfig& config, std::vector<ScalerConfig> scalers) {
  config.scaler = {};
  config.scalers.clear();
  if (scalers.size() == 1) {
    config.scaler = scalers.front();
    config.scaler.id.clear();
    for (wire::LossConfig& loss : config.losses) loss.scaler.clear();
    return;
  }
  config.scalers = std::move(scalers);
}

ScalerSection::ScalerSection(RunDocument* document)
    : FormSection(document, tr("Loss scaling")), document_(document), which_(new QComboBox), remove_(nullptr) {
  widget(makeChooser(), tr("Scaler"));
  addFields();
}

/// Makes the combo box to choose a scaler, and the buttons to add and remove one.
QWidget* ScalerSection::makeChooser() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  which_->setAccessibleName(tr("Scaler"));
  which_->setToolTip(
      tr("Each loss names its scaler. Gradients of different scalers are added after each is unscaled."));
  auto* add = new QPushButton(tr("Add a scaler"));
  remove_ = new QPushButton(tr("Remove"));
  remove_->setAccessibleName(tr("Remove the scaler"));
  for (QPushButton* button : {add, remove_}) button->setAutoDefault(false);
  layout->addWidget(which_);
  layout->addWidget(add);
  layout->addWidget(remove_);
  layout->addStretch();
  connect(which_, &QComboBox::currentIndexChanged, this, &ScalerSection::setCurrent);
  connect(add, &QPushButton::clicked, this, &ScalerSection::addScaler);
  connect(remove_, &QPushButton::clicked, this, &ScalerSection::removeScaler);
  return row;
}

void ScalerSection::addScaler() {
  RunConfig after = document_->config();
  auto scalers = wire::scalers_of(after);
  if (scalers.size() == 1 && scalers.front().id.empty()) scalers.front().id = "main";
  ScalerConfig another = scalers.back();
  for (int number = 2;; ++number) {
    another.id = "scaler" + std::to_string(number);
    const auto taken = [&](const ScalerConfig& each) { return each.id == another.id; };
    if (std::none_of(scalers.begin(), scalers.end(), taken)) break;
  }
  scalers.push_back(another);
  setScalers(after, std::move(scalers));
  current_ = static_cast<int>(after.scalers.size()) - 1;
  document_->edit(tr("Add a scaler"), after);
}

void ScalerSection::removeScaler() {
  RunConfig after = document_->config();
  auto scalers = wire::scalers_of(after);
  if (scalers.size() < 2) return;
  const std::string gone = scalers[static_cast<std::size_t>(current_)].id;
  scalers.erase(scalers.begin() + current_);
  for (wire::LossConfig& loss : after.losses) {
    if (loss.scaler == gone) loss.scaler.clear();
  }
  setScalers(after, std::move(scalers));
  document_->edit(tr("Remove a scaler"), after);
}

void ScalerSection::addFields() {
  const auto several = [](const RunConfig& config) { return !config.scalers.empty(); };
  const auto enabled = [this](const RunConfig& config) {
    RunConfig copy = config;
    return scaler(copy).enabled;
  };
  const auto moves = [this](const RunConfig& config) {
    RunConfig copy = config;
    return scaler(copy).enabled && !scaler(copy).fixed;
  };
  text(
      {QStringLiteral("scaler.id"), tr("Name"), tr("Losses refer to the scaler by this name.")},
      [this](RunConfig& c) -> std::string& { return scaler(c).id; }, {}, several);
  flag(
      {QStringLiteral("scaler.enabled"), QString(),
       tr("Multiplies the loss so that small gradients do not underflow in float16. The optimizer receives unscaled "
          "gradients.")},
      [this](RunConfig& c) -> bool& { return scaler(c).enabled; }, tr("Scale the loss"));
  number(
      {QStringLiteral("scaler.init_scale"), tr("Initial scale"),
       tr("A power of two such as 2^16. PyTorch's default is 65536.")},
      [this](RunConfig& c) -> double& { return scaler(c).init_scale; }, {}, enabled);
  flag(
      {QStringLiteral("scaler.static"),
       QString(),
       tr("The scale never changes. Steps that overflow are still skipped."),
       {},
       true},
      [this](RunConfig& c) -> bool& { return scaler(c).fixed; }, tr("Fixed scale"), enabled);
  addLimits(moves);
}

/// Adds the fields for changes of the scale, hidden for a fixed scale.
void ScalerSection::addLimits(const std::function<bool(const RunConfig&)>& moves) {
  whole(
      {QStringLiteral("scaler.growth_interval"), tr("Grows every"),
       tr("Number of consecutive steps without an overflow before the scale grows."), tr("clean steps")},
      [this](RunConfig& c) -> std::int64_t& { return scaler(c).growth_interval; }, {}, moves);
  number(
      {QStringLiteral("scaler.growth_factor"), tr("Growth"), tr("Growth factor. Must be above 1."), tr("times"), true},
      [this](RunConfig& c) -> double& { return scaler(c).growth_factor; }, {}, moves);
  number(
      {QStringLiteral("scaler.backoff_factor"), tr("Back-off"), tr("Back-off factor. Must be between 0 and 1."),
       tr("times"), true},
      [this](RunConfig& c) -> double& { return scaler(c).backoff_factor; }, {}, moves);
  whole(
      {QStringLiteral("scaler.hysteresis"), tr("Back-off after"),
       tr("Number of consecutive overflowing steps before the scale backs off."), tr("consecutive overflows"), true},
      [this](RunConfig& c) -> std::int64_t& { return scaler(c).hysteresis; }, {}, moves);
  number(
      {QStringLiteral("scaler.minimum"), tr("Floor"), tr("The scale never falls below this value."), {}, true},
      [this](RunConfig& c) -> double& { return scaler(c).minimum; }, tr("none"), moves);
  number(
      {QStringLiteral("scaler.maximum"), tr("Ceiling"), tr("The scale never rises above this value."), {}, true},
      [this](RunConfig& c) -> double& { return scaler(c).maximum; }, tr("none"), moves);
}

ScalerConfig& ScalerSection::scaler(RunConfig& config) const {
  if (config.scalers.empty()) return config.scaler;
  return config.scalers[std::min(static_cast<std::size_t>(current_), config.scalers.size() - 1)];
}

void ScalerSection::setCurrent(int index) {
  const auto count = static_cast<int>(wire::scalers_of(document_->config()).size());
  current_ = std::clamp(index, 0, count - 1);
  refreshChoice();
  refresh();
}

void ScalerSection::refreshChoice() {
  const QSignalBlocker quiet(which_);
  const auto& scalers = document_->config().scalers;
  current_ = std::clamp(current_, 0, std::max(static_cast<int>(scalers.size()) - 1, 0));
  which_->clear();
  for (const ScalerConfig& each : scalers) which_->addItem(QString::fromStdString(each.id));
  if (scalers.empty()) which_->addItem(tr("one for all losses"));
  which_->setCurrentIndex(current_);
  remove_->setVisible(!scalers.empty());
}

}  // namespace binade::app

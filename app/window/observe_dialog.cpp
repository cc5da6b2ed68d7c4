// SPDX-License-Identifier: Apache-2.0
#include "app/window/observe_dialog.h"

#include "app/present/observe_words.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kMostSteps = 1'000'000;

std::int64_t matching(const QString& match, const std::vector<policy::SiteKey>& sites) {
  const std::string text = match.trimmed().toStdString();
  return std::count_if(sites.begin(), sites.end(),
                       [&](const policy::SiteKey& key) { return policy::matches(text, key); });
}

}  // namespace

QString observedCallsText(const QString& match, const std::vector<policy::SiteKey>& sites) {
  const auto all = static_cast<std::int64_t>(sites.size());
  if (match.trimmed().isEmpty())
    return QCoreApplication::translate("Observe", "All %1 op calls").arg(views::grouped(all));
  const std::int64_t count = matching(match, sites);
  if (count == 0)
    return QCoreApplication::translate("Observe",
                                       "No op call matches. Examples: layer1.0.conv1, layer4.*, */aten::conv2d#*");
  return QCoreApplication::translate("Observe", "%1 of %2 op calls").arg(views::grouped(count), views::grouped(all));
}

ObserveDialog::ObserveDialog(const wire::ObserveConfig& observe, std::vector<policy::SiteKey> sites, QWidget* parent)
    : QDialog(parent),
      observe_(observe),
      keys_(std::move(sites)),
      level_(new QComboBox),
      every_(new QSpinBox),
      observes_(new QLabel),
      inputs_(new QCheckBox(tr("Also &arguments, before their cast"))),
      parameters_(new QCheckBox(tr("Also &parameters, and their gradients ÷ scale"))),
      between_(new QCheckBox(tr("Level F&inite on other steps"))),
      sites_(new QLineEdit(QString::fromStdString(observe.sites))),
      found_(new QLabel),
      ok_(nullptr) {
  setWindowTitle(tr("Observe"));
  for (const ObserveLevel& level : observeLevels()) level_->addItem(level.name, QString::fromLatin1(level.id));
  level_->setCurrentIndex(std::max(0, level_->findData(QString::fromStdString(observe.level))));
  every_->setRange(1, kMostSteps);
  every_->setValue(static_cast<int>(std::clamp<std::int64_t>(observe.every, 1, kMostSteps)));
  every_->setAccessibleName(tr("Interval between observed steps"));
  views::setTone(observes_, views::Tone::kSecond);
  observes_->setWordWrap(true);
  inputs_->setChecked(observe.inputs);
  inputs_->setToolTip(observeInputsTip());
  parameters_->setChecked(observe.parameters);
  parameters_->setToolTip(observeParametersTip());
  between_->setChecked(observe.between == "finite");
  sites_->setPlaceholderText(tr("all"));
  sites_->setAccessibleName(tr("Op calls"));
  sites_->setClearButtonEnabled(true);
  sites_->setMinimumWidth(360);
  views::setTone(found_, views::Tone::kSecond);
  auto* form = new QFormLayout;
  form->addRow(tr("&Level"), level_);
  form->addRow(QString(), observes_);
  form->addRow(tr("Values"), inputs_);
  form->addRow(QString(), parameters_);
  form->addRow(tr("Every n-th step, &n ="), every_);
  form->addRow(QString(), between_);
  form->addRow(tr("Only &op calls"), sites_);
  form->addRow(QString(), found_);
  auto* note =
      new QLabel(tr("These settings do not affect two checks: the loss and all gradients are checked on every step, "
                    "and a step that is not finite is observed in full."));
  note->setWordWrap(true);
  views::setTone(note, views::Tone::kSecond);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  ok_ = buttons->button(QDialogButtonBox::Ok);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(note);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(level_, &QComboBox::currentIndexChanged, this, &ObserveDialog::update);
  connect(every_, &QSpinBox::valueChanged, this, &ObserveDialog::update);
  connect(sites_, &QLineEdit::textChanged, this, &ObserveDialog::update);
  update();
}

wire::ObserveConfig ObserveDialog::observe() const {
  wire::ObserveConfig wanted = observe_;
  wanted.level = level_->currentData().toString().toStdString();
  wanted.every = every_->value();
  wanted.inputs = inputs_->isChecked();
  wanted.parameters = parameters_->isChecked();
  wanted.between = between_->isChecked() ? "finite" : "off";
  wanted.sites = sites_->text().trimmed().toStdString();
  return wanted;
}

void ObserveDialog::update() {
  const QString level = level_->currentData().toString();
  const bool on = level != QLatin1String("off");
  observes_->setText(observeLevels()[level_->currentIndex()].observes);
  for (QCheckBox* each : {inputs_, parameters_}) each->setEnabled(on);
  every_->setEnabled(on);
  between_->setEnabled(on && every_->value() > 1 && level != QLatin1String("finite"));
  sites_->setEnabled(on);
  found_->setText(observedCallsText(sites_->text(), keys_));
  ok_->setEnabled(!on || sites_->text().trimmed().isEmpty() || matching(sites_->text(), keys_) > 0);
}

}  // namespace binade::app

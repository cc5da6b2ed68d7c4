// SPDX-License-Identifier: Apache-2.0
#include "app/window/settings_dialog.h"

#include "app/session/engine_command.h"
#include "views/style/looks.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace binade::app {

SettingsDialog::SettingsDialog(QSettings* settings, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      before_(preferences(*settings)),
      theme_(new QComboBox),
      numbers_(new QComboBox),
      text_(new QComboBox),
      engine_(new QLineEdit),
      unconfined_(new QComboBox),
      hints_(new QCheckBox(tr("Show a &hint in each arrangement"))),
      trusted_(new QPushButton(tr("T&rusted models…"))) {
  setObjectName(QStringLiteral("settingsDialog"));
  setWindowTitle(tr("Settings"));
  setMinimumWidth(480);
  theme_->addItem(tr("As the system"), static_cast<int>(ThemeChoice::kSystem));
  theme_->addItem(tr("Light"), static_cast<int>(ThemeChoice::kLight));
  theme_->addItem(tr("Dark"), static_cast<int>(ThemeChoice::kDark));
  theme_->addItem(tr("High contrast"), static_cast<int>(ThemeChoice::kHighContrast));
  numbers_->addItem(tr("As the system"), static_cast<int>(NumberStyle::kSystem));
  numbers_->addItem(QStringLiteral("1,234.5"), static_cast<int>(NumberStyle::kPointAndComma));
  numbers_->addItem(QStringLiteral("1.234,5"), static_cast<int>(NumberStyle::kCommaAndPoint));
  numbers_->addItem(QStringLiteral("1 234,5"), static_cast<int>(NumberStyle::kCommaAndSpace));
  for (const int percent : {90, 100, 115, 130}) text_->addItem(tr("%1 %").arg(percent), percent);
  engine_->setPlaceholderText(engineCommand({}).program);
  unconfined_->addItem(tr("Ask"), static_cast<int>(Unconfined::kAsk));
  unconfined_->addItem(tr("Start it with the limits that exist"), static_cast<int>(Unconfined::kStart));
  unconfined_->addItem(tr("Do not start it"), static_cast<int>(Unconfined::kDoNotStart));
  unconfined_->setToolTip(
      tr("Models are opened in an engine that can use the named files only. Some systems cannot confine it."));
  const std::pair<QWidget*, QString> fields[] = {{theme_, tr("&Theme")},
                                                 {numbers_, tr("&Numbers")},
                                                 {text_, tr("Size of te&xt")},
                                                 {engine_, tr("&Engine")},
                                                 {unconfined_, tr("An engine that cannot be &confined")}};
  auto* form = new QFormLayout;
  for (const auto& [field, label] : fields) {
    QString name = label;
    field->setAccessibleName(name.remove(u'&'));
    form->addRow(label, field);
  }
  form->addRow({}, hints_);
  trusted_->setAutoDefault(false);
  trusted_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  trusted_->setToolTip(tr("The models that open although checks refuse their code"));
  connect(trusted_, &QPushButton::clicked, this, &SettingsDialog::trustedModelsRequested);
  form->addRow({}, trusted_);
  QLabel* note = views::makeTextLabel(views::Tone::kSecond);
  note->setText(
      tr("Engine: a command line, or HOST[:COMMAND] for ssh. Empty: the one of this computer. A change stops "
         "the run in progress. Numbers in files always have a decimal point."));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &SettingsDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(note);
  layout->addWidget(buttons);
  showPreferences(before_);
  for (QComboBox* each : {theme_, numbers_, text_}) {
    connect(each, &QComboBox::currentIndexChanged, this, [this] { applyLooks(chosen()); });
  }
}

void SettingsDialog::showPreferences(const Preferences& shown) {
  theme_->setCurrentIndex(theme_->findData(static_cast<int>(shown.theme)));
  numbers_->setCurrentIndex(numbers_->findData(static_cast<int>(shown.numbers)));
  if (text_->findData(shown.text_percent) < 0) text_->addItem(tr("%1 %").arg(shown.text_percent), shown.text_percent);
  text_->setCurrentIndex(text_->findData(shown.text_percent));
  engine_->setText(shown.engine);
  unconfined_->setCurrentIndex(unconfined_->findData(static_cast<int>(shown.unconfined)));
  hints_->setChecked(shown.hints);
}

Preferences SettingsDialog::chosen() const {
  return {static_cast<ThemeChoice>(theme_->currentData().toInt()),
          static_cast<NumberStyle>(numbers_->currentData().toInt()),
          text_->currentData().toInt(),
          hints_->isChecked(),
          engine_->text().trimmed(),
          static_cast<Unconfined>(unconfined_->currentData().toInt())};
}

void SettingsDialog::accept() {
  const Preferences now = chosen();
  storePreferences(*settings_, now);
  QDialog::accept();
  Q_EMIT stored(now.engine != before_.engine || now.unconfined != before_.unconfined);
}

void SettingsDialog::reject() {
  applyLooks(before_);
  QDialog::reject();
}

}  // namespace binade::app

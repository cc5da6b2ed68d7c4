// SPDX-License-Identifier: Apache-2.0
#include "app/window/export_dialog.h"

#include "app/window/text_target_page.h"
#include "views/style/looks.h"

#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::app {

namespace {

constexpr int kListWide = 240;
constexpr QSize kExportSize(980, 640);
constexpr int kNameRole = Qt::UserRole;
constexpr int kSentenceRole = Qt::UserRole + 1;
constexpr auto kLastTarget = "export/target";
constexpr auto kTorchScript = "torchscript";
constexpr auto kBinadesOwn = "json";

// Texts that people read or keep; all others are for a program.
constexpr auto kForPeople = std::to_array<std::string_view>({"json", "csv", "markdown", "html"});

bool isForPeople(const targets::Target& target) {
  return std::find(kForPeople.begin(), kForPeople.end(), target.name) != kForPeople.end();
}

QString shownText(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString policyOf(const ExportChoice& choice) {
  return choice.policy.isEmpty() ? ExportDialog::tr("the policy") : choice.policy;
}

}  // namespace

ExportDialog::ExportDialog(ExportChoice choice, EngineCommand engine, TorchScriptPage::SaveTrained save_trained,
                           QSettings* settings, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      list_(new QListWidget),
      sentence_(views::makeTextLabel(views::Tone::kSecond)),
      pages_(new QStackedWidget),
      torchscript_(new TorchScriptPage(choice.order, choice.trained, std::move(engine), std::move(save_trained))),
      text_(new TextTargetPage(choice.run, policyOf(choice), choice.stem)) {
  setWindowTitle(tr("Export policy"));
  setObjectName(QStringLiteral("exportDialog"));
  fillList();
  layOut(choice);
  connect(list_, &QListWidget::currentRowChanged, this, &ExportDialog::showChosen);
  connect(torchscript_, &TorchScriptPage::busyChanged, this, [this] { list_->setEnabled(!torchscript_->isBusy()); });
  connect(torchscript_, &TorchScriptPage::exported, this, &ExportDialog::exported);
  connect(text_, &TextTargetPage::saved, this, [this](const QString& file) {
    if (chosen() == QLatin1String(kBinadesOwn)) Q_EMIT exported(file);
  });
  if (settings_ != nullptr) choose(settings_->value(QLatin1String(kLastTarget)).toString());
  if (list_->currentItem() == nullptr) list_->setCurrentRow(0);
  list_->setFocus();
}

void ExportDialog::fillList() {
  const auto add = [this](const QString& name, const QString& title, const QString& sentence) {
    auto* item = new QListWidgetItem(title, list_);
    item->setData(kNameRole, name);
    item->setData(kSentenceRole, sentence);
    item->setData(Qt::AccessibleDescriptionRole, sentence);
    item->setToolTip(sentence);
  };
  add(QLatin1String(kTorchScript), tr("TorchScript with explicit casts"),
      tr("The model with the policy's casts in it, compared with the engine to the bit."));
  std::vector<const targets::Target*> order;
  for (const targets::Target& target : targets::targets()) order.push_back(&target);
  std::stable_partition(order.begin(), order.end(), [](const targets::Target* each) { return !isForPeople(*each); });
  for (const targets::Target* each : order) add(shownText(each->name), shownText(each->title), shownText(each->doc));
}

void ExportDialog::layOut(const ExportChoice& choice) {
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(16);
  form->setVerticalSpacing(6);
  auto* policy = views::makeTextLabel();
  policy->setText(choice.changes.isEmpty() ? choice.policy : choice.policy + QStringLiteral(" · ") + choice.changes);
  auto* model = views::makeTextLabel();
  model->setText(choice.order.model.isEmpty() ? tr("none") : QDir::toNativeSeparators(choice.order.model));
  form->addRow(tr("Policy"), policy);
  form->addRow(tr("Model"), model);
  auto* title = new QLabel(tr("&Target"));
  title->setBuddy(list_);
  list_->setAccessibleName(tr("Target"));
  list_->setFixedWidth(kListWide);
  list_->setTextElideMode(Qt::ElideRight);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(title);
  left->addWidget(list_, 1);
  pages_->addWidget(torchscript_);
  pages_->addWidget(text_);
  auto* right = new QVBoxLayout;
  right->setSpacing(10);
  right->addWidget(sentence_);
  right->addWidget(pages_, 1);
  auto* both = new QHBoxLayout;
  both->setSpacing(20);
  both->addLayout(left);
  both->addLayout(right, 1);
  auto* close = new QPushButton(tr("C&lose"));
  close->setAutoDefault(false);
  connect(close, &QPushButton::clicked, this, &ExportDialog::reject);
  auto* foot = new QHBoxLayout;
  foot->addStretch();
  foot->addWidget(close);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(24, 20, 24, 20);
  all->setSpacing(14);
  all->addLayout(form);
  all->addLayout(both, 1);
  all->addLayout(foot);
  resize(kExportSize);
}

void ExportDialog::choose(const QString& name) {
  for (int row = 0; row < list_->count(); ++row) {
    if (list_->item(row)->data(kNameRole).toString() == name) list_->setCurrentRow(row);
  }
}

QString ExportDialog::chosen() const {
  const QListWidgetItem* item = list_->currentItem();
  return item == nullptr ? QString() : item->data(kNameRole).toString();
}

void ExportDialog::showChosen() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  sentence_->setText(item->data(kSentenceRole).toString());
  const QString name = chosen();
  if (settings_ != nullptr) settings_->setValue(QLatin1String(kLastTarget), name);
  const targets::Target* target = targets::find_target(name.toStdString());
  pages_->setCurrentWidget(target == nullptr ? static_cast<QWidget*>(torchscript_) : text_);
  if (target != nullptr) text_->setTarget(*target);
  // Return presses the page's own button.
  (target == nullptr ? torchscript_->exportButton() : text_->saveButton())->setDefault(true);
}

// Escape and Close first stop an export that is in progress.
void ExportDialog::reject() {
  if (torchscript_->isBusy()) return torchscript_->cancel();
  QDialog::reject();
}

}  // namespace binade::app

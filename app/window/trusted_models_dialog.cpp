// SPDX-License-Identifier: Apache-2.0
#include "app/window/trusted_models_dialog.h"

#include "app/session/engine_client.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace binade::app {

TrustedModelsDialog::TrustedModelsDialog(EngineClient* engine, QWidget* parent)
    : QDialog(parent), engine_(engine), text_(views::makeTextLabel()), models_(new QTreeWidget) {
  setObjectName(QStringLiteral("trustedModelsDialog"));
  setWindowTitle(tr("Trusted models"));
  resize(760, 360);
  models_->setAccessibleName(tr("Trusted models"));
  models_->setHeaderLabels({tr("File"), tr("SHA-256")});
  models_->setRootIsDecorated(false);
  models_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  models_->setTextElideMode(Qt::ElideMiddle);
  models_->header()->setStretchLastSection(true);
  models_->setColumnWidth(0, 420);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  end_ = buttons->addButton(tr("&End trust"), QDialogButtonBox::ActionRole);
  end_->setAutoDefault(false);
  end_->setEnabled(false);
  connect(models_, &QTreeWidget::itemSelectionChanged, this,
          [this] { end_->setEnabled(!models_->selectedItems().isEmpty()); });
  connect(end_, &QPushButton::clicked, this, &TrustedModelsDialog::endSelected);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text_);
  layout->addWidget(models_, 1);
  layout->addWidget(buttons);
  text_->setText(tr("The list is being read."));
  engine_->listTrustedModels([dialog = QPointer(this)](const auto& answer) {
    if (dialog) dialog->showAnswer(answer);
  });
}

void TrustedModelsDialog::showAnswer(const std::variant<wire::TrustedModels, Problem>& answer) {
  if (const auto* problem = std::get_if<Problem>(&answer)) {
    text_->setText(problem->hint.isEmpty() ? problem->message : problem->message + u' ' + problem->hint);
    return;
  }
  models_->clear();
  for (const wire::TrustedModel& each : std::get<wire::TrustedModels>(answer).models) {
    const QString file = QString::fromStdString(each.file);
    auto* item = new QTreeWidgetItem(models_, {file, QString::fromStdString(each.sha256)});
    item->setFont(1, views::figureFont());
    item->setToolTip(0, file.toHtmlEscaped());
  }
  text_->setText(models_->topLevelItemCount() == 0
                     ? tr("No model is trusted. A model whose code is refused asks for trust when it is opened.")
                     : tr("These models open although checks refuse their code. The trust is in the content, not in "
                          "the name of a file. A model that is open stays open."));
}

void TrustedModelsDialog::endSelected() {
  for (const QTreeWidgetItem* item : models_->selectedItems()) {
    engine_->endTrust(item->text(1), [dialog = QPointer(this)](const auto& answer) {
      if (dialog) dialog->showAnswer(answer);
    });
  }
}

}  // namespace binade::app

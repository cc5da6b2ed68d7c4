// SPDX-License-Identifier: Apache-2.0
#include "app/window/torchscript_page.h"

#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace binade::app {

namespace {

enum Weights { kOfFile, kTrained };

QString whyNoTorchScript(const ExportOrder& order, const EngineCommand& engine) {
  return order.model.isEmpty() ? TorchScriptPage::tr("No model is open. Open a model or a run to export its policy.")
                               : whyNoExport(engine);
}

}  // namespace

TorchScriptPage::TorchScriptPage(ExportOrder order, std::optional<std::int64_t> trained, EngineCommand engine,
                                 SaveTrained save_trained, QWidget* parent)
    : QWidget(parent),
      order_(std::move(order)),
      save_trained_(std::move(save_trained)),
      why_not_(whyNoTorchScript(order_, engine)),
      job_(std::move(engine)),
      weights_(new QComboBox),
      file_(new QLineEdit),
      browse_(new QPushButton(tr("C&hoose…"))),
      approximate_(new QCheckBox(tr("&Approximate rules that the target cannot express"))),
      progress_(views::makeProgressLine(tr("Exporting"))),
      doing_(views::makeTextLabel(views::Tone::kSecond)),
      result_(views::makeTextLabel()),
      details_(views::makeTextLabel(views::Tone::kSecond)),
      export_(new QPushButton(tr("&Export"))),
      cancel_(new QPushButton(tr("Ca&ncel"))) {
  if (trained) weights_->addItem(tr("Trained weights, after %1 steps").arg(views::grouped(*trained)), kTrained);
  weights_->addItem(tr("Initial weights from the model file"), kOfFile);
  weights_->setAccessibleName(tr("Weights"));
  file_->setText(QDir::toNativeSeparators(order_.file));
  file_->setAccessibleName(tr("File"));
  approximate_->setToolTip(tr("If this is off, the export fails when the target cannot express a part of the policy."));
  layOut();
  connect(browse_, &QPushButton::clicked, this, &TorchScriptPage::chooseFile);
  connect(file_, &QLineEdit::textChanged, this, &TorchScriptPage::update);
  connect(export_, &QPushButton::clicked, this, &TorchScriptPage::begin);
  connect(cancel_, &QPushButton::clicked, this, &TorchScriptPage::cancel);
  connect(&job_, &ExportJob::finished, this, &TorchScriptPage::showResult);
  if (!why_not_.isEmpty()) result_->setText(why_not_);
  update();
}

void TorchScriptPage::layOut() {
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setHorizontalSpacing(16);
  form->setVerticalSpacing(10);
  auto* place = new QHBoxLayout;
  place->setSpacing(8);
  place->addWidget(file_, 1);
  place->addWidget(browse_);
  form->addRow(tr("&Weights"), weights_);
  auto* file = new QLabel(tr("&File"));  // a form names no buddy for a layout
  file->setBuddy(file_);
  form->addRow(file, place);
  form->addRow(QString(), approximate_);
  progress_->setRange(0, 0);  // indeterminate: how long the proof takes depends on the model
  result_->setFont(views::textFont(13, QFont::DemiBold));
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(details_);
  details_->setAlignment(Qt::AlignTop);
  views::setPrimary(export_);
  export_->setMinimumWidth(112);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  buttons->addWidget(cancel_);
  buttons->addWidget(export_);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(12);
  all->addLayout(form);
  all->addWidget(progress_);
  all->addWidget(doing_);
  all->addWidget(result_);
  all->addWidget(scroll, 1);
  all->addLayout(buttons);
}

void TorchScriptPage::chooseFile() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export policy"), file_->text(), tr("TorchScript models (*.pt)"));
  if (!file.isEmpty()) file_->setText(QDir::toNativeSeparators(file));
}

void TorchScriptPage::update() {
  const bool busy = isBusy();
  for (QWidget* field : {static_cast<QWidget*>(weights_), static_cast<QWidget*>(file_), static_cast<QWidget*>(browse_),
                         static_cast<QWidget*>(approximate_)})
    field->setEnabled(!busy && why_not_.isEmpty());
  progress_->setVisible(busy);
  doing_->setVisible(busy);
  cancel_->setVisible(busy);
  export_->setEnabled(!busy && why_not_.isEmpty() && !file_->text().trimmed().isEmpty());
  export_->setToolTip(why_not_);
}

void TorchScriptPage::setBusy(const QString& what) {
  doing_->setText(what);
  result_->clear();
  details_->clear();
  update();
  Q_EMIT busyChanged();
}

void TorchScriptPage::begin() {
  if (isBusy() || !why_not_.isEmpty()) return;
  ExportOrder order = order_;
  order.target = QStringLiteral("torchscript");
  order.file = QDir::fromNativeSeparators(file_->text().trimmed());
  if (QFileInfo(order.file).suffix().isEmpty()) order.file += QStringLiteral(".pt");
  order.file = QFileInfo(order.file).absoluteFilePath();
  order.approximate = approximate_->isChecked();
  file_->setText(QDir::toNativeSeparators(order.file));
  if (weights_->currentData().toInt() != kTrained) {
    job_.start(order);
    return setBusy(tr("Writing the casts and comparing the file with the engine"));
  }
  saving_ = true;
  setBusy(tr("Saving the trained weights"));
  const QString trained = folder_.filePath(QStringLiteral("trained.pt"));
  save_trained_(trained, [this, order, trained]() mutable {
    if (!std::exchange(saving_, false)) return;  // cancelled while saving
    order.model = trained;
    job_.start(order);
    setBusy(tr("Writing the casts and comparing the file with the engine"));
  });
}

void TorchScriptPage::cancel() {
  if (saving_) return giveUp({tr("The export was cancelled. No file was written."), {}});
  job_.cancel();
}

void TorchScriptPage::giveUp(const Problem& problem) {
  if (!std::exchange(saving_, false)) return;
  ExportResult result;
  result.problem = problem;
  showResult(result);
}

void TorchScriptPage::showResult(const ExportResult& result) {
  update();
  Q_EMIT busyChanged();
  if (!result.done) {
    result_->setText(result.problem.message);
    QStringList parts{result.problem.hint, findingsText(result.findings)};
    parts.removeAll(QString());
    details_->setText(parts.join(QStringLiteral("\n\n")));
    return;
  }
  const QString name = QFileInfo(file_->text()).fileName();
  QStringList parts{findingsText(result.findings)};
  const bool exact = result.identical;
  result_->setText(
      exact ? tr("%1 was written. Its results are identical to the engine's, to the bit.").arg(name)
            : tr("%1 was written. Its first difference from the policy is in %2.").arg(name, result.difference));
  parts
      << tr("%1 casts were written into %2 op calls.").arg(views::grouped(result.casts), views::grouped(result.sites));
  if (result.gradients == 0) parts << tr("No gradient was compared, because no parameter received one.");
  if (!result.executor.isEmpty())
    parts << tr("TorchScript's optimising executor cannot train this file (%1). Switch it off with "
                "torch.jit.optimized_execution(False).")
                 .arg(result.executor);
  parts.removeAll(QString());
  details_->setText(parts.join(QStringLiteral("\n\n")));
  Q_EMIT exported(QDir::fromNativeSeparators(file_->text()));
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/window/export_dialog.h"

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
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace binade::app {

namespace {

constexpr int kWide = 640;
constexpr int kDetailsHigh = 200;
constexpr qsizetype kSitesShown = 4;
enum Weights { kOfFile, kTrained };

QString sitesText(const QStringList& sites) {
  if (sites.isEmpty()) return {};
  QString text = sites.mid(0, kSitesShown).join(QStringLiteral(", "));
  if (sites.size() > kSitesShown) text += ExportDialog::tr(" and %1 more").arg(sites.size() - kSitesShown);
  return QStringLiteral(": ") + text;
}

}  // namespace

QString findingsText(const ExportResult& result) {
  const auto heading = [](const QString& kind) {
    if (kind == QLatin1String("note")) return ExportDialog::tr("Note");
    if (kind == QLatin1String("inexpressible")) return ExportDialog::tr("Cannot be expressed");
    return ExportDialog::tr("Not exported");
  };
  QList<ExportResult::Finding> findings = result.findings;
  std::stable_partition(findings.begin(), findings.end(),
                        [](const ExportResult::Finding& each) { return each.kind != QLatin1String("note"); });
  QStringList lines;
  for (const ExportResult::Finding& each : findings)
    lines << QStringLiteral("%1: %2%3").arg(heading(each.kind), each.message, sitesText(each.sites));
  return lines.join(QStringLiteral("\n\n"));
}

ExportDialog::ExportDialog(ExportChoice choice, EngineCommand engine, SaveTrained save_trained, QWidget* parent)
    : QDialog(parent),
      choice_(std::move(choice)),
      save_trained_(std::move(save_trained)),
      why_not_(whyNoExport(engine)),
      job_(std::move(engine)),
      target_(new QComboBox),
      weights_(new QComboBox),
      file_(new QLineEdit),
      browse_(new QPushButton(tr("Choose…"))),
      approximate_(new QCheckBox(tr("Approximate rules that the target cannot express"))),
      progress_(new QProgressBar),
      doing_(views::makeTextLabel(views::Tone::kSecond)),
      result_(views::makeTextLabel()),
      details_(views::makeTextLabel(views::Tone::kSecond)),
      export_(new QPushButton(tr("Export"))),
      cancel_(new QPushButton) {
  setWindowTitle(tr("Export policy"));
  setObjectName(QStringLiteral("exportDialog"));
  target_->addItem(tr("TorchScript with explicit casts"), QStringLiteral("torchscript"));
  target_->setAccessibleName(tr("Target"));
  if (choice_.trained) {
    const QString steps = views::grouped(*choice_.trained);
    weights_->addItem(tr("Trained weights, after %1 steps").arg(steps), kTrained);
  }
  weights_->addItem(tr("Initial weights from the model file"), kOfFile);
  weights_->setAccessibleName(tr("Weights"));
  file_->setText(QDir::toNativeSeparators(choice_.order.file));
  file_->setAccessibleName(tr("File"));
  approximate_->setToolTip(tr("If this is off, the export fails when the target cannot express a part of the policy."));
  layOut();
  connect(browse_, &QPushButton::clicked, this, &ExportDialog::chooseFile);
  connect(file_, &QLineEdit::textChanged, this, &ExportDialog::update);
  connect(export_, &QPushButton::clicked, this, &ExportDialog::begin);
  connect(cancel_, &QPushButton::clicked, this, &ExportDialog::reject);
  connect(&job_, &ExportJob::finished, this, &ExportDialog::showResult);
  if (!why_not_.isEmpty()) result_->setText(why_not_);
  update();
}

void ExportDialog::layOut() {
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setHorizontalSpacing(16);
  form->setVerticalSpacing(10);
  auto* policy = views::makeTextLabel();
  policy->setText(choice_.policy);
  auto* model = views::makeTextLabel();
  model->setText(QDir::toNativeSeparators(choice_.order.model));
  auto* place = new QHBoxLayout;
  place->addWidget(file_, 1);
  place->addWidget(browse_);
  form->addRow(tr("Policy"), policy);
  form->addRow(tr("Model"), model);
  form->addRow(tr("&Target"), target_);
  form->addRow(tr("&Weights"), weights_);
  form->addRow(tr("&File"), place);
  form->addRow(QString(), approximate_);
  progress_->setRange(0, 0);  // indeterminate: how long the proof takes depends on the model
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  progress_->setAccessibleName(tr("Exporting"));
  result_->setFont(views::textFont(13, QFont::DemiBold));
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setMaximumHeight(kDetailsHigh);
  scroll->setWidget(details_);
  details_->setAlignment(Qt::AlignTop);
  views::setPrimary(export_);
  export_->setDefault(true);
  export_->setMinimumWidth(112);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  buttons->addWidget(cancel_);
  buttons->addWidget(export_);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(24, 20, 24, 20);
  all->setSpacing(12);
  all->addLayout(form);
  all->addWidget(progress_);
  all->addWidget(doing_);
  all->addWidget(result_);
  all->addWidget(scroll, 1);
  all->addLayout(buttons);
  setMinimumWidth(kWide);
  QSizePolicy stays = progress_->sizePolicy();
  stays.setRetainSizeWhenHidden(true);
  progress_->setSizePolicy(stays);
}

void ExportDialog::chooseFile() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export policy"), file_->text(), tr("TorchScript models (*.pt)"));
  if (!file.isEmpty()) file_->setText(QDir::toNativeSeparators(file));
}

void ExportDialog::update() {
  const bool busy = saving_ || job_.isRunning();
  for (QWidget* field : {static_cast<QWidget*>(target_), static_cast<QWidget*>(weights_), static_cast<QWidget*>(file_),
                         static_cast<QWidget*>(browse_), static_cast<QWidget*>(approximate_)})
    field->setEnabled(!busy && why_not_.isEmpty());
  progress_->setVisible(busy);
  doing_->setVisible(busy);
  export_->setEnabled(!busy && why_not_.isEmpty() && !file_->text().trimmed().isEmpty());
  cancel_->setText(busy ? tr("Cancel") : tr("Close"));
}

void ExportDialog::setBusy(const QString& what) {
  doing_->setText(what);
  result_->clear();
  details_->clear();
  update();
}

void ExportDialog::begin() {
  if (saving_ || job_.isRunning() || !why_not_.isEmpty()) return;
  ExportOrder order = choice_.order;
  order.target = target_->currentData().toString();
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

void ExportDialog::giveUp(const Problem& problem) {
  if (!std::exchange(saving_, false)) return;
  ExportResult result;
  result.problem = problem;
  showResult(result);
}

void ExportDialog::showResult(const ExportResult& result) {
  update();
  if (!result.done) {
    result_->setText(result.problem.message);
    QStringList parts{result.problem.hint, findingsText(result)};
    parts.removeAll(QString());
    details_->setText(parts.join(QStringLiteral("\n\n")));
    return;
  }
  const QString name = QFileInfo(file_->text()).fileName();
  QStringList parts{findingsText(result)};
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

// Cancel stops the export; Close closes the dialog.
void ExportDialog::reject() {
  if (saving_) return giveUp({tr("The export was cancelled. No file was written."), {}});
  if (job_.isRunning()) return job_.cancel();
  QDialog::reject();
}

}  // namespace binade::app

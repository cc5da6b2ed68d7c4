// SPDX-License-Identifier: Apache-2.0
#include "app/window/run_export_dialog.h"

#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

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
#include <QVBoxLayout>

#include <utility>

namespace binade::app {

using interchange::RunTarget;

namespace {

constexpr int kRunExportWide = 640;

/// What follows the run file's name in the proposed name.
QString endingOf(RunTarget target) {
  switch (target) {
    case RunTarget::kTensorBoard:
      return QStringLiteral("-tensorboard");
    case RunTarget::kCsv:
      return QStringLiteral("-tables");
    case RunTarget::kPerfetto:
      return QStringLiteral(".trace.json");
  }
  return {};
}

QString nextStepOf(RunTarget target, const QString& place) {
  switch (target) {
    case RunTarget::kTensorBoard:
      return RunExportDialog::tr("Open it with: tensorboard --logdir %1").arg(place);
    case RunTarget::kCsv:
      return RunExportDialog::tr("The folder has one table for steps, events, op calls and gradients each.");
    case RunTarget::kPerfetto:
      return RunExportDialog::tr("Open it in https://ui.perfetto.dev.");
  }
  return {};
}

/// The rows that were left out; empty if there are none.
QString damageText(const record::Damage& damage) {
  if (damage.empty()) return {};
  const QString first = QString::fromStdString(damage.lines().front());
  const auto more = static_cast<qint64>(damage.count()) - 1;
  return RunExportDialog::tr("Not written, because it cannot be read: %1").arg(first) +
         (more > 0 ? RunExportDialog::tr(" There are %1 more.").arg(views::grouped(more)) : QString());
}

}  // namespace

RunExportDialog::RunExportDialog(QString run_file, QWidget* parent)
    : QDialog(parent),
      run_file_(std::move(run_file)),
      target_(new QComboBox),
      place_(new QLineEdit),
      browse_(new QPushButton(tr("Choose…"))),
      progress_(views::makeProgressLine(tr("Exporting"))),
      result_(views::makeTextLabel()),
      details_(views::makeTextLabel(views::Tone::kSecond)),
      export_(new QPushButton(tr("Export"))),
      cancel_(new QPushButton) {
  setWindowTitle(tr("Export run"));
  setObjectName(QStringLiteral("runExportDialog"));
  target_->addItem(tr("TensorBoard (a folder with an event file)"), static_cast<int>(RunTarget::kTensorBoard));
  target_->addItem(tr("CSV (a folder of tables)"), static_cast<int>(RunTarget::kCsv));
  target_->addItem(tr("Perfetto (a trace of the profiled steps)"), static_cast<int>(RunTarget::kPerfetto));
  target_->setAccessibleName(tr("Target"));
  place_->setAccessibleName(tr("File or folder"));
  layOut();
  propose();
  connect(target_, &QComboBox::currentIndexChanged, this, &RunExportDialog::propose);
  connect(browse_, &QPushButton::clicked, this, &RunExportDialog::choosePlace);
  connect(place_, &QLineEdit::textChanged, this, &RunExportDialog::update);
  connect(export_, &QPushButton::clicked, this, &RunExportDialog::begin);
  connect(cancel_, &QPushButton::clicked, this, &RunExportDialog::reject);
  connect(&job_, &RunExportJob::progress, this,
          [this](double share) { progress_->setValue(static_cast<int>(100 * share)); });
  connect(&job_, &RunExportJob::finished, this, &RunExportDialog::showResult);
  update();
}

RunTarget RunExportDialog::chosen() const {
  return static_cast<RunTarget>(target_->currentData().toInt());
}

void RunExportDialog::layOut() {
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setHorizontalSpacing(16);
  form->setVerticalSpacing(10);
  auto* run = views::makeTextLabel();
  run->setText(QDir::toNativeSeparators(run_file_));
  auto* place = new QHBoxLayout;
  place->setSpacing(8);
  place->addWidget(place_, 1);
  place->addWidget(browse_);
  form->addRow(tr("Run"), run);
  form->addRow(tr("&Target"), target_);
  auto* write_to = new QLabel(tr("&Write to"));  // a form names no buddy for a layout
  write_to->setBuddy(place_);
  form->addRow(write_to, place);
  progress_->setRange(0, 100);
  result_->setFont(views::textFont(13, QFont::DemiBold));
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
  all->addWidget(result_);
  all->addWidget(details_);
  all->addStretch();
  all->addLayout(buttons);
  setMinimumWidth(kRunExportWide);
}

/// Proposes a name that does not exist, beside the run file.
void RunExportDialog::propose() {
  const QFileInfo run(run_file_);
  const QString stem = run.absoluteDir().filePath(run.completeBaseName());
  QString path = stem + endingOf(chosen());
  for (int number = 2; QFileInfo::exists(path); ++number) {
    path = stem + QStringLiteral("-%1").arg(number) + endingOf(chosen());
  }
  place_->setText(QDir::toNativeSeparators(path));
}

void RunExportDialog::choosePlace() {
  // An export creates its folder, so a name is chosen for it, not a folder that exists.
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Export run"), place_->text(),
                                   chosen() == RunTarget::kPerfetto ? tr("Traces (*.json)") : tr("New folder (*)"),
                                   nullptr, QFileDialog::DontConfirmOverwrite);
  if (!path.isEmpty()) place_->setText(QDir::toNativeSeparators(path));
}

void RunExportDialog::update() {
  const bool busy = job_.isRunning();
  for (QWidget* field :
       {static_cast<QWidget*>(target_), static_cast<QWidget*>(place_), static_cast<QWidget*>(browse_)}) {
    field->setEnabled(!busy);
  }
  progress_->setVisible(busy);
  export_->setEnabled(!busy && !place_->text().trimmed().isEmpty());
  cancel_->setText(busy ? tr("Cancel") : tr("Close"));
}

void RunExportDialog::begin() {
  if (job_.isRunning()) return;
  const QString path = QFileInfo(QDir::fromNativeSeparators(place_->text().trimmed())).absoluteFilePath();
  result_->clear();
  details_->clear();
  progress_->setValue(0);
  job_.start(run_file_, chosen(), path);
  update();
}

void RunExportDialog::showResult(const RunExportResult& result) {
  update();
  if (result.problem) {
    result_->setText(result.problem->message);
    details_->setText(result.problem->hint);
    return;
  }
  const QString place = QDir::toNativeSeparators(result.path);
  const QString name = QFileInfo(result.path).fileName();
  result_->setText(result.written.steps == 1
                       ? tr("%1 was written, with 1 step.").arg(name)
                       : tr("%1 was written, with %2 steps.").arg(name, views::grouped(result.written.steps)));
  QStringList parts{nextStepOf(chosen(), place), damageText(result.written.damage)};
  parts.removeAll(QString());
  details_->setText(parts.join(QStringLiteral("\n\n")));
}

// Cancel stops the export; Close closes the dialog.
void RunExportDialog::reject() {
  if (job_.isRunning()) return job_.cancel();
  QDialog::reject();
}

}  // namespace binade::app

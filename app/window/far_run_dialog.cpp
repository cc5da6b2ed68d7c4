// SPDX-License-Identifier: Apache-2.0
#include "app/window/far_run_dialog.h"

#include "app/session/session.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>
#include <QVBoxLayout>

namespace binade::app {

namespace {

constexpr int kFull = 1000;

QString nameOf(const QString& path) {
  return path.section(u'/', -1);
}

}  // namespace

FarRunDialog::FarRunDialog(Session* session, const QString& file, bool read, QWidget* parent)
    : QDialog(parent),
      file_(file),
      host_(session->host()),
      copy_(&session->engine()),
      state_(views::makeTextLabel(views::Tone::kSecond)),
      failure_(views::makeTextLabel(views::Tone::kCrimson)),
      progress_(views::makeProgressLine(tr("Copying the run file"))),
      save_(new QPushButton(tr("&Save a copy here…"))),
      read_(new QPushButton(tr("&Read without a copy"))) {
  setObjectName(QStringLiteral("farRunDialog"));
  setWindowTitle(tr("Run file on %1").arg(host_));
  setMinimumWidth(520);
  QLabel* text = views::makeTextLabel();
  text->setText(
      read ? tr("%1 is on %2. Save a copy on this computer, or read it through the engine and leave it there.")
                 .arg(nameOf(file_), host_)
           : tr("%1 is on %2. The copy has all steps that were recorded when it was made.").arg(nameOf(file_), host_));
  progress_->setRange(0, kFull);
  progress_->hide();
  state_->hide();
  failure_->hide();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->addButton(save_, QDialogButtonBox::ActionRole);
  buttons->addButton(read_, QDialogButtonBox::ActionRole);
  read_->setVisible(read);
  views::setPrimary(save_);
  save_->setDefault(true);
  read_->setAutoDefault(false);
  connect(save_, &QPushButton::clicked, this, &FarRunDialog::chooseAndSave);
  connect(read_, &QPushButton::clicked, this, &FarRunDialog::readOnly);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(this, &QDialog::rejected, this, [this] { copy_.cancel(); });
  connect(&copy_, &FarCopy::progress, this, &FarRunDialog::showProgress);
  connect(&copy_, &FarCopy::finished, this, &FarRunDialog::end);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text);
  layout->addWidget(progress_);
  layout->addWidget(state_);
  layout->addWidget(failure_);
  layout->addStretch();
  layout->addWidget(buttons);
}

FarRunDialog::~FarRunDialog() = default;

QString FarRunDialog::failure() const {
  return failure_->text();
}

QString FarRunDialog::passingFolder() {
  static const QTemporaryDir folder(QDir::tempPath() + QStringLiteral("/binade-run-XXXXXX"));
  return folder.path();
}

void FarRunDialog::chooseAndSave() {
  const QString to =
      QFileDialog::getSaveFileName(this, tr("Save a copy of the run file"), nameOf(file_), tr("Runs (*.binade)"));
  if (!to.isEmpty()) saveTo(to);
}

void FarRunDialog::saveTo(const QString& file) {
  start(file, true);
}

void FarRunDialog::readOnly() {
  start(passingFolder() + u'/' + nameOf(file_), false);
}

void FarRunDialog::start(const QString& to, bool kept) {
  kept_ = kept;
  failure_->hide();
  failure_->clear();
  save_->setEnabled(false);
  read_->setEnabled(false);
  progress_->setValue(0);
  progress_->show();
  state_->setText(tr("Asking %1 …").arg(host_));
  state_->show();
  copy_.start(file_, to);
}

void FarRunDialog::showProgress(bool prepared, double share, qint64 size) {
  progress_->setValue(static_cast<int>(share * kFull));
  const QString percent = QString::number(static_cast<int>(100 * share));
  state_->setText(prepared ? tr("Copying: %1 % of %2").arg(percent, views::sizeText(size))
                           : tr("%1 makes a copy that nothing changes any more: %2 %").arg(host_, percent));
}

void FarRunDialog::end(const QString& file, const std::optional<Problem>& problem) {
  progress_->hide();
  state_->hide();
  save_->setEnabled(true);
  read_->setEnabled(true);
  if (problem) {
    failure_->setText(problem->text());
    return failure_->show();
  }
  accept();
  Q_EMIT fetched(file, kept_);
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/window/libtorch_offer.h"

#include "app/session/session.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace binade::app {

namespace {

constexpr int kBarSteps = 1000;  // a progress bar counts in int, which bytes exceed

QString sizeOf(qint64 bytes) {
  return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

}  // namespace

LibTorchDialog::LibTorchDialog(const EngineCommand& engine, QWidget* parent)
    : QDialog(parent),
      setup_(engine),
      text_(new QLabel(tr("Binade needs LibTorch to open and train models."))),
      state_(new QLabel),
      bar_(new QProgressBar) {
  setWindowTitle(tr("Install LibTorch"));
  setAttribute(Qt::WA_DeleteOnClose);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  state_->setWordWrap(true);
  bar_->setRange(0, kBarSteps);
  bar_->setVisible(false);
  auto* buttons = new QDialogButtonBox;
  download_ = buttons->addButton(tr("&Download"), QDialogButtonBox::ActionRole);
  folder_ = buttons->addButton(tr("From a &Folder…"), QDialogButtonBox::ActionRole);
  buttons->addButton(tr("Not Now"), QDialogButtonBox::RejectRole);
  download_->setDefault(true);
  folder_->setToolTip(tr("Takes the wheels from a folder, without a network"));
  auto* layout = new QVBoxLayout(this);
  for (QWidget* each : {static_cast<QWidget*>(text_), static_cast<QWidget*>(bar_), static_cast<QWidget*>(state_),
                        static_cast<QWidget*>(buttons)}) {
    layout->addWidget(each);
  }
  setMinimumWidth(fontMetrics().averageCharWidth() * 72);
  connect(buttons, &QDialogButtonBox::rejected, this, &LibTorchDialog::reject);
  connect(download_, &QPushButton::clicked, this, [this] { install({}); });
  connect(folder_, &QPushButton::clicked, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder with the wheels of LibTorch"));
    if (!folder.isEmpty()) install(folder);
  });
  connect(&setup_, &LibTorchSetup::planned, this, &LibTorchDialog::showPlan);
  connect(&setup_, &LibTorchSetup::progressed, this, &LibTorchDialog::showProgress);
  connect(&setup_, &LibTorchSetup::installed, this, &LibTorchDialog::accept);
  connect(&setup_, &LibTorchSetup::failed, this, &LibTorchDialog::showProblem);
  download_->setEnabled(false);  // until the plan has come, or failed
  folder_->setEnabled(false);
  setup_.plan();
}

void LibTorchDialog::reject() {
  setup_.cancel();
  QDialog::reject();
}

void LibTorchDialog::showPlan(const LibTorchPlan& plan) {
  download_->setEnabled(true);
  folder_->setEnabled(true);
  text_->setText(
      tr("Binade needs LibTorch %1 to open and train models. The download is %2, and LibTorch takes %3 in "
         "%4.\n\nTo share one LibTorch with all users of this computer, run in a terminal:\nsudo "
         "binade-engine setup\n\nWithout LibTorch, you can open run files, policies and lessons.")
          .arg(plan.version, sizeOf(plan.download), sizeOf(plan.unpacked), QDir::toNativeSeparators(plan.folder)));
}

void LibTorchDialog::install(const QString& folder) {
  if (setup_.isRunning()) return;
  download_->setEnabled(false);
  folder_->setEnabled(false);
  bar_->setValue(0);
  bar_->setVisible(true);
  state_->clear();
  setup_.install(folder);
}

void LibTorchDialog::showProgress(bool unpacking, const QString& file, qint64 bytes, qint64 of) {
  bar_->setValue(of > 0 ? static_cast<int>(kBarSteps * bytes / of) : 0);
  state_->setText((unpacking ? tr("Unpacking %1: %2 of %3") : tr("Downloading %1: %2 of %3"))
                      .arg(file.section(u'-', 0, 1), sizeOf(bytes), sizeOf(of)));
}

void LibTorchDialog::showProblem(const Problem& problem) {
  download_->setEnabled(true);
  folder_->setEnabled(true);
  bar_->setVisible(false);
  state_->setText(problem.text(u'\n'));
}

LibTorchOffer::LibTorchOffer(Session* session, QWidget* window, QObject* parent)
    : QObject(parent), session_(session), window_(window) {
  connect(session_, &Session::libtorchMissing, this, &LibTorchOffer::open);
}

void LibTorchOffer::open() {
  if (dialog_ != nullptr) return;
  dialog_ = new LibTorchDialog(session_->engine().command(), window_);
  connect(dialog_, &QDialog::accepted, this, [this] {
    session_->startEngine();
    Q_EMIT installed();
  });
  dialog_->open();
}

}  // namespace binade::app

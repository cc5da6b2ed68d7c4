// SPDX-License-Identifier: Apache-2.0
#include "app/window/attach_dialog.h"

#include "app/session/session.h"
#include "app/window/host_fields.h"
#include "app/window/preferences.h"
#include "app/window/ssh_failure.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace binade::app {

namespace {

enum Column { kName, kStep, kStarted, kProcess, kWindows, kRunFile, kColumns };

}  // namespace

AttachDialog::AttachDialog(Session* session, QSettings* settings, QWidget* parent)
    : QDialog(parent),
      session_(session),
      settings_(settings),
      fields_(new HostFields(settings, HostFields::Empty::kThisComputer)),
      list_button_(new QPushButton(tr("&List trainings"))),
      trainings_(new QTreeWidget),
      progress_(views::makeProgressLine(tr("Listing trainings"))),
      note_(views::makeTextLabel(views::Tone::kSecond)),
      failure_(new SshFailure),
      watch_(new QCheckBox(tr("Only &watch, and edit nothing"))),
      attach_(new QPushButton(tr("&Attach"))) {
  setObjectName(QStringLiteral("attachDialog"));
  setWindowTitle(tr("Attach to a running training"));
  resize(760, 440);
  makeParts();
  layOut();
  connect(&list_, &TrainingList::listed, this, &AttachDialog::fill);
  connect(&list_, &TrainingList::failed, this, &AttachDialog::fail);
  if (fields_->hostName().isEmpty()) ask();
}

void AttachDialog::makeParts() {
  fields_->host()->setEditText(session_->host());
  // What is listed is of another computer then.
  connect(fields_, &HostFields::edited, this, [this] {
    list_.cancel();
    trainings_->clear();
    setAsking(false);
  });
  connect(fields_, &HostFields::hostChosen, this, &AttachDialog::ask);
  fields_->addBesideCommand(list_button_);
  list_button_->setAutoDefault(false);
  connect(list_button_, &QPushButton::clicked, this, &AttachDialog::ask);
  trainings_->setHeaderLabels(
      {tr("Training"), tr("Step"), tr("Started"), tr("Process"), tr("Windows"), tr("Run file")});
  trainings_->setRootIsDecorated(false);
  trainings_->setUniformRowHeights(true);
  trainings_->setAccessibleName(tr("Trainings"));
  trainings_->headerItem()->setTextAlignment(kStep, Qt::AlignRight | Qt::AlignVCenter);
  trainings_->header()->setSectionResizeMode(kRunFile, QHeaderView::Stretch);
  trainings_->setColumnWidth(kName, 200);
  trainings_->setColumnWidth(kStep, 80);
  trainings_->setColumnWidth(kStarted, 130);
  trainings_->setColumnWidth(kProcess, 80);
  trainings_->setColumnWidth(kWindows, 70);
  connect(trainings_, &QTreeWidget::itemSelectionChanged, this,
          [this] { attach_->setEnabled(!trainings_->selectedItems().isEmpty()); });
  connect(trainings_, &QTreeWidget::itemActivated, this, &AttachDialog::choose);
  progress_->setRange(0, 0);
  progress_->hide();
  views::setPrimary(attach_);
  attach_->setDefault(true);
  attach_->setEnabled(false);
  connect(attach_, &QPushButton::clicked, this, &AttachDialog::choose);
}

void AttachDialog::layOut() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->addButton(attach_, QDialogButtonBox::ActionRole);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  QLabel* text = views::makeTextLabel();
  text->setText(
      tr("Shows a training that was started by “binade-engine train”, on this computer or another one. It goes "
         "on when this window lets go of it, closes, or loses the connection. One window edits a training; "
         "any number watch it."));
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text);
  layout->addWidget(fields_);
  layout->addWidget(progress_);
  layout->addWidget(trainings_, 1);
  layout->addWidget(note_);
  layout->addWidget(failure_);
  layout->addWidget(watch_);
  layout->addWidget(buttons);
}

QComboBox* AttachDialog::host() const {
  return fields_->host();
}

QLineEdit* AttachDialog::command() const {
  return fields_->command();
}

QString AttachDialog::failure() const {
  return failure_->reason();
}

QString AttachDialog::errorOutput() const {
  return failure_->said();
}

EngineCommand AttachDialog::engine() const {
  if (!fields_->hostName().isEmpty()) return fields_->engine();
  // The engine of this computer, also while the window uses another one.
  const bool here = session_->host().isEmpty() && isLocal(session_->engine().command());
  return here ? session_->engine().command() : engineCommand({});
}

void AttachDialog::ask() {
  trainings_->clear();
  if (const QString host = fields_->hostName(); !host.isEmpty()) {
    if (const QString why = whyNoHost(host); !why.isEmpty()) return fail({why, {}}, {});
  }
  setAsking(true);
  list_.ask(engine());
}

void AttachDialog::setAsking(bool asking) {
  progress_->setVisible(asking);
  attach_->setEnabled(false);
  failure_->clear();
  note_->setText(asking ? tr("Asking for trainings …") : QString());
}

void AttachDialog::fill(const std::vector<RunningTraining>& trainings) {
  setAsking(false);
  trainings_->clear();
  QTreeWidgetItem* first = nullptr;
  for (const RunningTraining& each : trainings) {
    const QString file = QString::fromStdString(each.run.run_file);
    const bool answers = each.problem.isEmpty();
    QString place = file.isEmpty() ? tr("not recorded") : QFileInfo(file).fileName();
    if (!answers) place = each.problem;
    auto* item = new QTreeWidgetItem(
        trainings_, {QString::fromStdString(each.run.name), answers ? views::grouped(each.run.step) : QString(),
                     QLocale().toString(QDateTime::fromSecsSinceEpoch(each.run.since), QLocale::ShortFormat),
                     QString::number(each.run.process), answers ? views::grouped(each.run.peers) : QString(), place});
    item->setTextAlignment(kStep, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(kRunFile, (answers ? file : each.problem).toHtmlEscaped());
    item->setData(kName, Qt::UserRole, static_cast<qlonglong>(each.run.process));
    item->setDisabled(!answers);
    if (answers && first == nullptr) first = item;
  }
  note_->setText(
      trainings.empty()
          ? tr("No training runs there that can be attached to. Start one with: binade-engine train RUN.json")
          : QString());
  if (first == nullptr) return;
  trainings_->setCurrentItem(first);
  trainings_->setFocus();
}

void AttachDialog::fail(const Problem& problem, const QString& said) {
  setAsking(false);
  failure_->setFailure(problem.text(u'\n'), said);
  fields_->setFocus();
}

void AttachDialog::choose() {
  // Return activates the row, and the default button too.
  const QList<QTreeWidgetItem*> selected = trainings_->selectedItems();
  if (selected.isEmpty() || isHidden()) return;
  const QString process = QString::number(selected.front()->data(kName, Qt::UserRole).toLongLong());
  const EngineCommand chosen_engine = confinedAsWanted(attachCommand(engine(), process), preferences(*settings_));
  fields_->remember();
  accept();
  Q_EMIT chosen(chosen_engine, watch_->isChecked());
}

}  // namespace binade::app

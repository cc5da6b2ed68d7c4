// SPDX-License-Identifier: Apache-2.0
#include "app/window/host_fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace binade::app {

HostFields::HostFields(QSettings* settings, Empty empty, QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      recent_(recentHosts(*settings)),
      first_recent_(empty == Empty::kThisComputer ? 1 : 0),
      host_(new QComboBox),
      command_(new QLineEdit),
      command_row_(new QHBoxLayout) {
  host_->setEditable(true);
  host_->setInsertPolicy(QComboBox::NoInsert);
  host_->setAccessibleName(tr("Host"));
  if (empty == Empty::kThisComputer) host_->addItem(QString());
  for (const RecentHost& each : recent_) host_->addItem(each.host);
  host_->lineEdit()->setPlaceholderText(empty == Empty::kThisComputer
                                            ? tr("this computer; else a name, or user@name, as for ssh")
                                            : tr("name, or user@name, as for ssh"));
  command_->setAccessibleName(tr("Command"));
  command_->setPlaceholderText(defaultRemoteCommand());
  command_row_->addWidget(command_, 1);
  auto* command_label = new QLabel(tr("&Command"));
  command_label->setBuddy(command_);
  auto* rows = new QFormLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addRow(tr("&Host"), host_);
  rows->addRow(command_label, command_row_);
  setFocusProxy(host_);
  if (empty == Empty::kNotAllowed) {
    host_->setCurrentIndex(recent_.isEmpty() ? -1 : 0);
    if (!recent_.isEmpty()) command_->setText(recent_.front().command);
  }
  connect(host_, &QComboBox::editTextChanged, this, &HostFields::edited);
  connect(command_, &QLineEdit::textEdited, this, &HostFields::edited);
  connect(host_, &QComboBox::activated, this, &HostFields::choose);
}

void HostFields::addBesideCommand(QWidget* widget) {
  command_row_->addWidget(widget);
}

QString HostFields::hostName() const {
  return host_->currentText().trimmed();
}

EngineCommand HostFields::engine() const {
  return remoteCommand(hostName(), command_->text());
}

void HostFields::remember() {
  if (!hostName().isEmpty()) addRecentHost(*settings_, {hostName(), command_->text().trimmed()});
}

void HostFields::choose(int index) {
  const int recent = index - first_recent_;
  command_->setText(recent >= 0 && recent < recent_.size() ? recent_[recent].command : QString());
  Q_EMIT hostChosen();
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/window/connect_dialog.h"

#include "app/session/session.h"
#include "app/session/ssh_advice.h"
#include "app/window/preferences.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTimer>
#include <QVBoxLayout>

namespace binade::app {

namespace {

constexpr int kLeavingMs = 4000;  // longer than an engine that is shut down may take

QLabel* sentence(const QString& words, views::Tone tone) {
  QLabel* label = views::makeTextLabel(tone);
  label->setText(words);
  return label;
}

}  // namespace

ConnectDialog::ConnectDialog(Session* session, QSettings* settings, QWidget* parent)
    : QDialog(parent),
      session_(session),
      settings_(settings),
      recent_(recentHosts(*settings)),
      host_(new QComboBox),
      command_(new QLineEdit),
      failure_(views::makeTextLabel(views::Tone::kCrimson)),
      said_(new QPlainTextEdit),
      progress_(views::makeProgressLine(tr("Connecting"))),
      connect_(new QPushButton(tr("Connect"))),
      here_(new QPushButton(tr("Use this computer's engine"))) {
  setObjectName(QStringLiteral("connectDialog"));
  setWindowTitle(tr("Connect to another computer's engine"));
  setMinimumWidth(560);
  host_->setObjectName(QStringLiteral("host"));
  host_->setEditable(true);
  host_->setInsertPolicy(QComboBox::NoInsert);
  host_->setAccessibleName(tr("Host"));
  for (const RecentHost& each : recent_) host_->addItem(each.host);
  host_->lineEdit()->setPlaceholderText(tr("name, or user@name, as for ssh"));
  host_->setCurrentIndex(recent_.isEmpty() ? -1 : 0);
  command_->setObjectName(QStringLiteral("command"));
  command_->setAccessibleName(tr("Command"));
  command_->setPlaceholderText(defaultRemoteCommand());
  if (!recent_.isEmpty()) chooseRecent(0);
  connect(host_, &QComboBox::activated, this, &ConnectDialog::chooseRecent);

  auto* fields = new QFormLayout;
  fields->addRow(tr("&Host"), host_);
  fields->addRow(tr("&Command"), command_);
  said_->setObjectName(QStringLiteral("said"));
  said_->setReadOnly(true);
  said_->setFont(views::figureFont());
  said_->setFixedHeight(112);
  said_->setAccessibleName(tr("Output of ssh"));
  said_->hide();
  failure_->hide();
  progress_->setRange(0, 0);
  progress_->hide();

  auto* buttons = new QDialogButtonBox;
  views::setPrimary(connect_);
  connect_->setDefault(true);
  here_->setEnabled(!session_->host().isEmpty());
  buttons->addButton(connect_, QDialogButtonBox::ActionRole);
  buttons->addButton(here_, QDialogButtonBox::ActionRole);
  buttons->addButton(QDialogButtonBox::Cancel);
  connect(connect_, &QPushButton::clicked, this, &ConnectDialog::tryEngine);
  connect(here_, &QPushButton::clicked, this, &ConnectDialog::useOwnEngine);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* layout = new QVBoxLayout(this);
  layout->addWidget(sentence(tr("Runs “ssh HOST COMMAND” and trains there. ssh must log in without a question, by a "
                                "key or an agent, and the other computer needs binade-engine of this version."),
                             views::Tone::kText));
  layout->addLayout(fields);
  layout->addWidget(sentence(tr("Names of models, data and run files are then names of files on that computer. This "
                                "window still opens policies, run descriptions and run files of this computer. Try, "
                                "Search, reports and exports of a run need its files: copy its run file here first."),
                             views::Tone::kSecond));
  if (session_->run().isActive()) {
    layout->addWidget(
        sentence(tr("The run in progress is stopped once the other engine has answered."), views::Tone::kSecond));
  }
  layout->addWidget(progress_);
  layout->addWidget(failure_);
  layout->addWidget(said_);
  layout->addWidget(buttons);
}

// An ssh that waits for a computer does not notice the end of its input: the window must not wait for it.
ConnectDialog::~ConnectDialog() {
  if (!tried_) return;
  EngineClient* leaving = tried_.release();
  leaving->disconnect(this);
  leaving->setParent(session_);
  leaving->shutDown();
  QTimer::singleShot(kLeavingMs, leaving, &QObject::deleteLater);
}

void ConnectDialog::chooseRecent(int index) {
  if (index >= 0 && index < recent_.size()) command_->setText(recent_[index].command);
}

QString ConnectDialog::failure() const {
  return failure_->text();
}

QString ConnectDialog::errorOutput() const {
  return said_->toPlainText();
}

void ConnectDialog::setTrying(bool trying) {
  progress_->setVisible(trying);
  for (QWidget* each : std::initializer_list<QWidget*>{host_, command_, connect_}) each->setEnabled(!trying);
}

void ConnectDialog::tryEngine() {
  const QString host = host_->currentText().trimmed();
  if (const QString why = whyNoHost(host); !why.isEmpty()) return fail(why, {});
  const EngineCommand engine = remoteCommand(host, command_->text());
  if (attaches(engine)) {
    return fail(tr("This command attaches to a training. Choose File › Attach to a running training."), {});
  }
  failure_->hide();
  said_->hide();
  setTrying(true);
  tried_ = std::make_unique<EngineClient>(confinedAsWanted(engine, preferences(*settings_)));
  connect(tried_.get(), &EngineClient::ready, this, &ConnectDialog::succeed);
  connect(tried_.get(), &EngineClient::stopped, this, [this](const Problem& problem) {
    const QString said = tried_->errorOutput();
    const QString host = hostOf(tried_->command());
    // An engine that answered, but does not fit, is the client's own finding.
    if (said.isEmpty() || !tried_->exitCode()) return fail(problem.text(u'\n'), said);
    const QString advice = sshAdvice(host, said, tried_->exitCode());
    const QString what = tr("No engine answered on %1. ssh wrote:").arg(host);
    fail(advice.isEmpty() ? what : tr("No engine answered on %1. Next: %2").arg(host, advice), said);
  });
  tried_->start();
}

void ConnectDialog::fail(const QString& what, const QString& said) {
  setTrying(false);
  failure_->setText(what.trimmed());
  failure_->show();
  said_->setPlainText(said);
  said_->setVisible(!said.isEmpty());
  host_->setFocus();
}

void ConnectDialog::succeed() {
  const EngineCommand engine = tried_->command();
  const QString host = hostOf(engine);
  addRecentHost(*settings_, {host, command_->text().trimmed()});
  tried_->disconnect(this);
  tried_->shutDown();
  session_->connectTo(engine);
  Q_EMIT connected(host);
  accept();
}

void ConnectDialog::useOwnEngine() {
  session_->connectTo(confinedAsWanted(engineCommand({}), preferences(*settings_)));
  Q_EMIT connected({});
  accept();
}

}  // namespace binade::app

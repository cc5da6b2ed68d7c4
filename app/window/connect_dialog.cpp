// SPDX-License-Identifier: Apache-2.0
#include "app/window/connect_dialog.h"

#include "app/session/session.h"
#include "app/session/ssh_advice.h"
#include "app/window/host_fields.h"
#include "app/window/preferences.h"
#include "app/window/ssh_failure.h"
#include "views/style/looks.h"

#include <QDialogButtonBox>
#include <QLabel>
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
      fields_(new HostFields(settings, HostFields::Empty::kNotAllowed)),
      failure_(new SshFailure),
      progress_(views::makeProgressLine(tr("Connecting"))),
      connect_(new QPushButton(tr("Connect"))),
      here_(new QPushButton(tr("Use this computer's engine"))) {
  setObjectName(QStringLiteral("connectDialog"));
  setWindowTitle(tr("Connect to another computer's engine"));
  setMinimumWidth(560);
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
  layout->addWidget(fields_);
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

QComboBox* ConnectDialog::host() const {
  return fields_->host();
}

QLineEdit* ConnectDialog::command() const {
  return fields_->command();
}

QString ConnectDialog::failure() const {
  return failure_->reason();
}

QString ConnectDialog::errorOutput() const {
  return failure_->said();
}

void ConnectDialog::setTrying(bool trying) {
  progress_->setVisible(trying);
  for (QWidget* each : std::initializer_list<QWidget*>{fields_, connect_}) each->setEnabled(!trying);
}

void ConnectDialog::tryEngine() {
  if (const QString why = whyNoHost(fields_->hostName()); !why.isEmpty()) return fail(why, {});
  const EngineCommand engine = fields_->engine();
  if (attaches(engine)) {
    return fail(tr("This command attaches to a training. Choose File › Attach to a running training."), {});
  }
  failure_->clear();
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
  failure_->setFailure(what, said);
  fields_->setFocus();
}

void ConnectDialog::succeed() {
  const EngineCommand engine = tried_->command();
  const QString host = hostOf(engine);
  fields_->remember();
  tried_->disconnect(this);
  tried_->shutDown();
  session_->connectTo(engine);
  Q_EMIT connected(host);
  accept();
}

void ConnectDialog::useOwnEngine() {
  Q_EMIT ownEngineRequested();
  accept();
}

}  // namespace binade::app

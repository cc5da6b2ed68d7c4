// SPDX-License-Identifier: Apache-2.0
#include "app/window/attach_flow.h"

#include "app/session/attachment.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/attach_bar.h"
#include "app/window/attach_dialog.h"
#include "app/window/banner.h"
#include "app/window/banner_questions.h"
#include "app/window/file_saver.h"
#include "app/window/main_window.h"

#include <QMessageBox>
#include <QPushButton>

namespace binade::app {

namespace {

constexpr auto kKeptEdits = "edits kept while the connection was lost";

}  // namespace

AttachFlow::AttachFlow(MainWindow* window, Session* session, QSettings* settings, FileSaver* saver)
    : QObject(window),
      window_(window),
      session_(session),
      settings_(settings),
      saver_(saver),
      bar_(new AttachBar(session, window)) {
  window_->addToolBarBreak();
  window_->addToolBar(bar_);
  bar_->setVisible(false);
  const Actions* actions = window_->actions();
  Attachment& attachment = session_->attachment();
  connect(actions->attach, &QAction::triggered, this, &AttachFlow::choose);
  connect(actions->let_go, &QAction::triggered, session_, &Session::letGo);
  connect(actions->take_editing, &QAction::triggered, &attachment, &Attachment::takeEditing);
  connect(actions->stop, &QAction::triggered, this, &AttachFlow::stop);
  connect(&attachment, &Attachment::changed, this, &AttachFlow::update);
  connect(&attachment, &Attachment::editsKept, this, &AttachFlow::askAboutKeptEdits);
  connect(&attachment, &Attachment::replaced, this, [this] {
    window_->banner()->showNotice(tr("The training was rewound while the connection was lost."),
                                  tr("It is shown as it is now."));
  });
}

void AttachFlow::update() {
  if (!session_->attachment().keepsEdits()) window_->questions()->withdraw(QLatin1String(kKeptEdits));
}

// The run of the training brings its own policy along, and takes the place of the described one.
void AttachFlow::choose() {
  auto* dialog = new AttachDialog(session_, settings_, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AttachDialog::chosen, this, [this](const EngineCommand& engine, bool watch) {
    if (!session_->isUndisturbed() && !saver_->mayLeave()) return;
    if (session_->run().isActive() && !session_->attachment().isOn()) {
      const auto answer =
          QMessageBox::question(window_, tr("Attach to a running training"),
                                tr("A run is in progress in this window. Stop it and attach to the training?"));
      if (answer != QMessageBox::Yes) return;
    }
    session_->attachTo(engine, watch);
  });
  dialog->open();
}

// A run of this window stops at once. A stop of an attached training is asked about, since other windows show it too.
void AttachFlow::stop() {
  if (!session_->attachment().isOn()) return session_->stop();
  QMessageBox box(QMessageBox::Question, tr("Stop the training"),
                  tr("Stop %1 for everybody?").arg(session_->attachment().trainingText()), QMessageBox::Cancel,
                  window_);
  box.setTextFormat(Qt::PlainText);
  box.setInformativeText(tr("The training was started without this window. To leave it running, let go of it."));
  const auto* stop = box.addButton(tr("Stop the training"), QMessageBox::DestructiveRole);
  const auto* let_go = box.addButton(tr("Let go"), QMessageBox::AcceptRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  if (box.clickedButton() == stop) session_->stop();
  if (box.clickedButton() == let_go) session_->letGo();
}

void AttachFlow::askAboutKeptEdits() {
  const bool editor = session_->attachment().isEditor();
  Attachment& attachment = session_->attachment();
  window_->questions()->ask({.id = QLatin1String(kKeptEdits),
                             .message = tr("You edited the policy while the connection was lost."),
                             .hint = editor
                                         ? tr("The training goes on with the policy from before.")
                                         : tr("The training goes on with the policy from before. To apply the edits, "
                                              "this window takes over editing."),
                             .yes = tr("Apply the edits"),
                             .on_yes = [&attachment] { attachment.applyKeptEdits(); },
                             .no = tr("Drop them"),
                             .on_no = [&attachment] { attachment.dropKeptEdits(); }});
}

}  // namespace binade::app

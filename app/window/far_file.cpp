// SPDX-License-Identifier: Apache-2.0
#include "app/window/far_file.h"

#include "app/session/session.h"
#include "app/window/far_file_dialog.h"

namespace binade::app {

AskFiles askWhereTheEngineIs(Session* session, QSettings* settings) {
  return [session, settings](QWidget* parent, const FileQuestion& question, const FilesChosen& chosen) {
    if (session->host().isEmpty()) return askHere(parent, question, chosen);
    auto* dialog = new FarFileDialog(session, settings, question, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &FarFileDialog::chosen, parent, chosen);
    QObject::connect(dialog, &FarFileDialog::hereWanted, parent, [parent, question] {
      FileQuestion here = question;
      here.start.clear();
      askHere(parent, here, question.here);
    });
    dialog->open();
  };
}

}  // namespace binade::app

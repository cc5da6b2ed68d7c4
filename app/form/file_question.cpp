// SPDX-License-Identifier: Apache-2.0
#include "app/form/file_question.h"

#include <QFileDialog>

namespace binade::app {

void askHere(QWidget* parent, const FileQuestion& question, const FilesChosen& chosen) {
  QStringList files;
  switch (question.kind) {
    case FileQuestion::Kind::kFile:
      files << QFileDialog::getOpenFileName(parent, question.title, question.start, question.filter);
      break;
    case FileQuestion::Kind::kFiles:
      files = QFileDialog::getOpenFileNames(parent, question.title, question.start, question.filter);
      break;
    case FileQuestion::Kind::kFolder:
      files << QFileDialog::getExistingDirectory(parent, question.title, question.start);
      break;
    case FileQuestion::Kind::kNewFile:
      files << QFileDialog::getSaveFileName(parent, question.title, question.start, question.filter);
      break;
  }
  files.removeAll(QString());
  if (!files.isEmpty()) chosen(files);
}

}  // namespace binade::app

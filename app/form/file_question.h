// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace binade::app {

/// Receives the chosen names, at least one. Not called if the user cancels.
using FilesChosen = std::function<void(const QStringList& files)>;

/// What a file dialog asks for.
struct FileQuestion {
  enum class Kind {
    kFile,     ///< one that exists
    kFiles,    ///< one or more that exist
    kFolder,   ///< one that exists
    kNewFile,  ///< one to write, which may exist
  };
  Kind kind = Kind::kFile;
  QString title;
  QString start;   ///< file or folder shown first; empty: the one of the last time
  QString filter;  ///< as for QFileDialog: `Data (*.npy *.csv);;All files (*)`
  /// Receives files of this computer, which are an answer too where another computer is asked; empty: they are none.
  FilesChosen here = {};
};

/// Asks on the computer that reads the files, in a dialog of `parent`. The answer may come after the call has returned.
using AskFiles = std::function<void(QWidget* parent, const FileQuestion& question, FilesChosen chosen)>;

/// Asks for files of this computer, before it returns. An AskFiles.
void askHere(QWidget* parent, const FileQuestion& question, const FilesChosen& chosen);

}  // namespace binade::app

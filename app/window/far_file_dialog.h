// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/file_question.h"
#include "app/session/far_folder.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSettings;
class QTableView;
class QToolButton;

namespace binade::app {

class Session;

/// Chooses files or a folder of the engine's computer, which lists its folders. The list comes later: until then the
/// folder before stays, and a line shows that another one is read. A folder that cannot be read is explained in place.
/// Any name can be typed, also one that the list does not show.
class FarFileDialog : public QDialog {
  Q_OBJECT

 public:
  /// `session` and `settings` must outlive the dialog. Begins to read the folder of question.start, or the one of the
  /// last time, or the home folder.
  FarFileDialog(Session* session, QSettings* settings, const FileQuestion& question, QWidget* parent = nullptr);

  /// The folder: its path can be typed, and recent ones are listed.
  QComboBox* path() const { return path_; }
  QToolButton* upButton() const { return up_; }
  QTableView* list() const { return list_; }
  QLineEdit* name() const { return name_; }
  /// Which files are shown.
  QComboBox* filter() const { return filter_; }
  QCheckBox* hidden() const { return hidden_; }
  QPushButton* chooseButton() const { return choose_; }
  /// Chooses a file of this computer instead; null: the question has no such answer.
  QPushButton* hereButton() const { return here_; }
  /// Why a folder cannot be shown or a name not be chosen; empty: no reason.
  QString failure() const;
  /// The folder that is shown; empty: none yet.
  QString folder() const { return model_->folder().path; }
  bool isReading() const { return reading_; }

 public Q_SLOTS:
  /// Shows a folder; a file's name shows its folder and is put in the name's field.
  void go(const QString& path);
  void goUp();

 Q_SIGNALS:
  /// Files were chosen; the dialog closes.
  void chosen(const QStringList& files);
  /// The user wants a file of this computer; the dialog closes.
  void hereWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeParts();
  void layOut();
  void fillRecent();
  void showFolder(const FarFolder& folder, const QString& wanted);
  void fail(const QString& text);
  void takeSelection();
  void enter(const QModelIndex& index);
  void choose();
  void finish(const QStringList& files);
  void updateButtons();

  Session* session_;
  QSettings* settings_;
  FileQuestion question_;
  QString host_;
  FarFolderModel* model_;
  FarFolderRows* rows_;
  QComboBox* path_;
  QToolButton* up_;
  QTableView* list_;
  QLabel* note_;
  QLabel* failure_;
  QProgressBar* progress_;
  QLineEdit* name_;
  QComboBox* filter_;
  QCheckBox* hidden_;
  QPushButton* choose_;
  QPushButton* here_ = nullptr;
  bool reading_ = false;
  int asked_ = 0;     ///< number of folders that were asked for
  QString replaces_;  ///< an existing file for which the user was warned that it is replaced
};

}  // namespace binade::app

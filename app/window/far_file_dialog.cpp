// SPDX-License-Identifier: Apache-2.0
#include "app/window/far_file_dialog.h"

#include "app/session/session.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSysInfo>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

using Kind = FileQuestion::Kind;

// Names with a slash, dots or no name at all would be shown as something that they are not.
bool isName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

FarFolder folderOf(const wire::FolderList& list) {
  FarFolder folder;
  folder.path = QString::fromStdString(list.path);
  folder.parent = QString::fromStdString(list.parent);
  folder.left_out = list.left_out;
  for (const wire::FolderEntry& each : list.entries) {
    if (!isName(each.name)) continue;
    folder.entries.append({QString::fromStdString(each.name), each.folder, each.bytes,
                           each.modified > 0 ? QDateTime::fromSecsSinceEpoch(each.modified) : QDateTime()});
  }
  return folder;
}

QString lastPart(const QString& path) {
  return path.section(u'/', -1);
}

// The folder of an absolute path; empty for a name.
QString folderPart(const QString& path) {
  const qsizetype slash = path.lastIndexOf(u'/');
  return slash < 0 ? QString() : path.left(std::max<qsizetype>(1, slash));
}

}  // namespace

FarFileDialog::FarFileDialog(Session* session, QSettings* settings, const FileQuestion& question, QWidget* parent)
    : QDialog(parent),
      session_(session),
      settings_(settings),
      question_(question),
      host_(session->host()),
      model_(new FarFolderModel(this)),
      rows_(new FarFolderRows(model_, this)),
      path_(new QComboBox),
      up_(new QToolButton),
      list_(new QTableView),
      note_(views::makeTextLabel(views::Tone::kSecond)),
      failure_(views::makeTextLabel(views::Tone::kCrimson)),
      progress_(views::makeProgressLine(tr("Reading the folder"))),
      name_(new QLineEdit),
      filter_(new QComboBox),
      hidden_(new QCheckBox(tr("&Hidden files"))),
      choose_(new QPushButton) {
  setObjectName(QStringLiteral("farFileDialog"));
  if (host_.isEmpty()) host_ = QSysInfo::machineHostName();  // for its pictures
  setWindowTitle(tr("%1 (on %2)").arg(question_.title, host_));
  resize(720, 520);
  makeParts();
  layOut();
  fillRecent();
  updateButtons();
  const QStringList recent = recentFarFolders(*settings_, host_);
  QString first = question_.start;
  if (question_.kind == Kind::kNewFile) first = folderPart(first);  // the file need not exist
  go(first.isEmpty() && !recent.isEmpty() ? recent.front() : first);
}

void FarFileDialog::makeParts() {
  path_->setEditable(true);
  path_->setInsertPolicy(QComboBox::NoInsert);
  path_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  path_->setAccessibleName(tr("Folder on %1").arg(host_));
  path_->setToolTip(tr("Path of the folder (Ctrl+L). The list has recent folders."));
  connect(path_, &QComboBox::activated, this, [this] { go(path_->currentText()); });
  path_->lineEdit()->installEventFilter(this);
  up_->setText(tr("Up"));
  up_->setAccessibleName(tr("Folder above"));
  up_->setToolTip(tr("Shows the folder above (Alt+Up, or Backspace in the list)"));
  connect(up_, &QToolButton::clicked, this, &FarFileDialog::goUp);
  connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Up), this), &QShortcut::activated, this, &FarFileDialog::goUp);
  connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_L), this), &QShortcut::activated, this, [this] {
    path_->setFocus(Qt::ShortcutFocusReason);
    path_->lineEdit()->selectAll();
  });
  connect(new QShortcut(QKeySequence(Qt::Key_F5), this), &QShortcut::activated, this, [this] { go(folder()); });

  rows_->setFoldersOnly(question_.kind == Kind::kFolder);
  list_->setModel(rows_);
  views::styleTable(list_);
  list_->setSortingEnabled(true);
  list_->sortByColumn(FarFolderModel::kName, Qt::AscendingOrder);
  list_->setSelectionBehavior(QAbstractItemView::SelectRows);
  list_->setSelectionMode(question_.kind == Kind::kFiles ? QAbstractItemView::ExtendedSelection
                                                         : QAbstractItemView::SingleSelection);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setTabKeyNavigation(false);
  list_->setAccessibleName(tr("Files on %1").arg(host_));
  list_->setColumnWidth(FarFolderModel::kName, 400);
  list_->setColumnWidth(FarFolderModel::kSize, 90);
  list_->horizontalHeader()->setStretchLastSection(true);
  list_->installEventFilter(this);
  connect(list_, &QTableView::activated, this, &FarFileDialog::enter);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &FarFileDialog::takeSelection);

  name_->setAccessibleName(tr("Name"));
  connect(name_, &QLineEdit::textChanged, this, &FarFileDialog::updateButtons);
  if (question_.kind == Kind::kNewFile) name_->setText(lastPart(question_.start));
  for (const NameFilter& each : nameFilters(question_.filter)) filter_->addItem(each.text, each.patterns);
  filter_->setAccessibleName(tr("Shown files"));
  if (filter_->count() == 0) {
    filter_->setParent(this);
    filter_->hide();
  }
  connect(filter_, &QComboBox::currentIndexChanged, this,
          [this] { rows_->setPatterns(filter_->currentData().toStringList()); });
  if (filter_->count() > 0) rows_->setPatterns(filter_->currentData().toStringList());
  connect(hidden_, &QCheckBox::toggled, this, [this](bool on) {
    rows_->setHiddenShown(on);
    go(folder());
  });
  progress_->setRange(0, 0);
  progress_->hide();
  note_->hide();
  failure_->hide();
}

void FarFileDialog::layOut() {
  auto* top = new QHBoxLayout;
  top->addWidget(path_, 1);
  top->addWidget(up_);
  auto* fields = new QFormLayout;
  fields->addRow(question_.kind == Kind::kFiles ? tr("&Names") : tr("&Name"), name_);
  if (filter_->count() > 0) fields->addRow(tr("&Show"), filter_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  choose_->setText(question_.kind == Kind::kNewFile  ? tr("Save")
                   : question_.kind == Kind::kFolder ? tr("Choose folder")
                                                     : tr("Open"));
  views::setPrimary(choose_);
  choose_->setDefault(true);
  buttons->addButton(choose_, QDialogButtonBox::ActionRole);
  if (question_.here) {
    here_ = new QPushButton(tr("A file of &this computer…"));
    here_->setAutoDefault(false);
    buttons->addButton(here_, QDialogButtonBox::ActionRole);
    connect(here_, &QPushButton::clicked, this, [this] {
      reject();
      Q_EMIT hereWanted();
    });
  }
  connect(choose_, &QPushButton::clicked, this, &FarFileDialog::choose);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(top);
  layout->addWidget(progress_);
  layout->addWidget(list_, 1);
  layout->addWidget(note_);
  layout->addWidget(failure_);
  layout->addLayout(fields);
  layout->addWidget(hidden_);
  layout->addWidget(buttons);
  list_->setFocus();
}

void FarFileDialog::fillRecent() {
  path_->clear();
  path_->addItems(recentFarFolders(*settings_, host_));
  path_->setCurrentIndex(-1);
}

QString FarFileDialog::failure() const {
  return failure_->text();
}

void FarFileDialog::go(const QString& path) {
  const QString wanted = path.trimmed();
  reading_ = true;
  progress_->show();
  failure_->hide();
  failure_->clear();
  // The dialog may be closed before the answer.
  session_->engine().listFolder(
      wanted, hidden_->isChecked(),
      [self = QPointer(this), mine = ++asked_, wanted](const std::variant<wire::FolderList, Problem>& answer) {
        if (!self || mine != self->asked_) return;  // another folder is wanted since
        self->reading_ = false;
        self->progress_->hide();
        if (const auto* problem = std::get_if<Problem>(&answer)) {
          if (self->folder().isEmpty() && !wanted.isEmpty()) self->go({});  // to show something
          return self->fail(problem->text());
        }
        self->showFolder(folderOf(std::get<wire::FolderList>(answer)), wanted);
      });
}

void FarFileDialog::goUp() {
  if (!model_->folder().parent.isEmpty()) go(model_->folder().parent);
}

void FarFileDialog::showFolder(const FarFolder& folder, const QString& wanted) {
  const QString before = model_->folder().path;
  model_->setFolder(folder);
  path_->setEditText(folder.path);
  up_->setEnabled(!folder.parent.isEmpty());
  QString note;
  if (folder.entries.isEmpty()) note = tr("This folder is empty.");
  if (!folder.entries.isEmpty() && rows_->rowCount() == 0) note = tr("No file here has one of the shown endings.");
  if (folder.left_out > 0) note = tr("%1 more are not listed. Type the name.").arg(views::grouped(folder.left_out));
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  // The folder of a file was wanted, or the one that was left stays current.
  const QString file = lastPart(wanted);
  const bool named = model_->find(file) != nullptr && farPath(folder.path, file) == wanted;
  if (named && question_.kind != Kind::kFolder) name_->setText(file);
  const QString current = named ? file : lastPart(before);
  int row = 0;
  for (int i = 0; i < rows_->rowCount(); ++i) {
    if (model_->folder().entries[rows_->mapToSource(rows_->index(i, 0)).row()].name == current) row = i;
  }
  if (rows_->rowCount() > 0) {
    list_->selectionModel()->setCurrentIndex(rows_->index(row, 0), QItemSelectionModel::NoUpdate);
    list_->scrollTo(rows_->index(row, 0));
  }
  updateButtons();
}

void FarFileDialog::fail(const QString& text) {
  failure_->setText(text);
  failure_->show();
  path_->setEditText(folder());
}

void FarFileDialog::takeSelection() {
  QStringList names;
  for (const QModelIndex& each : list_->selectionModel()->selectedRows()) {
    const FarEntry& entry = model_->folder().entries[rows_->mapToSource(each).row()];
    if (entry.folder == (question_.kind == Kind::kFolder)) names << entry.name;
  }
  if (names.isEmpty()) return;
  // Several names are shown as file dialogs do, in quotation marks.
  name_->setText(names.size() == 1 ? names.front() : u'"' + names.join(QStringLiteral("\" \"")) + u'"');
}

void FarFileDialog::enter(const QModelIndex& index) {
  const FarEntry& entry = model_->folder().entries[rows_->mapToSource(index).row()];
  if (entry.folder) return go(farPath(folder(), entry.name));
  name_->setText(entry.name);
  choose();
}

void FarFileDialog::choose() {
  const QString typed = name_->text().trimmed();
  if (question_.kind == Kind::kFolder && typed.isEmpty()) return finish({folder()});
  if (typed.isEmpty()) return;
  const bool several = typed.size() > 1 && typed.front() == u'"' && typed.back() == u'"';
  const QStringList names =
      several ? typed.mid(1, typed.size() - 2).split(QStringLiteral("\" \"")) : QStringList{typed};
  const FarEntry* entry = model_->find(names.front());
  const bool a_folder = names.front().endsWith(u'/') || (entry != nullptr && entry->folder);
  if (question_.kind != Kind::kFolder && a_folder) {
    name_->clear();
    return go(farPath(folder(), names.front()));
  }
  const QString first = farPath(folder(), names.front());
  if (question_.kind == Kind::kNewFile && entry != nullptr && replaces_ != first) {
    replaces_ = first;
    choose_->setText(tr("Replace"));
    return fail(tr("%1 exists. Choose Replace to write over it.").arg(names.front()));
  }
  QStringList files;
  for (const QString& name : names) files << farPath(folder(), name);
  finish(files);
}

void FarFileDialog::finish(const QStringList& files) {
  const QString& file = files.front();
  const QString from = question_.kind == Kind::kFolder ? file : folderPart(file);
  if (from.startsWith(u'/')) addRecentFarFolder(*settings_, host_, from);
  accept();
  Q_EMIT chosen(files);
}

void FarFileDialog::updateButtons() {
  if (!replaces_.isEmpty()) {
    replaces_.clear();
    choose_->setText(tr("Save"));
  }
  choose_->setEnabled(!name_->text().trimmed().isEmpty() || (question_.kind == Kind::kFolder && !folder().isEmpty()));
}

// Return in the field of the path shows that folder, instead of choosing; Backspace in the list goes up.
bool FarFileDialog::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == path_->lineEdit() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
      const QString typed = path_->currentText().trimmed();
      go(typed.startsWith(u'~') ? typed : farPath(folder(), typed));
      return true;
    }
    // The view would pass it on to the default button.
    if (watched == list_ && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
      if (list_->currentIndex().isValid()) enter(list_->currentIndex());
      return true;
    }
    if (watched == list_ && key == Qt::Key_Backspace) {
      goUp();
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace binade::app

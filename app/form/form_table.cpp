// SPDX-License-Identifier: Apache-2.0
#include "app/form/form_table.h"

#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kRowHeight = 28;  // high enough for editors
constexpr int kChoiceHeight = 24;

// A row of an editable combo box, which has no space around its text otherwise.
class ChoiceRow : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index).expandedTo({0, kChoiceHeight});
  }
};

// Edits columns with choices in combo boxes, others in line edits.
class FormDelegate : public views::CellDelegate {
 public:
  FormDelegate(RunDocument* document, const FormRows* rows, QObject* parent)
      : CellDelegate(parent), document_(document), rows_(rows) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    CellDelegate::paint(painter, option, index);
    if (!index.data(Qt::BackgroundRole).isValid()) return;
    painter->save();
    painter->setPen(QPen(views::colors().crimson, 0));
    painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    painter->restore();
  }

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const FormColumn& column = rows_->spec().columns[static_cast<std::size_t>(index.column())];
    QWidget* editor = nullptr;
    if (column.choices) {
      auto* combo = new QComboBox(parent);
      combo->setEditable(column.free);
      if (column.free) combo->setItemDelegate(new ChoiceRow(combo));
      combo->addItems(column.choices(document_->config()));
      editor = combo;
    } else {
      editor = new QLineEdit(parent);
    }
    editor->setAccessibleName(column.title);
    editor->setToolTip(column.tip);
    return editor;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* combo = qobject_cast<QComboBox*>(editor)) {
      combo->setCurrentIndex(combo->findText(text));
      if (combo->isEditable()) combo->setEditText(text);
    } else {
      static_cast<QLineEdit*>(editor)->setText(text);
    }
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
    const auto* combo = qobject_cast<QComboBox*>(editor);
    model->setData(index, combo != nullptr ? combo->currentText() : static_cast<QLineEdit*>(editor)->text());
  }

 private:
  RunDocument* document_;
  const FormRows* rows_;
};

}  // namespace

FormRows::FormRows(RunDocument* document, FormTableSpec spec, QObject* parent)
    : QAbstractTableModel(parent), document_(document), spec_(std::move(spec)) {}

void FormRows::refresh() {
  const int rows = spec_.rows(document_->config());
  if (rows != rows_) {
    beginResetModel();
    rows_ = rows;
    endResetModel();
  } else if (rows > 0) {
    Q_EMIT dataChanged(index(0, 0), index(rows - 1, columnCount() - 1));
  }
}

int FormRows::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int FormRows::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(spec_.columns.size());
}

QString FormRows::pathAt(const QModelIndex& index) const {
  const FormColumn& column = spec_.columns[static_cast<std::size_t>(index.column())];
  const QString row = spec_.rowPath(document_->config(), index.row());
  return column.key.isEmpty() ? row : row + u'.' + column.key;
}

// The configuration may have lost rows since refresh(), as when another run begins.
int FormRows::presentRows() const {
  return std::min(rows_, spec_.rows(document_->config()));
}

QModelIndex FormRows::indexOf(const QString& path) const {
  const int rows = presentRows();
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columnCount(); ++column) {
      if (pathAt(index(row, column)) == path) return index(row, column);
    }
    if (spec_.rowPath(document_->config(), row) == path) return index(row, 0);
  }
  return {};
}

void FormRows::setProblem(const QModelIndex& index, const QString& text) {
  wrong_ = index;
  problem_ = text;
  if (rows_ > 0) Q_EMIT dataChanged(this->index(0, 0), this->index(rows_ - 1, columnCount() - 1));
}

QVariant FormRows::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= presentRows()) return {};
  const FormColumn& column = spec_.columns[static_cast<std::size_t>(index.column())];
  const bool wrong = wrong_ == index && !problem_.isEmpty();
  if (role == Qt::DisplayRole || role == Qt::EditRole) {
    wire::RunConfig config = document_->config();
    return column.show(config, index.row());
  }
  if (role == Qt::ToolTipRole) return wrong ? problem_ : column.tip;
  if (role == Qt::AccessibleDescriptionRole && wrong) return problem_;
  if (role == Qt::ForegroundRole && wrong) return views::colors().crimson;
  if (role == Qt::BackgroundRole && wrong) return views::colors().crimsonGround;
  return {};
}

QVariant FormRows::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const FormColumn& column = spec_.columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return column.title;
  if (role == Qt::ToolTipRole) return column.tip;
  return {};
}

Qt::ItemFlags FormRows::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (spec_.columns[static_cast<std::size_t>(index.column())].take) flags |= Qt::ItemIsEditable;
  return flags;
}

bool FormRows::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || index.row() >= presentRows()) return false;
  const FormColumn& column = spec_.columns[static_cast<std::size_t>(index.column())];
  wire::RunConfig after = document_->config();
  const QString wrong = column.take(after, index.row(), value.toString().trimmed());
  if (!wrong.isEmpty()) {
    Q_EMIT refused(wrong);
    return false;
  }
  document_->edit(tr("Change of %1: %2").arg(spec_.title, column.title), after, pathAt(index));
  return true;
}

FormTable::FormTable(RunDocument* document, FormTableSpec spec, QWidget* parent)
    : QWidget(parent),
      document_(document),
      rows_(new FormRows(document, std::move(spec), this)),
      view_(new QTableView),
      empty_(new QLabel(rows_->spec().empty)),
      message_(new QLabel) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(makeHead());
  styleView();
  layout->addWidget(view_);
  views::setTone(empty_, views::Tone::kSecond);
  empty_->setWordWrap(true);
  layout->addWidget(empty_);
  views::setTone(message_, views::Tone::kCrimson);
  message_->setFont(views::textFont(11));
  message_->setWordWrap(true);
  message_->hide();
  layout->addWidget(message_);
  connect(rows_, &FormRows::refused, this, [this](const QString& text) {
    message_->setText(text);
    message_->show();
  });
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this] { Q_EMIT currentRowChanged(currentRow()); });
  refresh();
}

/// Makes the title row, with buttons to add and remove rows if the table allows that.
QLayout* FormTable::makeHead() {
  auto* head = new QHBoxLayout;
  head->addWidget(new QLabel(rows_->spec().title));
  head->addStretch();
  if (!rows_->spec().addText.isEmpty()) {
    auto* add = new QPushButton(rows_->spec().addText);
    add->setAutoDefault(false);
    connect(add, &QPushButton::clicked, this, &FormTable::addRow);
    remove_ = new QPushButton(tr("Remove"));
    remove_->setAutoDefault(false);
    remove_->setAccessibleName(tr("Remove from %1").arg(rows_->spec().title));
    connect(remove_, &QPushButton::clicked, this, &FormTable::removeRow);
    head->addWidget(add);
    head->addWidget(remove_);
  }
  return head;
}

void FormTable::addRow() {
  const FormTableSpec& spec = rows_->spec();
  if (!spec.files) return addBy(spec.add);
  ask_files_(this, *spec.files, [this, add = spec.addFile](const QStringList& files) {
    // The files have their names, so the new row is not edited.
    const auto triggers = view_->editTriggers();
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    addBy([&](wire::RunConfig& config) {
      for (const QString& each : files) add(config, each);
    });
    view_->setEditTriggers(triggers);
  });
}

void FormTable::addBy(const std::function<void(wire::RunConfig&)>& add) {
  wire::RunConfig after = document_->config();
  add(after);
  document_->edit(tr("Add a row to %1").arg(rows_->spec().title), after);
  view_->setCurrentIndex(rows_->index(rows_->rowCount() - 1, 0));
  view_->setFocus();
}

void FormTable::removeRow() {
  if (currentRow() < 0) return;
  wire::RunConfig after = document_->config();
  rows_->spec().remove(after, currentRow());
  document_->edit(tr("Remove a row from %1").arg(rows_->spec().title), after);
}

void FormTable::styleView() {
  view_->setModel(rows_);
  views::styleTable(view_);
  view_->setSortingEnabled(false);
  view_->setItemDelegate(new FormDelegate(document_, rows_, view_));
  view_->setSelectionMode(QAbstractItemView::SingleSelection);
  view_->setSelectionBehavior(QAbstractItemView::SelectItems);
  view_->setEditTriggers(QAbstractItemView::AllEditTriggers);
  view_->setTabKeyNavigation(false);
  view_->setAccessibleName(rows_->spec().title);
  view_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  view_->horizontalHeader()->setStretchLastSection(true);
  view_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setFrameShape(QFrame::StyledPanel);
  for (std::size_t i = 0; i < rows_->spec().columns.size(); ++i) {
    view_->setColumnWidth(static_cast<int>(i), rows_->spec().columns[i].width);
  }
}

int FormTable::currentRow() const {
  return view_->currentIndex().isValid() ? view_->currentIndex().row() : rows_->rowCount() - 1;
}

void FormTable::refresh() {
  rows_->refresh();
  fit();
}

void FormTable::fit() {
  const int rows = rows_->rowCount();
  view_->setVisible(rows > 0);
  empty_->setVisible(rows == 0 && !empty_->text().isEmpty());
  if (remove_ != nullptr) remove_->setEnabled(rows > rows_->spec().least);
  const bool scrolls = view_->horizontalHeader()->length() > width() - 2;
  view_->setFixedHeight(26 + rows * kRowHeight + (scrolls ? view_->horizontalScrollBar()->sizeHint().height() : 0));
}

void FormTable::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

bool FormTable::showProblem(const QString& path, const QString& text) {
  const QModelIndex cell = rows_->indexOf(path);
  if (!cell.isValid()) return false;
  rows_->setProblem(cell, text);
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
  return true;
}

void FormTable::clearProblem() {
  rows_->setProblem({}, {});
  message_->hide();
}

bool FormTable::focusCell(const QString& path) {
  const QModelIndex cell = rows_->indexOf(path);
  if (!cell.isValid()) return false;
  view_->setCurrentIndex(cell);
  view_->setFocus(Qt::OtherFocusReason);
  return true;
}

}  // namespace binade::app

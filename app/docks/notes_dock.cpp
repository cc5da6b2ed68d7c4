// SPDX-License-Identifier: Apache-2.0
#include "app/docks/notes_dock.h"

#include "app/docks/empty_state.h"
#include "app/session/write_file.h"
#include "views/plot/csv.h"
#include "views/plot/step_axis.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLocale>
#include <QPushButton>
#include <QTableView>
#include <QTextDocument>
#include <QVBoxLayout>

namespace binade::app {

NotesDock::NotesDock(RunModel* run, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("notes"), tr("Notes"), parent),
      run_(run),
      axis_(axis),
      notes_(run),
      model_(new CellModel({{tr("Step"), true}, {tr("Note")}, {tr("Written")}}, this)),
      table_(new QTableView),
      write_(new QPushButton(tr("Write a note…"))),
      remove_(new QPushButton(tr("Remove"))),
      empty_(new EmptyState(table_, tr("No notes yet."),
                            tr("Press N in a chart to write one on the step at its cursor."))),
      ask_([this](std::int64_t step, const QString& text) {
        bool accepted = false;
        const QString answer = QInputDialog::getMultiLineText(this, tr("Note on step %1").arg(views::grouped(step)),
                                                              tr("An empty text removes the note."), text, &accepted);
        return accepted ? std::optional(answer) : std::nullopt;
      }) {
  table_->setModel(model_);
  views::styleTable(table_);
  table_->setSortingEnabled(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAccessibleName(tr("Notes"));
  views::setColumnWidths(table_, {80, 420, 140});
  table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  auto* copy = new QAction(tr("Copy all as CSV"), table_);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(csv()); });
  auto* save = new QAction(tr("Export notes as CSV…"), table_);
  connect(save, &QAction::triggered, this, &NotesDock::exportCsv);
  table_->addActions({copy, save});  // its context menu
  write_->setToolTip(tr("Writes a note on the step at the cursor, or changes it (N in a chart)"));
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 12, 6);
  row->setSpacing(8);
  row->addWidget(write_);
  row->addWidget(remove_);
  row->addStretch();
  layout->addLayout(row);
  layout->addWidget(empty_);
  setWidget(page);

  axis_->setTakesNotes(true);
  connect(axis_, &views::StepAxis::noteRequested, this, &NotesDock::edit);
  connect(write_, &QPushButton::clicked, this, [this] { edit(axis_->cursor().value_or(axis_->latest())); });
  connect(remove_, &QPushButton::clicked, this, [this] {
    if (const auto step = chosenStep()) notes_.write(*step, {});
  });
  connect(table_, &QTableView::activated, this, [this] {
    if (const auto step = chosenStep()) edit(*step);
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
    if (const auto step = chosenStep(); step && table_->hasFocus()) axis_->setCursor(*step);
    updateButtons();
  });
  connect(&notes_, &Notes::problem, this, &NotesDock::problem);
  connect(run_, &RunModel::notesChanged, this, &NotesDock::refill);
  connect(run_, &RunModel::reset, this, &NotesDock::refill);
  refill();
}

std::optional<std::int64_t> NotesDock::chosenStep() const {
  const int row = table_->currentIndex().row();
  if (row < 0 || row >= model_->rowCount()) return std::nullopt;
  return model_->row(row).id;
}

void NotesDock::edit(qint64 step) {
  if (run_->isEmpty()) return;
  if (const auto text = ask_(step, notes_.textAt(step))) notes_.write(step, *text);
}

QString NotesDock::csv() const {
  // Names of fields for programs: not translated.
  QString text = views::csvLine({QStringLiteral("step"), QStringLiteral("written"), QStringLiteral("note")});
  for (const wire::Note& note : run_->notes()) {
    text += views::csvLine({QString::number(note.step),
                            QDateTime::fromSecsSinceEpoch(note.written).toUTC().toString(Qt::ISODate),
                            QString::fromStdString(note.text)});
  }
  return text;
}

void NotesDock::exportCsv() {
  if (run_->notes().empty()) return;
  const QString run = QFileInfo(run_->runFile()).completeBaseName();
  const QString name = run.isEmpty() ? QStringLiteral("notes.csv") : run + QStringLiteral("-notes.csv");
  QString file = QFileDialog::getSaveFileName(this, tr("Export notes"), name, tr("Comma-separated values (*.csv)"));
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".csv");
  if (const auto failure = writeFile(file, csv().toUtf8(), tr("%1 could not be written: %2.")))
    Q_EMIT problem(*failure);
}

void NotesDock::refill() {
  std::vector<views::StepNote> shown;
  QList<CellRow> rows;
  for (const wire::Note& note : run_->notes()) {
    const QString text = QString::fromStdString(note.text);
    shown.push_back({note.step, text});
    const QString first = text.section(QLatin1Char('\n'), 0, 0);
    const QDateTime written = QDateTime::fromSecsSinceEpoch(note.written);
    rows << CellRow{note.step,
                    {Cell::figure(views::grouped(note.step), static_cast<double>(note.step)),
                     Cell(first == text ? text : first + QStringLiteral(" …"))
                         .with(Qt::ToolTipRole, Qt::convertFromPlainText(text)),
                     Cell(QLocale().toString(written, QLocale::ShortFormat))}};
  }
  axis_->setNotes(std::move(shown));
  model_->setRows(std::move(rows));
  empty_->setEmpty(run_->notes().empty());
  updateButtons();
}

void NotesDock::updateButtons() {
  write_->setEnabled(!run_->isEmpty());
  remove_->setEnabled(chosenStep().has_value());
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/window/shortcuts_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

namespace binade::app {

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Keyboard shortcuts"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(560, 640);
  auto* table = new QTableWidget(0, 2);
  table->setAccessibleName(windowTitle());
  table->setHorizontalHeaderLabels({tr("Command"), tr("Key")});
  table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  table->verticalHeader()->hide();
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setShowGrid(false);
  const auto add = [table](const QString& command, const QString& key) {
    const int row = table->rowCount();
    table->insertRow(row);
    table->setItem(row, 0, new QTableWidgetItem(command));
    table->setItem(row, 1, new QTableWidgetItem(key));
  };
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    add(action->text().remove(u'&'), action->shortcut().toString(QKeySequence::NativeText));
  }
  add(tr("In a chart: move the cursor a step, ten steps"), tr("Left, Right; with Shift"));
  add(tr("In a chart: zoom"), tr("+ and −, or the wheel"));
  add(tr("In a chart: show everything"), tr("F, or a double click"));
  add(tr("In a chart: follow the newest step again"), tr("Escape"));
  add(tr("In a chart: the view before, the view after"), tr("Alt+Left, Alt+Right"));
  add(tr("In a chart: pin the step at the cursor, remove all pins"), tr("P or Ctrl+click; Shift+P"));
  add(tr("In a chart: choose a series, hide it"), tr("Up, Down; H, or a click on the legend"));
  add(tr("In a chart: write a note on the step at the cursor"), tr("N"));
  add(tr("In a chart: copy picture and values"), tr("Ctrl+C"));
  add(tr("In the op calls: choose a format"), tr("F2"));
  add(tr("In the op calls: why this format?"), tr("Shift+F1"));
  add(tr("In the op calls: expand or collapse a module"), tr("Right, Left"));
  add(tr("In the filter of the op calls: saved filters"), tr("Alt+Down"));
  add(tr("While a run file is read: cancel"), tr("Escape"));
  table->resizeColumnToContents(1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(table);
  layout->addWidget(buttons);
}

}  // namespace binade::app

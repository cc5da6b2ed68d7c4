// SPDX-License-Identifier: Apache-2.0
//
// The context menu of a chart.
#include "views/icons.h"
#include "views/look_at_number.h"
#include "views/plot/plot.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>

#include <algorithm>
#include <cmath>

namespace binade::views {

std::optional<PickedNumber> Plot::pickedNumber(const QContextMenuEvent& event) const {
  if (isEmpty() || !axis_->data()) return std::nullopt;
  if (event.reason() == QContextMenuEvent::Keyboard) return numberAt(presentStep(), std::nullopt);
  const QPointF at = event.pos();
  if (!plotArea().contains(at)) return std::nullopt;
  const double step = std::clamp(xToStep(at.x()), axis_->data()->low, axis_->data()->high);
  return numberAt(std::llround(step), yToValue(at.y()));
}

void Plot::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  std::int64_t step = presentStep();
  if (event->reason() != QContextMenuEvent::Keyboard && axis_->data()) {
    step = std::llround(std::clamp(xToStep(event->pos().x()), axis_->data()->low, axis_->data()->high));
  }
  fillMenu(*menu, pickedNumber(*event), step);
  menu->popup(event->globalPos());
}

void Plot::fillMenu(QMenu& menu, const std::optional<PickedNumber>& number, std::int64_t step) {
  const bool data = !isEmpty();
  QAction* fit = menu.addAction(icon(QStringLiteral("fit")), tr("Fit"), this, [this] {
    axis_->remember();
    fitValues();
    axis_->fit();
  });
  fit->setShortcut(Qt::Key_F);
  QAction* back = menu.addAction(tr("Previous view"), axis_, &StepAxis::back);
  back->setShortcut(Qt::ALT | Qt::Key_Left);
  QAction* forward = menu.addAction(tr("Next view"), axis_, &StepAxis::forward);
  forward->setShortcut(Qt::ALT | Qt::Key_Right);
  addMenuEntries(menu);
  if (data) fillSeriesMenu(menu);
  if (data) fillStepMenu(menu, step);
  menu.addSeparator();
  addLookEntry(menu, this, number);
  QAction* copied = menu.addAction(tr("Copy image and values"), this, [this] { copy(); });
  copied->setShortcut(QKeySequence::Copy);
  const auto save = [this](const QString& caption, const QString& ending, const QString& filter, auto write) {
    const QString name =
        (title_.isEmpty() ? QStringLiteral("chart") : title_.toLower().replace(QLatin1Char(' '), QLatin1Char('-')));
    QString file = QFileDialog::getSaveFileName(this, caption, name + ending, filter);
    if (file.isEmpty()) return;
    if (!file.endsWith(ending, Qt::CaseInsensitive)) file += ending;
    if (!write(file)) {
      QMessageBox::warning(this, caption, tr("%1 cannot be written. Choose another folder or name.").arg(file));
    }
  };
  QAction* png = menu.addAction(icon(QStringLiteral("export")), tr("Save as PNG…"), this, [this, save] {
    save(tr("Save as PNG"), QStringLiteral(".png"), tr("PNG image (*.png)"),
         [this](const QString& file) { return savePng(file); });
  });
  QAction* svg = menu.addAction(tr("Save as SVG…"), this, [this, save] {
    save(tr("Save as SVG"), QStringLiteral(".svg"), tr("SVG image (*.svg)"),
         [this](const QString& file) { return saveSvg(file); });
  });
  QAction* table = menu.addAction(tr("Export visible steps as CSV…"), this, [this, save] {
    save(tr("Export as CSV"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
         [this](const QString& file) { return saveCsv(file); });
  });
  for (QAction* action : {fit, copied, png, svg, table}) action->setEnabled(data);
  back->setEnabled(axis_->canGoBack());
  forward->setEnabled(axis_->canGoForward());
}

void Plot::fillSeriesMenu(QMenu& menu) {
  std::vector<LegendEntry> entries = legend();
  std::erase_if(entries, [](const LegendEntry& entry) { return entry.part < 0; });
  if (entries.size() < 2) return;
  QMenu* shown = menu.addMenu(tr("Series"));
  for (const LegendEntry& entry : entries) {
    QAction* action = shown->addAction(menuText(entry.text));
    action->setCheckable(true);
    action->setChecked(!isPartHidden(entry.part));
    connect(action, &QAction::toggled, this, [this, part = entry.part](bool on) { setPartHidden(part, !on); });
  }
}

void Plot::fillStepMenu(QMenu& menu, std::int64_t step) {
  menu.addSeparator();
  const auto& pins = axis_->pins();
  const bool pinned = std::find(pins.begin(), pins.end(), step) != pins.end();
  QAction* pin =
      menu.addAction(pinned ? tr("Remove pin from step %1").arg(grouped(step)) : tr("Pin step %1").arg(grouped(step)),
                     this, [this, step] { axis_->togglePin(step); });
  pin->setShortcut(Qt::Key_P);
  QAction* unpin = menu.addAction(tr("Remove all pins"), axis_, &StepAxis::clearPins);
  unpin->setShortcut(Qt::SHIFT | Qt::Key_P);
  unpin->setEnabled(!pins.empty());
  if (!axis_->takesNotes()) return;
  QAction* note = menu.addAction(axis_->noteAt(step) ? tr("Edit the note on step %1…").arg(grouped(step))
                                                     : tr("Write a note on step %1…").arg(grouped(step)),
                                 this, [this, step] { axis_->requestNote(step); });
  note->setShortcut(Qt::Key_N);
}

}  // namespace binade::views

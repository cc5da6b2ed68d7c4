// SPDX-License-Identifier: Apache-2.0
#include "app/docks/saved_filters.h"

#include "views/filter_line.h"
#include "views/icons.h"
#include "views/values/typography.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <QSettings>
#include <QVariantMap>

namespace binade::app {

namespace {
constexpr qsizetype kLongestName = 60;
constexpr qsizetype kLongestFilter = 1000;
constexpr qsizetype kMostFilters = 100;
}  // namespace

SavedFilters::SavedFilters(views::FilterLine* line) : QObject(line), line_(line), menu_(new QMenu(line)) {
  menu_->setTitle(tr("Saved filters"));
  action_ = line->addAction(views::icon(QStringLiteral("chevron-down")), QLineEdit::TrailingPosition);
  action_->setText(tr("Saved filters"));
  action_->setToolTip(tr("Saved filters (Alt+Down)"));
  action_->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
  action_->setShortcutContext(Qt::WidgetShortcut);
  connect(menu_, &QMenu::aboutToShow, this, &SavedFilters::fill);
  connect(action_, &QAction::triggered, this, [this] { menu_->popup(line_->mapToGlobal(line_->rect().bottomLeft())); });
}

void SavedFilters::fill() {
  menu_->clear();
  for (auto each = filters_.cbegin(); each != filters_.cend(); ++each) {
    QAction* use = menu_->addAction(views::menuText(each.key()));
    use->setToolTip(each.value());
    use->setCheckable(true);
    use->setChecked(each.value() == line_->text().trimmed());
    connect(use, &QAction::triggered, this, [this, name = each.key()] { apply(name); });
  }
  if (filters_.isEmpty()) menu_->addAction(tr("No saved filters"))->setEnabled(false);
  menu_->addSeparator();
  QAction* save = menu_->addAction(tr("Save this filter…"));
  save->setEnabled(!line_->text().trimmed().isEmpty() && filters_.size() < kMostFilters);
  connect(save, &QAction::triggered, this, &SavedFilters::askName);
  QMenu* removal = menu_->addMenu(tr("Delete"));
  removal->setEnabled(!filters_.isEmpty());
  for (const QString& name : filters_.keys()) {
    QAction* gone = removal->addAction(views::menuText(name));
    connect(gone, &QAction::triggered, this, [this, name] { remove(name); });
  }
}

void SavedFilters::askName() {
  const QString filter = line_->text().trimmed();
  const QString name = QInputDialog::getText(line_, tr("Save filter"), tr("Name of the filter \"%1\":").arg(filter),
                                             QLineEdit::Normal, filter);
  save(name);
}

void SavedFilters::save(const QString& name) {
  const QString filter = line_->text().trimmed().left(kLongestFilter);
  const QString short_name = name.trimmed().left(kLongestName);
  if (short_name.isEmpty() || filter.isEmpty()) return;
  if (filters_.size() < kMostFilters || filters_.contains(short_name)) filters_.insert(short_name, filter);
}

void SavedFilters::remove(const QString& name) {
  filters_.remove(name);
}

void SavedFilters::apply(const QString& name) {
  if (!filters_.contains(name)) return;
  line_->setText(filters_.value(name));
  line_->setFocus(Qt::OtherFocusReason);
  Q_EMIT line_->filterChanged(line_->text());
}

void SavedFilters::read(const QSettings& settings, const QString& group) {
  filters_.clear();
  const QVariantMap kept = settings.value(group).toMap();
  for (auto each = kept.cbegin(); each != kept.cend() && filters_.size() < kMostFilters; ++each) {
    const QString filter = each.value().toString().left(kLongestFilter);
    if (!each.key().isEmpty() && !filter.isEmpty()) filters_.insert(each.key().left(kLongestName), filter);
  }
}

void SavedFilters::write(QSettings& settings, const QString& group) const {
  QVariantMap kept;
  for (auto each = filters_.cbegin(); each != filters_.cend(); ++each) kept.insert(each.key(), each.value());
  settings.setValue(group, kept);
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/window/layout_menu.h"

#include "app/window/actions.h"
#include "app/window/dock_layouts.h"
#include "views/values/typography.h"

#include <QInputDialog>

namespace binade::app {

LayoutMenu::LayoutMenu(const Actions* actions, DockLayouts* layouts, QSettings* settings, QWidget* parent)
    : QMenu(tr("La&youts"), parent),
      actions_(actions),
      layouts_(layouts),
      named_(settings),
      remove_(new QMenu(tr("&Delete"), this)),
      ask_([this](const QStringList& names) {
        bool accepted = false;
        const QString typed = QInputDialog::getItem(parentWidget(), tr("Save layout"),
                                                    tr("Name of the layout. An existing name replaces that layout."),
                                                    names, -1, true, &accepted);
        return accepted ? std::optional(typed) : std::nullopt;
      }) {
  connect(this, &QMenu::aboutToShow, this, &LayoutMenu::fill);
  fill();
}

void LayoutMenu::fill() {
  clear();  // deletes the actions made here; those of the window stay
  addAction(actions_->save_layout);
  const QStringList names = named_.names();
  if (!names.isEmpty()) addSeparator();
  for (const QString& name : names) {
    QAction* action = addAction(views::menuText(name));
    action->setEnabled(layouts_->showsDocks());
    connect(action, &QAction::triggered, this, [this, name] { use(name); });
  }
  addSeparator();
  remove_->clear();
  remove_->setEnabled(!names.isEmpty());
  addMenu(remove_);
  for (const QString& name : names) {
    QAction* action = remove_->addAction(views::menuText(name));
    connect(action, &QAction::triggered, this, [this, name] { named_.remove(name); });
  }
  addAction(actions_->restore_layout);
}

void LayoutMenu::use(const QString& name) {
  if (!layouts_->showsDocks()) return;
  const bool restored = layouts_->setState(named_.state(name));
  Q_EMIT used();
  if (restored) return;
  Q_EMIT notice(tr("The layout %1 was saved by another version of Binade.").arg(name),
                tr("The default layout is shown. Arrange the docks and save it again under this name."));
}

void LayoutMenu::saveAs() {
  if (!layouts_->showsDocks()) return;
  const auto typed = ask_(named_.names());
  if (!typed) return;
  const QString name = NamedLayouts::cleanName(*typed);
  if (name.isEmpty()) return;
  named_.save(name, layouts_->state());
  Q_EMIT notice(tr("The layout was saved as %1.").arg(name), tr("View > Layouts restores it in any arrangement."));
}

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#include "app/window/dock_layouts.h"

#include "app/docks/numbers_dock.h"
#include "app/window/dock_set.h"

#include <QMainWindow>
#include <QScreen>
#include <QSettings>

namespace binade::app {

namespace {

constexpr int kLayoutVersion = 9;  // saved layouts of other versions are ignored
constexpr QSize kAlone(920, 600);  // of a dock that is a window of its own
constexpr auto kGeometryKey = "window/geometry";
constexpr auto kLayoutKey = "window/layouts/%1";
constexpr auto kArrangementKey = "window/arrangement";

QString layoutKey(Arrangement which) {
  return QString::fromLatin1(kLayoutKey).arg(arrangementName(which));
}

}  // namespace

DockLayouts::DockLayouts(QMainWindow* window, DockSet* docks) : QObject(window), window_(window), docks_(docks) {
  for (Dock* dock : docks_->all()) dock->hide();
}

void DockLayouts::setArrangement(Arrangement which) {
  if (which == arrangement_) return;
  keep();
  arrangement_ = which;
  if (shows_docks_) restore();
}

void DockLayouts::show() {
  Dock* alone = docks_->numbers;
  const bool was_shown = !shows_docks_ && !alone->isHidden();
  const QRect place = alone->geometry();
  shows_docks_ = true;
  restore();
  if (!was_shown) return;
  alone->setFloating(true);
  alone->setGeometry(place);
  alone->show();
}

void DockLayouts::hide() {
  if (!shows_docks_) return;
  keep();
  shows_docks_ = false;
  for (Dock* dock : docks_->all()) dock->hide();
}

void DockLayouts::showAlone(Dock* dock) {
  if (!shows_docks_) {
    // A dock without a place in the window could not be docked again.
    if (window_->dockWidgetArea(dock) == Qt::NoDockWidgetArea) window_->addDockWidget(Qt::BottomDockWidgetArea, dock);
    if (!dock->isFloating()) {
      dock->setFloating(true);
      QRect place(QPoint(), kAlone.boundedTo(window_->size()));
      place.moveCenter(window_->geometry().center());
      dock->setGeometry(place);
    }
  }
  DockSet::raise(dock);
  dock->setFocus(Qt::ShortcutFocusReason);
}

void DockLayouts::restoreDefault() {
  arrange(window_, docks_->all(), arrangement_);
  docks_->updateTabsLater();
}

// Docks that are not shown have no layout to keep.
void DockLayouts::keep() {
  if (shows_docks_) layouts_[arrangement_] = window_->saveState(kLayoutVersion);
}

void DockLayouts::restore() {
  const QByteArray kept = layouts_.value(arrangement_);
  if (kept.isEmpty() || !window_->restoreState(kept, kLayoutVersion)) restoreDefault();
  docks_->updateTabsLater();
}

std::optional<Arrangement> DockLayouts::read(const QSettings& settings) {
  if (!window_->restoreGeometry(settings.value(QLatin1String(kGeometryKey)).toByteArray())) {
    // The window manager adds a frame, whose size is unknown until the window is shown.
    constexpr QSize kFrame(16, 48);
    window_->resize(QSize(1600, 1000).boundedTo(window_->screen()->availableSize() - kFrame));
  }
  std::optional<Arrangement> current;
  const QString name = settings.value(QLatin1String(kArrangementKey)).toString();
  for (const Arrangement each : kArrangements) {
    layouts_[each] = settings.value(layoutKey(each)).toByteArray();
    if (arrangementName(each) == name) current = each;
  }
  return current;
}

void DockLayouts::write(QSettings& settings) {
  settings.setValue(QLatin1String(kGeometryKey), window_->saveGeometry());
  keep();
  for (const Arrangement each : kArrangements) {
    if (!layouts_.value(each).isEmpty()) settings.setValue(layoutKey(each), layouts_.value(each));
  }
  settings.setValue(QLatin1String(kArrangementKey), arrangementName(arrangement_));
}

}  // namespace binade::app

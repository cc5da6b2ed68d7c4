// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/arrangement.h"

#include <QByteArray>
#include <QHash>
#include <QObject>

#include <optional>

class QMainWindow;
class QSettings;

namespace binade::app {

class Dock;
class DockSet;

/// Shows and hides the docks, in the current arrangement. Keeps the layout in which the user left each arrangement.
/// Stores these layouts and the window's geometry in the settings.
class DockLayouts : public QObject {
 public:
  /// Owned by the window, like the docks, which are destroyed before it. The docks are hidden at first.
  DockLayouts(QMainWindow* window, DockSet* docks);

  Arrangement arrangement() const { return arrangement_; }
  bool showsDocks() const { return shows_docks_; }
  /// Changes the arrangement; docks that are shown are placed anew.
  void setArrangement(Arrangement which);
  void show();
  void hide();
  /// Shows a dock that needs no run: in its place while the docks are shown, otherwise as a window of its own. That
  /// window stays when the docks are shown.
  void showAlone(Dock* dock);
  /// Restores the default layout of the current arrangement.
  void restoreDefault();
  /// The places of the docks that are shown, for setState() in any arrangement. Empty if none are.
  QByteArray state() const;
  /// Restores these places. If they are of another version, or garbage, it restores the default and returns false.
  bool setState(const QByteArray& state);

  /// Reads geometry and layouts. Returns the arrangement that was current, which is not set.
  std::optional<Arrangement> read(const QSettings& settings);
  void write(QSettings& settings);

 private:
  void keep();
  void restore();

  QMainWindow* window_;
  DockSet* docks_;
  bool shows_docks_ = false;
  Arrangement arrangement_ = Arrangement::kExplore;
  QHash<Arrangement, QByteArray> layouts_;  ///< when last shown
};

}  // namespace binade::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/named_layouts.h"

#include <QMenu>

#include <functional>
#include <optional>

class QSettings;

namespace binade::app {

class Actions;
class DockLayouts;

/// View > Layouts: saves the places of the docks under a name, restores a saved layout in any arrangement, deletes one,
/// and restores the default of the arrangement.
class LayoutMenu : public QMenu {
  Q_OBJECT

 public:
  /// Asks for a name; nullopt: cancelled. Gets the names in use.
  using Ask = std::function<std::optional<QString>(const QStringList& names)>;

  /// All must outlive the menu.
  LayoutMenu(const Actions* actions, DockLayouts* layouts, QSettings* settings, QWidget* parent);

  const NamedLayouts& named() const { return named_; }
  /// Shows a saved layout, or the default one if its state cannot be used.
  void use(const QString& name);
  /// Replaces the dialog. For tests.
  void setAsk(Ask ask) { ask_ = std::move(ask); }

 public Q_SLOTS:
  /// Asks for a name, and saves the present layout.
  void saveAs();

 Q_SIGNALS:
  /// A layout was restored.
  void used();
  void notice(const QString& message, const QString& hint);

 private:
  void fill();

  const Actions* actions_;
  DockLayouts* layouts_;
  NamedLayouts named_;
  QMenu* remove_;
  Ask ask_;
};

}  // namespace binade::app

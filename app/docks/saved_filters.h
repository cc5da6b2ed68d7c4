// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QObject>
#include <QString>

class QAction;
class QMenu;
class QSettings;

namespace binade::views {
class FilterLine;
}

namespace binade::app {

/// The filters that the user has named, as a menu at the end of a filter line: one click applies one. Owned by the
/// line.
class SavedFilters : public QObject {
  Q_OBJECT

 public:
  explicit SavedFilters(views::FilterLine* line);

  /// By name: the text of the filter line.
  const QMap<QString, QString>& all() const { return filters_; }
  /// Saves the present filter under a name, replacing one of that name. Does nothing without a name or a filter.
  void save(const QString& name);
  void remove(const QString& name);
  void apply(const QString& name);
  /// The entry of the line that opens the menu.
  QAction* action() const { return action_; }
  QMenu* menu() const { return menu_; }

  /// `group`: where they stand, `opCalls/filters`.
  void read(const QSettings& settings, const QString& group);
  void write(QSettings& settings, const QString& group) const;

 private:
  void fill();
  void askName();

  views::FilterLine* line_;
  QMenu* menu_;
  QAction* action_;
  QMap<QString, QString> filters_;
};

}  // namespace binade::app
